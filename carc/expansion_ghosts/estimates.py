"""What ghosts may cost (GCC-12, GCC-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import Expansion
from carc.base.turn.scoring import leads, points_for
from carc.expansion_ghosts.ghosts_state import MEEPLE, GhostsState

if TYPE_CHECKING:
    from carc.base.game.state import State

SCARES: Final = (0.03, 0.06, 0.2, 0.2)  # how likely so many scare a meeple off, an estimate


class GhostsEstimates(Estimates):
    """The ghosts on the table, and those to come."""

    def __init__(self, ghosts: Expansion[GhostsState], haunting: bool) -> None:
        """Keep the rules; `haunting`: whether they have ghosts."""
        self.ghosts: Final = ghosts
        self.haunting: Final = haunting

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Subtract what ghosts cost: a point each, and what meeples they may scare off would score.

        Guards are never scared off (GCC-11).
        """
        if not self.haunting:
            return expected
        ghosts = self.ghosts.state_of(state).ghosts
        early = state.tiles_left / (state.tiles_left + 12)
        board = state.board
        for segment, count in ghosts.items():
            expected[board.owner_at(segment)] -= float(count)
        for feature, owner, fewest in board.least_marked(MEEPLE, ghosts):
            if leads(state, feature, owner):
                points = points_for(state, feature, owner, True)
                expected[owner] -= SCARES[fewest] * early * points
        return expected
