"""What churches may bring (DAR-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.darmstadt import Darmstadt


class DarmstadtEstimates(Estimates):
    """The churches that are not completed yet."""

    def __init__(self, darmstadt: Darmstadt, open_church: float) -> None:
        """Estimate that an open church brings so many points."""
        self.darmstadt: Final = darmstadt
        self.open_church: Final = open_church

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what open churches may bring those who have most followers there now."""
        for church in self.darmstadt.churches.on(state.board):
            if state.board.is_open(church):
                for owner in self.darmstadt.owners_ahead(state, church):
                    expected[owner] += self.open_church
        return expected
