"""The whole board as vectors, for reading every tile and segment at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import OWNER_BITS, OWNER_MASK, SEGMENT_AT
from carc.base.board.words import SHIFT
from carc.base.cells import WIDTH, WIDTH_BITS, beyond
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ONE_SIDE, TERRAIN_BITS

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


def feature_open_edges(board: Board) -> vec[i64]:
    """Return `open_edges` of each feature, by segment; numbers of no feature are undefined."""
    return board._open[: board.segment_count]


def feature_tiles(board: Board) -> vec[i64]:
    """Return `tiles_of` of each feature, by segment; numbers of no feature are undefined."""
    return board._size[: board.segment_count]


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


def segments_around(board: Board, cell: i64, demand: i64) -> i64:
    """Return the segments that a tile on a cell would meet, north first, as one word.

    Where there is none, it has the one after the last that can be on the table.

    Args:
        board: The board.
        cell: The cell.
        demand: What its sides demand: not 0 for any side beside which a tile lies.
    """
    main, none = board.components.catalogue.main, i64(board.components.catalogue.most_segments)
    beside: i64 = 0
    for side in range(4):
        segment = none
        if demand & ONE_SIDE:
            other = board.tile_on_cell(beyond(cell, side))
            if other >= 0:
                index = main[board._oriented_kind[other] * 4 + (side ^ 2)]
                if index >= 0:
                    segment = board._first_segment[other] + index
        beside |= segment << SHIFT * side
        demand >>= TERRAIN_BITS
    return beside


def fits_in_window(board: Board, kind: i64, most: i64, corner: i64, size: i64) -> vec[i64]:
    """Return where a tile fits by its edges within a square window, in order, then zeros.

    An entry has the number of the cell in the window (by y, x), times four; then, in its lowest
    eight bits, how many rotations fit, and the rotations, a bit each.

    Args:
        board: The board.
        kind: The kind of the tile.
        most: On how many cells it fits at most.
        corner: The cell in the north-western corner of the window.
        size: The width of the window in cells.

    Returns:
        The entries; none if the tile fits on a cell beyond the window.
    """
    catalogue = board.components.catalogue
    rotations, first = catalogue.rotations, catalogue.rotations_at[kind]
    fits = vec[i64]([0] * (most + 1))
    at: i64 = 0
    outside: i64 = 0
    last = size - 1
    for entry in board._frontier:
        here = i64(rotations[first | entry & DEMANDS])
        away = (entry >> DEMAND_BITS) - corner
        x = away & WIDTH - 1
        y = away >> WIDTH_BITS
        # Written always and kept if a rotation fits: measured, the branch mispredicts.
        fits[at] = (y * size + x) * 4 << 8 | here
        fit = -here >> 63 & 1
        outside |= (away | last - x | last - y) >> 63 & fit
        at += fit
    fits[at] = 0
    return vec[i64]() if outside else fits
