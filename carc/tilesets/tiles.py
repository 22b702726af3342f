"""What single tiles show."""

from collections.abc import Iterable

from carc.base.tiles.tile import Tile, TileSet, without_start


def copies(tiles: Iterable[Tile]) -> list[Tile]:
    """Return the tiles with each repeated as often as the set has it."""
    return [tile for tile in tiles for _ in range(tile.copies)]


def bag_tiles(tile_set: TileSet) -> list[Tile]:
    """Return every tile that is in the bag at the start, copy by copy: all but the start tiles."""
    return copies(without_start(tile_set).tiles)


def count_marks(tile: Tile, mark: str) -> int:
    """Return how often a mark is on a tile."""
    return sum(n for s in tile.segments for name, n in s.marks if name == mark)


def has_segment(tile: Tile, kind: str) -> bool:
    """Return True if a tile has a segment of this kind."""
    return any(s.kind == kind for s in tile.segments)


def count_road_ends(tile: Tile) -> int:
    """Return how many roads end on the tile: at a village, a city or a building."""
    return sum(s.kind == "road" and len(s.edges) == 1 for s in tile.segments)
