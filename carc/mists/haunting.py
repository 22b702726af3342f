"""2a: ghosts come."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy_extensions import i64

from carc.base.actions import Action, OnCell, on_cell
from carc.base.cells import AROUND
from carc.mists.step import TeamStep

if TYPE_CHECKING:
    from carc.base.state import State


class GhostStep(TeamStep):
    """2a: ghosts on the tile just laid, and on cemeteries or around one (COOP-13, COOP-14, LVL2-04, LVL5-02)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.mists
        team = self.team(state)
        tile: i64 = state.last
        shown: i64 = state.row[tile] >> 2
        first: i64 = state.first[tile]
        symbols = mists.symbols[shown]
        called = 0
        spared: i64 = -1  # the segment that gets one ghost fewer
        for index, ghosts in symbols:
            segment: i64 = first + index
            if ghosts and state.open[state.feature[segment]]:
                called += ghosts
                if spared < 0 or (state.next[spared] == spared and state.next[segment] != segment):
                    spared = segment
        if not team.expanded:
            spared = -1
        elif called:
            called -= 1
        around: list[int] = []
        if mists.level.haunted and mists.cemetery_of[shown] >= 0:
            around = self._mist_around(state, state.cell[tile])
        extra = 0
        if (called or team.called) and not mists.level.haunted and team.cemeteries:
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
                segment = first + index
                if state.open[state.feature[segment]]:
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
            other: i64 = state.tile_at.get(cell + step, -1)
            if other >= 0:
                symbols = self.mists.symbols[state.row[other] >> 2]
                if symbols:
                    found.append(state.first[other] + symbols[0][0])
        return found


class ExtraGhostStep(TeamStep):
    """2a: which of several open cemeteries gets the extra ghost (LVL2-04)."""

    def actions(self, state: State, player: int) -> list[Action]:
        cells = [state.cell[state.tile_of[s]] for s in self.team(state).cemeteries]
        return [on_cell("cemetery", cell) for cell in sorted(cells)]

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        cell = cast(OnCell, action).cell
        for segment in team.cemeteries:
            if state.cell[state.tile_of[segment]] == cell:
                team.put(segment, 1)
