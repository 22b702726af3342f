"""`AbbeyState`: what Abbey & Mayor keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Segment

if TYPE_CHECKING:
    from carc.base.game.state import State


class AbbeyState(ExpansionState):
    """Who still has an abbey, and what to remember within a turn.

    Attributes:
        abbeys: How many abbeys each player has.
        asked: The turns that ended with an empty bag, the last one with a tile among them.
        left: By owner, then wagon: the segment that a scored one came from; -1: it may not move on.
        barn: The segment of the barn put down in this turn; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "abbeys": list[Count],
        "asked": Count,
        "left": list[Segment],
        "barn": Segment,
    }

    def __init__(self, abbeys: list[int], wagons: int) -> None:
        """Start with abbeys in the players' hands."""
        self.abbeys = abbeys
        self.asked = 0
        self.left = [-1] * wagons
        self.barn = -1

    def copy(self) -> AbbeyState:
        new = AbbeyState(self.abbeys.copy(), 0)
        new.asked, new.left, new.barn = self.asked, self.left.copy(), self.barn
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if each player has one abbey or none."""
        return all(n in (0, 1) for n in self.abbeys)
