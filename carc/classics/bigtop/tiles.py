"""Places for acrobats on the tiles (BIG-02)."""

from __future__ import annotations

from typing import Final

import attrs

from carc.base.tiles.tile import Segment, SegmentKind, Tile, TileSet

GROUND: Final = SegmentKind(
    "acrobats", claimable=False, follower="acrobat", scores=False, rises=True
)


def with_grounds(sets: list[TileSet]) -> list[TileSet]:
    """Return the sets with a segment for acrobats on each tile of the last that shows them."""
    *others, own = sets
    return [*others, attrs.evolve(own, tiles=tuple([_with_ground(tile) for tile in own.tiles]))]


def _with_ground(tile: Tile) -> Tile:
    """Return a tile with a segment for acrobats, if it shows them."""
    if tile.symbol("acrobats") is None:
        return tile
    return attrs.evolve(tile, segments=(*tile.segments, Segment(GROUND.name)))
