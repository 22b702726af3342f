"""The steps of Ghosts, Castles & Cemeteries (GCC-07 to GCC-10, GCC-17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import Action, chosen_segment
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import Step
from carc.base.turn.verbs import SegmentVerb

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.expansion_ghosts.competitive import Ghosts

HAUNT: Final = SegmentVerb("haunt")


class HauntStep(Step):
    """2a: a ghost goes to an opponent's meeple (GCC-07) or an own one (GCC-08)."""

    def __init__(self, ghosts: Ghosts, own: bool) -> None:
        """Make the step; `own`: the ghost goes to an own meeple."""
        super().__init__("haunt own" if own else "haunt")
        self.ghosts: Final = ghosts
        self.own: Final = own

    def choices(self, state: State, player: int) -> Choices:
        """Return the meeples that may get it; one or none leaves nothing to decide (GCC-10)."""
        if self.ghosts.state_of(state).stock == 0:
            return NO_CHOICES
        meeples = self.ghosts.candidates(state, player, self.own)
        return HAUNT.among(meeples) if meeples.count > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put the ghost with the chosen meeple, or the only one there is."""
        if action is not None:
            self.ghosts.haunt(state, chosen_segment(state.board, action))
        elif self.ghosts.state_of(state).stock:
            meeples = self.ghosts.candidates(state, player, self.own)
            if meeples.count:
                self.ghosts.haunt(state, meeples.segments()[0])


class OrderStep(Step):
    """3: completed features are scored in the order of their first followers by y, x (GCC-17)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Order the completed features; those without followers come last."""
        board = state.board
        occupied: list[int] = []
        for feature in board.completed:
            occupied += board.occupied_segments_of(feature)
        claimed = [board.feature_of(segment) for segment in board.in_order(occupied)]
        board.completed = list(dict.fromkeys(claimed + board.completed))
