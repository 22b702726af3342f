"""What is printed on the tiles of a game, by kind of tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from carc.base.small_set import TileKinds

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.tiles.tile import Segment


def kinds_with_symbol(rules: Rules, symbol: str) -> TileKinds:
    """Return the kinds of tile on which a symbol is printed."""
    return TileKinds([tile.symbol(symbol) is not None for tile in rules.catalogue.tiles])


def kinds_with_segment(rules: Rules, kind: str) -> TileKinds:
    """Return the kinds of tile that have a segment of a kind."""
    return TileKinds([bool(indices) for indices in segments_of_kind(rules, kind)])


def segments_of_kind(rules: Rules, kind: str) -> list[list[int]]:
    """Return for each kind of tile its segments of a kind, by their index."""
    return _segments(rules, lambda part: part.kind == kind)


def segments_with_mark(rules: Rules, mark: str) -> list[list[int]]:
    """Return for each kind of tile the segments that carry a mark, by their index."""
    return _segments(rules, lambda part: mark in dict(part.marks))


def _segments(rules: Rules, holds: Callable[[Segment], bool]) -> list[list[int]]:
    return [
        [index for index, part in enumerate(tile.segments) if holds(part)]
        for tile in rules.catalogue.tiles
    ]


class Marked:
    """The segments that carry a mark.

    Attributes:
        by_kind: For each kind of tile, the index of each of them.
    """

    def __init__(self, rules: Rules, mark: str) -> None:
        self.by_kind: Final = segments_with_mark(rules, mark)
        self.tiles: Final = TileKinds([bool(indices) for indices in self.by_kind])

    def has(self, board: Board, segment: int) -> bool:
        """Return True if a segment on the board is one of them."""
        tile = board.tile_under(segment)
        return segment - board.segment_of(tile, 0) in self.by_kind[board.kind_of_tile(tile)]

    def on(self, board: Board) -> list[int]:
        """Return those on the board."""
        return [
            board.segment_of(tile, index)
            for tile in board.tiles_among(self.tiles)
            for index in self.by_kind[board.kind_of_tile(tile)]
        ]
