"""What watchtowers may bring (WAT-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.watchtowers import Watchtowers


class WatchtowersEstimates(Estimates):
    """The watchtowers that score with their features."""

    def __init__(self, towers: Watchtowers) -> None:
        self.towers: Final = towers

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add half of what watchtowers would score now, for followers on open roads and cities."""
        board, towers = state.board, self.towers
        for segment, owner, kind in () if towers.at_once else board.all_followers():
            tile = board.tile_under(segment)
            _, each = towers.watched[board.kind_of_tile(tile)]
            if each and kind in towers.followers and board.kind_of(segment) in ("city", "road"):
                expected[owner] += 0.5 * each * towers.seen(state, tile)
        return expected
