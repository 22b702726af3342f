"""`TeamStep`: what the steps of a team's turn have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.game.actions import Action, chosen_segment
from carc.base.game.steps import Step
from carc.mists.mists_state import MistsState

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.game import Mists


class TeamStep(Step):
    """A step of the team's turn; the active player decides."""

    def __init__(self, mists: Mists, name: str) -> None:
        """Make the step."""
        super().__init__(name)
        self.mists: Final = mists

    def state_of(self, state: State) -> MistsState:
        """Return what the game keeps in a position."""
        return self.mists.state_of(state)


def chosen_follower(state: State, action: Action | None) -> int:
    """Return the segment of the chosen follower, or of the only one there is."""
    if action is None:
        for segment in state.board.occupied_segments():
            return segment
    return chosen_segment(state.board, cast(Action, action))


def take_out(state: State, own: MistsState, owner: int, follower: int) -> None:
    """Take a follower out of its owner's supply for the rest of the game."""
    state.board.add_supply(owner, follower, -1)
    own.out[follower] += 1


def out_of_tiles(mists: Mists, state: State) -> None:
    """End the game: a tile is needed and the active pile is empty (COOP-22, LVL3-02)."""
    mists.state_of(state).end(state, False, "LVL3-02" if mists.milestones else "COOP-22")
