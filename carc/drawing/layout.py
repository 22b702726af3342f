"""Where things lie on a kind of tile, found from its data alone, on a raster: buildings, and spots to put things."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import attrs

from carc.base.tiles import Segment, Tile
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
_ROW = _FINE + 2  # of the raster's list, with a margin all round
_OFF = -2  # off the tile
_CELLS = [row * _ROW + column for row in range(1, _FINE + 1) for column in range(1, _FINE + 1)]
_POINTS = {
    row * _ROW + column: ((column - 0.5) * _CELL, (row - 0.5) * _CELL)
    for row in range(1, _FINE + 1)
    for column in range(1, _FINE + 1)
}
_ROOM = 14.0  # half the room a building takes
_APART = 17.0  # between two spots


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


@lru_cache(maxsize=1024)
def layout(tile: Tile) -> Layout:
    """The layout of a kind of tile."""
    return _Surveyor(tile).layout()


def reaches_as_region(segment: Segment) -> bool:
    """Whether the segment is a region: no way, no field, and not a building."""
    return segment.kind not in (*WAYS, "field") and bool(segment.edges)


class _Surveyor:
    """Marks on a raster which segment each cell belongs to."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.label = [_OFF] * (_ROW * _ROW + _ROW)
        for cell in _CELLS:
            self.label[cell] = -1

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
        stubs = [
            (i, start, curves)
            for i, one in enumerate(segments)
            if one.kind in WAYS and len(one.edges) != 2
            for start, curves in course(one.edges, hub)
        ]
        for index, point in buildings:
            self.disc(index, point, _ROOM - 3)
        covered = self.at(hub) >= 0
        for i, start, curves in stubs:
            self.trace(i, start, curves)
        for one_region in regions:
            if one_region not in cities:
                self.fill(one_region)
        self.flood()
        spots, inside = self.spots(dict(buildings))
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
        )

    def at(self, point: Point) -> int:
        """Which segment a point belongs to."""
        return self.label[_cell(*point)]

    def mark(self, cell: int, index: int) -> None:
        """A free cell is the segment's."""
        if self.label[cell] == -1:
            self.label[cell] = index

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

    def fill(self, one: Region) -> None:
        """Mark the free cells inside a region."""
        points = flat(one.start, one.border)
        for row in range(1, _FINE + 1):
            y = (row - 0.5) * _CELL
            crossings = sorted(
                a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                for a, b in zip(points, [*points[1:], points[0]], strict=True)
                if (a[1] <= y) != (b[1] <= y)
            )
            for left, right in zip(crossings[::2], crossings[1::2], strict=False):
                for column in range(math.ceil(left / _CELL + 0.5), int(right / _CELL + 0.5) + 1):
                    self.mark(row * _ROW + min(max(column, 1), _FINE), one.segment)

    def disc(self, index: int, centre: Point, radius: float) -> None:
        """Mark the free cells about a point."""
        for cell, point in _POINTS.items():
            if math.dist(point, centre) <= radius:
                self.mark(cell, index)

    def trace(self, index: int, start: Point, curves: Sequence[Cubic]) -> None:
        """Mark the free cells along a way."""
        half = _WIDTH[self.tile.segments[index].kind]
        for x, y in flat(start, curves, 14):
            for dx, dy in ((0, 0), (half, 0), (-half, 0), (0, half), (0, -half)):
                self.mark(_cell(x + dx, y + dy), index)

    def free(self, hub: Point, taken: Sequence[Point]) -> Point:
        """Where a building stands: at the hub if there is room, else where there is most."""
        room = self.clearance()

        def worth(point: Point) -> float:
            cell = _cell(*point)
            open_room = room[cell] if self.label[cell] == -1 else 0.0
            apart = min((math.dist(point, other) for other in taken), default=99.0)
            return min(open_room, apart / 2, _ROOM) - 0.05 * math.dist(point, hub)

        return max([hub, *_POINTS.values()], key=worth)

    def flood(self) -> None:
        """Mark the fields: what is left, from the edges each field reaches."""
        for index, one in enumerate(self.tile.segments):
            if one.kind != "field":
                continue
            queue: list[int] = []
            for edge in one.edges:
                queue += [_at_edge(edge, along) for along in range(_FINE)]
            for half in one.halves:
                low = 0 if half % 2 == 0 else _FINE // 2  # the left half comes first, clockwise
                queue += [_at_edge(half // 2, along) for along in range(low, low + _FINE // 2)]
            while queue:
                cell = queue.pop()
                if self.label[cell] == -1:
                    self.label[cell] = index
                    queue += [cell + 1, cell - 1, cell + _ROW, cell - _ROW]

    def clearance(self) -> list[float]:
        """By cell, about how far it is to one that belongs to something else or is off the tile."""
        label = self.label
        room = [0.0] * len(label)
        for i in _CELLS:
            at = label[i]
            alone = at == label[i - 1] == label[i + 1] and at == label[i - _ROW] == label[i + _ROW]
            room[i] = 200.0 if alone else _CELL / 2
        straight, across = _CELL, _CELL * 1.41
        for cells, back in ((_CELLS, -1), (_CELLS[::-1], 1)):
            near, left, right = back, back * (_ROW + 1), back * (_ROW - 1)
            above = back * _ROW
            for i in cells:
                room[i] = min(
                    room[i],
                    room[i + near] + straight,
                    room[i + above] + straight,
                    room[i + left] + across,
                    room[i + right] + across,
                )
        return room

    def spots(
        self, buildings: dict[int, Point]
    ) -> tuple[tuple[tuple[Point, ...], ...], tuple[tuple[Point, ...], ...]]:
        """Places on each segment: the roomiest, then others apart from those before; and places spread all over."""
        room = self.clearance()
        cells: dict[int, list[int]] = {}
        for cell in _CELLS:
            cells.setdefault(self.label[cell], []).append(cell)
        taken = [self.on_way(one) for one in self.tile.segments if one.kind in WAYS]
        spots: list[tuple[Point, ...]] = []
        inside: list[tuple[Point, ...]] = []
        for index, one in enumerate(self.tile.segments):
            mine = cells.get(index, [])
            found: list[Point] = []
            if index in buildings:
                x, y = buildings[index]
                found = [(x, y), (x + 16, y + 10), (x - 16, y + 10)]
            elif one.kind in WAYS:
                found = [self.on_way(one)]
            elif not mine:
                found = [self.beside(one)]
            wanted = 2 + sum(count for _, count in one.marks)
            worth = _worth(mine, room, taken)
            for spot in found:
                _spoil(worth, spot)
            while worth and len(found) < wanted:
                best = max(worth, key=worth.__getitem__)
                if found and worth[best] < 6:
                    break
                found.append(_POINTS[best])
                _spoil(worth, _POINTS[best])
            spots.append(tuple(found))
            inside.append(tuple(_spread(mine, room)))
        return tuple(spots), tuple(inside)

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


def _at_edge(edge: int, along: int) -> int:
    """The cell at an edge, so far along it clockwise."""
    last = _FINE - 1
    row, column = ((0, along), (along, last), (last, last - along), (last - along, 0))[edge]
    return (row + 1) * _ROW + column + 1


def _worth(cells: Sequence[int], room: Sequence[float], taken: Sequence[Point]) -> dict[int, float]:
    """What a segment's cells are worth as spots: the room about them; of equals, those off what is taken and near its middle."""
    if not cells:
        return {}
    points = [_POINTS[cell] for cell in cells]
    middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    return {
        cell: min(room[cell], _APART)
        + 0.05 * min([_APART, *(math.dist(point, other) for other in taken)])
        - 0.01 * math.dist(point, middle)
        for cell, point in zip(cells, points, strict=True)
    }


def _spoil(worth: dict[int, float], spot: Point) -> None:
    """Cells near a spot that is taken are worth less."""
    for cell, value in worth.items():
        near = math.dist(_POINTS[cell], spot) * 0.6
        if near < value:
            worth[cell] = near


def _spread(cells: Sequence[int], room: Sequence[float]) -> Iterator[Point]:
    """Cells well inside, every other of every other row."""
    for cell in cells:
        row, column = divmod(cell, _ROW)
        if room[cell] > 8 and row % 2 == 1 and column % 2 == row // 2 % 2:
            yield _POINTS[cell]
