"""The whole board as vectors, for reading every tile, segment and follower at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    OWNER_AT,
    OWNER_BITS,
    OWNER_MASK,
    SEGMENT_AT,
)
from carc.base.cells import beyond

if TYPE_CHECKING:
    from carc.base.board.board import Board


def tile_cells(board: Board) -> vec[i64]:
    """Return the cell of each tile, by tile."""
    return board._cell[: board.tile_count]


def oriented_kinds(board: Board) -> vec[i64]:
    """Return kind * 4 + rotation of each tile, by tile."""
    return board._oriented_kind[: board.tile_count]


def first_segments(board: Board) -> vec[i64]:
    """Return the number of each tile's first segment, by tile."""
    return board._first_segment[: board.tile_count]


def segment_features(board: Board) -> vec[i64]:
    """Return the feature of each segment, by segment."""
    return board._feature[: board.segment_count]


def segment_kinds(board: Board) -> vec[i64]:
    """Return the number of each segment's kind, by segment."""
    return board._kind[: board.segment_count]


def feature_open_edges(board: Board) -> vec[i64]:
    """Return `open_edges` of each feature, by segment; numbers of no feature are undefined."""
    return board._open[: board.segment_count]


def feature_tiles(board: Board) -> vec[i64]:
    """Return `tiles_of` of each feature, by segment; numbers of no feature are undefined."""
    return board._size[: board.segment_count]


def feature_marked(board: Board) -> vec[i64]:
    """Return what is not 0 for each feature that carries a mark, by segment."""
    words = board.components.catalogue.mark_words
    if words == 1:
        return board._marks[: board.segment_count]
    marked = vec[i64]([0] * board.segment_count)
    for at in range(board.segment_count * words):
        marked[at // words] |= board._marks[at]
    return marked


def feature_powers(board: Board, owners: i64) -> vec[i64]:
    """Return `power` of each owner on each feature, at `feature * (owners + 1) + owner`.

    After those of all owners is their sum, so that one look tells whether there is any.
    """
    powers = vec[i64]([0] * (board.segment_count * (owners + 1)))
    for entry in board._followers:
        feature = board._feature[entry >> SEGMENT_AT]
        claimed = board._claimed[feature]
        first = feature * (owners + 1)
        powers[first + owners] = 0
        for owner in range(owners):
            power = claimed >> OWNER_BITS * owner & OWNER_MASK
            powers[first + owner] = power
            powers[first + owners] += power
    return powers


def followers(board: Board) -> vec[i64]:
    """Return segment, owner and kind of each follower, as `Board.all_followers` does, in a row."""
    numbers = vec[i64]([0] * (3 * len(board._followers)))
    at: i64 = 0
    for entry in board._followers:
        numbers[at] = entry >> SEGMENT_AT
        numbers[at + 1] = (entry & FOLLOWER_MASK) >> OWNER_AT
        numbers[at + 2] = entry & KIND_MASK
        at += 3
    return numbers


def feature_beyond(board: Board, cell: i64, side: i64) -> i64:
    """Return the feature that a tile on a cell would meet at a side; -1 if it meets none."""
    other = board.tile_on_cell(beyond(cell, side))
    if other < 0:
        return -1
    main = board.components.catalogue.main
    segment = main[board._oriented_kind[other] * 4 + (side ^ 2)]
    return board._feature[board._first_segment[other] + segment] if segment >= 0 else i64(-1)


def feature_on(board: Board, cell: i64, index: i64) -> i64:
    """Return the feature of a segment, by its cell and index; -1 if no tile lies there."""
    tile = board.tile_on_cell(cell)
    return board._feature[board._first_segment[tile] + index] if tile >= 0 else i64(-1)
