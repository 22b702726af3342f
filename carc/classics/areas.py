"""Areas of the board: the nine tiles around a cell, marked segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import AROUND, WIDTH

if TYPE_CHECKING:
    from carc.base.board.board import Board


def tiles_around(board: Board, cell: int) -> list[int]:
    """Return the tiles that lie face up on the nine cells around a cell."""
    tiles = [board.tile_on_cell(at) for at in (cell, *[cell + step for step in AROUND])]
    return [tile for tile in tiles if tile >= 0]


def any_around(board: Board, cell: i64, chosen: vec[i64]) -> bool:
    """Return True if a tile on the nine cells around a cell is of a kind with 1 in a table."""
    for row in range(-1, 2):
        for column in range(-1, 2):
            tile: i64 = board.tile_on_cell(cell + row * WIDTH + column)
            if tile >= 0 and chosen[board.kind_of_tile(tile)]:
                return True
    return False


def find_marked(board: Board, marked: vec[i64]) -> list[int]:
    """Return the segments that carry a mark, from what `segments_with_mark` returned."""
    segments: list[int] = []
    for tile in range(board.tile_count):
        bits = marked[board.kind_of_tile(tile)]
        index = 0
        while bits:
            if bits & 1:
                segments.append(board.segment_of(tile, index))
            bits >>= 1
            index += 1
    return segments
