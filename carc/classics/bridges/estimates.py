"""What castles may bring (BRC-02), and what is bid (BRC-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.bridges import Bridges

TILE_WORTH: Final = 1.5  # points that the choice of a tile is worth
CASTLE_PROMISE: Final = 5.0  # points that a castle may bring


class BridgesEstimates(Estimates):
    """Castles that wait for points, and the highest bid."""

    def __init__(self, bridges: Bridges) -> None:
        self.bridges: Final = bridges

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what castles may bring, and take off what is bid."""
        own = self.bridges.state_of(state)
        if own.bidder >= 0:
            expected[own.bidder] += TILE_WORTH - own.price
        rest = min(1.0, state.tiles_left / 20)
        for castle in (*own.standing, *own.new):
            for segment in state.board.occupied_segments_of(state.board.feature_of(castle)):
                expected[state.board.owner_at(segment)] += CASTLE_PROMISE * rest
        return expected
