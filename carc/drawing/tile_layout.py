"""Where things lie on a kind of tile, derived from its data: buildings, ways, spots for figures."""

import math
from collections.abc import Sequence
from functools import lru_cache

import attrs

from carc.base.tiles.tile import Segment, Tile
from carc.drawing import raster
from carc.drawing.geometry import CORNERS, MIDDLES, Cubic, Point, Region, course, flat, mix, region

WAYS = ("road", "river")
_HALF_WIDTH = {"road": 6.0, "river": 10.0}  # with their banks
_BUILDING = 14.0  # half the size of a building

Way = tuple[int, Point, tuple[Cubic, ...]]
"""A segment, the start of its course, and the course."""


@attrs.frozen
class TileLayout:
    """Where everything on a kind of tile lies.

    Attributes:
        regions: The outlines of cities and the like.
        ways: The courses of roads and rivers.
        buildings: A segment and its point for each building.
        hub: Where ways end.
        ends: How many roads end at the hub in the open.
        gated: Whether the hub is beside the wall of a city.
        spots: For each segment places to put things, the first for a follower.
        inside: For each segment places spread over it, well inside.
        printed: Where the symbols of the tile as a whole go.
    """

    regions: tuple[Region, ...]
    ways: tuple[Way, ...]
    buildings: tuple[tuple[int, Point], ...]
    hub: Point
    ends: int
    gated: bool
    spots: tuple[tuple[Point, ...], ...]
    inside: tuple[tuple[Point, ...], ...]
    printed: tuple[Point, ...]


@lru_cache(maxsize=1024)
def tile_layout(tile: Tile) -> TileLayout:
    """Return the layout of a kind of tile."""
    return _LayoutBuilder(tile).build()


def is_region(segment: Segment) -> bool:
    """Return True for a segment that reaches whole edges and is neither a way nor a field."""
    return segment.kind not in (*WAYS, "field") and bool(segment.edges)


def _is_building(segment: Segment) -> bool:
    kind = segment.kind
    if kind.startswith("_"):
        return False
    return not segment.edges and not segment.halves and kind not in (*WAYS, "field", "city")


class _LayoutBuilder:
    """Assigns cells of the raster to segments, in the order in which things cover one another."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.owned = [0] * len(tile.segments)
        self.open = raster.ALL  # cells of no segment yet

    def build(self) -> TileLayout:
        segments = self.tile.segments
        regions = self.regions()
        cities = [each for each in regions if segments[each.segment].kind == "city"]
        for city in cities:
            self.fill(city)
        hub = self.default_hub()
        through = self.ways(hub, through=True)
        buildings = self.place_buildings(hub)
        if buildings:
            hub = buildings[0][1]
        elif any(self.owned[i] >> raster.cell_at(*hub) & 1 for i, _, _ in through):
            hub = self.short_of(hub)
        for index, point in buildings:
            self.take(raster.disc(point, _BUILDING - 3), index)
        covered = not self.open >> raster.cell_at(*hub) & 1
        stubs = self.ways(hub, through=False)
        for area in regions:
            if area not in cities:
                self.fill(area)
        self.flood_fields()
        spots, inside = self.spots(dict(buildings))
        taken = [some[0] for some in spots] + [point for _, point in buildings]
        road_ends = sum(segments[i].kind == "road" for i, _, _ in stubs)
        return TileLayout(
            regions=tuple(regions),
            ways=tuple(sorted([*through, *stubs])),
            buildings=tuple(buildings),
            hub=hub,
            ends=0 if covered or buildings else road_ends,
            gated=any(segment.kind == "city" and len(segment.edges) == 2 for segment in segments),
            spots=spots,
            inside=inside,
            printed=self.symbol_spots([*taken, hub] if stubs else taken),
        )

    def take(self, cells: int, index: int) -> None:
        """Assign to a segment those of the cells that are still open."""
        self.owned[index] |= cells & self.open
        self.open &= ~cells

    def regions(self) -> list[Region]:
        segments = self.tile.segments
        regions = []
        for index, segment in enumerate(segments):
            if is_region(segment):
                others = [
                    edge
                    for other in segments
                    if other is not segment and other.kind == segment.kind
                    for edge in other.edges
                ]
                regions.append(region(index, segment.edges, others))
        return regions

    def ways(self, hub: Point, through: bool) -> list[Way]:
        """Return the ways through the tile, or those that end on it, and take their cells."""
        ways = [
            (index, start, curves)
            for index, segment in enumerate(self.tile.segments)
            if segment.kind in WAYS and (len(segment.edges) == 2) is through
            for start, curves in course(segment.edges, hub)
        ]
        for index, start, curves in ways:
            half_width = _HALF_WIDTH[self.tile.segments[index].kind]
            self.take(raster.along(start, curves, half_width), index)
        return ways

    def place_buildings(self, hub: Point) -> list[tuple[int, Point]]:
        buildings: list[tuple[int, Point]] = []
        for index, segment in enumerate(self.tile.segments):
            if _is_building(segment):
                point = self.building_spot(hub, [point for _, point in buildings])
                buildings.append((index, point))
        return buildings

    def default_hub(self) -> Point:
        """Return the middle, or a point off it where a city leaves more room."""
        x, y = 50.0, 50.0
        for segment in self.tile.segments:
            if segment.kind == "city" and len(segment.edges) < 3:
                for edge in segment.edges:
                    away = 3.0 if len(segment.edges) == 1 else 9.0
                    x += (50 - MIDDLES[edge][0]) / 50 * away
                    y += (50 - MIDDLES[edge][1]) / 50 * away
        return x, y

    def short_of(self, hub: Point) -> Point:
        """Return where a way ends that meets another: before that one."""
        ending = [
            edge
            for segment in self.tile.segments
            if segment.kind in WAYS and len(segment.edges) == 1
            for edge in segment.edges
        ]
        return mix(hub, MIDDLES[ending[0]], 0.46) if len(ending) == 1 else hub

    def fill(self, area: Region) -> None:
        """Take the cells inside a region."""
        self.take(raster.inside(area.start, area.border), area.segment)

    def building_spot(self, hub: Point, taken: Sequence[Point]) -> Point:
        """Return where a building stands: at the hub if there is room, else where there is most."""
        room = {
            cell: clear
            for clear, cells in raster.clearance(self.open)
            for cell in raster.each(cells)
        }

        def score(point: Point) -> float:
            open_room = room.get(raster.cell_at(*point), 0.0)
            apart = min((math.dist(point, other) for other in taken), default=99.0)
            return min(open_room, apart / 2, _BUILDING) - 0.05 * math.dist(point, hub)

        x, y = max([hub, *map(raster.POINTS.__getitem__, room)], key=score)
        return min(max(x, 20.0), 80.0), min(max(y, 26.0), 82.0)  # all of it is on the tile

    def flood_fields(self) -> None:
        """Assign what is left to fields, from the edges that each field reaches."""
        fine = raster.FINE
        for index, segment in enumerate(self.tile.segments):
            if segment.kind != "field":
                continue
            cells = 0
            for edge in segment.edges:
                cells |= raster.at_edge(edge, 0, fine)
            for half in segment.halves:
                low = 0 if half % 2 == 0 else fine // 2  # the left half comes first, clockwise
                cells |= raster.at_edge(half // 2, low, low + fine // 2)
            self.take(raster.flooded(cells, self.open), index)

    def spots(
        self, buildings: dict[int, Point]
    ) -> tuple[tuple[tuple[Point, ...], ...], tuple[tuple[Point, ...], ...]]:
        """Return for each segment its spots, and places spread over it."""
        taken = [self.on_way(segment) for segment in self.tile.segments if segment.kind in WAYS]
        spots: list[tuple[Point, ...]] = []
        inside: list[tuple[Point, ...]] = []
        for index, segment in enumerate(self.tile.segments):
            cells = self.owned[index]
            rooms = raster.clearance(cells)
            given: list[Point] = []
            if index in buildings:
                x, y = buildings[index]
                given = [(x + 9, y + 8), (x - 16, y + 10), (x + 16, y - 10)]
            elif segment.kind in WAYS:
                given = [self.on_way(segment)]
            elif not cells:
                given = [self.near_edge(segment)]
            wanted = 1 + sum(count for _, count in segment.marks)
            if len(given) < wanted:
                scored = raster.scores(cells, rooms, taken, wanted)
                given = _with_best(given, scored, wanted, least=6)
            spots.append(tuple(given))
            inside.append(tuple(raster.spread(cells & ~rooms[0][1])))
        return tuple(spots), tuple(inside)

    def symbol_spots(self, taken: Sequence[Point]) -> tuple[Point, ...]:
        """Return places for the tile's symbols, away from `taken`: in fields if there is room."""
        wanted = len(self.tile.symbols)
        spots: list[Point] = []
        for in_fields in (True, False):
            scored: dict[int, float] = {}
            for segment, cells in zip(self.tile.segments, self.owned, strict=True):
                if (segment.kind == "field") is in_fields and segment.kind not in WAYS:
                    scored |= raster.scores(cells, raster.clearance(cells), (), 2)
            before = [*taken, *spots]
            spots = _with_best(before, scored, len(taken) + wanted, least=9)[len(taken) :]
        rest = range(wanted - len(spots))
        return (*spots, *((50.0 + 18 * number, 50.0) for number in rest))

    def on_way(self, segment: Segment) -> Point:
        """Return the middle of a way through the tile, or a point on one that ends on it."""
        if not segment.edges:
            return 50.0, 50.0
        start, curves = course(segment.edges, self.default_hub())[0]
        points = flat(start, curves, 10)
        return points[5] if len(segment.edges) == 2 else mix(start, (50.0, 50.0), 0.42)

    def near_edge(self, segment: Segment) -> Point:
        """Return a spot for a segment too thin for the raster: inside its first edge or half."""
        if segment.halves:
            half = segment.halves[0]
            a, b = CORNERS[half // 2], CORNERS[(half // 2 + 1) % 4]
            return mix(mix(a, b, 0.2 if half % 2 == 0 else 0.8), (50.0, 50.0), 0.14)
        if segment.edges:
            return mix(MIDDLES[segment.edges[0]], (50.0, 50.0), 0.2)
        return 50.0, 50.0


def _with_best(
    given: Sequence[Point], scored: dict[int, float], wanted: int, least: float
) -> list[Point]:
    """Return the given spots and the best others, up to `wanted` in all.

    The first spot is accepted with any score, others only with `least` or more.
    """
    spots = list(given)
    for spot in spots:
        raster.lower_near(scored, spot)
    while scored and len(spots) < wanted:
        best = max(scored, key=scored.__getitem__)
        if spots and scored[best] < least:
            break
        spots.append(raster.POINTS[best])
        raster.lower_near(scored, spots[-1])
    return spots
