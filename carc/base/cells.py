"""Cells of the table as ints, in the order of y, then x; a neighbour is a fixed step away."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

WIDTH_BITS: Final = 10
WIDTH: Final = 1024
HALF: Final = 512
ORIGIN: Final = HALF * WIDTH + HALF
REACH: Final = 500  # no table is wider than this many tiles on either side of the start

# North, east, south, west; the opposite of side d is d ^ 2.
SIDES: Final = (-WIDTH, 1, WIDTH, -1)
# The eight cells around one (BASE-09).
AROUND: Final = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
NINE: Final = vec[i64]([0] + list(AROUND))  # noqa: RUF005 (mypyc)


def cell_at(x: int, y: int) -> int:
    """Return the cell at (x, y): x grows east, y south; the start tile lies at (0, 0)."""
    return ORIGIN + y * WIDTH + x


def xy(cell: int) -> tuple[int, int]:
    """Return the coordinates of a cell."""
    return cell % WIDTH - HALF, cell // WIDTH - HALF


def around(cell: int) -> list[int]:
    """Return the eight cells around one (BASE-09), in order."""
    return [cell + step for step in AROUND]


def around_at(cell: i64, place: i64) -> i64:
    """Return one of the eight cells around one (BASE-09), by its place in their order, 0-7."""
    return cell + NINE[place + 1]


def at_sides(cell: int) -> list[int]:
    """Return the four cells beside one: north, east, south, west."""
    return [cell + step for step in SIDES]


def beyond(cell: i64, side: i64) -> i64:
    """Return the cell beyond a side (0-3: north, east, south, west)."""
    step: i64 = 1 if side & 1 else -WIDTH
    return cell - step if side & 2 else cell + step


def are_close(first: i64, second: i64) -> bool:
    """Return True if two cells are the same or next to each other, also over a corner."""
    away = first - second + WIDTH + 1
    return 0 <= away <= 2 * WIDTH + 2 and away & (WIDTH - 1) <= 2


def are_within(first: i64, second: i64, reach: i64) -> bool:
    """Return True if two cells are at most so many columns apart, and so many rows."""
    away = first - second + reach * (WIDTH + 1)
    return 0 <= away <= 2 * reach * (WIDTH + 1) and away & (WIDTH - 1) <= 2 * reach


def steps_between(first: i64, second: i64) -> i64:
    """Return how many steps to a side lead from a cell to another."""
    columns = int(first % WIDTH - second % WIDTH)
    rows = int(first // WIDTH - second // WIDTH)
    return abs(columns) + abs(rows)


def count_bits(bits: i64) -> i64:
    """Return how many bits of an int are set."""
    count: i64 = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def nth_bit(bits: i64, n: i64) -> i64:
    """Return the place of the n-th set bit, counted from 0."""
    while n:
        bits &= bits - 1
        n -= 1
    return count_bits((bits & -bits) - 1)
