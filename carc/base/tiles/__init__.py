"""Tiles: kinds of tile as data, the files they are written in, and the tables that are played with."""

from carc.base.tiles.tile import Segment, SegmentKind, Tile, TileSet
from carc.base.tiles.tile_file import parse_tiles, read_tiles

__all__ = ["Segment", "SegmentKind", "Tile", "TileSet", "parse_tiles", "read_tiles"]
