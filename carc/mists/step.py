"""What the steps of a team's turn share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.game.actions import Action, chosen_segment
from carc.base.game.steps import Step
from carc.mists.mists_state import MistsState

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.game import Mists


class TeamStep(Step):
    """A beat of the team's turn; the active player decides."""

    def __init__(self, mists: Mists, name: str) -> None:
        super().__init__(name)
        self.mists: Final = mists

    def team(self, state: State) -> MistsState:
        """The team's game at this position."""
        return cast(MistsState, state.expansion_states[self.mists._slot])


def chosen_follower(state: State, action: Action | None) -> int:
    """The segment of the follower chosen, or of the only one there is."""
    if action is None:
        for segment in state.board.occupied_segments():
            return segment
    return chosen_segment(state.board, cast(Action, action))


def take_out(state: State, team: MistsState, owner: int, follower: int) -> None:
    """A follower leaves its owner's supply for the rest of the game."""
    state.board.add_supply(owner, follower, -1)
    team.out[follower] += 1


def out_of_tiles(mists: Mists, state: State) -> None:
    """A tile is called for and the active pile is empty: lost (COOP-22, LVL3-02)."""
    mists.state_of(state).end(state, False, "LVL3-02" if mists.milestones else "COOP-22")
