"""Outlines of regions and courses of ways on a tile.

A tile is a box of 100 by 100, not rotated; x grows east, y grows south. Regions (cities, mist)
reach whole edges and bulge towards the middle. Ways (roads, rivers) run from edge to edge or end
at the hub. The rest is field.
"""

from collections.abc import Iterable, Sequence

import attrs

Point = tuple[float, float]
Cubic = tuple[Point, Point, Point]
"""A cubic Bezier curve: two control points and the end."""

SIZE = 100
CORNERS: tuple[Point, ...] = ((0, 0), (100, 0), (100, 100), (0, 100))
"""The corner at which each edge begins, clockwise."""
MIDDLES: tuple[Point, ...] = ((50, 0), (100, 50), (50, 100), (0, 50))


def turned(point: Point, rotation: int) -> Point:
    """Return a point of a tile after a rotation by quarter turns clockwise."""
    x, y = point
    for _ in range(rotation % 4):
        x, y = SIZE - y, x
    return x, y


def mix(a: Point, b: Point, part: float) -> Point:
    """Return the point at `part` of the way from `a` to `b`."""
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def path(start: Point, curves: Iterable[Cubic]) -> str:
    """Return a course as SVG path data."""

    def pair(point: Point) -> str:
        return f"{point[0]:.4g} {point[1]:.4g}"

    return f"M{pair(start)}" + "".join(
        f"C{pair(first)} {pair(second)} {pair(end)}" for first, second, end in curves
    )


def flat(start: Point, curves: Iterable[Cubic], steps: int = 10) -> list[Point]:
    """Return points along a course, including its start and end."""
    points = [start]
    for first, second, end in curves:
        before = points[-1]
        for step in range(1, steps + 1):
            t = step / steps
            u = 1 - t
            a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            x = a * before[0] + b * first[0] + c * second[0] + d * end[0]
            y = a * before[1] + b * first[1] + c * second[1] + d * end[1]
            points.append((x, y))
    return points


@attrs.frozen
class Region:
    """A segment that reaches whole edges.

    Attributes:
        segment: The index of the segment.
        start: Where its border starts.
        border: Its border.
        walls: The parts of the border that are inside the tile, each with its start.
    """

    segment: int
    start: Point
    border: tuple[Cubic, ...]
    walls: tuple[tuple[Point, Cubic], ...]

    def path(self) -> str:
        """Return the closed border as SVG path data."""
        return path(self.start, self.border) + "z"


def region(index: int, edges: Sequence[int], others: Iterable[int]) -> Region:
    """Return the region of a segment that reaches these edges, and others of its kind others."""
    avoided = set(others)
    if not edges:
        middle: tuple[Cubic, ...] = tuple(
            (mix(a, b, 0.3), mix(a, b, 0.7), b)
            for a, b in zip(
                ((50, 30), (70, 50), (50, 70), (30, 50)), ((70, 50), (50, 70), (30, 50), (50, 30)),
                strict=True,
            )
        )  # fmt: skip
        return Region(index, (50, 30), middle, ())
    first = next((e for e in range(4) if e in edges and (e - 1) % 4 not in edges), 0)
    start = CORNERS[first]
    border: list[Cubic] = []
    walls: list[tuple[Point, Cubic]] = []
    at = first
    while at < first + 4:
        here, there = CORNERS[at % 4], CORNERS[(at + 1) % 4]
        if at % 4 in edges:
            border.append((mix(here, there, 0.3), mix(here, there, 0.7), there))
            at += 1
            continue
        gap = 1
        while at + gap < first + 4 and (at + gap) % 4 not in edges:
            gap += 1
        curve = _across([(at + i) % 4 for i in range(gap)], avoided)
        walls.append((here, curve))
        border.append(curve)
        at += gap
    return Region(index, start, tuple(border), tuple(walls))


def _across(gap: Sequence[int], others: set[int]) -> Cubic:
    """Return the wall along a gap of edges that are not the region's."""
    here, there = CORNERS[gap[0]], CORNERS[(gap[-1] + 1) % 4]
    if len(gap) == 1:  # inwards, deeper where another region bulges into the gap
        depth = 0.48 if gap[0] in others else 0.3
        inner = MIDDLES[gap[0] ^ 2]
        mid = MIDDLES[gap[0]]
        push = ((inner[0] - mid[0]) * depth, (inner[1] - mid[1]) * depth)
        first, second = mix(here, there, 0.2), mix(here, there, 0.8)
        return (
            (first[0] + push[0], first[1] + push[1]),
            (second[0] + push[0], second[1] + push[1]),
            there,
        )
    if len(gap) == 2:  # round the corner
        near = CORNERS[(gap[-1] + 2) % 4]

        def inside(toward: float, other: float) -> Point:
            return (
                near[0] + (here[0] - near[0]) * toward + (there[0] - near[0]) * other,
                near[1] + (here[1] - near[1]) * toward + (there[1] - near[1]) * other,
            )

        return inside(0.8, 0.34), inside(0.34, 0.8), there
    edge = (gap[-1] + 1) % 4  # the one edge it has: a cap

    def control(corner: Point, other: Point, crowded: bool) -> Point:
        along, deep = (0.31, 0.28) if crowded else (0.16, 0.46)
        mid, inner = MIDDLES[edge], MIDDLES[edge ^ 2]
        x, y = mix(corner, other, along)
        return x + (inner[0] - mid[0]) * deep, y + (inner[1] - mid[1]) * deep

    return (
        control(here, there, gap[0] in others),
        control(there, here, gap[-1] in others),
        there,
    )


def course(edges: Sequence[int], hub: Point) -> list[tuple[Point, tuple[Cubic, ...]]]:
    """Return the ways of a segment.

    It is one through the tile if the segment reaches two edges, else one from each edge to the hub.
    """
    if len(edges) == 2:
        a, b = edges
        start, end = MIDDLES[a], MIDDLES[b]
        pull = 0.68 if (a - b) % 2 else 0.6
        middle = (50.0, 50.0)
        first, second = mix(start, middle, pull), mix(end, middle, pull)
        if (a - b) % 2 == 0:  # a slight bend looks better than a straight line
            sway = 5.0 if a == 0 else -5.0
            first = (first[0] + (sway if a % 2 == 0 else 0), first[1] + (sway if a % 2 else 0))
            second = (second[0] - (sway if a % 2 == 0 else 0), second[1] - (sway if a % 2 else 0))
        return [(start, ((first, second, end),))]
    ways: list[tuple[Point, tuple[Cubic, ...]]] = []
    for edge in edges:
        start = MIDDLES[edge]
        straight = mix(start, (50.0, 50.0), 0.55)
        ways.append((start, ((straight, mix(straight, hub, 0.6), hub),)))
    return ways
