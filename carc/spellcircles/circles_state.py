"""`CirclesState`, `CooperativeCirclesState`: what The Spell Circles keep in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Owner, Segment

if TYPE_CHECKING:
    from carc.base.game.state import State

# Where the cat is, if not with the follower on a segment.
ASIDE: Final = -1  # before her stock, not in play yet
WAITING: Final = -2  # in play, joins the next follower placed (SPC-08)
MOVING: Final = -3  # moves on after the scoring phase (SPC-09)


class CirclesState(ExpansionState):
    """Ghosts in circles, and what is due this turn.

    Attributes:
        held: How many ghosts are in the circles of a mist segment.
        empty: The circles to fill, each by its mist segment (SCC-04).
        continued: The segments one of which gives away one ghost (SCC-05).
        finished: The segments that give all their ghosts to opponents (SCC-06).
        torn: The segments that give all their ghosts to own meeples (SCC-07).
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "held": dict[Segment, Count],
        **dict.fromkeys(("empty", "continued", "finished", "torn"), list[Segment]),
    }

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.empty: list[int] = []
        self.continued: list[int] = []
        self.finished: list[int] = []
        self.torn: list[int] = []

    def copy(self) -> CirclesState:
        new = CirclesState()
        new.held = self.held.copy()
        new.empty = self.empty.copy()
        new.continued = self.continued.copy()
        new.finished = self.finished.copy()
        new.torn = self.torn.copy()
        return new


class CooperativeCirclesState(ExpansionState):
    """The cat, and the circles to fill this turn.

    The ghosts in circles are `MistsState.bound`.

    Attributes:
        at: The segment of the cat's follower, `ASIDE`, `WAITING` or `MOVING`.
        empty: The circles to fill, each by its mist segment.
        owner: The owner of the follower with which the cat was just scored; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "at": Segment,
        "empty": list[Segment],
        "owner": Owner,
    }

    def __init__(self) -> None:
        self.at: int = ASIDE
        self.empty: list[int] = []
        self.owner: int = -1

    def copy(self) -> CooperativeCirclesState:
        new = CooperativeCirclesState()
        new.at = self.at
        new.empty = self.empty.copy()
        new.owner = self.owner
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if the cat's follower is there."""
        return self.at >= MOVING if self.at < 0 else state.board.has_follower(self.at)
