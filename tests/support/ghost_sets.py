"""The shipped tile sets, what is on a tile, and altered copies of them."""

from collections.abc import Callable

import attrs

from carc import tilesets
from carc.base.tiles.tile import Segment, Tile, TileSet
from carc.base.tiles.tile_file import parse_tiles
from carc.expansion_ghosts.mist import TILES as MIST_TILES

TEXT = MIST_TILES.read_text(encoding="utf-8")
SHIPPED = [*tilesets.by_name("mists").tiles, *tilesets.by_name("circles").tiles]


def shows(tile: Tile, *kinds: str) -> bool:
    return all(any(s.kind == kind for s in tile.segments) for kind in kinds)


def marks(tile: Tile, mark: str) -> int:
    return sum(dict(s.marks).get(mark, 0) for s in tile.segments)


def misty(tile: Tile) -> list[int]:
    return [edge for s in tile.segments if s.kind == "mist" for edge in s.edges]


def reading(text: str) -> TileSet:
    return parse_tiles(text, tilesets.installed().kinds, "mine.txt")


def block(name: str) -> str:
    """The lines of one of the shipped mist tiles."""
    return TEXT[TEXT.index(f"tile {name} ") :].partition("\n\n")[0]


def numbered(one: TileSet) -> list[Tile]:
    """One by one, without the large start tile."""
    return [tile for tile in one.tiles if tile.number is not None for _ in range(tile.copies)]


Change = Callable[[Tile], Tile]


def altered(one: TileSet, change: Change, at: Callable[[Tile], bool], times: int = 999) -> TileSet:
    """A set with the first `times` tiles for which `at` is true changed."""
    tiles = []
    for tile in one.tiles:
        if at(tile) and times:
            times -= 1
            tiles.append(change(tile))
        else:
            tiles.append(tile)
    return attrs.evolve(one, tiles=tuple(tiles))


def number(n: int) -> Callable[[Tile], bool]:
    return lambda tile: tile.number == n


def showing(kind: str) -> Callable[[Tile], bool]:
    return lambda tile: shows(tile, kind)


def marked(mark: str, n: int) -> Change:
    """The first mist with so many of a mark instead of its own."""

    def change(tile: Tile) -> Tile:
        at = next(i for i, s in enumerate(tile.segments) if s.kind == "mist")
        own = tuple(one for one in tile.segments[at].marks if one[0] != mark)
        new = attrs.evolve(tile.segments[at], marks=(*own, (mark, n)) if n else own)
        return attrs.evolve(tile, segments=(*tile.segments[:at], new, *tile.segments[at + 1 :]))

    return change


def unmarked(mark: str) -> Change:
    def change(tile: Tile) -> Tile:
        return attrs.evolve(
            tile,
            segments=tuple(
                attrs.evolve(s, marks=tuple(m for m in s.marks if m[0] != mark))
                for s in tile.segments
            ),
        )

    return change


def without(kind: str) -> Change:
    return lambda tile: attrs.evolve(
        tile, segments=tuple(s for s in tile.segments if s.kind != kind)
    )


def adding(*segments: Segment) -> Change:
    return lambda tile: attrs.evolve(tile, segments=(*tile.segments, *segments))


def everywhere(tile: Tile) -> bool:
    return True
