"""2a: ghosts come."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from carc.base.cells import AROUND
from carc.base.game.actions import Action, OnCell, on_cell
from carc.base.game.choices import Choices, Listed
from carc.mists.step import TeamStep

if TYPE_CHECKING:
    from carc.base.game.state import State


class GhostStep(TeamStep):
    """2a: ghosts on the tile just laid, and on cemeteries or around one (COOP-13, COOP-14, LVL2-04, LVL5-02)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        team = self.team(state)
        tile = state.board.last_tile
        shown = state.board.kind_of_tile(tile)
        symbols = mists.symbols[shown]
        called = 0
        spared = -1  # the segment that gets one ghost fewer
        for index, ghosts in symbols:
            segment = state.board.segment_of(tile, index)
            if ghosts and state.board.is_open(state.board.feature_of(segment)):
                called += ghosts
                # The first that touched mist, or else the first.
                if spared < 0 or (
                    state.board.is_single(spared) and not state.board.is_single(segment)
                ):
                    spared = segment
        if not team.expanded:
            spared = -1
        elif called:
            called -= 1
        team.expanded = False  # nobody asks after this
        around: list[int] = []
        if mists.haunted and mists.cemetery_of[shown] >= 0:
            around = self._mist_around(state, state.board.cell_of(tile))
        extra = 0
        if (called or team.called) and not mists.haunted and team.cemeteries:
            extra = 1
        team.called = False
        need = called + extra + len(around)
        if need == 0:
            return
        if need > team.stock:
            team.end(state, False, "COOP-14")
            return
        if called:
            for index, ghosts in symbols:
                segment = state.board.segment_of(tile, index)
                if state.board.is_open(state.board.feature_of(segment)):
                    team.put(segment, ghosts - 1 if segment == spared else ghosts)
        for one in around:
            team.put(one, 1)
        if extra:
            if len(team.cemeteries) == 1:
                team.put(team.cemeteries[0], 1)
            else:
                state.push(mists.extra_ghost, player)

    def _mist_around(self, state: State, cell: int) -> list[int]:
        """The first mist segment of each misty tile around a cell."""
        found: list[int] = []
        for step in AROUND:
            other = state.board.tile_on_cell(cell + step)
            if other >= 0:
                symbols = self.mists.symbols[state.board.kind_of_tile(other)]
                if symbols:
                    found.append(state.board.segment_of(other, symbols[0][0]))
        return found


class ExtraGhostStep(TeamStep):
    """2a: which of several open cemeteries gets the extra ghost (LVL2-04)."""

    def choices(self, state: State, player: int) -> Choices:
        return Listed(
            [on_cell("cemetery", state.board.cell_under(s)) for s in self.team(state).cemeteries]
        )

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        cell = cast(OnCell, action).cell
        for segment in team.cemeteries:
            if state.board.cell_under(segment) == cell:
                team.put(segment, 1)
