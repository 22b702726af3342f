"""The Cult: `base+cult`, shrines that challenge monasteries (CUL-01, CUL-02)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.board import Board
from carc.base.cells import AROUND
from carc.base.game.actions import Action, Place
from carc.base.game.rules import Rules
from carc.base.game.scoring import send_home
from carc.base.game.state import State
from carc.base.tiles.tile import MONASTERY, Tile
from carc.classics.competitive_expansion import CompetitiveExpansion

NEITHER: Final = 0
OF_MONASTERY: Final = 1
OF_SHRINE: Final = 2


class Cult(CompetitiveExpansion):
    """Of a shrine and a monastery side by side, only the one that is completed first scores."""

    TILES = Path(__file__).with_name("cult.txt")
    ONLY_FOR = {"placements": ("monastery",)}

    def bind(self, rules: Rules) -> None:
        """Look up shrines and monasteries on the tiles."""
        self.shrine = rules.catalogue.mark("shrine")
        self.sort = vec[i64]([_sort_of(tile) for tile in rules.catalogue.tiles])

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        """CUL-02: no shrine beside two monasteries, and no monastery beside two shrines."""
        mine = self.sort[kind]
        return [
            action
            for action in actions
            if not isinstance(action, Place) or self._may_stand(state.board, action.cell, mine)
        ]

    def _around(self, board: Board, cell: i64, sort: i64) -> list[int]:
        """Return the cells around one with a shrine, or with a monastery."""
        cells: list[int] = []
        for step in AROUND:
            tile = board.tile_on_cell(cell + step)
            if tile >= 0 and self.sort[board.kind_of_tile(tile)] == sort:
                cells.append(cell + step)
        return cells

    def _may_stand(self, board: Board, cell: i64, mine: i64) -> bool:
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


def _sort_of(tile: Tile) -> int:
    """Return whether a tile has a monastery, a shrine or neither."""
    sort = NEITHER
    for part in tile.segments:
        if part.kind == "monastery":
            sort = OF_SHRINE if "shrine" in dict(part.marks) else OF_MONASTERY
    return sort
