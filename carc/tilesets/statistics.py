"""Statistics of a tile set: its tiles as rows of a table, counts, and shares of edges."""

from collections import Counter
from collections.abc import Iterator

import attrs

from carc.base.tiles.tile import EDGES, HALVES, Segment, Tile, TileSet
from carc.tilesets.discovery import installed
from carc.tilesets.tiles import bag_tiles, copies


@attrs.frozen
class TileRow:
    """A kind of tile in words."""

    name: str
    number: int | None
    copies: int
    edges: str
    segments: tuple[str, ...]
    known: tuple[str, ...]
    reconstructed: tuple[str, ...]

    def cells(self) -> tuple[str, ...]:
        """Return the text of each column."""
        return (
            self.name,
            "" if self.number is None else str(self.number),
            str(self.copies),
            self.edges,
            "; ".join(self.segments),
            ", ".join(self.known),
            ", ".join(self.reconstructed),
        )


@attrs.frozen
class TileSetStatistics:
    """The rows and figures of a tile set.

    Attributes:
        name: The name of the set.
        rows: One row for each kind of tile.
        tiles: How many tiles there are, start tiles included.
        at_start: How many lie on the table at the start.
        with_kind: By kind of segment, how many tiles in the bag have one.
        with_mark: By mark, how many tiles in the bag have it.
        marks: By mark, how many there are on the tiles in the bag.
        shares: By letter, its share of all edges that can meet another tile.
        covered: By overlay, how many edges it covers on a tile that has it, on average.
        covered_roads: By overlay, the share of road edges that it covers.
        reconstructed: How many kinds of tile are partly reconstructed.
    """

    name: str
    rows: tuple[TileRow, ...]
    tiles: int
    at_start: int
    with_kind: Counter[str]
    with_mark: Counter[str]
    marks: Counter[str]
    shares: dict[str, float]
    covered: dict[str, float]
    covered_roads: dict[str, float]
    reconstructed: int


def summarize(tile_set: TileSet) -> TileSetStatistics:
    """Return the statistics of a tile set."""
    bag = bag_tiles(tile_set)
    edges = list(_edges(tile_set))
    letters = Counter(letter for letter, _ in edges)
    roads = Counter(kind for letter, over in edges if letter == "R" for kind in over)
    return TileSetStatistics(
        name=tile_set.name,
        rows=tuple(_row(tile) for tile in tile_set.tiles),
        tiles=len(bag) + len(tile_set.start),
        at_start=len(tile_set.start),
        with_kind=Counter(kind for tile in bag for kind in {s.kind for s in tile.segments}),
        with_mark=Counter(
            mark for tile in bag for mark in {m for s in tile.segments for m, _ in s.marks}
        ),
        marks=Counter(
            mark for tile in bag for s in tile.segments for m, n in s.marks for mark in [m] * n
        ),
        shares={letter: letters[letter] / len(edges) for letter in "CRF"},
        covered=_covered(copies(tile_set.tiles)),
        covered_roads={kind: n / letters["R"] for kind, n in roads.items()},
        reconstructed=sum(bool(tile.reconstructed) for tile in tile_set.tiles),
    )


def _row(tile: Tile) -> TileRow:
    return TileRow(
        tile.name,
        tile.number,
        tile.copies,
        tile.edges,
        tuple(_in_words(segment, tile) for segment in tile.segments),
        tile.known,
        tile.reconstructed,
    )


def _covered(tiles: list[Tile]) -> dict[str, float]:
    """Return, by overlay, how many edges it covers on a tile that has it, on average."""
    counts: dict[str, list[int]] = {}
    for tile in tiles:
        for kind, n in Counter(kind for edge in range(4) for kind in _over(tile, edge)).items():
            counts.setdefault(kind, []).append(n)
    return {kind: sum(some) / len(some) for kind, some in counts.items()}


def compare(first: TileSetStatistics, second: TileSetStatistics) -> list[tuple[str, str, str]]:
    """Return the figures of two sets side by side, labelled, but for those that are 0 in both."""
    left, right = _figures(first), _figures(second)
    return [
        (label, left[label], right[label])
        for label in left
        if (left[label], right[label]) != ("0", "0")
    ]


def _figures(of: TileSetStatistics) -> dict[str, str]:
    tiles = installed()
    figures = {
        "tiles to draw": str(of.tiles - of.at_start),
        "tiles on the table at the start": str(of.at_start),
        "kinds of tile": str(len(of.rows)),
        "kinds partly reconstructed": str(of.reconstructed),
    }
    for kind in tiles.kinds:
        if not kind.terrain:
            figures[f"tiles with {kind.name}"] = str(of.with_kind[kind.name])
    for mark in tiles.marks:
        words = mark.replace("_", " ")
        figures[f"tiles with {words}"] = str(of.with_mark[mark])
        figures[f"{words} on all tiles"] = str(of.marks[mark])
    for letter, name in (("C", "city"), ("R", "road"), ("F", "field")):
        figures[f"{name} edges"] = f"{of.shares[letter]:.1%}"
    for name in sorted(tiles.overlays):
        edges, roads = of.covered.get(name), of.covered_roads.get(name)
        figures[f"edges under {name} on a tile with it"] = f"{edges:.2f}" if edges else "0"
        figures[f"road edges under {name}"] = f"{roads:.0%}" if roads else "0"
    return figures


def _in_words(segment: Segment, tile: Tile) -> str:
    """Return text such as `city N W (coat of arms 1)` or `field EL SR by city N W`."""
    text = f"{segment.kind} {_where(segment)}".rstrip()
    for mark, n in segment.marks:
        text += f" ({mark.replace('_', ' ')} {n})"
    touched = [f"city {_where(tile.segments[index])}" for index in segment.touches]
    return text + (f" by {' and '.join(touched)}" if touched else "")


def _where(segment: Segment) -> str:
    places = [(2 * edge, EDGES[edge]) for edge in segment.edges]
    places += [(half, HALVES[half]) for half in segment.halves]
    return " ".join(text for _, text in sorted(places))


def _edges(tile_set: TileSet) -> Iterator[tuple[str, set[str]]]:
    """Yield the letter of every edge that can meet another tile, and the overlays on it.

    Edges between start tiles cannot.
    """
    tiles = {tile.name: tile for tile in tile_set.tiles}
    occupied = {(x, y) for _, x, y in tile_set.start}
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    for tile in bag_tiles(tile_set):
        for edge in range(4):
            yield tile.edges[edge], _over(tile, edge)
    for name, x, y in tile_set.start:
        for edge, (east, south) in enumerate(steps):
            if (x + east, y + south) not in occupied:
                yield tiles[name].edges[edge], _over(tiles[name], edge)


def _over(tile: Tile, edge: int) -> set[str]:
    """Return the kinds of overlay that reach an edge."""
    overlays = installed().overlays
    return {s.kind for s in tile.segments if s.kind in overlays and edge in s.edges}
