"""`Figures`: what may be asked of the followers on a board, and of those in the supplies."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board import BELOW_CELL, CELL_AT, Board
from carc.base.cells import bits
from carc.base.layout import KINDS, OWNER_AT, SEGMENT_AT, WHO
from carc.base.scoring import OWNER_BITS, OWNER_MASK
from carc.base.vectors import in_rank, nth, plain

NOBODY: Final = (-1, -1, -1)  # no follower, where one is told as segment, owner and kind


class Figures(Board):
    """The questions to who stands on the table; `State` is one."""

    def has_follower(self, segment: int) -> bool:
        """Whether a follower stands on a segment."""
        return self._who(segment) >= 0

    def _who(self, segment: i64) -> i64:
        """The first follower on a segment, as owner << OWNER_AT | kind; -1: there is none."""
        for entry in self.stands:
            if entry >> SEGMENT_AT == segment:
                return entry & WHO
        return -1

    @property
    def followers(self) -> list[int]:
        """The segments that followers stand on, each once, in the order they were first stood on."""
        found: list[int] = []
        last: i64 = -1
        for entry in self.stands:
            segment = entry >> SEGMENT_AT
            if segment != last:
                found.append(segment)
                last = segment
        return found

    def led_by(self, follower: i64, owners: i64) -> list[int]:
        """The segments whose first follower is of a kind and of one of these owners (a bit each), by y, x, then index."""
        return plain(self._sorted(self._led_by(follower, owners)))

    def count_led_by(self, follower: i64, owners: i64) -> i64:
        """How many `led_by` tells."""
        return len(self._led_by(follower, owners))

    def _led_by(self, follower: i64, owners: i64) -> vec[i64]:
        found = vec[i64](capacity=len(self.stands))
        last: i64 = -1
        for entry in self.stands:
            segment = entry >> SEGMENT_AT
            his: i64 = owners >> ((entry & WHO) >> OWNER_AT) & 1
            if his and segment != last and entry & KINDS == follower:
                found = append(found, segment)
            last = segment
        return found

    def owner_at(self, segment: int) -> int:
        """Whose follower stands on a segment, of several the first who came. Raises `KeyError` if none does."""
        who = self._who(segment)
        if who < 0:
            raise KeyError(segment)
        return who >> OWNER_AT

    def follower_at(self, segment: int) -> int:
        """Of which kind (its index in `Rules.follower_kinds`) the first follower on a segment is; -1 if there is none."""
        who = self._who(segment)
        return who if who < 0 else who & KINDS

    def first_at(self, segment: i64) -> tuple[int, int]:
        """Owner and kind of the first follower on a segment; -1, -1: there is none."""
        who = self._who(segment)
        return (-1, -1) if who < 0 else (int(who >> OWNER_AT), int(who & KINDS))

    def all_at(self, segment: int) -> list[tuple[int, int]]:
        """Who stands on a segment, in the order they came: the owner and the kind of each."""
        return [
            (int((entry & WHO) >> OWNER_AT), int(entry & KINDS))
            for entry in self.stands
            if entry >> SEGMENT_AT == segment
        ]

    def figures(self) -> list[tuple[int, int, int]]:
        """Every follower on the table, those of one segment side by side: its segment, owner, kind (index in `Rules.follower_kinds`)."""
        return [
            (int(entry >> SEGMENT_AT), int((entry & WHO) >> OWNER_AT), int(entry & KINDS))
            for entry in self.stands
        ]

    def count_like(self, segment: i64, owner: i64, follower: i64) -> i64:
        """How many of an owner's followers of a kind stand on a segment."""
        count: i64 = 0
        for entry in self.stands:
            if entry == segment << SEGMENT_AT | owner << OWNER_AT | follower:
                count += 1
        return count

    def standing(self, owner: int, follower: int) -> list[int]:
        """The segments on which an owner's followers of a kind stand, in the order they were first stood on."""
        wanted: i64 = owner << OWNER_AT | follower
        found: list[int] = []
        last: i64 = -1
        for entry in self.stands:
            segment = entry >> SEGMENT_AT
            if entry & WHO == wanted and segment != last:
                found.append(segment)
                last = segment
        return found

    def figures_of(
        self, owner: i64, kinds: i64, but: tuple[int, int, int]
    ) -> list[tuple[int, int]]:
        """An owner's followers on the table of these kinds (a bit each), as segment and kind: by y, x, then segment, kind; like ones once.

        `but`: without one follower, given as segment, owner, kind; `NOBODY`: with all.
        """
        return [
            (int((key & BELOW_CELL) >> SEGMENT_AT), int(key & KINDS))
            for key in in_rank(self._figures_of(owner, kinds, but))
        ]

    def figure_of(
        self, owner: i64, kinds: i64, index: i64, but: tuple[int, int, int]
    ) -> tuple[int, int]:
        """The one of `figures_of` at an index."""
        key = nth(self._figures_of(owner, kinds, but), index)
        return int((key & BELOW_CELL) >> SEGMENT_AT), int(key & KINDS)

    def count_figures_of(self, owner: i64, kinds: i64, but: tuple[int, int, int]) -> i64:
        """How many `figures_of` tells."""
        count: i64 = 0
        segment, whose, follower = but
        if whose == owner and kinds >> follower & 1:
            count -= int(self.count_like(segment, owner, follower) == 1)
        stands = self.stands
        for at in range(len(stands)):
            entry = stands[at]
            if (entry & WHO) >> OWNER_AT == owner and kinds >> (entry & KINDS) & 1:
                like = at - 1  # those on a segment are side by side
                while like >= 0 and stands[like] != entry:
                    like = like - 1 if stands[like] >> SEGMENT_AT == entry >> SEGMENT_AT else -1
                if like < 0:
                    count += 1
        return count

    def figures_of_sort(self, owner: i64, kinds: i64, sort: i64) -> list[tuple[int, int]]:
        """Those of `figures_of` that stand on features of a kind, given as its index."""
        found = self.figures_of(owner, kinds, NOBODY)
        return [(segment, kind) for segment, kind in found if self.kind[segment] == sort]

    def _figures_of(self, owner: i64, kinds: i64, but: tuple[int, int, int]) -> vec[i64]:
        """The same in no order, as `cell << CELL_AT | entry of stands`."""
        stands = self.stands
        found = vec[i64](capacity=len(stands))
        segment: i64 = but[0]
        whose: i64 = but[1]
        gone = segment << SEGMENT_AT | whose << OWNER_AT | but[2]
        for at in range(len(stands)):
            entry = stands[at]
            if entry == gone:
                gone = -1
            elif (entry & WHO) >> OWNER_AT == owner and kinds >> (entry & KINDS) & 1:
                key = self.cell[self.tile_of[entry >> SEGMENT_AT]] << CELL_AT | entry
                like = len(found) - 1
                while like >= 0 and found[like] != key:
                    like = like - 1 if found[like] >> SEGMENT_AT == key >> SEGMENT_AT else -1
                if like < 0:
                    found = append(found, key)
        return found

    def figures_in(self, features: list[int], kinds: i64) -> list[tuple[int, int, int]]:
        """Everybody's followers of these kinds (a bit each) on some features, as segment, owner, kind: in that order, places by y, x; like ones once."""
        found = vec[i64]()
        for entry in self.stands:
            feature: int = self.feature[entry >> SEGMENT_AT]
            if kinds >> (entry & KINDS) & 1 and feature in features:
                found = append(
                    found, self.cell[self.tile_of[entry >> SEGMENT_AT]] << CELL_AT | entry
                )
        told: list[tuple[int, int, int]] = []
        last: i64 = -1
        for key in in_rank(found):
            if key != last:
                entry = key & BELOW_CELL
                told.append(
                    (int(entry >> SEGMENT_AT), int((entry & WHO) >> OWNER_AT), int(entry & KINDS))
                )
            last = key
        return told

    def power_of(self, feature: i64, owner: i64) -> i64:
        """An owner's weight on a feature by the followers alone, before expansions change it (BASE-11)."""
        return self.claimed[feature] >> OWNER_BITS * owner & OWNER_MASK

    def unclaimed(self) -> i64:
        """The segments of the tile laid last that may be claimed and are not (BASE-05, BASE-06): a bit for each index."""
        claimable = self.rules.claimable
        first = self.first[self.last]
        found: i64 = 0
        for index in range(self.rules.catalogue.segment_count[self.row[self.last] >> 2]):
            segment = first + index
            if claimable[self.kind[segment]] and self.claimed[self.feature[segment]] == 0:
                found |= 1 << index
        return found

    def free_places(self, owner: i64, but: i64) -> list[tuple[int, int]]:
        """Where an owner's followers of the supply might be put on other tiles than the last, but for one cell, as segment and kind.

        Of what nobody claims and what is not complete; by y, x, then segment, kind.
        """
        return [
            (int((key & BELOW_CELL) >> OWNER_AT), int(key & KINDS))
            for key in in_rank(self._free_places(owner, but))
        ]

    def free_place(self, owner: i64, but: i64, index: i64) -> tuple[int, int]:
        """The one of `free_places` at an index."""
        key = nth(self._free_places(owner, but), index)
        return int((key & BELOW_CELL) >> OWNER_AT), int(key & KINDS)

    def count_free_places(self, owner: i64, but: i64) -> i64:
        """How many `free_places` tells."""
        able = self.able(owner)
        count: i64 = 0
        for segment in range(self.first[self.last] if able else 0):
            count += bits(self._free_for(able, segment, but))
        return count

    def _free_places(self, owner: i64, but: i64) -> vec[i64]:
        """The same in no order, as `cell << CELL_AT | segment << OWNER_AT | kind`."""
        able = self.able(owner)
        found = vec[i64]()
        for segment in range(self.first[self.last] if able else 0):
            may = self._free_for(able, segment, but)
            follower: i64 = 0
            while may >> follower:
                if may >> follower & 1:
                    cell = self.cell[self.tile_of[segment]]
                    found = append(found, cell << CELL_AT | segment << OWNER_AT | follower)
                follower += 1
        return found

    def able(self, owner: i64) -> i64:
        """The kinds of follower that an owner has in the supply, a bit each."""
        kinds: i64 = len(self.rules.follower_kinds)
        able: i64 = 0
        for follower in range(kinds):
            if self.supply[owner * kinds + follower]:
                able |= 1 << follower
        return able

    def _free_for(self, able: i64, segment: i64, but: i64) -> i64:
        """Those of some kinds of follower (a bit each) that a segment is free for, if it is not on one cell."""
        feature = self.feature[segment]
        if self.claimed[feature]:
            return 0
        kind = self.kind[segment]
        if not self.open[feature] and self.rules.catalogue.completes[kind]:
            return 0
        may = able & self.rules.takers[kind]
        return may if may and self.cell[self.tile_of[segment]] != but else 0

    def stood_on(self, tile: i64) -> list[int]:
        """The segments of a tile that followers stand on, in order."""
        first = self.first[tile]
        beyond = first + self.rules.catalogue.segment_count[self.row[tile] >> 2]
        found: list[int] = []
        for entry in self.stands:
            segment: int = entry >> SEGMENT_AT
            if first <= segment < beyond and segment not in found:
                found.append(segment)
        found.sort()
        return found

    def led_on_last(self, owner: i64) -> i64:
        """The segments of the tile laid last in whose features an owner's followers count: a bit for each index."""
        first = self.first[self.last]
        found: i64 = 0
        for index in range(self.rules.catalogue.segment_count[self.row[self.last] >> 2]):
            if self.claimed[self.feature[first + index]] >> OWNER_BITS * owner & OWNER_MASK:
                found |= 1 << index
        return found

    def is_claimed(self, feature: int) -> bool:
        """Whether a follower that counts in majorities stands on a feature (BASE-06)."""
        return self.claimed[feature] != 0

    def followers_on(self, feature: i64) -> list[int]:
        """The segments of a feature that followers stand on, in the order they came."""
        found: list[int] = []
        last: i64 = -1
        for entry in self.stands:
            segment = entry >> SEGMENT_AT
            if segment != last and self.feature[segment] == feature:
                found.append(segment)
            last = segment
        return found

    def occupied(self) -> list[int]:
        """The features that followers stand on, each once, in the order the first of them came."""
        found: list[int] = []
        for segment in self.followers:
            feature = self.feature[segment]
            if feature not in found:
                found.append(feature)
        return found

    def supply_of(self, owner: int, follower: int = 0) -> int:
        """How many followers of a kind an owner has in the supply; the first kind is the meeple."""
        return self.supply[owner * len(self.rules.follower_kinds) + follower]

    def add_supply(self, owner: int, follower: int, n: int) -> None:
        """Put `n` followers of a kind into an owner's supply, or take them out of the game where it is negative."""
        self.supply[owner * len(self.rules.follower_kinds) + follower] += n
