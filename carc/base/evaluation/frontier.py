"""`Frontier`: the free cells that features continue to. For bots only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import beyond, count_bits
from carc.base.game.refusals import same_rules
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ONE_SIDE, TERRAIN_BITS
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


@final
class Frontier:
    """The free cells that the features of a position continue to.

    Call `look` for each position, then walk through the *gaps* of a feature: the free cells it
    continues to. Gaps are numbered from 0 to `count` - 1; arrays are longer than that. Keep one
    object for many positions. A copy has looked at none.

    Attributes:
        rules: The rules.
        count: How many gaps there are.
        feature: By gap: the feature.
        cell: By gap: the free cell, a key of `state.board.free_cells()`.
        demand: By gap: what the cell demands of a tile, as in `state.board.free_cells()`.
        sides: By gap: the sides of the cell through which the feature comes, a bit each: 1 north,
            2 east, 4 south, 8 west.
        next: By gap: the feature's next gap, in the order of cells; -1 after the last.
    """

    def __init__(self, rules: Rules) -> None:
        """Prepare for the positions of some rules."""
        catalogue = rules.catalogue
        self.rules: Final = rules
        # By feature: its first and last gap, and in which position these were noted.
        self._position: i64 = 1
        self._noted_in: Final = vec[i64]([0] * catalogue.most_segments)
        self._first: Final = vec[i64]([0] * catalogue.most_segments)
        self._last: Final = vec[i64]([0] * catalogue.most_segments)
        # At each side of a tile: a feature, another that shares the edge, and an overlay.
        room = 12 * catalogue.most_tiles
        self.count: i64 = 0
        self.feature: Final = vec[i64]([0] * room)
        self.cell: Final = vec[i64]([0] * room)
        self.demand: Final = vec[i64]([0] * room)
        self.sides: Final = vec[i64]([0] * room)
        self.next: Final = vec[i64]([0] * room)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without what was looked at."""
        return Frontier, (self.rules,)

    def look(self, state: State) -> None:
        """Look at a position.

        Raises:
            CarcError: The state has other rules.
        """
        if state.rules is not self.rules:
            same_rules(state.rules, self.rules)
        catalogue = self.rules.catalogue
        main, also, overlay = catalogue.main, catalogue.also, catalogue.overlay
        oriented_kind, first, features = (
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
                at = oriented_kind[tile] * 4 + (side ^ 2)
                if main[at] >= 0:
                    self._add(features[first[tile] + main[at]], entry, side)
                if also[at] >= 0:
                    self._add(features[first[tile] + also[at]], entry, side)
                if overlay[at] >= 0:
                    self._add(features[first[tile] + overlay[at]], entry, side)

    def _add(self, feature: i64, entry: i64, side: i64) -> None:
        """Note that a feature continues through a side to a free cell (an entry of the board)."""
        cell = entry >> DEMAND_BITS
        gap = self.count
        if self._noted_in[feature] != self._position:
            self._noted_in[feature] = self._position
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

    def edges(self, gap: i64) -> int:
        """Return through how many sides of the cell the feature comes."""
        return count_bits(self.sides[gap])

    def starts(self, feature: i64) -> i64:
        """Return the first gap of a feature; -1 if it continues to no free cell.

        Raises:
            CarcError: There is no such feature.
        """
        if not 0 <= feature < len(self._first):
            raise CarcError(f"there is no feature {feature}")
        return self._first[feature] if self._noted_in[feature] == self._position else -1
