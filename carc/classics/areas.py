"""Areas of the board: the nine tiles around a cell, the cells of a feature, marked segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import AROUND, WIDTH

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State


def are_close(first: i64, second: i64) -> bool:
    """Return True if two cells are the same or next to each other, also over a corner."""
    away = first - second + WIDTH + 1
    return 0 <= away <= 2 * WIDTH + 2 and away & (WIDTH - 1) <= 2


def count_followers_around(state: State, cell: i64, kinds: i64) -> list[int]:
    """Return how many followers of these kinds (a bit each) each owner has on the nine tiles."""
    counts = [0] * state.rules.owners
    for segment, owner, kind in state.board.all_followers():
        if kinds >> kind & 1 and are_close(state.board.cell_under(segment), cell):
            counts[owner] += 1
    return counts


def tiles_around(board: Board, cell: int) -> list[int]:
    """Return the tiles that lie face up on the nine cells around a cell."""
    tiles = [board.tile_on_cell(at) for at in (cell, *[cell + step for step in AROUND])]
    return [tile for tile in tiles if tile >= 0]


def cells_of(state: State, feature: int) -> set[int]:
    """Return the cells of a feature: its tiles', or all nine where the neighbours complete it."""
    board = state.board
    if board.segment_kind(feature).completed_by == "neighbours":
        here = board.cell_under(feature)
        return {here, *[here + step for step in AROUND]}
    cells: set[int] = set()
    for segment in board.members(feature):
        cells.add(board.cell_under(segment))
    return cells


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
