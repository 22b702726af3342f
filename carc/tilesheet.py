"""Tile sets laid out as tables, and what in them contradicts the facts known of the printed tiles.

Nothing here is played with: `carc tiles` prints it, and whoever types in tiles from the cardboard checks them by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import attrs

from carc.base import game
from carc.base.tiles import (
    BASE_KINDS,
    EDGES,
    HALVES,
    Segment,
    Tile,
    TileSet,
    read_tiles,
    without_start,
)
from carc.expansion_ghosts import mist
from carc.spellcircles import circles

KINDS = (*BASE_KINDS, *mist.mist_kinds(castles=True, cemeteries=True))
SHIPPED = {"base": game.TILES, "mists": mist.TILES, "circles": circles.TILES}

# The mist tiles by number: the ghost symbols of each copy (the public list of the tiles).
NUMBERS: dict[int, tuple[int, ...]] = {
    1: (0, 0), 3: (1,), 4: (2,), 5: (2,), 6: (2,), 7: (0, 0), 9: (0, 0), 11: (1,), 12: (3,), 13: (3,),
    14: (3, 3, 2), 17: (0,), 18: (2,), 19: (2,), 20: (0,), 21: (1,), 22: (0,), 23: (3, 2), 25: (2,), 26: (2,),
    27: (1,), 28: (2,), 29: (2,), 30: (0,), 31: (1,), 32: (3,), 33: (1,), 34: (2,), 35: (2,), 36: (2,),
    37: (1,), 38: (0, 0), 40: (0,), 41: (1,), 42: (1,), 43: (1,), 44: (1,), 45: (1,), 46: (0,), 47: (3,),
    48: (0,), 49: (0,), 50: (1,), 51: (1,), 52: (2,), 54: (2, 1), 55: (0,), 56: (1,), 57: (2,), 58: (2,),
    59: (1,), 60: (2,),
}  # fmt: skip


def read(path: Path) -> TileSet:
    """The tile set in a file, with every kind of segment of the shipped sets. Raises `TileError`."""
    return read_tiles(path, KINDS)


def shipped(name: str) -> TileSet:
    """The shipped set `base`, `mists` or `circles`."""
    return read(SHIPPED[name])


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
    misty_edges: float  # on a tile that shows mist, on average; 0 if none does
    misty_roads: float  # the part of the road edges that is under mist
    reconstructed: int  # kinds of tile of which something was made up


def sheet(one: TileSet) -> Sheet:
    """A tile set's rows and figures."""
    drawn = _drawn(one)
    edges = list(_edges(one))
    letters = Counter(letter for letter, _ in edges)
    misty = [tile for tile in _each(one.tiles) if _misty(tile)]
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
        misty_edges=sum(len(_misty(tile)) for tile in misty) / len(misty) if misty else 0.0,
        misty_roads=edges.count(("R", True)) / (letters["R"] or 1),
        reconstructed=sum(bool(tile.reconstructed) for tile in one.tiles),
    )


def compare(mine: Sheet, theirs: Sheet) -> list[tuple[str, str, str]]:
    """Two sheets' figures side by side, each with its label."""
    return [
        (label, a, b)
        for (label, a), (_, b) in zip(_figures(mine), _figures(theirs), strict=True)
        if (a, b) != ("0", "0")
    ]


def _figures(one: Sheet) -> list[tuple[str, str]]:
    return [
        ("tiles to draw", str(one.tiles - one.at_start)),
        ("tiles on the table at the start", str(one.at_start)),
        ("kinds of tile", str(len(one.rows))),
        ("kinds partly reconstructed", str(one.reconstructed)),
        ("tiles with a monastery", str(one.showing["monastery"])),
        ("tiles with a castle", str(one.showing["castle"])),
        ("tiles with a cemetery", str(one.showing["cemetery"])),
        ("tiles with mist", str(one.showing["mist"])),
        ("tiles with ghost symbols", str(one.marked["ghosts"])),
        ("ghost symbols", str(one.marks["ghosts"])),
        ("spell circles", str(one.marks["circles"])),
        ("coats of arms", str(one.marks["coat_of_arms"])),
        ("city edges", f"{one.shares['C']:.1%}"),
        ("road edges", f"{one.shares['R']:.1%}"),
        ("field edges", f"{one.shares['F']:.1%}"),
        ("misty edges on a misty tile", f"{one.misty_edges:.2f}" if one.misty_edges else "0"),
        ("road edges under mist", f"{one.misty_roads:.0%}" if one.misty_roads else "0"),
    ]


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


# -- what is known of the printed tiles ---------------------------------------------------------------------------------


def check(one: TileSet) -> list[str]:
    """What in a set `mists` or `circles` contradicts the known facts, a sentence each; other sets have none to contradict."""
    if one.name == "mists":
        return check_mists(one)
    return check_circles(one) if one.name == "circles" else []


def check_mists(one: TileSet) -> list[str]:
    """What contradicts the known facts of Mists over Carcassonne's tiles, a sentence each.

    Known are the copies and ghost symbols of each number (MIST-01, COOP-02) and counts from rules and reviews. Tiles
    without a number count in the totals only.
    """
    if one.name != "mists":
        return [f"the set is named {one.name!r}; these tiles' set is named 'mists'"]
    drawn = _drawn(one)
    found = _against_numbers(drawn)

    def count(what: str, tiles: Sequence[Tile], known: int, note: str = "") -> None:
        if len(tiles) != known:
            found.append(f"tiles {what}: {len(tiles)}; known: {known}{note}")

    count("besides the start tile", drawn, 60)
    for symbols in range(4):
        known = sum(copies.count(symbols) for copies in NUMBERS.values())
        tiles = [tile for tile in drawn if _ghosts(tile) == symbols]
        count(f"with {_times(symbols, 'ghost symbol')}", tiles, known)
    found += [
        f"{tile.name} shows {_ghosts(tile)} ghost symbols; known: at most 3 on a tile"
        for tile in drawn
        if _ghosts(tile) > 3
    ]
    castles, cemeteries = ([t for t in drawn if _shows(t, kind)] for kind in ("castle", "cemetery"))
    count("with a castle", castles, 5)
    count("with a cemetery", cemeteries, 5)
    count("with a monastery", [t for t in drawn if _shows(t, "monastery")], 0)
    misty = [tile for tile in drawn if _misty(tile)]
    count("with mist", misty, 48, " (by a review's count)")
    found += [
        f"{tile.name}: castles show mist without a ghost symbol (inferred from the counts)"
        for tile in castles
        if not _misty(tile) or _ghosts(tile)
    ]
    found += [
        f"{tile.name}: cemeteries show no mist (inferred from the counts)"
        for tile in cemeteries
        if _misty(tile)
    ]
    found += [
        f"{tile.name} has mist over a city edge; mist lies over fields and roads only"
        for tile in one.tiles
        if any(tile.edges[edge] == "C" for edge in _misty(tile))
    ]
    for what, true in (
        ("no castle has a road that ends at it", any(_road_ends(t) for t in castles)),
        ("no cemetery has a city beside it", any(_shows(t, "city") for t in cemeteries)),
        ("no cemetery has a road", any(_shows(t, "road") for t in cemeteries)),
        ("no city has a coat of arms", any(_marks(t, "coat_of_arms") for t in drawn)),
        ("no misty tile has a city", any(_shows(t, "city") for t in misty)),
        ("no road runs under mist", any(t.edges[e] == "R" for t in misty for e in _misty(t))),
    ):
        if not true:
            found.append(f"{what}; known: at least one")
    return found + _against_large_start(one)


def _against_numbers(drawn: Sequence[Tile]) -> list[str]:
    found = []
    named = sorted({tile.number for tile in drawn if tile.number is not None})
    all_numbered = all(tile.number is not None for tile in drawn)
    for number in named:
        mine = [tile for tile in drawn if tile.number == number]
        symbols = Counter(_ghosts(tile) for tile in mine)
        known = Counter(NUMBERS.get(number, ()))
        if not known:
            found.append(f"{mine[0].name} has number {number}, which no printed tile has")
        elif symbols != known if all_numbered else symbols - known:
            found.append(f"number {number}: {_copies(symbols)}; known: {_copies(known)}")
    if all_numbered:
        found += [
            f"number {number} is missing; known: {_copies(Counter(known))}"
            for number, known in NUMBERS.items()
            if number not in named
        ]
    return found


def _against_large_start(one: TileSet) -> list[str]:
    cells = sorted((x, y) for _, x, y in one.start)
    if not cells or cells != [(cells[0][0] + x, cells[0][1] + y) for x in (0, 1) for y in (0, 1)]:
        return [
            f"start tiles lie at {' '.join(f'{x},{y}' for x, y in cells) or 'no cell'}; known: four quarters laid 2 by 2"
        ]
    found = []
    by_name = {tile.name: tile for tile in one.tiles}
    quarters = [by_name[name] for name, _, _ in one.start]
    symbols = sorted(_ghosts(tile) for tile in quarters)
    if symbols != [0, 0, 1, 2]:
        shown = " ".join(map(str, symbols))
        found.append(f"the start tile's quarters show {shown} ghost symbols; known: 0 0 1 2")
    for kind in ("castle", "cemetery", "monastery"):
        if any(_shows(tile, kind) for tile in quarters):
            found.append(f"the start tile shows a {kind}; known: ruins that are no feature")
    if not any(_shows(tile, "road") for tile in quarters):
        found.append("the start tile has no road; known: roads lead to the ruins and end there")
    if _grounds(one, by_name) < 2:
        found.append("the start tile's ground is one field; known: the ruins separate fields")
    return found


def _grounds(one: TileSet, by_name: dict[str, Tile]) -> int:
    """How many separate fields there are on the tiles of the start."""
    owner: dict[tuple[int, int, int], tuple[int, int, int]] = {}  # a field's parts to one of them

    def root(part: tuple[int, int, int]) -> tuple[int, int, int]:
        while owner[part] != part:
            part = owner[part]
        return part

    borders: dict[
        tuple[int, int], tuple[int, int, int]
    ] = {}  # by place: the field seen there first
    for name, x, y in one.start:
        for index, segment in enumerate(by_name[name].segments):
            if segment.kind != "field":
                continue
            part = (x, y, index)
            owner[part] = part
            halves = [half for edge in segment.edges for half in (2 * edge, 2 * edge + 1)]
            for half in (*halves, *segment.halves):
                across, down = _HALF_AT[half]
                border = (4 * x + across, 4 * y + down)
                if border in borders:
                    owner[root(part)] = root(borders[border])
                borders[border] = part
    return sum(owner[part] == part for part in owner)


# Where half-edges lie on a tile 4 by 4 with its north-west corner at 0,0: NL NR EL ER SL SR WL WR.
_HALF_AT = ((1, 0), (3, 0), (4, 1), (4, 3), (3, 4), (1, 4), (0, 3), (0, 1))


def check_circles(one: TileSet) -> list[str]:
    """What contradicts the known facts of The Spell Circles' tiles (SPC-01), a sentence each."""
    if one.name != "circles":
        return [f"the set is named {one.name!r}; these tiles' set is named 'circles'"]
    drawn = _drawn(one)
    found = [] if len(drawn) == 9 else [f"tiles: {len(drawn)}; known: 9"]
    for tile in drawn:
        if not _marks(tile, "circles"):
            found.append(f"{tile.name} shows no circles; known: mist and circles on every tile")
    if not any(_marks(tile, "circles") == 3 for tile in drawn):
        found.append("no tile shows 3 circles; known: at least one")
    if not any(_marks(tile, "circles") == 1 and _shows(tile, "city") for tile in drawn):
        found.append("no tile shows 1 circle and a city; known: at least one")
    return found


# -- what a reconstruction must keep to ---------------------------------------------------------------------------------


def check_reconstruction(one: TileSet, base: TileSet) -> list[str]:
    """Where a made-up set `mists` or `circles` leaves the known facts or the base game's proportions, a sentence each."""
    found = check(one) + _out_of_proportion(one, base) + _alike(_drawn(one))
    return found + _wrong_in_amount(one) if one.name == "mists" else found


def _out_of_proportion(one: TileSet, base: TileSet) -> list[str]:
    found = []
    mine, theirs = sheet(one).shares, sheet(base).shares
    for letter, what in (("C", "city"), ("R", "road"), ("F", "field")):
        if abs(mine[letter] - theirs[letter]) > 0.05:
            found.append(
                f"{mine[letter]:.1%} of the edges are {what} edges; within 5 points of {theirs[letter]:.1%} is allowed"
            )
    drawn = _drawn(one)
    cities = [len(s.edges) for tile in drawn for s in tile.segments if s.kind == "city"]
    small = sum(edges <= 2 for edges in cities)
    if small <= len(cities) / 2:
        found.append(f"{small} of {len(cities)} cities have one or two edges; most should")
    through = [s.edges for t in drawn for s in t.segments if s.kind == "road" and len(s.edges) == 2]
    threes = sum(_road_ends(tile) == 3 for tile in drawn)
    for what, true in (
        ("curves", any((b - a) % 2 for a, b in through)),
        ("straight roads", any((b - a) % 2 == 0 for a, b in through)),
        ("a few three-way roads", 1 <= threes <= len(drawn) / 6),
    ):
        if not true:
            found.append(f"the set should have {what}")
    return found


def _wrong_in_amount(one: TileSet) -> list[str]:
    """Coats of arms and mist, of which the printed tiles' rules give amounts."""
    found = []
    drawn = _drawn(one)
    figures = sheet(one)
    arms = figures.marks["coat_of_arms"]
    if not 6 <= arms <= 8:
        found.append(f"{arms} coats of arms; 6 to 8 are allowed")
    misty = [tile for tile in drawn if _misty(tile)]
    mean = sum(len(_misty(tile)) for tile in misty) / len(misty)
    if not 2.05 <= mean <= 2.35:
        found.append(f"{mean:.2f} misty edges on a misty tile; about 2.2 is allowed")
    by_symbols = [
        sum(map(len, edges)) / len(edges)
        for symbols in (1, 2, 3)
        if (edges := [_misty(tile) for tile in misty if _ghosts(tile) == symbols])
    ]
    if any(more <= fewer for fewer, more in pairwise(by_symbols)):
        found.append("more ghost symbols should go with more mist")
    if not 0.28 <= figures.misty_roads <= 0.39:
        found.append(
            f"{figures.misty_roads:.0%} of the road edges are misty; about a third is allowed"
        )
    split = [tile for tile in drawn if sum(s.kind == "mist" for s in tile.segments) == 2]
    if not 5 <= len(split) <= 8:
        found.append(f"{len(split)} tiles have two separate mists; 5 to 8 are allowed")
    for tile in split:
        if not all(dict(s.marks).get("ghosts") for s in tile.segments if s.kind == "mist"):
            found.append(f"{tile.name}: two separate mists share the tile's symbols")
    return found


def _alike(drawn: Sequence[Tile]) -> list[str]:
    """Kinds with different numbers that are the same in everything, whichever way they are turned."""
    seen: dict[object, Tile] = {}
    found = []
    for tile in drawn:
        other = seen.setdefault(min(_turned(tile, rotation) for rotation in range(4)), tile)
        if (other.number or other.name) != (tile.number or tile.name):
            found.append(f"{other.name} and {tile.name} are the same in everything")
    return found


def _turned(tile: Tile, rotation: int) -> str:
    """A tile's looks after quarter turns clockwise, as text that is equal for equal looks."""

    def looks(s: Segment) -> tuple[object, ...]:
        edges = sorted((edge + rotation) % 4 for edge in s.edges)
        halves = sorted((half + 2 * rotation) % 8 for half in s.halves)
        cities = sorted(looks(tile.segments[index]) for index in s.touches)
        return (s.kind, edges, halves, sorted(s.marks), cities)

    edges = "".join(tile.edges[(side - rotation) % 4] for side in range(4))
    return f"{edges} {sorted(map(looks, tile.segments))}"


# -- what tiles show ------------------------------------------------------------------------------------------------


def _each(tiles: Iterable[Tile]) -> list[Tile]:
    return [tile for tile in tiles for _ in range(tile.copies)]


def _drawn(one: TileSet) -> list[Tile]:
    """Every tile to draw, one by one: those of the start are on the table."""
    return _each(without_start(one).tiles)


def _edges(one: TileSet) -> Iterator[tuple[str, bool]]:
    """The letter of every edge that can meet a tile, and whether it is misty: not those between start tiles."""
    tiles = {tile.name: tile for tile in one.tiles}
    at = {(x, y) for _, x, y in one.start}
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    for tile in _drawn(one):
        for edge in range(4):
            yield tile.edges[edge], edge in _misty(tile)
    for name, x, y in one.start:
        for edge, (east, south) in enumerate(steps):
            if (x + east, y + south) not in at:
                yield tiles[name].edges[edge], edge in _misty(tiles[name])


def _misty(tile: Tile) -> set[int]:
    return {edge for s in tile.segments if s.kind == "mist" for edge in s.edges}


def _marks(tile: Tile, mark: str) -> int:
    return sum(n for s in tile.segments for name, n in s.marks if name == mark)


def _ghosts(tile: Tile) -> int:
    return _marks(tile, "ghosts")


def _shows(tile: Tile, kind: str) -> bool:
    return any(s.kind == kind for s in tile.segments)


def _road_ends(tile: Tile) -> int:
    """How many roads end on the tile: at a village, a city, a castle or a cemetery."""
    return sum(s.kind == "road" and len(s.edges) == 1 for s in tile.segments)


def _times(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"


def _copies(symbols: Counter[int]) -> str:
    shown = ", ".join(str(n) for n in sorted(symbols.elements(), reverse=True))
    return f"{_times(symbols.total(), 'tile')} with {shown} ghost symbols"
