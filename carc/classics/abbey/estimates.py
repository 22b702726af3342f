"""What an abbey in the hand may bring (ABM-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.abbey import Abbey

ABBEY_PROMISE: Final = 3.0  # points, while there are 20 tiles or more


class AbbeyEstimates(Estimates):
    """The abbeys that are not laid yet."""

    def __init__(self, abbey: Abbey) -> None:
        self.abbey: Final = abbey

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what each abbey in a hand may bring, less towards the end."""
        rest = min(1.0, state.tiles_left / 20)
        for player, abbeys in enumerate(self.abbey.state_of(state).abbeys):
            expected[player] += ABBEY_PROMISE * rest * abbeys
        return expected
