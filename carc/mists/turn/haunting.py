"""Part 2 of the turn: ghosts come (2a), and a follower may be put on the tile (2b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from carc.base.cells import around
from carc.base.turn.actions import Action, Claim, OnCell, on_cell
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import ClaimStep
from carc.mists.team_game import TeamStep

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.tiles.tile import Tile


class GhostStep(TeamStep):
    """2a: ghosts come to the last tile and to cemeteries (COOP-13, LVL2-04, LVL5-02)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put the ghosts on the board; with too few in the stock the game is lost (COOP-14)."""
        mists = self.mists
        own = self.state_of(state)
        tile = state.board.last_tile
        kind = state.board.kind_of_tile(tile)
        called, spared = self._called_by_symbols(state, tile)
        if not own.expanded:
            spared = -1
        elif called:
            called -= 1
        own.expanded = False  # not needed any more
        around: list[int] = []
        if mists.haunted and mists.cemetery_of[kind] >= 0:
            around = self._mist_around(state, state.board.cell_of(tile))
        extra = 0
        if (called or own.called) and not mists.haunted and own.cemeteries:
            extra = 1
        own.called = False
        need = called + extra + len(around)
        if need == 0:
            return
        if need > own.stock:
            own.end(state, False, "COOP-14")
            return
        if called:
            for index, ghosts in mists.symbols[kind]:
                segment = state.board.segment_of(tile, index)
                if state.board.is_open(state.board.feature_of(segment)):
                    own.put(segment, ghosts - 1 if segment == spared else ghosts)
        for segment in around:
            own.put(segment, 1)
        if extra:
            if len(own.cemeteries) == 1:
                own.put(own.cemeteries[0], 1)
            else:
                state.push(mists.extra_ghost, player)

    def _called_by_symbols(self, state: State, tile: int) -> tuple[int, int]:
        """Return how many ghosts a tile's symbols call for, and the segment that may get one fewer.

        That is the first segment that touches mist, or else the first (COOP-13); -1: none.
        """
        board = state.board
        called = 0
        spared = -1
        for index, ghosts in self.mists.symbols[board.kind_of_tile(tile)]:
            segment = board.segment_of(tile, index)
            if ghosts and board.is_open(board.feature_of(segment)):
                called += ghosts
                if spared < 0 or (board.is_single(spared) and not board.is_single(segment)):
                    spared = segment
        return called, spared

    def _mist_around(self, state: State, cell: int) -> list[int]:
        """Return the first mist segment of each misty tile around a cell."""
        segments: list[int] = []
        for beside in around(cell):
            other = state.board.tile_on_cell(beside)
            if other >= 0:
                symbols = self.mists.symbols[state.board.kind_of_tile(other)]
                if symbols:
                    segments.append(state.board.segment_of(other, symbols[0][0]))
        return segments


class ExtraGhostStep(TeamStep):
    """2a: one of several open cemeteries gets the extra ghost (LVL2-04)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the open cemeteries."""
        cells = [state.board.cell_under(segment) for segment in self.state_of(state).cemeteries]
        return Listed([on_cell("cemetery", cell) for cell in cells])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put the ghost on the chosen cemetery."""
        own = self.state_of(state)
        cell = cast(OnCell, action).cell
        for segment in own.cemeteries:
            if state.board.cell_under(segment) == cell:
                own.put(segment, 1)


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
