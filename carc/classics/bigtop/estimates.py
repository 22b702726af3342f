"""What acrobats, ringmasters and the big top may bring (BIG-01 to BIG-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates
from carc.classics.bigtop.bigtop_state import ACROBAT, NOWHERE, RINGMASTER

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.bigtop import BigTop


class BigTopEstimates(Estimates):
    """What would score as it is."""

    DESCRIPTORS = {
        "acrobats": (0.5, 0.5, 0.5, 0.5),
        "ringmaster": (0.5, 0.5, 0.375, 0.375),
        "big_top": (0.7, 0.7, 0.7, 0.7),
    }

    def __init__(self, bigtop: BigTop) -> None:
        self.bigtop: Final = bigtop

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what acrobats will score, half of the ringmasters' points, most of the big top's."""
        for owner, (acrobats, ringmaster, big_top) in enumerate(self.descriptors(state)):
            expected[owner] += acrobats + 0.5 * ringmaster + 0.7 * big_top
        return expected

    def descriptors(self, state: State) -> list[list[float]]:
        """Return for each owner the points of acrobats, ringmaster and big top."""
        bigtop, board = self.bigtop, state.board
        own = bigtop.state_of(state)
        rows = [[0.0, 0.0, 0.0] for _ in range(state.rules.owners)]
        for segment in own.grounds:
            for owner, _ in board.followers_at(segment):
                rows[owner][0] += float(ACROBAT)
        for owner, row in enumerate(rows):
            for segment in board.segments_with(owner, bigtop.ringmaster):
                if board.is_within_reach(segment):
                    row[1] += float(RINGMASTER * bigtop.shows_around(state, segment))
        if own.tent != NOWHERE:
            average = sum([points * n for points, n in enumerate(own.tokens)]) / sum(own.tokens)
            for owner, count in enumerate(bigtop.circus.spectators(state)):
                rows[owner][2] += average * count
        return rows
