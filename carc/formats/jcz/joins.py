"""Where JCloisterZone lets followers of the cathedral join a monastery, and carc does not."""

from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.count import Count
from carc.classics.count.count_state import QUARTERS
from carc.classics.steps import turn_order
from carc.formats.jcz.differences import is_surrounded

_CATHEDRAL: Final = list(QUARTERS).index("cathedral")


class AskedJoins:
    """Whom they ask, in the turn under way, to join a monastery in which somebody lies."""

    def __init__(self, rules: Rules) -> None:
        has_beds = any(each.name == "monasteries" for each in rules.expansions)
        counts = [each for each in rules.expansions if isinstance(each, Count)]
        self._counts: Final = counts if has_beds else []
        self.declined: Final[set[int]] = set()

    def asks(self, state: State, player: int) -> bool:
        """Return whether they ask a player whom they have not asked yet; note that they have."""
        for count in self._counts:
            waits = any(count.city.residents(state, _CATHEDRAL, player))
            waits &= count.state_of(state).count != _CATHEDRAL and player not in self.declined
            if waits and _is_completed_beside_last(state):
                self.declined.add(player)
                return True
        return False

    def asks_others(self, state: State, first: int, until: int) -> list[int]:
        """Return the players whom they ask, in order; note that they have.

        Args:
            state: The position.
            first: Who laid the tile; the next one is asked first.
            until: The player who is asked next; -1: all have been asked.
        """
        order = turn_order(state, first + 1)
        others = order[: order.index(until)] if until >= 0 else order
        return [player for player in others if self.asks(state, player)]


def _is_completed_beside_last(state: State) -> bool:
    """Return whether a monastery near the last tile is surrounded, and somebody lies in it."""
    board = state.board
    x, y, _ = board.place_of(board.segment_of(board.last_tile, 0))
    beds = [one for one in state.to_dict("pieces")["pieces"] if one["kind"] == "bed"]
    near = [one for one in beds if abs(one["x"] - x) <= 1 and abs(one["y"] - y) <= 1]
    monasteries = [board.segment_at(one["x"], one["y"], one["segment"]) for one in near]
    return any(
        is_surrounded(state, one) and state.allows_figures(board.tile_under(one))
        for one in monasteries
    )
