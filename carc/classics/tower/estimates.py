"""What prisoners may bring (TOW-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates
from carc.classics.tower.prison import RANSOM

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.tower import Tower

BOUGHT_BACK: Final = 0.5  # so many of the prisoners


class TowerEstimates(Estimates):
    """The ransoms for prisoners."""

    def __init__(self, tower: Tower) -> None:
        self.tower: Final = tower

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what prisoners are worth to the jailer."""
        for at, count in enumerate(self.tower.state_of(state).prisoners):
            if count:
                expected[at // self.tower.prison.each] += BOUGHT_BACK * RANSOM * count
        return expected
