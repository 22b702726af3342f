"""Sets of cells on a raster over a tile, each an int with one bit for each cell.

Ints make set operations on all 256 cells take microseconds, so that a tile is drawn at once.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from carc.drawing.geometry import SIZE, Cubic, Point, flat

FINE = 16
"""Cells of the raster on a side."""
CELL = SIZE / FINE
"""The side of a cell."""
FARTHEST = 17.0
"""The distance beyond which clearance no longer matters."""

# Bits of a row: a margin on both sides keeps cells at the edge from having neighbours beyond it.
_ROW = FINE + 2
POINTS = {
    row * _ROW + column: ((column - 0.5) * CELL, (row - 0.5) * CELL)
    for row in range(1, FINE + 1)
    for column in range(1, FINE + 1)
}
"""The middle of each cell."""
ALL = sum(1 << cell for cell in POINTS)
"""All cells."""
ROWS = [
    sum(1 << row * _ROW + column for column in range(1, FINE + 1)) for row in range(1, FINE + 1)
]
COLUMNS = [
    sum(1 << row * _ROW + column for row in range(1, FINE + 1)) for column in range(1, FINE + 1)
]
_SPREAD = sum(
    1 << cell
    for cell in POINTS
    if cell // _ROW % 2 == 1 and cell % _ROW % 2 == cell // _ROW // 2 % 2
)

# The clearance of cells at the border of a set, beside those, diagonal to them, two off, further.
_CLEARANCES = (CELL / 2, CELL * 1.5, CELL * 1.91, CELL * 2.5, FARTHEST)


def cell_at(x: float, y: float) -> int:
    """Return the cell of a point, or the nearest."""
    column = min(max(int(x / CELL), 0), FINE - 1)
    row = min(max(int(y / CELL), 0), FINE - 1)
    return (row + 1) * _ROW + column + 1


def each(cells: int) -> list[int]:
    """Return the cells of a set in order."""
    numbers = []
    while cells:
        numbers.append(cells.bit_length() - 1)
        cells ^= 1 << numbers[-1]
    return numbers[::-1]


@lru_cache(maxsize=256)  # many kinds of tile have cities and roads of the same form
def inside(start: Point, border: tuple[Cubic, ...]) -> int:
    """Return the cells inside a closed border."""
    points = flat(start, border)
    crossings: list[list[float]] = [[] for _ in range(FINE)]
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        low, high = (ay, by) if ay < by else (by, ay)
        for row in range(max(0, math.ceil(low / CELL - 0.5)), FINE):
            y = (row + 0.5) * CELL
            if y >= high:
                break
            crossings[row].append(ax + (y - ay) / (by - ay) * (bx - ax))
    cells = 0
    for row, across in enumerate(crossings):
        across.sort()
        for left, right in zip(across[::2], across[1::2], strict=False):
            cells |= _span(row, left, right)
    return cells


@lru_cache(maxsize=256)
def along(start: Point, curves: tuple[Cubic, ...], half_width: float) -> int:
    """Return the cells that a way of this width covers."""
    cells = 0
    for x, y in flat(start, curves, 14):
        for dx, dy in (
            (0, 0),
            (half_width, 0),
            (-half_width, 0),
            (0, half_width),
            (0, -half_width),
        ):
            cells |= 1 << cell_at(x + dx, y + dy)
    return cells


def disc(centre: Point, radius: float) -> int:
    """Return the cells whose middle is at most `radius` from a point."""
    return sum(1 << cell for cell, point in POINTS.items() if math.dist(point, centre) <= radius)


def _span(row: int, left: float, right: float) -> int:
    """Return the cells of a row with their middle between two coordinates, at least one."""
    first = min(max(math.ceil(left / CELL + 0.5), 1), FINE)
    last = min(max(int(right / CELL + 0.5), first - 1), FINE)
    return ((1 << last - first + 1) - 1) << (row + 1) * _ROW + first


def at_edge(edge: int, low: int, high: int) -> int:
    """Return the cells from `low` to `high` along an edge, counted clockwise."""
    if edge > 1:  # south and west run backwards
        low, high = FINE - high, FINE - low
    line = (ROWS[0], COLUMNS[-1], ROWS[-1], COLUMNS[0])[edge]
    return sum(line & part for part in (ROWS if edge % 2 else COLUMNS)[low:high])


def grown(cells: int) -> int:
    """Return the cells and their neighbours."""
    return cells | cells << 1 | cells >> 1 | cells << _ROW | cells >> _ROW


def flooded(cells: int, limit: int) -> int:
    """Return the cells of `limit` that are connected with some of `cells`."""
    cells &= limit
    before = 0
    while before != cells:
        before = cells
        cells = grown(cells) & limit
    return cells


def clearance(cells: int) -> list[tuple[float, int]]:
    """Return the cells by their approximate distance to the outside of the set, nearest first."""
    border = cells & grown(~cells)
    inner = cells & ~border
    beside = inner & grown(border)
    inner &= ~beside
    upper, lower = border << _ROW, border >> _ROW
    diagonal = inner & (upper << 1 | upper >> 1 | lower << 1 | lower >> 1)
    inner &= ~diagonal
    second = inner & grown(beside)
    sets = (border, beside, diagonal, second, inner & ~second)
    return list(zip(_CLEARANCES, sets, strict=True))


def scores(
    cells: int, rooms: Sequence[tuple[float, int]], taken: Sequence[Point], wanted: int
) -> dict[int, float]:
    """Return how well cells of a segment suit as spots.

    A cell scores by its clearance; among equals by its distance to `taken` spots and to the
    middle of the segment. Only candidates are scored: cells at the border only if there are no
    others, and if one spot is wanted, those with the most clearance.
    """
    if not cells:
        return {}
    count = cells.bit_count() / CELL
    x = sum((cells & line).bit_count() * (at + 0.5) for at, line in enumerate(COLUMNS)) / count
    y = sum((cells & line).bit_count() * (at + 0.5) for at, line in enumerate(ROWS)) / count
    scored = {}
    for room, some in reversed(rooms[1:] if cells != rooms[0][1] else rooms):
        for cell in each(some):
            point = POINTS[cell]
            off = min([FARTHEST, *[math.dist(point, other) for other in taken]])
            scored[cell] = room + 0.05 * off - 0.01 * math.dist(point, (x, y))
        if scored and wanted == 1:
            break
    return scored


def lower_near(scored: dict[int, float], spot: Point) -> None:
    """Lower the scores of cells near a spot that is taken."""
    for cell, value in scored.items():
        near = math.dist(POINTS[cell], spot) * 0.6
        if near < value:
            scored[cell] = near


def spread(cells: int) -> Iterator[Point]:
    """Yield points spread over a set: every other cell of every other row."""
    for cell in each(cells & _SPREAD):
        yield POINTS[cell]
