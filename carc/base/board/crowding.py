"""Cells near tiles of some kinds."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.arrays import Arrays
from carc.base.board.vectors import sort_in_place
from carc.base.cells import NINE, are_close, are_within
from carc.base.small_set import TileKinds


def crowded_cells(board: Arrays, kinds: TileKinds, others: TileKinds) -> vec[i64]:
    """Return the cells beside two tiles of these kinds, or beside one that has another beside it.

    The other is a tile of the other kinds. The cells are in order; those of the tiles may be among
    them.
    """
    crowded = vec[i64]()
    first = _cells_of(board, kinds)
    if len(first) == 0:
        return crowded
    second = _cells_of(board, others)
    for cell in first:
        taken = any(are_close(cell, other) for other in second)
        near = vec[i64]()  # those that have cells beside them in common with it
        for other in first:
            if not taken and other != cell and are_within(cell, other, 2):
                near = append(near, other)
        if not taken and len(near) == 0:
            continue
        for step in NINE:
            if taken or any(are_close(cell + step, other) for other in near):
                crowded = append(crowded, cell + step)
    return sort_in_place(crowded)


def _cells_of(board: Arrays, kinds: TileKinds) -> vec[i64]:
    cells = vec[i64]()
    flags, oriented_kind = kinds.flags, board._oriented_kind
    for tile in range(board.tile_count):
        if flags[oriented_kind[tile] >> 2]:
            cells = append(cells, board._cell[tile])
    return cells
