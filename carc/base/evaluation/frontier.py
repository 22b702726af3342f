"""`Frontier`: which free cells features go on to, told for a whole position at once. For bots; play asks none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import beyond
from carc.base.game.rules import same_rules
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ONE_SIDE, TERRAIN_BITS
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class Frontier:
    """The free cells that features go on to, of the position looked at last. Keep one for many positions; a copy has looked at
    none yet.

    A *gap* is one such cell of one feature, numbered from 0 to `count`. Those of a feature are walked through:
    `gap = starts(feature)`, then `gap = next[gap]`, until it is -1. By gap:

    - `feature`: whose it is; `cell`: the free cell
    - `demand`: what the cell's sides demand, as `state.demand_of(cell)` has it
    - `sides`: through which of the cell's sides the feature comes, 1 << side each: north, east, south, west
    - `next`: the feature's next gap, in the order of cells; -1 after the last
    """

    def __init__(self, rules: Rules) -> None:
        catalogue = rules.catalogue
        self.rules: Final = rules
        self._position: i64 = 1  # none is seen yet
        self._seen: Final = vec[i64]([0] * catalogue.most_segments)  # at which position, by feature
        self._first: Final = vec[i64]([0] * catalogue.most_segments)
        self._last: Final = vec[i64]([0] * catalogue.most_segments)
        room = (
            12 * catalogue.most_tiles
        )  # each side of a tile: a feature, one that shares the edge, an overlay
        self.count: i64 = 0
        self.feature: Final = vec[i64]([0] * room)
        self.cell: Final = vec[i64]([0] * room)
        self.demand: Final = vec[i64]([0] * room)
        self.sides: Final = vec[i64]([0] * room)
        self.next: Final = vec[i64]([0] * room)

    def __reduce__(self) -> tuple[Any, ...]:
        return Frontier, (self.rules,)

    def look(self, state: State) -> None:
        """Look at a position, which is not changed. Raises `CarcError` if it is one of other rules."""
        if state.rules is not self.rules:
            same_rules(state.rules, self.rules)
        catalogue = self.rules.catalogue
        main, also, overlay = catalogue.main, catalogue.also, catalogue.overlay
        row, first, features = (
            state.board._oriented_kind,
            state.board._first_segment,
            state.board._feature,
        )
        self._position += 1
        self.count = 0
        for entry in state.board._frontier:
            cell = entry >> DEMAND_BITS
            for side in range(4):
                if not entry >> TERRAIN_BITS * side & ONE_SIDE:
                    continue  # no tile there
                tile = state.board.tile_on_cell(beyond(cell, side))
                at = row[tile] * 4 + (side ^ 2)
                if main[at] >= 0:
                    self._add(features[first[tile] + main[at]], entry, side)
                if also[at] >= 0:
                    self._add(features[first[tile] + also[at]], entry, side)
                if overlay[at] >= 0:
                    self._add(features[first[tile] + overlay[at]], entry, side)

    def _add(self, feature: i64, entry: i64, side: i64) -> None:
        cell = entry >> DEMAND_BITS
        gap = self.count
        if self._seen[feature] != self._position:
            self._seen[feature] = self._position
            self._first[feature] = gap
        else:
            last = self._last[feature]
            if self.cell[last] == cell:
                self.sides[last] |= 1 << side
                return
            self.next[last] = gap
        self._last[feature] = gap
        self.feature[gap] = feature
        self.cell[gap] = cell
        self.demand[gap] = entry & DEMANDS
        self.sides[gap] = 1 << side
        self.next[gap] = -1
        self.count = gap + 1

    def starts(self, feature: i64) -> i64:
        """The first gap of a feature, -1 if it goes on to no free cell. Raises `CarcError` for what is no feature."""
        if not 0 <= feature < len(self._first):
            raise CarcError(f"{feature} is no feature on the table")
        return self._first[feature] if self._seen[feature] == self._position else -1
