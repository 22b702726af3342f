"""Corners of tiles: which field lies there, and where four fields meet."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import NOWHERE, Arrays
from carc.base.cells import WIDTH, beyond
from carc.base.tiles.catalogue import Catalogue
from carc.base.tiles.tile import FIELD

# Four tiles meet at a point. By the corner that a tile has there, its cell, seen from the cell
# south-east of the point.
AT_POINT: Final = vec[i64]([-1, -WIDTH - 1, -WIDTH, 0])
BOTH_SIDES: Final = 3  # of a corner, a bit each


class Corners:
    """The fields at the corners of all kinds of tile."""

    def __init__(self, catalogue: Catalogue) -> None:
        fields: list[int] = []
        for row in range(4 * len(catalogue.tiles)):
            for side in range(4):
                here, following = 4 * row + side, 4 * row + (side + 1) % 4
                first = catalogue.right[here]  # beside a road; a bridge's stands behind the fields
                first = first if first >= 0 else catalogue.main[here]
                second = catalogue.left[following]
                second = second if second >= 0 else catalogue.main[following]
                start = catalogue.segment_start[row >> 2]
                field = first >= 0 and catalogue.segment_kind[start + first] == FIELD
                fields.append(first if field and first == second else -1)
        # By row and corner (0: after the northern side): the field, or -1.
        self._fields: Final = vec[i64](fields)

    def meeting(self, board: Arrays) -> list[int]:
        """Return where four fields meet at a corner of the last tile: each by a segment.

        It is that of the tile south-east of the corner. The list is not to be changed.
        """
        met = NOWHERE
        fields = board._oriented_kind[board.last_tile] * 4
        here = board._cell[board.last_tile]
        beside: i64 = 0  # the sides beyond which tiles lie, a bit each, the first one once more
        for side in range(4):
            if board.tile_on_cell(beyond(here, side)) >= 0:
                beside |= 1 << side
        beside |= beside << 4
        for corner in range(4):
            if beside >> corner & BOTH_SIDES == BOTH_SIDES and self._fields[fields + corner] >= 0:
                at = self._field_at(board, here - AT_POINT[corner])
                if at >= 0:
                    met = [*met, at]
        return met

    def _field_at(self, board: Arrays, cell: i64) -> i64:
        """Return the field south-east of a cell's north-western corner, if four fields meet."""
        field: i64 = -1
        for corner in range(4):
            tile = board.tile_on_cell(cell + AT_POINT[corner])
            index = -1 if tile < 0 else self._fields[board._oriented_kind[tile] * 4 + corner]
            if index < 0:
                return -1
            field = board._first_segment[tile] + index
        return field
