"""Mist, and what stands in it, in every mode: banks, castles, cemeteries (rules MIST-*)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from carc.base.cells import AROUND, SIDES
from carc.base.tiles import SegmentKind

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State

TILES: Final = Path(__file__).with_name("data") / "mists.txt"

# What a tile just laid did to the mist.
EXPANDED: Final = 1  # a misty edge of it touches a misty edge (GCC-07, COOP-13)
TORN: Final = 2  # a misty edge, its own or the board's, now touches a clear one (MIST-05, GCC-08)


class Mist:
    """The mist of one game's tiles, looked up once: which tiles show it, which kinds of feature stand in it."""

    def __init__(self, rules: Rules) -> None:
        catalogue = rules.catalogue
        names = [kind.name for kind in catalogue.kinds]
        self.mist: int = names.index("mist")
        self.castle: int = names.index("castle")
        self.cemetery: int = names.index("cemetery")
        self.misty: list[bool] = [
            any(segment.kind == "mist" for segment in tile.segments) for tile in catalogue.tiles
        ]

    def join(self, state: State, tile: int) -> int:
        """Join the mist of a tile just laid with what it touches (MIST-04); returns EXPANDED | TORN as it did."""
        overlay = state.rules.catalogue.overlay
        t: i64 = tile
        cell: int = state.cell[t]
        here: i64 = state.row[t] * 4
        did = 0
        for side in range(4):
            other: i64 = state.tile_at.get(cell + SIDES[side], -1)
            if other < 0:
                continue
            mine: i64 = overlay[here + side]
            theirs: i64 = overlay[state.row[other] * 4 + (side ^ 2)]
            if mine >= 0:
                if theirs >= 0:
                    state.join(state.first[t] + mine, state.first[other] + theirs)
                    did |= EXPANDED
                else:
                    did |= TORN
            elif theirs >= 0:
                did |= TORN
        return did

    def misty_tiles(self, state: State, cell: int) -> int:
        """How many of the nine tiles around and on a cell show mist (GCC-19, COOP-16)."""
        count = 0
        for step in AROUND:
            count += self._is_misty(state, cell + step)
        return count + self._is_misty(state, cell)

    def _is_misty(self, state: State, cell: int) -> int:
        tile: i64 = state.tile_at.get(cell, -1)
        return 1 if tile >= 0 and self.misty[state.row[tile] >> 2] else 0


def mist_kinds(castles: bool, cemeteries: bool) -> tuple[SegmentKind, ...]:
    """Mist, castles and cemeteries as kinds of feature; followers stand on the latter two only where asked."""
    return (
        SegmentKind("mist", overlay=True, completed_by="edges", claimable=False),
        SegmentKind("castle", completed_by="neighbours", claimable=castles, follower="lord"),
        SegmentKind(
            "cemetery", completed_by="neighbours", claimable=cemeteries, follower="keeper"
        ),
    )
