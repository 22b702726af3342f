"""Ghosts are taken off a tile, by a scoring or a hound (COOP-16, LVL3-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.mists.actions import Take, take
from carc.mists.mists_state import MistsState
from carc.mists.team_game import TeamStep

if TYPE_CHECKING:
    from carc.base.game.state import State

MOST_TAKEN: Final = 3  # ghosts taken off one tile at a time


def tiles_with_ghosts(own: MistsState, state: State) -> list[int]:
    """Return the cells of the tiles with ghosts, in order."""
    return sorted({state.board.cell_under(segment) for segment in own.ghosts})


class TakeStep(TeamStep):
    """One to three of a tile's ghosts go back to the stock (COOP-16, LVL3-03)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return how many ghosts may leave each segment of the tile."""
        own = self.state_of(state)
        splits: list[tuple[int, ...]] = [()]
        for segment in _haunted_segments(own, state):
            longer: list[tuple[int, ...]] = []
            for split in splits:
                room = MOST_TAKEN - sum(split)
                for n in range(min(room, own.ghosts[segment]) + 1):
                    longer.append((*split, n))
            splits = longer
        actions: list[Action] = [take(split) for split in splits if sum(split)]
        return Listed(actions) if len(actions) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Return the ghosts to the stock."""
        own = self.state_of(state)
        segments = _haunted_segments(own, state)
        own.taking = -1
        if action is None:
            own.take(segments[0], 1)
            return
        counts = cast(Take, action).counts
        for i in range(len(segments)):
            own.take(segments[i], counts[i])


def _haunted_segments(own: MistsState, state: State) -> list[int]:
    """Return the segments of the tile from which ghosts are taken, in the tile's order."""
    tile = state.board.tile_on_cell(own.taking)
    return sorted([segment for segment in own.ghosts if state.board.tile_under(segment) == tile])
