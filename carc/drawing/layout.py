"""Where things lie on a kind of tile, found from its data alone, on a raster: buildings, and spots to put things.

Sets of the raster's cells are ints, a bit a cell, so that a tile nobody has seen yet is drawn at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import attrs

from carc.base.tiles.tile import Segment, Tile
from carc.drawing.geometry import (
    CORNERS,
    MIDDLES,
    SIZE,
    Cubic,
    Point,
    Region,
    course,
    flat,
    mix,
    region,
)

WAYS = ("road", "river")
_WIDTH = {"road": 6.0, "river": 10.0}  # half of it, with what lies beside
_FINE = 16  # cells of the raster on a side
_CELL = SIZE / _FINE
_ROW = (
    _FINE + 2
)  # bits of a row: a margin all round keeps cells at the edge from having neighbours beyond
_POINTS = {
    row * _ROW + column: ((column - 0.5) * _CELL, (row - 0.5) * _CELL)
    for row in range(1, _FINE + 1)
    for column in range(1, _FINE + 1)
}
_SPREAD = sum(  # every other cell of every other row
    1 << cell
    for cell in _POINTS
    if cell // _ROW % 2 == 1 and cell % _ROW % 2 == cell // _ROW // 2 % 2
)
_ALL = sum(1 << cell for cell in _POINTS)
_ROWS = [
    sum(1 << row * _ROW + column for column in range(1, _FINE + 1)) for row in range(1, _FINE + 1)
]
_COLUMNS = [
    sum(1 << row * _ROW + column for row in range(1, _FINE + 1)) for column in range(1, _FINE + 1)
]
_ROOM = 14.0  # half the room a building takes
_APART = 17.0  # between two spots
# By how far cells are from what is not theirs: at the border, beside it, across from it, two off, and as far as matters.
_CLEAR = (_CELL / 2, _CELL * 1.5, _CELL * 1.91, _CELL * 2.5, _APART)


@attrs.frozen
class Layout:
    """Where everything on a kind of tile lies. `spots[i]` are places on segment `i`, the first for who stands there."""

    regions: tuple[Region, ...]
    ways: tuple[tuple[int, Point, tuple[Cubic, ...]], ...]  # segment, start, course
    buildings: tuple[tuple[int, Point], ...]
    hub: Point
    ends: int  # how many roads end at the hub in the open
    gated: bool  # the hub is beside the wall of a city
    spots: tuple[tuple[Point, ...], ...]
    inside: tuple[tuple[Point, ...], ...]  # by segment: places spread over it, well inside
    printed: tuple[Point, ...]  # where the symbols of the tile as a whole go


@lru_cache(maxsize=1024)
def layout(tile: Tile) -> Layout:
    """The layout of a kind of tile."""
    return _Surveyor(tile).layout()


def reaches_as_region(segment: Segment) -> bool:
    """Whether the segment is a region: no way, no field, and not a building."""
    return segment.kind not in (*WAYS, "field") and bool(segment.edges)


class _Surveyor:
    """Marks on a raster which cells belong to each segment."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.owned = [0] * len(tile.segments)
        self.open = _ALL  # nobody's yet

    def layout(self) -> Layout:
        segments = self.tile.segments
        regions = []
        for index, one in enumerate(segments):
            if reaches_as_region(one):
                beside = [
                    e for other in segments if other is not one and other.kind == one.kind for e in other.edges
                ]  # fmt: skip
                regions.append(region(index, one.edges, beside))
        cities = [r for r in regions if segments[r.segment].kind == "city"]
        for one_region in cities:
            self.fill(one_region)
        hub = self.hub()
        through = [
            (i, start, curves)
            for i, one in enumerate(segments)
            if one.kind in WAYS and len(one.edges) == 2
            for start, curves in course(one.edges, hub)
        ]
        for i, start, curves in through:
            self.trace(i, start, curves)
        buildings: list[tuple[int, Point]] = []
        for index, one in enumerate(segments):
            if not one.edges and not one.halves and one.kind not in (*WAYS, "field", "city"):
                at = self.free(hub, [point for _, point in buildings])
                buildings.append((index, at))
        if buildings:
            hub = buildings[0][1]
        elif any(self.owned[i] >> _cell(*hub) & 1 for i, _, _ in through):
            hub = self.bank(hub)
        stubs = [
            (i, start, curves)
            for i, one in enumerate(segments)
            if one.kind in WAYS and len(one.edges) != 2
            for start, curves in course(one.edges, hub)
        ]
        for index, point in buildings:
            self.disc(index, point, _ROOM - 3)
        covered = not self.open >> _cell(*hub) & 1
        for i, start, curves in stubs:
            self.trace(i, start, curves)
        for one_region in regions:
            if one_region not in cities:
                self.fill(one_region)
        self.flood()
        spots, inside = self.spots(dict(buildings))
        taken = [some[0] for some in spots] + [point for _, point in buildings]
        return Layout(
            regions=tuple(regions),
            ways=tuple(sorted([*through, *stubs])),
            buildings=tuple(buildings),
            hub=hub,
            ends=0
            if covered or buildings
            else sum(segments[i].kind == "road" for i, _, _ in stubs),
            gated=any(one.kind == "city" and len(one.edges) == 2 for one in segments),
            spots=spots,
            inside=inside,
            printed=self.printed([*taken, hub] if stubs else taken),
        )

    def mark(self, cells: int, index: int) -> None:
        """Of the cells, those that are nobody's are the segment's."""
        self.owned[index] |= cells & self.open
        self.open &= ~cells

    def hub(self) -> Point:
        """Where ways end: the middle, or off it where a city leaves more room."""
        x, y = 50.0, 50.0
        for one in self.tile.segments:
            if one.kind == "city" and len(one.edges) < 3:
                for edge in one.edges:
                    away = 3.0 if len(one.edges) == 1 else 9.0
                    x += (50 - MIDDLES[edge][0]) / 50 * away
                    y += (50 - MIDDLES[edge][1]) / 50 * away
        return x, y

    def bank(self, hub: Point) -> Point:
        """Where a way ends that comes to another that goes through the tile: short of it."""
        ending = [
            e
            for one in self.tile.segments
            if one.kind in WAYS and len(one.edges) == 1
            for e in one.edges
        ]
        return mix(hub, MIDDLES[ending[0]], 0.46) if len(ending) == 1 else hub

    def fill(self, one: Region) -> None:
        """Mark the free cells inside a region."""
        self.mark(_inside(one.start, one.border), one.segment)

    def disc(self, index: int, centre: Point, radius: float) -> None:
        """Mark the free cells about a point."""
        about = (cell for cell, point in _POINTS.items() if math.dist(point, centre) <= radius)
        self.mark(sum(1 << cell for cell in about), index)

    def trace(self, index: int, start: Point, curves: tuple[Cubic, ...]) -> None:
        """Mark the free cells along a way."""
        self.mark(_along(start, curves, _WIDTH[self.tile.segments[index].kind]), index)

    def free(self, hub: Point, taken: Sequence[Point]) -> Point:
        """Where a building stands: at the hub if there is room, else where there is most."""
        room = {cell: clear for clear, cells in _clearance(self.open) for cell in _each(cells)}

        def worth(point: Point) -> float:
            open_room = room.get(_cell(*point), 0.0)
            apart = min((math.dist(point, other) for other in taken), default=99.0)
            return min(open_room, apart / 2, _ROOM) - 0.05 * math.dist(point, hub)

        x, y = max([hub, *map(_POINTS.__getitem__, room)], key=worth)
        return min(max(x, 20.0), 80.0), min(max(y, 26.0), 82.0)  # all of it is seen

    def flood(self) -> None:
        """Mark the fields: what is left, from the edges each field reaches."""
        for index, one in enumerate(self.tile.segments):
            if one.kind != "field":
                continue
            cells = 0
            for edge in one.edges:
                cells |= _edge(edge, 0, _FINE)
            for half in one.halves:
                low = 0 if half % 2 == 0 else _FINE // 2  # the left half comes first, clockwise
                cells |= _edge(half // 2, low, low + _FINE // 2)
            cells &= self.open
            grown = 0
            while grown != cells:
                grown = cells
                cells = _and_beside(cells) & self.open
            self.mark(cells, index)

    def spots(
        self, buildings: dict[int, Point]
    ) -> tuple[tuple[tuple[Point, ...], ...], tuple[tuple[Point, ...], ...]]:
        """Places on each segment: the roomiest, then others apart from those before; and places spread all over."""
        taken = [self.on_way(one) for one in self.tile.segments if one.kind in WAYS]
        spots: list[tuple[Point, ...]] = []
        inside: list[tuple[Point, ...]] = []
        for index, one in enumerate(self.tile.segments):
            mine = self.owned[index]
            rooms = _clearance(mine)
            found: list[Point] = []
            if index in buildings:
                x, y = buildings[index]
                found = [(x + 9, y + 8), (x - 16, y + 10), (x + 16, y - 10)]
            elif one.kind in WAYS:
                found = [self.on_way(one)]
            elif not mine:
                found = [self.beside(one)]
            wanted = 1 + sum(count for _, count in one.marks)
            worth = _worth(mine, rooms, taken, wanted) if len(found) < wanted else {}
            spoiled = 0
            while worth and len(found) < wanted:
                for spot in found[spoiled:]:
                    _spoil(worth, spot)
                spoiled = len(found)
                best = max(worth, key=worth.__getitem__)
                if found and worth[best] < 6:
                    break
                found.append(_POINTS[best])
            spots.append(tuple(found))
            inside.append(tuple(_spread(mine & ~rooms[0][1])))
        return tuple(spots), tuple(inside)

    def printed(self, taken: Sequence[Point]) -> tuple[Point, ...]:
        """Places for the tile's symbols, off those that are taken: in its fields, or elsewhere if they are too narrow."""
        found: list[Point] = []
        for is_field in (True, False):
            worth: dict[int, float] = {}
            for one, mine in zip(self.tile.segments, self.owned, strict=True):
                if (one.kind == "field") is is_field and one.kind not in WAYS:
                    worth |= _worth(mine, _clearance(mine), (), 2)
            for spot in [*taken, *found]:
                _spoil(worth, spot)
            while worth and len(found) < len(self.tile.symbols):
                best = max(worth, key=worth.__getitem__)
                if worth[best] < 9:
                    break
                found.append(_POINTS[best])
                _spoil(worth, found[-1])
        rest = range(len(self.tile.symbols) - len(found))
        return (*found, *((50.0 + 18 * number, 50.0) for number in rest))

    def on_way(self, one: Segment) -> Point:
        """The middle of a way through the tile, or a good part of the way from the edge to where it ends."""
        if not one.edges:
            return 50.0, 50.0
        hub = self.hub()
        start, curves = course(one.edges, hub)[0]
        points = flat(start, curves, 10)
        return points[5] if len(one.edges) == 2 else mix(start, (50.0, 50.0), 0.42)

    def beside(self, one: Segment) -> Point:
        """For a segment too thin for the raster: just inside its first edge or half-edge; between others without."""
        if one.halves:
            half = one.halves[0]
            a, b = CORNERS[half // 2], CORNERS[(half // 2 + 1) % 4]
            return mix(mix(a, b, 0.2 if half % 2 == 0 else 0.8), (50.0, 50.0), 0.14)
        if one.edges:
            return mix(MIDDLES[one.edges[0]], (50.0, 50.0), 0.2)
        return 50.0, 50.0


def _cell(x: float, y: float) -> int:
    """The cell of a point, or the nearest."""
    column = min(max(int(x / _CELL), 0), _FINE - 1)
    row = min(max(int(y / _CELL), 0), _FINE - 1)
    return (row + 1) * _ROW + column + 1


def _each(cells: int) -> list[int]:
    """The cells of a set."""
    found = []
    while cells:
        found.append(cells.bit_length() - 1)
        cells ^= 1 << found[-1]
    return found[::-1]


@lru_cache(maxsize=256)  # many kinds have cities and roads of one form
def _inside(start: Point, border: tuple[Cubic, ...]) -> int:
    """The cells inside a border."""
    points = flat(start, border)
    crossings: list[list[float]] = [[] for _ in range(_FINE)]
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        low, high = (ay, by) if ay < by else (by, ay)
        for row in range(max(0, math.ceil(low / _CELL - 0.5)), _FINE):
            y = (row + 0.5) * _CELL
            if y >= high:
                break
            crossings[row].append(ax + (y - ay) / (by - ay) * (bx - ax))
    cells = 0
    for row, found in enumerate(crossings):
        found.sort()
        for left, right in zip(found[::2], found[1::2], strict=False):
            cells |= _span(row, left, right)
    return cells


@lru_cache(maxsize=256)
def _along(start: Point, curves: tuple[Cubic, ...], half: float) -> int:
    """The cells along a way, `half` of its width to each side."""
    cells = 0
    for x, y in flat(start, curves, 14):
        for dx, dy in ((0, 0), (half, 0), (-half, 0), (0, half), (0, -half)):
            cells |= 1 << _cell(x + dx, y + dy)
    return cells


def _span(row: int, left: float, right: float) -> int:
    """The cells of a row whose middles are between two places; at least the one they are in."""
    first = min(max(math.ceil(left / _CELL + 0.5), 1), _FINE)
    last = min(max(int(right / _CELL + 0.5), first - 1), _FINE)
    return ((1 << last - first + 1) - 1) << (row + 1) * _ROW + first


def _edge(edge: int, low: int, high: int) -> int:
    """The cells at an edge, from so far to so far along it clockwise."""
    if edge > 1:  # south and west run backwards
        low, high = _FINE - high, _FINE - low
    line = (_ROWS[0], _COLUMNS[-1], _ROWS[-1], _COLUMNS[0])[edge]
    return sum(line & part for part in (_ROWS if edge % 2 else _COLUMNS)[low:high])


def _and_beside(cells: int) -> int:
    """The cells and those beside them."""
    return cells | cells << 1 | cells >> 1 | cells << _ROW | cells >> _ROW


def _clearance(cells: int) -> list[tuple[float, int]]:
    """The cells by about how far it is to one that is not of them or off the tile, the nearest first."""
    outside = ~cells
    border = cells & _and_beside(outside)
    inner = cells & ~border
    beside = inner & _and_beside(border)
    inner &= ~beside
    upper, lower = border << _ROW, border >> _ROW
    across = inner & (upper << 1 | upper >> 1 | lower << 1 | lower >> 1)
    inner &= ~across
    second = inner & _and_beside(beside)
    return list(zip(_CLEAR, (border, beside, across, second, inner & ~second), strict=True))


def _worth(
    cells: int, rooms: Sequence[tuple[float, int]], taken: Sequence[Point], wanted: int
) -> dict[int, float]:
    """What a segment's cells are worth as spots: the room about them; of equals, those off what is taken and near its middle.

    Only of those that may be chosen: cells at the border where there are no others, and for one spot those with most room.
    """
    if not cells:
        return {}
    count = cells.bit_count() / _CELL
    x = sum((cells & line).bit_count() * (at + 0.5) for at, line in enumerate(_COLUMNS)) / count
    y = sum((cells & line).bit_count() * (at + 0.5) for at, line in enumerate(_ROWS)) / count
    worth = {}
    for room, some in reversed(rooms[1:] if cells != rooms[0][1] else rooms):
        for cell in _each(some):
            point = _POINTS[cell]
            off = min([_APART, *[math.dist(point, other) for other in taken]])
            worth[cell] = room + 0.05 * off - 0.01 * math.dist(point, (x, y))
        if worth and wanted == 1:
            break
    return worth


def _spoil(worth: dict[int, float], spot: Point) -> None:
    """Cells near a spot that is taken are worth less."""
    for cell, value in worth.items():
        near = math.dist(_POINTS[cell], spot) * 0.6
        if near < value:
            worth[cell] = near


def _spread(cells: int) -> Iterator[Point]:
    """Every other cell of every other row."""
    for cell in _each(cells & _SPREAD):
        yield _POINTS[cell]
