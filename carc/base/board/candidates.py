"""`Candidates`: what may be chosen on the board, as ints that sort in the order of the choices.

An entry is `cell << CELL_AT | segment << SEGMENT_AT | owner << OWNER_AT | kind of follower`, so
entries sort by y, x, segment, owner, kind. Above `GROUP_AT` is a group number, for several sorts of
choice offered one after another.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    OWNER_AT,
    OWNER_BITS,
    OWNER_MASK,
    SEGMENT_AT,
    Arrays,
)
from carc.base.board.parts import is_free_part, open_parts
from carc.base.board.vectors import nth, sort_in_place
from carc.base.cells import WIDTH, WIDTH_BITS, count_bits

GROUP_AT: Final = 60
CELL_AT: Final = 40
BELOW_CELL: Final = (1 << CELL_AT) - 1
SPARE: Final[i64] = 8  # the least entries that candidates have room for beyond what was asked
EVERY: Final[i64] = (1 << 62) - 1  # all kinds of follower, or all owners, a bit each
NOBODY: Final = (-1, -1, -1)  # no follower, where one is given as segment, owner, kind


def cell_in(entry: i64) -> i64:
    """Return the cell of an entry."""
    return (entry >> CELL_AT) & ((1 << GROUP_AT - CELL_AT) - 1)


def segment_in(entry: i64) -> i64:
    """Return the segment of an entry."""
    return (entry & BELOW_CELL) >> SEGMENT_AT


def owner_in(entry: i64) -> i64:
    """Return the owner of an entry."""
    return (entry & FOLLOWER_MASK) >> OWNER_AT


def kind_in(entry: i64) -> i64:
    """Return the kind of follower of an entry."""
    return entry & KIND_MASK


def group_in(entry: i64) -> i64:
    """Return the group of an entry."""
    return entry >> GROUP_AT


def with_kind(entry: i64, kind: i64) -> i64:
    """Return the entry with another kind of follower."""
    return (entry & ~KIND_MASK) | kind


@final
@mypyc_attr(free_list_len=1)
class Candidates:
    """What may be chosen: collected in any order, read in order.

    The functions of this module add to what is there already.
    """

    def __init__(self) -> None:
        self.count: i64 = 0
        self.entries: vec[i64] = vec[i64]()  # those from `count` on are unused

    def room_for(self, more: i64) -> vec[i64]:
        """Return `entries`, made long enough for so many more."""
        if self.count + more > len(self.entries):
            grown = vec[i64]([0] * (self.count + more + max(self.count, SPARE)))
            for at in range(self.count):
                grown[at] = self.entries[at]
            self.entries = grown
        return self.entries

    def add(self, entry: i64) -> None:
        """Add an entry."""
        self.room_for(1)[self.count] = entry
        self.count += 1

    def add_segment(
        self, cell: i64, segment: i64, owner: i64 = 0, kind: i64 = 0, group: i64 = 0
    ) -> None:
        """Add a segment, with an owner and a kind of follower (or other number), in a group."""
        self.add(
            group << GROUP_AT | cell << CELL_AT | segment << SEGMENT_AT | owner << OWNER_AT | kind
        )

    def add_kinds(self, cell: i64, segment: i64, kinds: i64, group: i64 = 0) -> None:
        """Add a segment once with each of these kinds of follower (a bit each)."""
        entry = group << GROUP_AT | cell << CELL_AT | segment << SEGMENT_AT
        entries = self.room_for(count_bits(kinds) + 1)
        n = self.count
        while kinds:
            entries[n] = entry
            n += kinds & 1
            kinds >>= 1
            entry += 1
        self.count = n

    def at(self, index: i64) -> i64:
        """Return the entry at an index of all in order.

        Raises:
            IndexError: There are fewer.
        """
        if index >= self.count:
            raise IndexError(f"there is no candidate {index}; there are {self.count}")
        return nth(self.entries, self.count, index)

    def in_order(self) -> vec[i64]:
        """Return all entries, the least first."""
        return sort_in_place(self.entries[: self.count])


def open_features(
    board: Arrays, kinds: i64, excluded: list[int], candidates: Candidates
) -> Candidates:
    """Add the incomplete features of these kinds (a bit each), each by its first segment."""
    feature, opened, kind = board._feature, board._open, board._kind
    for segment in range(board.segment_count):
        if feature[segment] != segment or not opened[segment] or not kinds >> kind[segment] & 1:
            continue
        if not any(other == segment for other in excluded):
            candidates.add(_first_segment_of(board, segment))
    return candidates


def _first_segment_of(board: Arrays, feature: i64) -> i64:
    """Return the first segment of a feature by y, x of its tile, then index, as an entry."""
    cell, tile_of, follow = board._cell, board._tile_of, board._next
    first = cell[tile_of[feature]] << CELL_AT | feature << SEGMENT_AT
    segment = follow[feature]
    while segment != feature:
        first = min(first, cell[tile_of[segment]] << CELL_AT | segment << SEGMENT_AT)
        segment = follow[segment]
    return first


def first_followers(board: Arrays, kinds: i64, owners: i64, candidates: Candidates) -> Candidates:
    """Add the first follower of each segment if of these kinds and owners (a bit each)."""
    cell, tile_of = board._cell, board._tile_of
    entries = candidates.room_for(len(board._followers))
    n = candidates.count
    last: i64 = -1
    for entry in board._followers:
        segment = entry >> SEGMENT_AT
        theirs: i64 = owners >> ((entry & FOLLOWER_MASK) >> OWNER_AT) & 1
        if theirs and segment != last and kinds >> (entry & KIND_MASK) & 1:
            entries[n] = cell[tile_of[segment]] << CELL_AT | entry
            n += 1
        last = segment
    candidates.count = n
    return candidates


def followers_of(
    board: Arrays, owner: i64, kinds: i64, without: tuple[int, int, int], candidates: Candidates
) -> Candidates:
    """Add an owner's followers of these kinds (a bit each); equal ones on a segment count once.

    Args:
        board: The board.
        owner: Whose followers.
        kinds: The kinds of follower.
        without: One follower that is left out, as segment, owner, kind; `NOBODY` leaves out none.
        candidates: Where they are added.
    """
    followers, cell, tile_of = board._followers, board._cell, board._tile_of
    left_out = i64(without[0]) << SEGMENT_AT | i64(without[1]) << OWNER_AT | i64(without[2])
    entries = candidates.room_for(len(followers))
    n = candidates.count
    last: i64 = -1
    at: i64 = -1
    for entry in followers:
        at += 1
        segment = entry >> SEGMENT_AT
        entries[n] = cell[tile_of[segment]] << CELL_AT | entry
        # Written always and counted by `n` if both are 1: measured, these branches mispredict.
        mine = (((entry & FOLLOWER_MASK) >> OWNER_AT ^ owner) - 1) >> 63
        mine &= kinds >> (entry & KIND_MASK) & 1
        counts = (entry - left_out | left_out - entry) >> 63 & 1
        if segment == last:
            counts = 1 if _equal_before(followers, at) == 1 - counts else 0
        n += mine & counts
        last = segment
    candidates.count = n
    return candidates


def followers_of_on(
    board: Arrays, owner: i64, kinds: i64, segment_kind: i64, candidates: Candidates
) -> Candidates:
    """Add an owner's followers of these kinds (a bit each) on features of one kind."""
    mine = followers_of(board, owner, kinds, NOBODY, Candidates())
    for at in range(mine.count):
        if board._kind[segment_in(mine.entries[at])] == segment_kind:
            candidates.add(mine.entries[at])
    return candidates


def followers_in(
    board: Arrays, features: list[int], kinds: i64, group: i64, candidates: Candidates
) -> Candidates:
    """Add everybody's followers of these kinds on some features, as a group; equal ones once."""
    followers, feature = board._followers, board._feature
    for at in range(len(followers)):
        entry = followers[at]
        on = feature[entry >> SEGMENT_AT]
        wanted = kinds >> (entry & KIND_MASK) & 1 and any(on == one for one in features)
        if wanted and _equal_before(followers, at) == 0:
            cell = board._cell[board._tile_of[entry >> SEGMENT_AT]]
            candidates.add(group << GROUP_AT | cell << CELL_AT | entry)
    return candidates


def followers_in_line(
    board: Arrays, cell: i64, reach: i64, kinds: i64, candidates: Candidates
) -> Candidates:
    """Add everybody's followers of these kinds (a bit each) within reach on a cell or in line.

    In line: in its row or column, at most `reach` cells away. Equal ones on a segment count once.
    """
    followers, shelters = board._followers, board.components.catalogue.shelters
    for at in range(len(followers)):
        entry = followers[at]
        there = board._cell[board._tile_of[entry >> SEGMENT_AT]]
        across = (there & (WIDTH - 1)) - (cell & (WIDTH - 1))
        down = (there >> WIDTH_BITS) - (cell >> WIDTH_BITS)
        near = (across == 0 or down == 0) and -reach <= across + down <= reach
        wanted = near and kinds >> (entry & KIND_MASK) & 1 and _equal_before(followers, at) == 0
        if wanted and not shelters[board._kind[entry >> SEGMENT_AT]]:
            candidates.add(there << CELL_AT | entry)
    return candidates


def free_segments(
    board: Arrays, owner: i64, excluded_cell: i64, group: i64, candidates: Candidates
) -> Candidates:
    """Add where an owner's followers of the supply might go on the tiles before the last.

    That is, segments that nobody claims of features that are not complete, except on one cell,
    for each kind of follower that may claim them; as a group.
    """
    feature, claimed, opened = board._feature, board._claimed, board._open
    cell, tile_of, kind = board._cell, board._tile_of, board._kind
    components = board.components
    completes, claimers = components.catalogue.completes, components.claimers_by_kind
    before: i64 = board._first_segment[board.last_tile]
    able = kinds_in_supply(board, owner)
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
        for part in open_parts(board, before):
            free[n] = part
            n += 1
    who = group << GROUP_AT | owner << OWNER_AT
    entries = candidates.room_for(n * count_bits(able) + 1)
    count = candidates.count
    for at in range(n):
        segment = free[at]
        here = cell[tile_of[segment]]
        if here == excluded_cell:
            continue
        entry = who | here << CELL_AT | segment << SEGMENT_AT
        kinds = claimers[kind[segment]] & able
        while kinds:
            entries[count] = entry  # kept if the kind may go there
            count += kinds & 1
            kinds >>= 1
            entry += 1
    candidates.count = count
    return candidates


def unclaimed_among(board: Arrays, segments: list[int], candidates: Candidates) -> Candidates:
    """Add those of some segments whose features nobody claims."""
    cell, tile_of = board._cell, board._tile_of
    claimed, feature = board._claimed, board._feature
    entries = candidates.room_for(len(segments))
    n = candidates.count
    for one in segments:
        segment = i64(one)
        if claimed[feature[segment]] == 0:
            entries[n] = cell[tile_of[segment]] << CELL_AT | segment << SEGMENT_AT
            n += 1
    candidates.count = n
    return candidates


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
        if claimers[kind[segment]] and (
            claimed[feature[segment]] == 0 or is_free_part(board, segment)
        ):
            free |= 1 << index
    return free


def led_on_last_tile(board: Arrays, owner: i64) -> i64:
    """Return the segments of the last tile in whose features an owner's followers count."""
    tile = board.last_tile
    first = board._first_segment[tile]
    led: i64 = 0
    count = board.components.catalogue.segment_count[board._oriented_kind[tile] >> 2]
    for index in range(count):
        if board._claimed[board._feature[first + index]] >> OWNER_BITS * owner & OWNER_MASK:
            led |= 1 << index
    return led


def _equal_before(followers: vec[i64], at: i64) -> i64:
    """Return how many equal followers stand before one on its segment."""
    entry = followers[at]
    count: i64 = 0
    while at > 0 and followers[at - 1] >> SEGMENT_AT == entry >> SEGMENT_AT:
        at -= 1
        if followers[at] == entry:
            count += 1
    return count
