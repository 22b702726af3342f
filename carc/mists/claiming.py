"""2b: a follower, where misty roads take none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.base.game.actions import Action, Claim
from carc.base.game.steps import ClaimStep

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.tiles.tile import Tile


class ClearClaimStep(ClaimStep):
    """2b: no follower on a road that mist covers at an edge of the tile (MIST-07, `misty_roads=off`)."""

    def actions(self, state: State, player: int) -> list[Action]:
        closed = roads_under_mist(state.tile(state.last))
        found: list[Action] = []
        for action in super().actions(state, player):
            if not isinstance(action, Claim) or action.segment not in closed:
                found.append(action)
        return found if len(found) > 1 else []  # `pass` alone is no choice


def roads_under_mist(tile: Tile) -> list[int]:
    """The indices of a tile's roads that mist covers at one edge or more."""
    misty = {edge for segment in tile.segments if segment.kind == "mist" for edge in segment.edges}
    return [
        index
        for index, segment in enumerate(tile.segments)
        if segment.kind == "road" and misty.intersection(segment.edges)
    ]
