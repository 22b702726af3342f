"""What the steps of a team's turn share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.game.actions import Action
from carc.base.game.steps import Step
from carc.mists.slice import MistsSlice

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.game import Mists


class TeamStep(Step):
    """A beat of the team's turn; the active player decides."""

    def __init__(self, mists: Mists, name: str) -> None:
        super().__init__(name)
        self.mists: Final = mists

    def team(self, state: State) -> MistsSlice:
        """The team's game at this position."""
        return cast(MistsSlice, state.slices[self.mists.slot])


def chosen_follower(state: State, action: Action | None) -> int:
    """The segment of the follower chosen, or of the only one there is."""
    if action is None:
        for segment in state.followers:
            return segment
    return state.chosen(cast(Action, action))


def take_out(state: State, team: MistsSlice, owner: int, follower: int) -> None:
    """A follower leaves its owner's supply for the rest of the game."""
    state.add_supply(owner, follower, -1)
    team.out[follower] += 1


def out_of_tiles(mists: Mists, state: State) -> None:
    """A tile is called for and the active pile is empty: lost (COOP-22, LVL3-02)."""
    mists.slice_of(state).end(state, False, "LVL3-02" if mists.milestones else "COOP-22")
