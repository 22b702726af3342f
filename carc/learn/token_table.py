"""`TokenTable`: rows of numbers of one kind, of several observations (`carc.learn.tokens`)."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from carc.base.board.words import ALL_NONE

_NO_WORDS: Final[list[int]] = []
MOST: Final = (1 << 15) - 1  # and the least is its negative


class TokenTable:
    """Rows of one kind, of several observations one after another.

    Attributes:
        name: What a row is.
        columns: The names of the columns.
        width: How many words a row has, each of four numbers (`carc.base.board.words`); numbers
            beyond the columns have no meaning.
        words: The rows; more may follow.
        count: How many rows there are.
    """

    def __init__(self, name: str, columns: list[str]) -> None:
        self.name: Final = name
        self.columns: Final = columns
        self.width: Final[i64] = (len(columns) + 3) // 4
        self.words: vec[i64] = vec[i64]()
        self.count: i64 = 0

    def clear(self) -> None:
        """Forget all rows."""
        self.count = 0

    def make_room(self, most: i64) -> i64:
        """Make room for so many rows more; return where their words begin."""
        need = (self.count + most) * self.width
        if need > i64(len(self.words)):
            longer = vec[i64]([0] * (2 * need))
            for at in range(self.count * self.width):
                longer[at] = self.words[at]
            self.words = longer
        return self.count * self.width


class GatheredTable(TokenTable):
    """Rows that are kept elsewhere and copied at once."""

    def clear(self) -> None:
        """Forget all rows."""
        # About as many come again. Made from a list, the new words are not set to 0.
        self.words = vec[i64](_NO_WORDS, capacity=9 * self.count * self.width // 8)
        self.count = 0

    def gather(self, rows: vec[i64], count: i64) -> None:
        """Add so many rows."""
        self.words = extend(self.words, rows)
        self.count += count

    def add(self, head: i64) -> None:
        """Add a row, given as its first word, which refers to nothing."""
        self.words = append(self.words, head)
        for _ in range(1, self.width):
            self.words = append(self.words, ALL_NONE)
        self.count += 1


def held(number: i64) -> i64:
    """Return a number, or the nearest that fits."""
    return max(-MOST, min(MOST, number))
