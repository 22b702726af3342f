"""`Figures`: what may be asked of the followers on a board, and of those in the supplies."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board import Board
from carc.base.layout import KINDS, OWNER_AT, SEGMENT_AT, WHO
from carc.base.scoring import OWNER_BITS, OWNER_MASK
from carc.base.vectors import insert, plain

CELL_AT: Final = 40  # of a figure's rank: cell << CELL_AT | its entry in `stands`
BELOW: Final = (1 << CELL_AT) - 1


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

    def figures_of(self, owner: i64, kinds: i64) -> list[tuple[int, int]]:
        """An owner's followers on the table of these kinds (a bit each), as segment and kind: by y, x, then segment, kind; like ones once."""
        return [
            (int((key & BELOW) >> SEGMENT_AT), int(key & KINDS))
            for key in self._ranked(owner, kinds)
        ]

    def count_figures_of(self, owner: i64, kinds: i64) -> i64:
        """How many `figures_of` tells."""
        count: i64 = 0
        stands = self.stands
        for at in range(len(stands)):
            entry = stands[at]
            if (entry & WHO) >> OWNER_AT == owner and kinds >> (entry & KINDS) & 1:
                count += 1
                before = at - 1
                while before >= 0 and stands[before] >> SEGMENT_AT == entry >> SEGMENT_AT:
                    if stands[before] == entry:
                        count -= 1
                        break
                    before -= 1
        return count

    def _ranked(self, owner: i64, kinds: i64) -> vec[i64]:
        """The same in order, as `cell << CELL_AT | entry of stands`."""
        found = vec[i64](capacity=len(self.stands))
        for entry in self.stands:
            if (entry & WHO) >> OWNER_AT == owner and kinds >> (entry & KINDS) & 1:
                key = self.cell[self.tile_of[entry >> SEGMENT_AT]] << CELL_AT | entry
                at: i64 = len(found)
                while at > 0 and found[at - 1] > key:
                    at -= 1
                if at == 0 or found[at - 1] != key:
                    found = insert(found, at, key)
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

    def free_places(self) -> list[int]:
        """The segments of all tiles but the last that may be claimed: of what nobody claims and what is not complete."""
        claimable, completes = self.rules.claimable, self.rules.catalogue.completes
        claimed, opened = self.claimed, self.open
        found: list[int] = []
        for segment in range(self.first[self.last]):
            feature = self.feature[segment]
            kind = self.kind[segment]
            if (
                claimed[feature] == 0
                and claimable[kind]
                and (opened[feature] or not completes[kind])
            ):
                found.append(segment)
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
