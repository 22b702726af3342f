"""The Cult: `base+cult`, shrines that challenge monasteries (CUL-01, CUL-02)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from carc.base.cells import are_close
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import MONASTERY, Tile
from carc.base.turn.choices import Choices, without_crowded
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.monasteries import Monasteries

NEITHER: Final = -1
SHRINE: Final = 0
OTHER: Final = 1


class Cult(CompetitiveExpansion):
    """Of a shrine and a monastery side by side, only the one that is completed first scores."""

    TILES = Path(__file__).with_name("cult.txt")
    ONLY_FOR = {"placements": ("monastery",), "feature_scored": ("monastery",)}

    def bind(self, rules: Rules) -> None:
        """Look up shrines and monasteries on the tiles."""
        self.shrine = rules.catalogue.mark("shrine")
        self.monasteries = [each for each in rules.expansions if isinstance(each, Monasteries)]
        sorts = [_sort_of(tile) for tile in rules.catalogue.tiles]
        # By sort: the kinds of tile.
        self.kinds = [TileKinds([one == sort for one in sorts]) for sort in (SHRINE, OTHER)]

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        """CUL-02: no shrine beside two monasteries, and no monastery beside two shrines."""
        mine = SHRINE if kind in self.kinds[SHRINE] else OTHER
        return without_crowded(state, choices, self.kinds[1 - mine], self.kinds[mine])

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """CUL-01: the loser of a challenge goes home and scores nothing; who lies stays there."""
        board = state.board
        if final or not board.is_claimed(feature):
            return
        mine = SHRINE if board.mark(feature, self.shrine) else OTHER
        here = board.cell_under(feature)
        for tile in board.tiles_among(self.kinds[1 - mine]):
            if not are_close(here, board.cell_of(tile)):
                continue
            for segment in board.segments_of(tile):
                if board.is_kind(segment, MONASTERY) and board.is_open(segment):
                    losers = board.followers_at(segment)
                    for german in self.monasteries:
                        losers = german.state_of(state).those(board, segment, lie=False)
                    for owner, kind in losers:
                        state.award(owner, "challenge", 0, 0)
                        state.take_follower(segment, owner, kind)


def _sort_of(tile: Tile) -> int:
    """Return whether a tile has a monastery, a shrine or neither."""
    sort = NEITHER
    for part in tile.segments:
        if part.kind == "monastery":
            sort = SHRINE if "shrine" in dict(part.marks) else OTHER
    return sort
