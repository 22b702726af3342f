"""What ingots may bring (GLD-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates
from carc.base.turn.scoring import majority
from carc.classics.gold.gold_state import points_each

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.gold import Gold


class GoldEstimates(Estimates):
    """The ingots that owners hold, and those that they may take."""

    def __init__(self, gold: Gold) -> None:
        self.gold: Final = gold

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add a bit more for ingots than they score now, and half of those to be won."""
        own = self.gold.state_of(state)
        expected = [
            points + n * points_each(n + 1) for points, n in zip(expected, own.held, strict=True)
        ]
        for feature in state.board.occupied_features() if own.lying else ():
            n = sum([own.lying[cell] for cell in own.reached(state, feature)])
            for owner in majority(state, feature) if n and state.board.is_open(feature) else ():
                expected[owner] += 0.5 * n * points_each(own.held[owner] + n)
        return expected
