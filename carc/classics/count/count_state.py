"""`CountState`: what The Count of Carcassonne keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Player

if TYPE_CHECKING:
    from carc.base.game.state import State

# Clockwise from the north-east: the quarters, and the kind of feature that each is for.
QUARTERS: Final = {
    "castle": "city",
    "market": "field",
    "blacksmith": "road",
    "cathedral": "monastery",
}


class CountState(ExpansionState):
    """Where the count is, and who is in the city.

    Attributes:
        count: The quarter of the count.
        residents: How many there are, by (quarter * owners + owner) * kinds + kind.
        before: The scores before the scoring of this turn; empty if nothing is scored.
        last_player: Who placed the last tile.
        entered: Whether the player has put a follower in the city in this turn.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "count": Count,
        "residents": list[Count],
        "before": list[int],
        "last_player": Player,
        "entered": bool,
    }

    def __init__(self, residents: list[int]) -> None:
        self.count = 0
        self.residents = residents
        self.before: list[int] = []
        self.last_player = 0
        self.entered = False

    def copy(self) -> CountState:
        new = CountState(self.residents.copy())
        new.count = self.count
        new.before = self.before.copy()
        new.last_player = self.last_player
        new.entered = self.entered
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if there are such quarters, owners and kinds of follower."""
        places = len(QUARTERS) * state.rules.owners * len(state.rules.follower_kinds)
        return (
            self.count < len(QUARTERS)
            and len(self.residents) == places
            and len(self.before) in (0, state.rules.owners)
        )
