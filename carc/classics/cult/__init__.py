"""The Cult: `base+cult`, shrines that challenge monasteries (CUL-01, CUL-02)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.board import Board
from carc.base.game.actions import Action, Place
from carc.base.game.rules import Rules
from carc.base.game.scoring import send_home
from carc.base.game.state import State
from carc.base.tiles.tile import MONASTERY, Tile
from carc.classics.areas import are_close
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
        rivals = self._cells_with(state.board, OF_MONASTERY + OF_SHRINE - mine)
        if not rivals:
            return actions
        fellows = self._cells_with(state.board, mine)
        taken = [any(are_close(rival, fellow) for fellow in fellows) for rival in rivals]
        kept: list[Action] = []
        last: i64 = -1
        stands = True
        for action in actions:
            if isinstance(action, Place) and action.cell != last:
                last = action.cell  # those of a cell follow each other
                beside = [taken[at] for at, rival in enumerate(rivals) if are_close(last, rival)]
                stands = len(beside) == 0 or beside == [False]
            if stands or not isinstance(action, Place):
                kept.append(action)
        return kept

    def _cells_with(self, board: Board, sort: i64) -> list[int]:
        """Return the cells of all shrines, or of all monasteries."""
        cells: list[int] = []
        for tile in range(board.tile_count):
            if self.sort[board.kind_of_tile(tile)] == sort:
                cells.append(board.cell_of(tile))
        return cells

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """CUL-01: the loser of a challenge goes home and scores nothing."""
        board = state.board
        if final or not board.is_kind(feature, MONASTERY) or not board.is_claimed(feature):
            return
        mine = OF_SHRINE if board.mark(feature, self.shrine) else OF_MONASTERY
        here = board.cell_under(feature)
        for cell in self._cells_with(board, OF_MONASTERY + OF_SHRINE - mine):
            if not are_close(here, cell):
                continue
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
