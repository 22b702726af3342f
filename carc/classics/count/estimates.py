"""What followers in the city may bring (CNT-01, CNT-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.count import Count

RESIDENT_WORTH: Final = 5.0  # points that a follower in the city may bring
ENTRY_WORTH: Final = 2.5  # the same, less what the follower is worth in the supply


class CountEstimates(Estimates):
    """The followers in the city, and one who may enter."""

    def __init__(self, count: Count) -> None:
        self.count: Final = count

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what followers in the city may bring, but those where the count is."""
        own, city = self.count.state_of(state), self.count.city
        rest = min(1.0, state.tiles_left / 20)
        for at, count in enumerate(own.residents):
            quarter, owner = divmod(at // city.kinds, city.owners)
            if count and quarter != own.count:
                expected[owner] += RESIDENT_WORTH * rest * count
        if state.board.completed and self._will_enter(state):
            expected[state.active_player] += ENTRY_WORTH * rest
        return expected

    def _will_enter(self, state: State) -> bool:
        """Return True if what is completed brings points to others alone (CNT-01)."""
        owners = [one for feature in state.board.completed for one in state.owners_of(feature)]
        player = state.active_player
        may_enter = bool(owners) and not self.count.state_of(state).entered
        return may_enter and player not in owners and state.board.supply_of(player) > 0
