"""The mouths of tunnels on the tiles (TUN-01)."""

from __future__ import annotations

from typing import Final

import attrs

from carc.base.tiles.tile import Tile

MARK: Final = ("tunnel", 1)


def with_mouths(tile: Tile) -> Tile:
    """Return a tile whose road through a tunnel is two roads, each with a mouth."""
    for index, part in enumerate(tile.segments):
        if MARK in part.marks and len(part.edges) == 2:
            ends = [attrs.evolve(part, edges=(edge,)) for edge in part.edges]
            before, after = tile.segments[:index], tile.segments[index + 1 :]
            return attrs.evolve(tile, segments=(*before, ends[0], *after, ends[1]))
    return tile


def without_mouths(tile: Tile) -> Tile:
    """Return a tile whose road through a tunnel is a plain one."""
    parts = [
        attrs.evolve(part, marks=tuple(mark for mark in part.marks if mark != MARK))
        for part in tile.segments
    ]
    return attrs.evolve(tile, segments=tuple(parts))
