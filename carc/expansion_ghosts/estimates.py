"""What ghosts may cost (GCC-12, GCC-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import Expansion
from carc.base.turn.scoring import leads, points_for
from carc.expansion_ghosts.ghosts_state import MEEPLE, SCARED_AT, GhostsState

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
        # By feature and owner, the fewest ghosts on a meeple; -1 where a guard stands.
        board = state.board
        safest: dict[tuple[int, int], int] = {}
        for segment, owner, kind in board.first_followers():
            here = ghosts.get(segment, 0)
            expected[owner] -= float(here)
            claim = board.feature_of(segment), owner
            safest[claim] = min(safest.get(claim, SCARED_AT), here if kind == MEEPLE else -1)
        for (feature, owner), fewest in safest.items():
            if fewest >= 0 and leads(state, feature, owner):
                points = points_for(state, feature, owner, True)
                expected[owner] -= SCARES[fewest] * early * points
        return expected
