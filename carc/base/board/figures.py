"""`Figures`: which figures on a board may be chosen, and which places for one.

Each question returns `Candidates`; what a choice of one of them does, a verb says
(`carc.base.turn.figures`). Equal figures of a segment count once.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    OWNER_AT,
    OWNER_BITS,
    OWNER_MASK,
    SEGMENT_AT,
    Arrays,
)
from carc.base.board.candidates import CELL_AT, NO_CANDIDATES, Candidates, segment_in
from carc.base.board.followers import Followers
from carc.base.board.parts import free_parts, open_parts
from carc.base.board.vectors import from_list
from carc.base.cells import WIDTH, WIDTH_BITS, count_bits
from carc.base.small_set import SmallSet

NOBODY: Final = (-1, -1, -1)  # no figure, where one is given as segment, owner, kind


class Figures(Followers):
    """The part of `Board` that offers figures and places."""

    def candidates(self, places: list[tuple[int, int]]) -> Candidates:
        """Return these places: each a segment and a kind of figure, or another number."""
        entries = vec[i64]([0] * len(places))
        n: i64 = 0
        for segment, kind in places:
            entries[n] = self._entry(segment, kind)
            n += 1
        return Candidates(entries, n)

    def _entry(self, segment: i64, who: i64) -> i64:
        return self._cell[self._tile_of[segment]] << CELL_AT | segment << SEGMENT_AT | who

    def led_on_last_tile(self, owner: i64) -> list[int]:
        """Return the segments of the last tile, by index, where an owner's followers count."""
        first = self._first_segment[self.last_tile]
        led: list[int] = []
        for index in range(
            self.components.catalogue.segment_count[self._oriented_kind[self.last_tile] >> 2]
        ):
            if self._claimed[self._feature[first + index]] >> OWNER_BITS * owner & OWNER_MASK:
                led.append(index)
        return led

    def figures_of(
        self, owner: i64, kinds: SmallSet, without: tuple[int, int, int] = NOBODY
    ) -> Candidates:
        """Return an owner's figures of these kinds; `without` one: its segment, owner, kind."""
        followers, cell, tile_of = self._followers, self._cell, self._tile_of
        bits = kinds.bits
        left_out = i64(without[0]) << SEGMENT_AT | i64(without[1]) << OWNER_AT | i64(without[2])
        entries = vec[i64]([0] * (len(followers) + 1))
        n: i64 = 0
        last: i64 = -1
        at: i64 = -1
        for entry in followers:
            at += 1
            segment = entry >> SEGMENT_AT
            entries[n] = cell[tile_of[segment]] << CELL_AT | entry
            # Written always and counted by `n` if both are 1: measured, these branches mispredict.
            mine = (((entry & FOLLOWER_MASK) >> OWNER_AT ^ owner) - 1) >> 63
            mine &= bits >> (entry & KIND_MASK) & 1
            counts = (entry - left_out | left_out - entry) >> 63 & 1
            if segment == last:
                counts = 1 if _equal_before(followers, at) == 1 - counts else 0
            n += mine & counts
            last = segment
        return Candidates(entries, n)

    def figures_of_on(self, owner: i64, kinds: SmallSet, segment_kind: i64) -> Candidates:
        """Return an owner's figures of these kinds on features of one kind."""
        mine = self.figures_of(owner, kinds)
        entries = mine.entries
        n: i64 = 0
        for at in range(mine.count):
            entries[n] = entries[at]
            n += 1 if self._kind[segment_in(entries[at])] == segment_kind else 0
        return Candidates(entries, n)

    def figures_in(self, features: list[int], kinds: SmallSet, owner: i64 = -1) -> Candidates:
        """Return the figures of these kinds on some features: everybody's, or one owner's."""
        if not features:
            return NO_CANDIDATES
        followers, feature, bits = self._followers, self._feature, kinds.bits
        entries = vec[i64]([0] * len(followers))
        n: i64 = 0
        for at in range(len(followers)):
            entry = followers[at]
            on = feature[entry >> SEGMENT_AT]
            theirs = owner < 0 or owner == (entry & FOLLOWER_MASK) >> OWNER_AT
            wanted = theirs and bits >> (entry & KIND_MASK) & 1 != 0
            there = wanted and any(on == one for one in features)
            if there and _equal_before(followers, at) == 0:
                entries[n] = self._entry(entry >> SEGMENT_AT, entry & FOLLOWER_MASK)
                n += 1
        return Candidates(entries, n)

    def figures_in_line(self, cell: i64, reach: i64, kinds: SmallSet) -> Candidates:
        """Return everybody's figures of these kinds within reach on a cell or in line.

        In line: in its row or column, at most `reach` cells away.
        """
        followers, shelters = self._followers, self.components.catalogue.shelters
        bits = kinds.bits
        entries = vec[i64]([0] * len(followers))
        n: i64 = 0
        for at in range(len(followers)):
            entry = followers[at]
            there = self._cell[self._tile_of[entry >> SEGMENT_AT]]
            across = (there & (WIDTH - 1)) - (cell & (WIDTH - 1))
            down = (there >> WIDTH_BITS) - (cell >> WIDTH_BITS)
            near = (across == 0 or down == 0) and -reach <= across + down <= reach
            wanted = near and bits >> (entry & KIND_MASK) & 1 != 0
            wanted = wanted and not shelters[self._kind[entry >> SEGMENT_AT]]
            if wanted and _equal_before(followers, at) == 0:
                entries[n] = there << CELL_AT | entry
                n += 1
        return Candidates(entries, n)

    def first_figures(self, kinds: SmallSet, owners: SmallSet) -> Candidates:
        """Return the first figure of each segment if it is of these kinds and owners."""
        cell, tile_of = self._cell, self._tile_of
        bits, whose = kinds.bits, owners.bits
        entries = vec[i64]([0] * len(self._followers))
        n: i64 = 0
        last: i64 = -1
        for entry in self._followers:
            segment = entry >> SEGMENT_AT
            theirs: i64 = whose >> ((entry & FOLLOWER_MASK) >> OWNER_AT) & 1
            if theirs and segment != last and bits >> (entry & KIND_MASK) & 1:
                entries[n] = cell[tile_of[segment]] << CELL_AT | entry
                n += 1
            last = segment
        return Candidates(entries, n)

    def with_each(self, segments: list[int], kinds: list[int]) -> Candidates:
        """Return these segments, each with each of these kinds of figure, or other numbers."""
        entries = vec[i64]([0] * (len(segments) * len(kinds)))
        n: i64 = 0
        for segment in segments:
            for kind in kinds:
                entries[n] = self._entry(segment, kind)
                n += 1
        return Candidates(entries, n)

    def unclaimed_among(self, segments: list[int]) -> Candidates:
        """Return those of some segments whose features nobody claims."""
        cell, tile_of = self._cell, self._tile_of
        claimed, feature = self._claimed, self._feature
        entries = vec[i64]([0] * len(segments))
        n: i64 = 0
        for one in segments:
            segment = i64(one)
            if claimed[feature[segment]] == 0:
                entries[n] = cell[tile_of[segment]] << CELL_AT | segment << SEGMENT_AT
                n += 1
        return Candidates(entries, n)

    def unclaimed_for(
        self, owner: i64, kinds: SmallSet, segments: list[int], heights: list[int]
    ) -> Candidates:
        """Return the unclaimed ones of some segments, with each of these kinds in the supply.

        Only those count whose height in the other list is not 0.
        """
        cell, tile_of = self._cell, self._tile_of
        claimed, feature = self._claimed, self._feature
        able = kinds_in_supply(self, owner) & kinds.bits
        if not able or not any(height for height in heights):
            return NO_CANDIDATES
        entries = vec[i64]([0] * (len(segments) * count_bits(able) + 1))
        n: i64 = 0
        for at in range(len(segments)):
            if not heights[at]:
                continue
            segment = i64(segments[at])
            if claimed[feature[segment]] == 0:
                entry = cell[tile_of[segment]] << CELL_AT | segment << SEGMENT_AT
                n = _add_kinds(entries, n, entry, able)
        return Candidates(entries, n)

    def places_beside(
        self, owner: i64, kinds: SmallSet, segment_kind: i64, closed: list[int]
    ) -> Candidates:
        """Return where an owner's followers of the supply may join figures of these kinds.

        That is, on features of one kind where such figures of the owner stand, on the same
        segments, except on tiles that are closed.
        """
        followers, components = self._followers, self.components
        able = kinds_in_supply(self, owner) & components.claimers_by_kind[segment_kind]
        entries = vec[i64]([0] * (len(followers) * count_bits(able) + 1))
        n: i64 = 0
        last: i64 = -1
        for entry in followers:
            segment = entry >> SEGMENT_AT
            mine = (entry & FOLLOWER_MASK) >> OWNER_AT == owner
            wanted = mine and segment != last and kinds.bits >> (entry & KIND_MASK) & 1 != 0
            tile: int = self._tile_of[segment]
            if wanted and self._kind[segment] == segment_kind and tile not in closed:
                last = segment
                n = _add_kinds(entries, n, self._entry(segment, owner << OWNER_AT), able)
        return Candidates(entries, n)

    def free_places(self, owner: i64, closed: list[int]) -> Candidates:
        """Return where an owner's followers of the supply might go on the tiles before the last.

        That is, segments that nobody claims of features that are not complete, except on tiles that
        are closed, with each kind of follower that may claim them.
        """
        feature, claimed, opened = self._feature, self._claimed, self._open
        cell, tile_of, kind = self._cell, self._tile_of, self._kind
        components = self.components
        completes, claimers = components.catalogue.completes, components.claimers_by_kind
        before: i64 = self._first_segment[self.last_tile]
        able = kinds_in_supply(self, owner)
        # The kinds of segment that some of them may claim, and those that can be complete, as bits.
        claimable: i64 = 0
        completing: i64 = 0
        for what in range(len(claimers)):
            claimable |= (-(claimers[what] & able) >> 63 & 1) << what
            completing |= completes[what] << what
        free = vec[i64]([0] * before)
        n: i64 = 0
        for segment in range(before):
            on = feature[segment]
            what = kind[segment]
            free[n] = segment
            # Without branches: measured, they mispredict.
            held = -claimed[on] >> 63 | opened[on] - 1 >> 63 & -(completing >> what & 1)
            n += claimable >> what & ~held & 1
        if components.parted & claimable:
            for part in open_parts(self, before):
                free[n] = part
                n += 1
        entries = vec[i64]([0] * (n * count_bits(able) + 1))
        count: i64 = 0
        shut = from_list(closed)
        for at in range(n):
            segment = free[at]
            tile = tile_of[segment]
            if any(one == tile for one in shut):
                continue
            entry = cell[tile] << CELL_AT | segment << SEGMENT_AT | owner << OWNER_AT
            count = _add_kinds(entries, count, entry, claimers[kind[segment]] & able)
        return Candidates(entries, count)

    def open_features(self, kinds: SmallSet, without: list[int], numbers: i64 = 1) -> Candidates:
        """Return the incomplete features of these kinds but some, each by its first segment.

        That is the first by y, x of its tile, then index. Each once with each number below
        `numbers`.
        """
        feature, opened, kind = self._feature, self._open, self._kind
        bits, left_out = kinds.bits, from_list(without)
        entries = vec[i64]()
        for segment in range(self.segment_count):
            wanted = feature[segment] == segment and bits >> kind[segment] & 1 != 0
            if wanted and opened[segment] and not any(one == segment for one in left_out):
                first = _first_segment_of(self, segment)
                for number in range(numbers):
                    entries = append(entries, first | number)
        return Candidates(entries, len(entries))


def kinds_in_supply(board: Arrays, owner: i64) -> i64:
    """Return the kinds of follower that an owner has in the supply, a bit each."""
    supply = board._supply
    kinds: i64 = len(board.components.follower_kinds)
    able: i64 = 0
    at = owner * kinds + kinds
    while kinds:
        kinds -= 1
        at -= 1
        able = able << 1 | (-supply[at] >> 63 & 1)  # 1 if there is any, without a branch
    return able


def unclaimed_on_last_tile(board: Arrays) -> i64:
    """Return the segments of the last tile that may be claimed and are not, a bit each index.

    Rules: BASE-05, BASE-06.
    """
    claimers = board.components.claimers_by_kind
    kind, claimed, feature = board._kind, board._claimed, board._feature
    tile = board.last_tile
    first = board._first_segment[tile]
    free: i64 = 0
    count = board.components.catalogue.segment_count[board._oriented_kind[tile] >> 2]
    for index in range(count):
        segment = first + index
        if claimers[kind[segment]] and claimed[feature[segment]] == 0:
            free |= 1 << index
    return free | free_parts(board, tile) if board.components.parted else free


def _add_kinds(entries: vec[i64], n: i64, entry: i64, kinds: i64) -> i64:
    """Write an entry with each of these kinds (a bit each) at `n`; return where the next goes."""
    while kinds:
        entries[n] = entry  # kept if it is one of the kinds
        n += kinds & 1
        kinds >>= 1
        entry += 1
    return n


def _first_segment_of(board: Arrays, feature: i64) -> i64:
    """Return the first segment of a feature by y, x of its tile, then index, as an entry."""
    cell, tile_of, follow = board._cell, board._tile_of, board._next
    first = cell[tile_of[feature]] << CELL_AT | feature << SEGMENT_AT
    segment = follow[feature]
    while segment != feature:
        first = min(first, cell[tile_of[segment]] << CELL_AT | segment << SEGMENT_AT)
        segment = follow[segment]
    return first


def _equal_before(followers: vec[i64], at: i64) -> i64:
    """Return how many equal followers stand before one on its segment."""
    entry = followers[at]
    count: i64 = 0
    while at > 0 and followers[at - 1] >> SEGMENT_AT == entry >> SEGMENT_AT:
        at -= 1
        if followers[at] == entry:
            count += 1
    return count
