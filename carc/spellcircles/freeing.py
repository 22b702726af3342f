"""Ghosts leave circles that were continued, finished or torn (SCC-05 to SCC-08)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.turn.actions import Action, OnSegment, chosen_segment, segment_choices
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.expansion_ghosts.competitive import Ghosts
from carc.expansion_ghosts.mist import take_ghost
from carc.spellcircles.circles import Circles
from carc.spellcircles.circles_state import CirclesState

if TYPE_CHECKING:
    from carc.base.game.state import State


class FreeStep(Step):
    """Ghosts leave circles one by one, to opponents (SCC-05, SCC-06) or own meeples (SCC-07)."""

    def __init__(self, circles: Circles[CirclesState], ghosts: Ghosts, to_own: bool) -> None:
        super().__init__("free own" if to_own else "free")
        self.circles: Final = circles
        self.ghosts: Final = ghosts
        self.to_own: Final = to_own

    def _leaving(self, state: State) -> list[int]:
        """Return the segments whose circles give all their ghosts away."""
        own = self.circles.state_of(state)
        return [s for s in (own.torn if self.to_own else own.finished) if s in own.held]

    def _meeples(self, state: State, player: int) -> list[int]:
        """Return the segments of the meeples that may get a ghost."""
        return self.ghosts.candidates(state, player, self.to_own).segments()

    def choices(self, state: State, player: int) -> Choices:
        """Return whose circle gives a ghost, or which meeple gets it."""
        leaving = self._leaving(state)
        continued = [] if leaving else self.circles.state_of(state).continued
        segments = self._meeples(state, player)
        if not segments or not (leaving or continued):
            return NO_CHOICES
        if len(continued) > 1:
            return Listed(segment_choices(state.board, "free", state.board.in_order(continued)))
        if len(segments) < 2:
            return NO_CHOICES
        return Listed(segment_choices(state.board, "haunt", segments))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move a ghost, then come back for the next."""
        own = self.circles.state_of(state)
        leaving = self._leaving(state)
        if action is None:
            segments = self._meeples(state, player)
        else:
            segments = [chosen_segment(state.board, action)]
        if action is not None and cast(OnSegment, action).verb == "free":
            own.continued = segments
        elif not segments:
            # No meeple to take them: they go to the stock (SCC-08); the one that may stay stays.
            for segment in leaving:
                self.ghosts.state_of(state).stock += own.held.pop(segment)
            own.continued.clear()
            return
        elif leaving:
            self._move(state, leaving[0], segments[0])
        elif own.continued:
            self._move(state, own.continued.pop(), segments[0])
        else:
            return
        state.push(self, player)

    def _move(self, state: State, circle: int, meeple: int) -> None:
        """Move a ghost from a circle to a meeple."""
        take_ghost(self.circles.state_of(state).held, circle)
        self.ghosts.state_of(state).stock += 1  # from where `haunt` takes it
        self.ghosts.haunt(state, meeple)
