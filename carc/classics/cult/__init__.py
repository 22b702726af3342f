"""The Cult: `base+cult`, shrines that challenge monasteries (CUL-01, CUL-02)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.vectors import sort_in_place
from carc.base.cells import WIDTH, are_close
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import MONASTERY, Tile
from carc.base.turn.choices import Choices, without_cells
from carc.base.turn.scoring import send_home
from carc.classics.competitive_expansion import CompetitiveExpansion

NEITHER: Final = 0
OF_MONASTERY: Final = 1
OF_SHRINE: Final = 2


class Cult(CompetitiveExpansion):
    """Of a shrine and a monastery side by side, only the one that is completed first scores."""

    TILES = Path(__file__).with_name("cult.txt")
    ONLY_FOR = {"placements": ("monastery",), "feature_scored": ("monastery",)}

    def bind(self, rules: Rules) -> None:
        """Look up shrines and monasteries on the tiles."""
        self.shrine = rules.catalogue.mark("shrine")
        self.sort = vec[i64]([_sort_of(tile) for tile in rules.catalogue.tiles])

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        """CUL-02: no shrine beside two monasteries, and no monastery beside two shrines."""
        mine = self.sort[kind]
        rivals = state.board.cells_of_kinds(self.sort, OF_MONASTERY + OF_SHRINE - mine)
        if len(rivals) == 0:
            return choices
        fellows = state.board.cells_of_kinds(self.sort, mine)
        forbidden = _forbidden(rivals, fellows)
        return without_cells(state, choices, forbidden) if len(forbidden) else choices

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """CUL-01: the loser of a challenge goes home and scores nothing."""
        board = state.board
        if final or not board.is_claimed(feature):
            return
        mine = OF_SHRINE if board.mark(feature, self.shrine) else OF_MONASTERY
        here = board.cell_under(feature)
        for cell in board.cells_of_kinds(self.sort, OF_MONASTERY + OF_SHRINE - mine):
            if not are_close(here, cell):
                continue
            for segment in board.segments_of(board.tile_on_cell(cell)):
                if board.is_kind(segment, MONASTERY) and board.is_open(segment):
                    for owner, _ in board.followers_at(segment):
                        state.award(owner, "challenge", 0, 0)
                    send_home(state, segment)


def _forbidden(rivals: vec[i64], fellows: vec[i64]) -> vec[i64]:
    """Return, in order, the cells beside two rivals, or beside one that has a fellow already."""
    forbidden = vec[i64]()
    for rival in rivals:
        taken = any(are_close(rival, fellow) for fellow in fellows)
        others = vec[i64]()  # those that have cells beside them in common with it
        if not taken:
            for other in rivals:
                if other != rival and _share_cells(rival, other):
                    others = append(others, other)
        if not taken and len(others) == 0:
            continue
        for row in range(rival - WIDTH, rival + WIDTH + 1, WIDTH):
            for cell in range(row - 1, row + 2):
                if taken or any(are_close(cell, other) for other in others):
                    forbidden = append(forbidden, cell)
    return sort_in_place(forbidden)


def _share_cells(first: i64, second: i64) -> bool:
    """Return True if a cell is close to both of two cells."""
    away = first - second + 2 * WIDTH + 2
    return 0 <= away <= 4 * WIDTH + 4 and away & (WIDTH - 1) <= 4


def _sort_of(tile: Tile) -> int:
    """Return whether a tile has a monastery, a shrine or neither."""
    sort = NEITHER
    for part in tile.segments:
        if part.kind == "monastery":
            sort = OF_SHRINE if "shrine" in dict(part.marks) else OF_MONASTERY
    return sort
