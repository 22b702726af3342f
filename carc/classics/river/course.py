"""Where the river may go on (RIV-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.cells import beyond

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.turn.actions import Place

STRAIGHT: Final = 2  # sides between where a river enters a tile and where it leaves it


class Course:
    """Tells whether a placement continues the river as it may."""

    def __init__(self, rules: Rules, *, alternates: bool) -> None:
        """Look up the rivers on the tiles.

        Args:
            rules: The rules.
            alternates: Whether a bend goes the other way than the bend before it.
        """
        self._alternates: Final = alternates
        # For each kind and rotation, the sides with river.
        self._sides: Final = [
            [side for side in range(4) if tile.edges[(side - rotation) % 4] == "I"]
            for tile in rules.catalogue.tiles
            for rotation in range(4)
        ]

    def continues(self, board: Board, kind: int, place: Place) -> bool:
        """Return True if a river tile continues the river and leaves room for the next one."""
        cell, sides = place.cell, self._sides[kind * 4 + place.rotation]
        entered = -1
        for side in sides:
            if entered < 0 and board.tile_on_cell(beyond(cell, side)) >= 0:
                entered = side
        if entered < 0:
            return False
        for side in sides:
            if board.tile_on_cell(beyond(cell, side)) >= 0:
                continue
            if not self._has_room(board, cell, side):
                return False
            if self._alternates and self._turns_back(board, cell, entered, side):
                return False
        return True

    def _has_room(self, board: Board, cell: int, side: int) -> bool:
        """Return True if the river would run into nothing around the cell beyond a side."""
        next_to = beyond(cell, side)
        behind = beyond(next_to, side)
        if board.tile_on_cell(behind) >= 0:
            return False
        for turn in range(1, 4, 2):
            turned = (side + turn) % 4
            if (
                board.tile_on_cell(beyond(next_to, turned)) >= 0
                or board.tile_on_cell(beyond(behind, turned)) >= 0
            ):
                return False
        return True

    def _turns_back(self, board: Board, cell: int, entered: int, left: int) -> bool:
        """Return True if a tile would bend the river the way its last bend upstream did."""
        bend = (left - entered) % 4
        while bend != STRAIGHT:
            tile = board.tile_on_cell(beyond(cell, entered))
            out, cell = entered ^ 2, board.cell_of(tile)
            before = [
                side
                for side in self._sides[board.oriented_kind(tile)]
                if side != out and 0 <= board.neighbour(tile, side) < tile
            ]
            if not before:  # the spring
                return False
            entered = before[0]
            if (out - entered) % 4 != STRAIGHT:
                return (out - entered) % 4 == bend
        return False
