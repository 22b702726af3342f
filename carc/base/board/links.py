"""Links: features joined at closed ends, such as two roads by a ferry, and parted again."""

from __future__ import annotations

from librt.vecs import append, pop
from mypy_extensions import i64

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    OWNER_AT,
    OWNER_BITS,
    SEGMENT_AT,
    Arrays,
)
from carc.base.board.tile_laying import (
    CLOSED,
    CONNECTED,
    OPENED,
    close_edge,
    join,
    note_completed,
)
from carc.base.board.vectors import from_list, place_in
from carc.base.cells import beyond
from carc.base.tiles.catalogue import DEMAND_BITS, with_terrain


def link(board: Arrays, a: i64, b: i64) -> None:
    """Join the features of two segments at ends that are closed otherwise."""
    for segment in (a, b):
        feature = board._feature[segment]
        if feature in board.completed:
            board.completed.remove(feature)
    board._open[board._feature[a]] += 1
    board._open[board._feature[b]] += 1
    join(board, a, b)


def beside(board: Arrays, segment: i64) -> list[int]:
    """Return the segments next to one in its feature, over whole edges or joined otherwise."""
    return _beside(board, segment, board._edge_overrides)


def _beside(board: Arrays, segment: i64, overrides: tuple[tuple[int, int, int], ...]) -> list[int]:
    """Return the segments next to one in its feature; overrides: those of its feature at least."""
    catalogue = board.components.catalogue
    tile = board._tile_of[segment]
    index = segment - board._first_segment[tile]
    found: list[int] = []
    for side in range(4):
        if catalogue.main[board._oriented_kind[tile] * 4 + side] != index:
            continue
        other = board.tile_on_cell(beyond(board._cell[tile], side))
        if other >= 0:
            theirs = catalogue.main[board._oriented_kind[other] * 4 + (side ^ 2)]
            if theirs >= 0:
                found.append(board._first_segment[other] + theirs)
    for what, a, b in overrides:
        if what >= CONNECTED and segment in (a, b):
            found.append(a + b - segment)
    return found


def first_met(board: Arrays, starts: list[int], stops: list[int]) -> list[int]:
    """Return those of `stops` that come first on all ways (`beside`) from `starts`."""
    ends = from_list(stops)
    ways = from_list(starts)
    seen = ways[:]
    met: list[int] = []
    while len(ways):
        ways, segment = pop(ways)
        if any(end == segment for end in ends):
            met.append(segment)
            continue
        for one in beside(board, segment):
            other = i64(one)
            if not any(known == other for known in seen):
                seen = append(seen, other)
                ways = append(ways, other)
    return met


def part(board: Arrays, a: i64, b: i64) -> None:
    """Work out anew the feature of two segments that were linked and no longer are."""
    old = board._feature[a]
    overrides = tuple([one for one in board._edge_overrides if board._feature[one[1]] == old])
    members: list[int] = []
    segment = old
    while True:
        members.append(segment)
        segment = board._next[segment]
        if segment == old:
            break
    if old in board.completed:
        board.completed.remove(old)
    for segment in members:
        _make_single(board, segment)
    for segment in members:
        for other in _beside(board, segment, overrides):
            if other < segment:
                join(board, segment, other)
    for what, one, _ in overrides:
        change = 1 if what == OPENED else -1 if what == CLOSED else 2 * (what - CONNECTED)
        board._open[board._feature[one]] += change
    note_completed(board, board._feature[a])
    note_completed(board, board._feature[b])


def _make_single(board: Arrays, segment: i64) -> None:
    """Make a segment a feature of its own, with the followers on it; abbeys beside it end it."""
    catalogue = board.components.catalogue
    tile = board._tile_of[segment]
    index = segment - board._first_segment[tile]
    kind: i64 = board._oriented_kind[tile] >> 2
    like = catalogue.segment_start[kind] + index
    board._feature[segment] = segment
    board._next[segment] = segment
    board._size[segment] = 1
    board._open[segment] = catalogue.segment_open[like]
    board._paired[segment] = catalogue.segment_paired[like]
    for word in range(catalogue.mark_words):
        at = segment * catalogue.mark_words + word
        board._marks[at] = catalogue.segment_marks[like * catalogue.mark_words + word]
    for side in range(4):
        here: i64 = board._oriented_kind[tile] * 4 + side
        if catalogue.main[here] == index:
            other = board.tile_on_cell(beyond(board._cell[tile], side))
            if other >= 0:
                there = board._oriented_kind[other] * 4 + (side ^ 2)
                board._open[segment] -= int(catalogue.terrain[here] != catalogue.terrain[there])
    board._claimed[segment] = 0
    for entry in board._followers:
        if entry >> SEGMENT_AT == segment:
            power: i64 = board.components.follower_kinds[entry & KIND_MASK].power
            owner: i64 = (entry & FOLLOWER_MASK) >> OWNER_AT
            board._claimed[segment] += power << (OWNER_BITS * owner)


def retype(board: Arrays, tile: i64, kind: i64) -> None:
    """Exchange the kind of a laid tile for one with as many segments.

    Edges may differ, and kinds and edges of segments, only where no tile lies beside them, or one
    that closes what the last segment opens there.
    """
    catalogue = board.components.catalogue
    old = board._oriented_kind[tile]
    new = kind * 4 + (old & 3)
    board._oriented_kind[tile] = new
    board._edits += 1
    before, after = catalogue.segment_start[old >> 2], catalogue.segment_start[kind]
    first = board._first_segment[tile]
    for index in range(catalogue.segment_count[kind]):
        segment = first + index
        new_kind = catalogue.segment_kind[after + index]
        if catalogue.segment_kind[before + index] != new_kind:  # else it may have changed since
            board._kind[segment] = new_kind
        feature = board._feature[segment]
        opened, paired = catalogue.segment_open, catalogue.segment_paired
        board._open[feature] += opened[after + index] - opened[before + index]
        board._paired[feature] += paired[after + index] - paired[before + index]
    for side in range(4):
        cell = beyond(board._cell[tile], side)
        at = place_in(board._frontier, cell << DEMAND_BITS)
        if at < len(board._frontier) and board._frontier[at] >> DEMAND_BITS == cell:
            terrain = catalogue.terrain[new * 4 + side]
            board._frontier[at] = with_terrain(board._frontier[at], side ^ 2, terrain)
        elif catalogue.terrain[new * 4 + side] != catalogue.terrain[old * 4 + side]:
            close_edge(board, first + catalogue.segment_count[kind] - 1)


def change_kind(board: Arrays, segment: i64, kind: i64) -> None:
    """Change the kind of a whole feature, such as a city that becomes a castle."""
    feature = board._feature[segment]
    board._edits += 1
    board._kind[feature] = kind
    member = board._next[feature]
    while member != feature:
        board._kind[member] = kind
        member = board._next[member]
