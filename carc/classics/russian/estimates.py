"""What the vodyanoy may take (RUS-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.russian import Russian


class RussianEstimates(Estimates):
    """The followers who are with the vodyanoy."""

    def __init__(self, russian: Russian, each: int) -> None:
        """Estimate that each of them costs so many points."""
        self.russian: Final = russian
        self.each: Final = each

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Subtract what they would cost now."""
        for owner, n in enumerate(self.russian.drowned(state)):
            expected[owner] += self.each * n
        return expected
