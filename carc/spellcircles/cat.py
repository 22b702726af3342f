"""The cat Eloise (SPC-08, SPC-09)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import Action, chosen_segment
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.mists.game import Mists
from carc.mists.team_game import follower_choices
from carc.mists.turn.scoring_track import score
from carc.spellcircles.circles import Circles
from carc.spellcircles.circles_state import WAITING, CooperativeCirclesState

if TYPE_CHECKING:
    from carc.base.game.state import State


class CatStep(Step):
    """The cat goes to a follower: her stock is empty (SPC-08), or scoring is done (SPC-09).

    She does so if there are no more ghosts in the stock than `stock`.
    """

    def __init__(self, circles: Circles[CooperativeCirclesState], mists: Mists, stock: int) -> None:
        super().__init__("cat")
        self.circles: Final = circles
        self.mists: Final = mists
        self.stock: Final = stock

    def _due(self, state: State) -> bool:
        return self.mists.state_of(state).stock <= self.stock

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers to which she may go."""
        if len(state.board.occupied_segments()) < 2 or not self._due(state):
            return NO_CHOICES
        return Listed(follower_choices(state, "cat"))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put her with a follower; without any she waits for the next."""
        own = self.circles.state_of(state)
        if action is not None:
            own.at = chosen_segment(state.board, action)
        elif self._due(state):
            own.at = WAITING
            for segment in state.board.occupied_segments():
                own.at = segment


class CatPointsStep(Step):
    """SPC-09: 1 point for each ghost in circles, for the colour of the cat's follower (LVL6-04)."""

    def __init__(self, circles: Circles[CooperativeCirclesState], mists: Mists) -> None:
        super().__init__("cat points")
        self.circles: Final = circles
        self.mists: Final = mists

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the points."""
        points = sum(self.mists.state_of(state).bound.values())
        journal = state.journal
        if journal is not None:
            journal.open()
            journal.item("Eloise, ghosts in circles", points, 1)
        score(self.mists, state, [self.circles.state_of(state).owner], points, "Eloise")
