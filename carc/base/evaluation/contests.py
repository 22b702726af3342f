"""`Contests`: the features that one more tile can join. For bots only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import beyond
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ONE_SIDE, TERRAIN_BITS

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

_SIDE_PAIRS: Final = 6
_HALF_AT: Final = 2.0  # with so many tiles that join two features, the chance is a half
_ROOM: Final = 512  # pairs that are noted at most


@final
class Contests:
    """The pairs of features that a tile of the bag can join on one free cell.

    Call `look` for each position. Keep one object for many positions.

    Attributes:
        count: How many pairs there are.
        first: By pair: a feature.
        second: By pair: another of the same kind.
        chance: By pair: how easily they are joined, from 0 to 1.
    """

    def __init__(self, rules: Rules) -> None:
        """Prepare for the positions of some rules."""
        self.rules: Final = rules
        self.count: i64 = 0
        self.first: Final = vec[i64]([0] * _ROOM)
        self.second: Final = vec[i64]([0] * _ROOM)
        self.chance: Final = vec[float]([0.0] * _ROOM)
        self._bag: list[int] = []
        self._bags: i64 = 0
        self._kinds: vec[i64] = vec[i64]()
        # By what a free cell demands and by pair of its sides: how many tiles of the bag join what
        # is at these sides. By what it demands: for which bag that is known.
        self._joining: Final = vec[i64]([0] * (_SIDE_PAIRS << DEMAND_BITS))
        self._known_for: Final = vec[i64]([0] * (1 << DEMAND_BITS))
        self._at_side: Final = vec[i64]([0] * 4)

    def look(self, state: State) -> None:
        """Look at a position."""
        if state.bag != self._bag:
            self._bag = state.bag.copy()
            self._kinds = vec[i64]([kind for kind, copies in enumerate(self._bag) if copies])
            self._bags += 1
        self.count = 0
        main = self.rules.catalogue.main
        board = state.board
        oriented_kind, first = board._oriented_kind, board._first_segment
        features, at_side = board._feature, self._at_side
        for entry in board._frontier:
            sides: i64 = 0
            for side in range(4):
                sides += i64(entry >> TERRAIN_BITS * side & ONE_SIDE != 0)
            if sides < 2:
                continue
            for side in range(4):
                at_side[side] = -1
                if entry >> TERRAIN_BITS * side & ONE_SIDE:
                    tile = board.tile_on_cell(beyond(entry >> DEMAND_BITS, side))
                    at = oriented_kind[tile] * 4 + (side ^ 2)
                    if main[at] >= 0:
                        at_side[side] = features[first[tile] + main[at]]
            self._note_pairs(state, entry & DEMANDS)

    def _note_pairs(self, state: State, demand: i64) -> None:
        """Note the pairs of different features of a kind at the sides of one free cell."""
        kinds = state.board._kind
        pair: i64 = -1
        for side in range(3):
            for other in range(side + 1, 4):
                pair += 1
                a, b = self._at_side[side], self._at_side[other]
                if a < 0 or b < 0 or a == b or kinds[a] != kinds[b] or self.count == _ROOM:
                    continue
                if self._known_for[demand] != self._bags:
                    self._count_joining(demand)
                joining = self._joining[demand * _SIDE_PAIRS + pair]
                if joining:
                    self.first[self.count] = a
                    self.second[self.count] = b
                    self.chance[self.count] = float(joining) / (float(joining) + _HALF_AT)
                    self.count += 1

    def _count_joining(self, demand: i64) -> None:
        """Count the tiles of the bag that fit a free cell and join what is at two of its sides."""
        self._known_for[demand] = self._bags
        base = demand * _SIDE_PAIRS
        for pair in range(_SIDE_PAIRS):
            self._joining[base + pair] = 0
        catalogue = self.rules.catalogue
        main = catalogue.main
        for kind in self._kinds:
            rotations = catalogue.rotations_for(kind, demand)
            joined: i64 = 0
            for rotation in range(4):
                if not rotations >> rotation & 1:
                    continue
                at = (kind * 4 + rotation) * 4
                pair = 0
                for side in range(3):
                    for other in range(side + 1, 4):
                        if main[at + side] >= 0 and main[at + side] == main[at + other]:
                            joined |= 1 << pair
                        pair += 1
            for pair in range(_SIDE_PAIRS):
                if joined >> pair & 1:
                    self._joining[base + pair] += i64(self._bag[kind])
