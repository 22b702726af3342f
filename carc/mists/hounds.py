"""3a or 3b: hounds come to followers, clear ghosts, and bring the next pile into play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.cells import AROUND
from carc.base.game.actions import PASS, Action, OnCell, on_cell, segment_choices
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.mists.mists_state import GONE
from carc.mists.step import TeamStep, chosen_follower

if TYPE_CHECKING:
    from carc.base.game.state import State

HOUNDS: Final = ("Rufus", "Ronja")  # in the order of the milestones


class HoundStep(TeamStep):
    """A milestone reached brings its hound to a follower and the next pile into play (LVL3-03, LVL3-04, LVL3-07).

    It comes in 3b, or after each scoring of 3a, as the option `hounds` has it.
    """

    def _due(self, state: State) -> bool:
        milestones = self.mists.milestones
        reached = self.team(state).pile
        return reached < len(milestones) and state.scores[0] >= milestones[reached]

    def choices(self, state: State, player: int) -> Choices:
        if not self._due(state) or len(state.board.occupied_segments()) < 2:
            return NO_CHOICES
        return Listed(
            segment_choices(
                state.board, "hound", state.board.in_order(state.board.occupied_segments())
            )
        )

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if not self._due(state):
            return
        team = self.team(state)
        state.push(self, player)
        state.push(self.mists.next_pile, player)
        if not state.board.occupied_segments():
            team.hounds[team.pile] = GONE
            return
        segment = chosen_follower(state, action)
        team.hounds[team.pile] = segment
        team.sniffing = state.board.cell_under(segment)
        state.push(self.mists.sniffing, player)


class SniffStep(TeamStep):
    """The hound clears up to two different tiles of the nine around and under it (LVL3-03, LVL3-08)."""

    def choices(self, state: State, player: int) -> Choices:
        team = self.team(state)
        found: list[Action] = []
        for cell in team.haunted_cells(state):
            step = cell - team.sniffing
            if cell != team.sniffed and (step == 0 or step in AROUND):
                found.append(on_cell("ghosts", cell))
        if found:
            found.append(PASS)
        return Listed(found)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        second = team.sniffed >= 0
        team.sniffed = -1
        if action is not None and action != PASS:
            team.taking = cast(OnCell, action).cell
            if not second:
                team.sniffed = team.taking
                state.push(self, player)
            state.push(self.mists.taking, player)


class NextPileStep(TeamStep):
    """The rest of the pile goes on top of the next, which becomes active (LVL3-03)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        team.sniffing = -1
        team.pile += 1
        team.left += self.mists.pile_sizes[team.pile]
