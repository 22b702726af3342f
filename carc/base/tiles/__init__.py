"""Tiles: kinds of tile as data, their files, and the tables used in play.

Called by: anybody.
Imports: nothing.
"""

from carc.base.tiles.tile import Segment, SegmentKind, Tile, TileSet
from carc.base.tiles.tile_file import parse_tiles, read_tiles

__all__ = ["Segment", "SegmentKind", "Tile", "TileSet", "parse_tiles", "read_tiles"]
