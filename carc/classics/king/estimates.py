"""What the titles may bring (KNG-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.king import King


class KingEstimates(Estimates):
    """The titles as they are held now."""

    def __init__(self, king: King) -> None:
        self.king: Final = king

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what the titles would score now."""
        for owner, count, each in self.king.at_the_end(state).values():
            expected[owner] += count * each
        return expected
