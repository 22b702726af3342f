"""Cells as ints: numbered so that their order is by y, then x, and a neighbour is a fixed step away."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

WIDTH_BITS: Final = 10
WIDTH: Final = 1024
ORIGIN: Final = 512 * WIDTH + 512
REACH: Final = 500  # no table is wider than this many tiles on either side of the start

# North, east, south, west; the opposite of side d is d ^ 2.
SIDES: Final = (-WIDTH, 1, WIDTH, -1)
# The eight cells around one (BASE-09).
AROUND: Final = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)


def cell_at(x: int, y: int) -> int:
    """The cell at (x, y): x grows east, y south, (0, 0) is the start tile's."""
    return ORIGIN + y * WIDTH + x


def xy(cell: int) -> tuple[int, int]:
    """The coordinates of a cell."""
    return cell % WIDTH - 512, cell // WIDTH - 512


def beyond(cell: i64, side: i64) -> i64:
    """The cell beyond a side of one: `cell + SIDES[side]`, quicker where it is compiled."""
    step: i64 = 1 if side & 1 else -WIDTH
    return cell - step if side & 2 else cell + step


def bits(some: i64) -> i64:
    """How many bits of an int are set."""
    count: i64 = 0
    while some:
        some &= some - 1
        count += 1
    return count
