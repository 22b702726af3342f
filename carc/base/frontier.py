"""`Frontier`: which free cells features go on to, told for a whole position at once. For bots; play asks none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.catalogue import DEMAND_BITS, DEMANDS, TERRAIN_BITS
from carc.base.cells import beyond

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State

_TERRAIN: Final = (1 << TERRAIN_BITS) - 1  # of what a free cell demands, one side's


class Frontier:
    """The free cells that features go on to, of the position looked at last. Keep one for many positions.

    A *gap* is one such cell of one feature. Those of a feature are walked through: `gap = starts(feature)`, then
    `gap = next[gap]`, until it is -1.
    """

    def __init__(self, rules: Rules) -> None:
        catalogue = rules.catalogue
        self.rules: Final = rules
        self._position: i64 = 1  # none is seen yet
        self._seen: Final = vec[i64]([0] * catalogue.most_segments)  # at which position, by feature
        self._first: Final = vec[i64]([0] * catalogue.most_segments)
        self._last: Final = vec[i64]([0] * catalogue.most_segments)
        room = 8 * catalogue.most_tiles  # each side of a tile: one feature, one overlay
        self.count: i64 = 0  # of gaps
        self.feature: Final = vec[i64]([0] * room)  # by gap: whose it is
        self.cell: Final = vec[i64]([0] * room)  # the free cell
        # What its sides demand, the place in a kind's `Catalogue.fits`; through which of them the feature comes, a bit each.
        self.demand: Final = vec[i64]([0] * room)
        self.sides: Final = vec[i64]([0] * room)
        self.next: Final = vec[i64]([0] * room)  # the feature's next gap, -1 after the last

    def __reduce__(self) -> tuple[Any, ...]:
        return Frontier, (self.rules,)

    def look(self, state: State) -> None:
        """Look at a position, which is not changed."""
        catalogue = self.rules.catalogue
        main, overlay = catalogue.main, catalogue.overlay
        row, first, features = state.row, state.first, state.feature
        self._position += 1
        self.count = 0
        for entry in state.frontier:
            cell = entry >> DEMAND_BITS
            for side in range(4):
                if not entry >> TERRAIN_BITS * side & _TERRAIN:
                    continue  # no tile there
                tile = state.tile_on_cell(beyond(cell, side))
                at = row[tile] * 4 + (side ^ 2)
                if main[at] >= 0:
                    self._add(features[first[tile] + main[at]], entry, side)
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
        """The first gap of a feature, -1 if it goes on to no free cell."""
        return self._first[feature] if self._seen[feature] == self._position else -1
