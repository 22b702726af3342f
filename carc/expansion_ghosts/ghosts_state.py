"""`GhostsState`: what Ghosts, Castles & Cemeteries keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Segment

if TYPE_CHECKING:
    from carc.base.game.state import State

SCARED_AT: Final = 3  # ghosts (GCC-12)
MEEPLE: Final = 0  # index among the kinds of follower


class GhostsState(ExpansionState):
    """Ghosts and guards in a position.

    Attributes:
        ghosts: How many are with the meeple on a segment.
        stock: How many are in the ghost stock.
        guards: How many guards each owner has in the guard stock.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "ghosts": dict[Segment, Count],
        "stock": Count,
        "guards": list[Count],
    }

    def __init__(self, stock: int, guards: list[int], ghosts: dict[int, int]) -> None:
        self.ghosts: dict[int, int] = ghosts
        self.stock: int = stock
        self.guards: list[int] = guards

    def copy(self) -> GhostsState:
        return GhostsState(self.stock, self.guards.copy(), self.ghosts.copy())

    def is_valid(self, state: State) -> bool:
        """GCC-11: ghosts are with meeples only."""
        return all(state.board.follower_at(segment) == MEEPLE for segment in self.ghosts)
