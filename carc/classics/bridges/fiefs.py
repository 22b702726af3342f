"""Castles score what the best feature near them scores (BRC-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.cells import beyond
from carc.base.turn.scoring import (
    majority,
    score_share,
    send_home,
    tell_scored,
    value,
    with_expansions,
)
from carc.base.turn.steps import ScoreStep

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.bridges import Bridges


class CastleScoreStep(ScoreStep):
    """Castles score what the best feature near them scored; new ones wait from now on."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__("castle scores")
        self.bridges: Final = bridges

    def note(self, state: State, feature: int) -> None:
        """Note what the castles near a completed feature score."""
        own = self.bridges.state_of(state)
        cells = _cells(state.board, feature)
        for castle in own.standing:
            if not cells.isdisjoint(fief(state.board, castle)):
                points = value(state, feature, False)
                if points > own.best.get(castle, (-1, 0))[0]:
                    own.best[castle] = (points, feature)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the castles near what was completed, and those near such castles."""
        own = self.bridges.state_of(state)
        if not own.best and not own.new:
            return
        waiting = list(own.best)
        while waiting:
            one = waiting.pop()
            cells = _cells(state.board, one)
            for castle in own.standing:
                if castle == one or cells.isdisjoint(fief(state.board, castle)):
                    continue
                if own.best[one][0] > own.best.get(castle, (-1, 0))[0]:
                    own.best[castle] = own.best[one]
                    waiting.append(castle)
        for castle, (points, feature) in own.best.items():
            self._score_castle(state, castle, points, feature)
        own.best.clear()
        own.standing += own.new
        own.new.clear()

    def _score_castle(self, state: State, castle: int, points: int, feature: int) -> None:
        """Score a castle as a feature that was completed, whatever other expansions add."""
        board = state.board
        own = self.bridges.state_of(state)
        own.standing.remove(castle)
        own.ruins.append(castle)
        stronghold = board.feature_of(castle)
        if state.journal is not None:
            state.journal.open()
        state.note(f"castle by {board.kind_of(feature)}", 1, points)
        points = with_expansions(state, stronghold, False, points)
        for owner in majority(state, stronghold):
            score_share(state, stronghold, owner, False, points)
        tell_scored(state, stronghold, False)
        send_home(state, stronghold)


def _cells(board: Board, feature: int) -> set[int]:
    """Return the cells of a feature's segments: a monastery has one."""
    return {board.cell_under(segment) for segment in board.members(feature)}


def fief(board: Board, castle: int) -> list[int]:
    """Return the cells of a castle and those beside its two long sides."""
    cells = [board.cell_under(segment) for segment in board.members(castle)]
    lies_west_east = cells[1] in (beyond(cells[0], 1), beyond(cells[0], 3))
    sides = (0, 2) if lies_west_east else (1, 3)
    return cells + [beyond(cell, side) for cell in cells for side in sides]
