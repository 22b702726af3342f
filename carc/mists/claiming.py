"""Part 2b of the turn, where misty roads take no followers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.base.game.actions import Action, Claim
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.steps import ClaimStep

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.tiles.tile import Tile


class ClearClaimStep(ClaimStep):
    """2b: no follower on a road under mist (MIST-07, option `misty_roads=off`)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the claims that are left; `pass` alone is no choice."""
        closed = roads_under_mist(state.board.tile_data(state.board.last_tile))
        allowed: list[Action] = []
        for action in super().choices(state, player).actions(state):
            if not isinstance(action, Claim) or action.segment not in closed:
                allowed.append(action)
        return Listed(allowed) if len(allowed) > 1 else NO_CHOICES


def roads_under_mist(tile: Tile) -> list[int]:
    """Return the indices of a tile's roads that mist covers at one edge or more."""
    misty = {edge for segment in tile.segments if segment.kind == "mist" for edge in segment.edges}
    return [
        index
        for index, segment in enumerate(tile.segments)
        if segment.kind == "road" and misty.intersection(segment.edges)
    ]
