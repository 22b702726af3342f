"""Tile sets laid out as tables, of whatever is installed.

Nothing here is played with: `carc tiles` prints it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import attrs

from carc.base.game.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.spec import load, registered
from carc.base.tiles.tile import EDGES, HALVES, Segment, SegmentKind, Tile, TileSet, without_start
from carc.base.tiles.tile_file import read_tiles
from carc.errors import BadRules, CarcError


@attrs.frozen
class Shelf:
    """All there is of tiles: the sets by name, the kinds of segment on them, the expansions that know of printed ones."""

    sets: Mapping[str, TileSet]
    kinds: tuple[SegmentKind, ...]
    expansions: tuple[Expansion, ...]

    @property
    def overlays(self) -> set[str]:
        """The names of the kinds that lie over others."""
        return {kind.name for kind in self.kinds if kind.overlay}

    @property
    def marks(self) -> list[str]:
        """The sorts of marks on the tiles of all sets."""
        tiles = (tile for one in self.sets.values() for tile in one.tiles)
        return sorted({mark for tile in tiles for s in tile.segments for mark, _ in s.marks})


@cache
def installed() -> Shelf:
    """The sets of the base and of every installed expansion, with each of its options, beside another where it needs one."""
    sets: dict[str, TileSet] = {}
    kinds: dict[str, SegmentKind] = {}
    expansions: dict[str, Expansion] = {}

    def shown(spec: str) -> bool:
        """Whether a spec can be played; its sets are taken then."""
        try:
            rules = Rules.named(spec, 2)
        except BadRules:
            return False  # what cannot be played shows no tiles
        for one in rules.tile_sets:
            if one.name not in sets or _amount(one) > _amount(sets[one.name]):
                sets[one.name] = one  # some play with a part of a set
        for kind in rules.catalogue.kinds:
            kinds.setdefault(kind.name, kind)
        for expansion in rules.expansions:
            expansions.setdefault(expansion.name, expansion)
        return True

    games, words = _named()
    for game in games:
        shown(game[0])
    for first, *more in words:
        here = [game[0] for game in games if shown(f"{game[0]}+{first}")]
        if here:
            for word in more:
                shown(f"{here[0]}+{word}")
        else:
            for other, *_ in words:
                shown(f"base+{first}+{other}")
    return Shelf(sets, tuple(kinds.values()), tuple(expansions.values()))


def _amount(one: TileSet) -> int:
    return sum(tile.copies for tile in one.tiles)


def _named() -> tuple[list[list[str]], list[list[str]]]:
    """The games and what is played beside them, each as it may be named: plainly, then with each other value of an option."""
    games: list[list[str]] = [["base"]]
    words: list[list[str]] = []
    for name, point in sorted(registered().items()):
        try:
            made = load(point)
        except BadRules:
            continue  # a package that is broken has none
        word = ":".join([name, *list(made.arguments())[:1]])
        options = made.options().items()
        more = [f"{word}({key}={value})" for key, values in options for value in values[1:]]
        (games if type(made).ALONE else words).append([word, *more])
    return games, words


def read(path: Path) -> TileSet:
    """The tile set in a file, with every kind of segment there is. Raises `TileError`."""
    return read_tiles(path, installed().kinds)


def shipped(name: str) -> TileSet:
    """The set of this name. Raises `CarcError` if no expansion installed has it."""
    sets = installed().sets
    if name not in sets:
        raise CarcError(f"there is no tile set {name!r}; sets are {' '.join(sets)}")
    return sets[name]


def check(one: TileSet) -> list[str]:
    """What in a set contradicts what is known of the printed tiles, a sentence each. Raises `CarcError` if nothing is known."""
    for expansion in installed().expansions:
        found = expansion.contradictions(one)
        if found is not None:
            return found
    raise CarcError(f"nothing is known to check a set {one.name!r} by")


# -- the table ------------------------------------------------------------------------------------------------------


@attrs.frozen
class Row:
    """A kind of tile in words."""

    name: str
    number: int | None
    copies: int
    edges: str
    segments: tuple[str, ...]
    known: tuple[str, ...]
    reconstructed: tuple[str, ...]

    def cells(self) -> tuple[str, ...]:
        """As texts, one a column."""
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
class Sheet:
    """A tile set in rows and figures. Counts are of tiles to draw; shares are of all edges that can meet another tile."""

    name: str
    rows: tuple[Row, ...]
    tiles: int  # all, those on the table at the start too
    at_start: int
    showing: Counter[str]  # by kind of segment: how many tiles to draw show it
    marked: Counter[str]  # by mark: how many tiles to draw carry it
    marks: Counter[str]  # by mark: how many there are on the tiles to draw
    shares: dict[str, float]  # by letter: its part of the edges
    covered: dict[str, float]  # by overlay: edges under it, on average, on a tile that shows it
    covered_roads: dict[str, float]  # by overlay: the part of the road edges that is under it
    reconstructed: int  # kinds of tile of which something was made up


def sheet(one: TileSet) -> Sheet:
    """A tile set's rows and figures."""
    drawn = drawn_from(one)
    edges = list(_edges(one))
    letters = Counter(letter for letter, _ in edges)
    covered: dict[str, list[int]] = {}
    for tile in _each(one.tiles):
        under = Counter(kind for edge in range(4) for kind in _over(tile, edge))
        for kind, n in under.items():
            covered.setdefault(kind, []).append(n)
    roads = Counter(kind for letter, over in edges if letter == "R" for kind in over)
    return Sheet(
        name=one.name,
        rows=tuple(
            Row(
                tile.name,
                tile.number,
                tile.copies,
                tile.edges,
                tuple(_in_words(segment, tile) for segment in tile.segments),
                tile.known,
                tile.reconstructed,
            )
            for tile in one.tiles
        ),
        tiles=len(drawn) + len(one.start),
        at_start=len(one.start),
        showing=Counter(kind for tile in drawn for kind in {s.kind for s in tile.segments}),
        marked=Counter(
            mark for tile in drawn for mark in {m for s in tile.segments for m, _ in s.marks}
        ),
        marks=Counter(
            mark for tile in drawn for s in tile.segments for m, n in s.marks for mark in [m] * n
        ),
        shares={letter: letters[letter] / len(edges) for letter in "CRF"},
        covered={kind: sum(counts) / len(counts) for kind, counts in covered.items()},
        covered_roads={kind: n / letters["R"] for kind, n in roads.items()},
        reconstructed=sum(bool(tile.reconstructed) for tile in one.tiles),
    )


def compare(mine: Sheet, theirs: Sheet) -> list[tuple[str, str, str]]:
    """Two sheets' figures side by side, each with its label; what neither shows is left out."""
    one, other = _figures(mine), _figures(theirs)
    return [
        (label, one[label], other[label])
        for label in one
        if (one[label], other[label]) != ("0", "0")
    ]


def _figures(one: Sheet) -> dict[str, str]:
    shelf = installed()
    figures = {
        "tiles to draw": str(one.tiles - one.at_start),
        "tiles on the table at the start": str(one.at_start),
        "kinds of tile": str(len(one.rows)),
        "kinds partly reconstructed": str(one.reconstructed),
    }
    for kind in shelf.kinds:
        if not kind.terrain:
            figures[f"tiles with {kind.name}"] = str(one.showing[kind.name])
    for mark in shelf.marks:
        words = mark.replace("_", " ")
        figures[f"tiles with {words}"] = str(one.marked[mark])
        figures[f"{words} on all tiles"] = str(one.marks[mark])
    for letter, what in (("C", "city"), ("R", "road"), ("F", "field")):
        figures[f"{what} edges"] = f"{one.shares[letter]:.1%}"
    for name in sorted(shelf.overlays):
        edges, roads = one.covered.get(name), one.covered_roads.get(name)
        figures[f"edges under {name} on a tile with it"] = f"{edges:.2f}" if edges else "0"
        figures[f"road edges under {name}"] = f"{roads:.0%}" if roads else "0"
    return figures


def _in_words(segment: Segment, tile: Tile) -> str:
    """`city N W (coat of arms 1)`; `field EL SR by city N W`."""
    text = f"{segment.kind} {_where(segment)}".rstrip()
    for mark, n in segment.marks:
        text += f" ({mark.replace('_', ' ')} {n})"
    touched = [f"city {_where(tile.segments[index])}" for index in segment.touches]
    return text + (f" by {' and '.join(touched)}" if touched else "")


def _where(segment: Segment) -> str:
    places = [(2 * edge, EDGES[edge]) for edge in segment.edges]
    places += [(half, HALVES[half]) for half in segment.halves]
    return " ".join(text for _, text in sorted(places))


# -- what tiles show ------------------------------------------------------------------------------------------------


def drawn_from(one: TileSet) -> list[Tile]:
    """Every tile to draw, one by one: those of the start are on the table."""
    return _each(without_start(one).tiles)


def marks_on(tile: Tile, mark: str) -> int:
    """How often a mark is on a tile."""
    return sum(n for s in tile.segments for name, n in s.marks if name == mark)


def shows(tile: Tile, kind: str) -> bool:
    """Whether a tile shows a feature of this kind."""
    return any(s.kind == kind for s in tile.segments)


def road_ends(tile: Tile) -> int:
    """How many roads end on the tile: at a village, a city, a building."""
    return sum(s.kind == "road" and len(s.edges) == 1 for s in tile.segments)


def _each(tiles: Iterable[Tile]) -> list[Tile]:
    return [tile for tile in tiles for _ in range(tile.copies)]


def _edges(one: TileSet) -> Iterator[tuple[str, set[str]]]:
    """The letter of every edge that can meet a tile, and what lies over it: not those between start tiles."""
    tiles = {tile.name: tile for tile in one.tiles}
    at = {(x, y) for _, x, y in one.start}
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    for tile in drawn_from(one):
        for edge in range(4):
            yield tile.edges[edge], _over(tile, edge)
    for name, x, y in one.start:
        for edge, (east, south) in enumerate(steps):
            if (x + east, y + south) not in at:
                yield tiles[name].edges[edge], _over(tiles[name], edge)


def _over(tile: Tile, edge: int) -> set[str]:
    """The kinds of overlay that reach an edge."""
    overlays = installed().overlays
    return {s.kind for s in tile.segments if s.kind in overlays and edge in s.edges}
