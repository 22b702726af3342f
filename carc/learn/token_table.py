"""`TokenTable`: rows of numbers of one kind, of several observations (`carc.learn.tokens`)."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.cells import ORIGIN, WIDTH
from carc.learn.action_codes import BELOW, BITS

NONE: Final = -1  # where a row refers to nothing
ALL_NONE: Final = -1  # four of them
SHIFT: Final = 16  # from one number of a word to the next
LOW: Final = (1 << SHIFT) - 1
MOST: Final = (1 << SHIFT - 1) - 1  # and the least is its negative


class TokenTable:
    """Rows of one kind, of several observations one after another.

    Four numbers are written as one word: measured, that takes a third of the time.

    Attributes:
        name: What a row is.
        columns: The names of the columns.
        width: How many words a row has; numbers beyond the columns have no meaning.
        words: The rows, with room for more.
        count: How many rows there are.
        starts: The row with which each observation begins.
    """

    def __init__(self, name: str, columns: list[str]) -> None:
        """Begin without rows."""
        self.name: Final = name
        self.columns: Final = columns
        self.width: Final[i64] = (len(columns) + 3) // 4
        self.words: vec[i64] = vec[i64]()
        self.count: i64 = 0
        self.starts: vec[i64] = vec[i64]()

    def clear(self) -> None:
        """Forget all rows."""
        self.count = 0
        self.starts = vec[i64]()

    def begin(self, most: i64) -> i64:
        """Begin an observation that has at most so many rows; return where its words begin."""
        self.starts = append(self.starts, self.count)
        self.make_room(most)
        return self.count * self.width

    def make_room(self, most: i64) -> None:
        """Make room for so many rows more."""
        need = (self.count + most) * self.width
        if need > i64(len(self.words)):
            longer = vec[i64]([0] * (2 * need))
            for at in range(self.count * self.width):
                longer[at] = self.words[at]
            self.words = longer


def four(first: i64, second: i64, third: i64, fourth: i64) -> i64:
    """Return four numbers as one word, the first in its lowest bits."""
    low = first & LOW | (second & LOW) << SHIFT
    return low | (third & LOW) << 2 * SHIFT | fourth << 3 * SHIFT


def at_place(number: i64, place: i64) -> i64:
    """Return a word that holds one number, at a place from 0 to 3, and zeros."""
    return number << 3 * SHIFT if place == 3 else (number & LOW) << SHIFT * place


def column(away: i64) -> i64:
    """Return how far east a cell is, from its offset."""
    return (away + ORIGIN & BELOW) - WIDTH // 2


def row(away: i64) -> i64:
    """Return how far south a cell is, from its offset."""
    return (away + ORIGIN >> BITS) - WIDTH // 2


def held(number: i64) -> i64:
    """Return a number, or the nearest that fits."""
    return max(-MOST, min(MOST, number))
