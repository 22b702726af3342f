"""The Cult: `base+cult`, shrines that challenge monasteries (CUL-01, CUL-02)."""

from __future__ import annotations

from pathlib import Path

from carc.base.board.board import Board
from carc.base.cells import AROUND
from carc.base.game.actions import Action, Place
from carc.base.game.rules import Rules
from carc.base.game.scoring import send_home
from carc.base.game.state import State
from carc.base.tiles.tile import MONASTERY
from carc.classics.competitive_expansion import CompetitiveExpansion

NEITHER = 0
OF_MONASTERY = 1
OF_SHRINE = 2


class Cult(CompetitiveExpansion):
    """Of a shrine and a monastery side by side, only the one that is completed first scores."""

    TILES = Path(__file__).with_name("cult.txt")

    def bind(self, rules: Rules) -> None:
        """Look up shrines and monasteries on the tiles."""
        self.shrine = rules.catalogue.mark("shrine")
        self.sort: list[int] = [
            max(
                [OF_SHRINE if "shrine" in dict(part.marks) else OF_MONASTERY for part in parts]
                or [NEITHER]
            )
            for parts in (
                [part for part in tile.segments if part.kind == "monastery"]
                for tile in rules.catalogue.tiles
            )
        ]

    def _around(self, board: Board, cell: int, sort: int) -> list[int]:
        """Return the cells around one with a shrine, or with a monastery."""
        cells = [cell + step for step in AROUND]
        return [
            at
            for at in cells
            if (tile := board.tile_on_cell(at)) >= 0 and self.sort[board.kind_of_tile(tile)] == sort
        ]

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        """CUL-02: no shrine beside two monasteries, and no monastery beside two shrines."""
        mine = self.sort[kind]
        if mine == NEITHER:
            return actions
        return [
            action
            for action in actions
            if not isinstance(action, Place) or self._may_stand(state.board, action.cell, mine)
        ]

    def _may_stand(self, board: Board, cell: int, mine: int) -> bool:
        theirs = OF_MONASTERY + OF_SHRINE - mine
        rivals = self._around(board, cell, theirs)
        return len(rivals) == 0 or (len(rivals) == 1 and not self._around(board, rivals[0], mine))

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """CUL-01: the loser of a challenge goes home and scores nothing."""
        board = state.board
        if final or not board.is_kind(feature, MONASTERY) or not board.is_claimed(feature):
            return
        mine = OF_SHRINE if board.mark(feature, self.shrine) else OF_MONASTERY
        for cell in self._around(board, board.cell_under(feature), OF_MONASTERY + OF_SHRINE - mine):
            for segment in board.segments_of(board.tile_on_cell(cell)):
                if board.is_kind(segment, MONASTERY) and board.is_open(segment):
                    for owner, _ in board.followers_at(segment):
                        state.award(owner, "challenge", 0, 0)
                    send_home(state, segment)
