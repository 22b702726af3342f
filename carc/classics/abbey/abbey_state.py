"""`AbbeyState`: what Abbey & Mayor keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Owner, Segment

if TYPE_CHECKING:
    from carc.base.game.state import State


class AbbeyState(ExpansionState):
    """Who still has an abbey, and what to remember within a turn.

    Attributes:
        abbeys: How many abbeys each player has.
        asked: The turns that ended with an empty bag, the last one with a tile among them.
        left: By owner, then wagon: the segment that a scored one came from; -1: it may not move on.
        standing: If players have several wagons: where they stand, and whose they are, as they were
            placed. Those that have gone home since may be among them.
        barn: The segment of the barn put down in this turn; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "abbeys": list[Count],
        "asked": Count,
        "left": list[Segment],
        "barn": Segment,
        "standing": list[tuple[Segment, Owner]],
    }
    ADDED_FIELDS: ClassVar[Sequence[str]] = ("standing",)

    def __init__(self, abbeys: list[int], wagons: int) -> None:
        """Start with abbeys in the players' hands."""
        self.abbeys = abbeys
        self.asked = 0
        self.left = [-1] * wagons
        self.barn = -1
        self.standing: list[tuple[int, int]] = []

    def copy(self) -> AbbeyState:
        new = AbbeyState(self.abbeys.copy(), 0)
        new.asked, new.left, new.barn = self.asked, self.left.copy(), self.barn
        new.standing = self.standing.copy()
        return new

    def leave(self, segment: int, owner: int, first: int) -> None:
        """Note that a wagon may move on: who was placed first before the owner's other one.

        Args:
            segment: The segment that it came from.
            owner: Whose it is.
            first: Where the owner's begin in `left`.
        """
        mine = [at for at, whose in self.standing if whose == owner]
        at = first + (mine.index(segment) if segment in mine else 0)
        self.left[at if self.left[at] < 0 else self.left.index(-1, first)] = segment

    def is_valid(self, state: State) -> bool:
        """Return True if each player has one abbey or none."""
        return all(n in (0, 1) for n in self.abbeys)
