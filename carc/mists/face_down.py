"""3c: tiles laid face down beside haunted cemeteries."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from carc.base.board.arrays import FACE_DOWN, NOTHING
from carc.base.cells import AROUND
from carc.base.game.actions import Action, OnCell, on_cell
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.mists.placing import close_cemeteries
from carc.mists.step import TeamStep, out_of_tiles

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.game import Mists


class HideStep(TeamStep):
    """3c: while a cemetery is open, a tile of the active pile is laid face down beside one (LVL5-03, LVL5-08)."""

    def _cells(self, state: State) -> list[int]:
        found: list[int] = []
        for segment in self.team(state).cemeteries:
            cell = state.board.cell_under(segment)
            for step in AROUND:
                free = state.board.tile_on_cell(cell + step) == NOTHING
                if free and cell + step not in found:
                    found.append(cell + step)
        found.sort()
        return found

    def choices(self, state: State, player: int) -> Choices:
        team = self.team(state)
        if not team.cemeteries or team.left == 0:
            return NO_CHOICES
        cells = self._cells(state)
        return Listed([on_cell("hide", cell) for cell in cells]) if len(cells) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        if not team.cemeteries:
            return
        if team.left == 0:
            out_of_tiles(self.mists, state)
            return
        cell = self._cells(state)[0] if action is None else cast(OnCell, action).cell
        team.left -= 1
        state.lay_face_down(cell)
        haunt_castles(self.mists, state)
        state.board.completed.clear()
        close_cemeteries(self.mists, state, player)


def haunt_castles(mists: Mists, state: State) -> None:
    """A castle with a face-down tile beside it is never complete (LVL5-04)."""
    for feature in [f for f in state.board.completed if state.board.is_kind(f, mists.mist.castle)]:
        cell = state.board.cell_under(feature)
        for step in AROUND:
            if state.board.tile_on_cell(cell + step) == FACE_DOWN:
                state.board.reopen(feature)
                break
