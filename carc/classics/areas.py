"""Marked segments on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.small_set import TileKinds
from carc.classics.tile_symbols import segments_with_mark

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules


class Marked:
    """The segments that carry a mark.

    Attributes:
        by_kind: For each kind of tile, the index of each of them.
    """

    def __init__(self, rules: Rules, mark: str) -> None:
        """Look them up on the tiles."""
        self.by_kind: Final = segments_with_mark(rules, mark)
        self.tiles: Final = TileKinds([bool(indices) for indices in self.by_kind])

    def on(self, board: Board) -> list[int]:
        """Return those on the board."""
        return [
            board.segment_of(tile, index)
            for tile in board.tiles_among(self.tiles)
            for index in self.by_kind[board.kind_of_tile(tile)]
        ]
