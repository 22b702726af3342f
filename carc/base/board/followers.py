"""`Figures`: what may be asked of the followers on a board, and of those in the supplies."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.board import Board
from carc.base.board.candidates import CELL_AT, SORT_AT, Ranks, segment_in
from carc.base.board.layout import KINDS, OWNER_AT, SEGMENT_AT, WHO
from carc.base.game.scoring import OWNER_BITS, OWNER_MASK

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
        return [int(segment_in(rank)) for rank in self.firsts()]

    def firsts(self) -> vec[i64]:
        """The first follower on each of these segments, in that order: as ranks (`carc.base.board.candidates`) without the cell."""
        found = vec[i64](capacity=len(self.stands))
        last: i64 = -1
        for entry in self.stands:
            segment = entry >> SEGMENT_AT
            if segment != last:
                found = append(found, entry)
                last = segment
        return found

    def led_by(self, follower: i64, owners: i64) -> list[int]:
        """The segments whose first follower is of a kind and of one of these owners (a bit each), by y, x, then index."""
        ranks = self.ranks_led_by(follower, owners, Ranks()).in_order()
        return [int(segment_in(rank)) for rank in ranks]

    def ranks_led_by(self, follower: i64, owners: i64, found: Ranks) -> Ranks:
        """These first followers."""
        cell, tile_of = self.cell, self.tile_of
        last: i64 = -1
        for entry in self.stands:
            segment = entry >> SEGMENT_AT
            his: i64 = owners >> ((entry & WHO) >> OWNER_AT) & 1
            if his and segment != last and entry & KINDS == follower:
                found.add(cell[tile_of[segment]] << CELL_AT | entry)
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

    def ranks_of(self, owner: i64, kinds: i64, but: tuple[int, int, int], found: Ranks) -> Ranks:
        """An owner's followers on the table of these kinds (a bit each), like ones once.

        `but`: without one follower, given as segment, owner, kind; `NOBODY`: with all. Those of one segment are side by side.
        """
        stands, cell, tile_of = self.stands, self.cell, self.tile_of
        gone = i64(but[0]) << SEGMENT_AT | i64(but[1]) << OWNER_AT | i64(but[2])
        room = found.room_for(len(stands))
        n = found.n
        last: i64 = -1
        for at in range(len(stands)):
            entry = stands[at]
            segment = entry >> SEGMENT_AT
            room[n] = cell[tile_of[segment]] << CELL_AT | entry
            # 1 where it is his and of these kinds, 1 where it is another than `but`: without branches, for nobody could foretell them.
            mine = (((entry & WHO) >> OWNER_AT ^ owner) - 1) >> 63 & kinds >> (entry & KINDS) & 1
            other = (entry - gone | gone - entry) >> 63 & 1
            if segment == last:
                other = 1 if _alike_before(stands, at) == 1 - other else 0
            n += mine & other
            last = segment
        found.n = n
        return found

    def ranks_on(self, owner: i64, kinds: i64, sort: i64, found: Ranks) -> Ranks:
        """Those of `ranks_of` that stand on features of a kind, given as its index."""
        mine = self.ranks_of(owner, kinds, NOBODY, Ranks())
        for at in range(mine.n):
            if self.kind[segment_in(mine.room[at])] == sort:
                found.add(mine.room[at])
        return found

    def ranks_in(self, features: list[int], kinds: i64, sort: i64, found: Ranks) -> Ranks:
        """Everybody's followers of these kinds (a bit each) on some features, like ones once; as another sort (`SORT_AT`)."""
        stands, feature = self.stands, self.feature
        for at in range(len(stands)):
            entry = stands[at]
            on: int = feature[entry >> SEGMENT_AT]
            if kinds >> (entry & KINDS) & 1 and on in features and _alike_before(stands, at) == 0:
                cell = self.cell[self.tile_of[entry >> SEGMENT_AT]]
                found.add(sort << SORT_AT | cell << CELL_AT | entry)
        return found

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

    def free_ranks(self, owner: i64, but: i64, sort: i64, found: Ranks) -> Ranks:
        """Where an owner's followers of the supply might be put on other tiles than the last, but for one cell; as another sort.

        Of what nobody claims and what is not complete.
        """
        feature, claimed, opened = self.feature, self.claimed, self.open
        cell, tile_of, kind = self.cell, self.tile_of, self.kind
        completes, takers = self.rules.catalogue.completes, self.rules.takers
        before: i64 = self.first[self.last]
        able = self.able(owner)
        follower: i64 = 0
        while able >> follower:
            if able >> follower & 1:
                who = sort << SORT_AT | owner << OWNER_AT | follower
                room = found.room_for(before)
                n = found.n
                for segment in range(before):
                    on = feature[segment]
                    what = kind[segment]
                    here = cell[tile_of[segment]]
                    room[n] = who | here << CELL_AT | segment << SEGMENT_AT
                    # All bits where it is so: without branches, for nobody could foretell them.
                    held = -claimed[on] >> 63
                    complete = opened[on] - 1 >> 63 & -completes[what] >> 63
                    away = (here - but | but - here) >> 63
                    n += takers[what] >> follower & ~(held | complete) & away & 1
                found.n = n
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


def _alike_before(stands: vec[i64], at: i64) -> i64:
    """How many like the one at a place stand before it; those on a segment are side by side."""
    entry = stands[at]
    count: i64 = 0
    while at > 0 and stands[at - 1] >> SEGMENT_AT == entry >> SEGMENT_AT:
        at -= 1
        if stands[at] == entry:
            count += 1
    return count
