"""Part 3c of the turn: tiles are laid face down beside haunted cemeteries."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from carc.base.cells import around
from carc.base.turn.actions import Action, OnCell, on_cell
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.mists.team_game import TeamGame, TeamStep, out_of_tiles
from carc.mists.turn.placing import close_cemeteries

if TYPE_CHECKING:
    from carc.base.game.state import State


class HideStep(TeamStep):
    """3c: while a cemetery is open, a tile is laid face down beside one (LVL5-03, LVL5-08)."""

    def _cells(self, state: State) -> list[int]:
        cells: list[int] = []
        for segment in self.state_of(state).cemeteries:
            for cell in around(state.board.cell_under(segment)):
                if state.board.is_free(cell) and cell not in cells:
                    cells.append(cell)
        return sorted(cells)

    def choices(self, state: State, player: int) -> Choices:
        """Return the free cells around open cemeteries."""
        own = self.state_of(state)
        if not own.cemeteries or own.left == 0:
            return NO_CHOICES
        cells = self._cells(state)
        return Listed([on_cell("hide", cell) for cell in cells]) if len(cells) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Lay the tile there; without one the game is lost (COOP-22, LVL3-02)."""
        own = self.state_of(state)
        if not own.cemeteries:
            return
        if own.left == 0:
            out_of_tiles(self.mists, state)
            return
        cell = self._cells(state)[0] if action is None else cast(OnCell, action).cell
        own.left -= 1
        state.lay_face_down(cell)
        spoil_castles(self.mists, state)
        state.board.completed.clear()
        close_cemeteries(self.mists, state, player)


def spoil_castles(mists: TeamGame, state: State) -> None:
    """Let no castle with a face-down tile beside it be completed (LVL5-04)."""
    for feature in [f for f in state.board.completed if state.board.is_kind(f, mists.mist.castle)]:
        for cell in around(state.board.cell_under(feature)):
            if state.board.is_face_down(cell):
                state.board.reopen(feature)
                break
