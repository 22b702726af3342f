"""Part 3b of the turn: hounds come to followers and clear ghosts; the next pile begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.cells import are_close
from carc.base.turn.actions import PASS, Action, OnCell, on_cell
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.mists.mists_state import GONE
from carc.mists.team_game import TeamStep, chosen_follower, follower_choices
from carc.mists.turn.taking import tiles_with_ghosts

if TYPE_CHECKING:
    from carc.base.game.state import State

HOUNDS: Final = ("Rufus", "Ronja")  # in the order of the milestones


class HoundStep(TeamStep):
    """A milestone brings its hound to a follower (LVL3-03, LVL3-04, LVL3-07).

    It comes in 3b or after each scoring of 3a, by the option `hounds`.
    """

    def _due(self, state: State) -> bool:
        milestones = self.mists.milestones
        reached = self.state_of(state).pile
        return reached < len(milestones) and state.scores[0] >= milestones[reached]

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers to which the hound may come."""
        if not self._due(state) or len(state.board.occupied_segments()) < 2:
            return NO_CHOICES
        return Listed(follower_choices(state, "hound"))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put the hound with a follower; without any it leaves the game."""
        if not self._due(state):
            return
        own = self.state_of(state)
        state.push(self, player)
        state.push(self.mists.next_pile, player)
        if not state.board.occupied_segments():
            own.hounds[own.pile] = GONE
            return
        segment = chosen_follower(state, action)
        own.hounds[own.pile] = segment
        own.sniffing = state.board.cell_under(segment)
        state.push(self.mists.sniffing, player)


class SniffStep(TeamStep):
    """The hound clears up to two of the nine tiles under and around it (LVL3-03, LVL3-08)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the tiles with ghosts, and `pass`."""
        own = self.state_of(state)
        near = [cell for cell in tiles_with_ghosts(own, state) if are_close(cell, own.sniffing)]
        return Listed([on_cell("ghosts", cell) for cell in near if cell != own.sniffed]).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Take ghosts off the tile; after the first there may be a second."""
        own = self.state_of(state)
        second = own.sniffed >= 0
        own.sniffed = -1
        if action is not None and action != PASS:
            own.taking = cast(OnCell, action).cell
            if not second:
                own.sniffed = own.taking
                state.push(self, player)
            state.push(self.mists.taking, player)


class NextPileStep(TeamStep):
    """The rest of the pile goes on top of the next, which becomes the active one (LVL3-03)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Activate the next pile."""
        own = self.state_of(state)
        own.sniffing = -1
        own.pile += 1
        own.left += self.mists.pile_sizes[own.pile]
