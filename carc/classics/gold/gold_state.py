"""What is kept of the ingots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.cells import are_close
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Owner, TileCell
from carc.base.tiles.tile import FIELD

if TYPE_CHECKING:
    from carc.base.game.state import State

# What each ingot scores, by how many an owner has, up to 10 (GLD-03).
POINTS_EACH: Final = (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)


class GoldState(ExpansionState):
    """Where the ingots are.

    Attributes:
        held: How many each owner has.
        lying: How many lie on each cell.
        claimed: The owners who may take from a cell when this turn's scoring is done.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "lying": dict[TileCell, Count],
        "claimed": dict[TileCell, frozenset[Owner]],
        "held": list[Count],
    }

    def __init__(self, held: list[int]) -> None:
        self.held = held
        self.lying: dict[int, int] = {}
        self.claimed: dict[int, frozenset[int]] = {}

    def copy(self) -> GoldState:
        new = GoldState(self.held.copy())
        new.lying, new.claimed = self.lying.copy(), self.claimed.copy()
        return new

    def add(self, cell: int) -> None:
        """Put an ingot on a cell."""
        self.lying[cell] = self.lying.get(cell, 0) + 1

    def reached(self, state: State, feature: int) -> list[int]:
        """Return the cells of the ingots that go with a feature (GLD-02): none with a field.

        The cells of a feature are its tiles', or all nine where the neighbours complete it.
        """
        board = state.board
        if board.is_kind(feature, FIELD):
            return []
        if board.segment_kind(feature).completed_by == "neighbours":
            middle = board.cell_under(feature)
            return [cell for cell in self.lying if are_close(cell, middle)]
        return [cell for cell in self.lying if board.is_on_tile(feature, board.tile_on_cell(cell))]


def points_each(n: int) -> int:
    """Return what each of so many ingots scores (GLD-03)."""
    return POINTS_EACH[min(n, 10)]
