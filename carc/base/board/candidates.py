"""Ranks: what may be chosen on the table as ints, in the order in which it is offered, and `Ranks`, those of one choice."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.layout import SEGMENT_AT
from carc.base.board.vectors import in_rank, nth

# In order by y, x, then segment, owner, kind of follower: `cell << CELL_AT` | as in `Layout.stands`. From `SORT_AT` on there
# is room to put sorts of choices one after another.
SORT_AT: Final = 60
CELL_AT: Final = 40
BELOW_CELL: Final = (1 << CELL_AT) - 1


def cell_in(rank: i64) -> i64:
    """The cell of a rank."""
    return (rank >> CELL_AT) & ((1 << SORT_AT - CELL_AT) - 1)


def segment_in(rank: i64) -> i64:
    """The segment of a rank."""
    return (rank & BELOW_CELL) >> SEGMENT_AT


class Ranks:
    """What may be chosen, as ranks: found in no order, told in order. The questions of `Figures` and `Board` put it behind what is there."""

    def __init__(self) -> None:
        self.n: i64 = 0  # how many
        self.room: vec[i64] = vec[i64]()  # for more than these; used again when others are found
        self.shared = False  # by copies of a state

    def room_for(self, more: i64) -> vec[i64]:
        """The room, made to hold so many more: those from `n` on."""
        if self.n + more > len(self.room):
            grown = vec[i64]([0] * (2 * (self.n + more)))
            for at in range(self.n):
                grown[at] = self.room[at]
            self.room = grown
        return self.room

    def add(self, rank: i64) -> None:
        """One more."""
        self.room_for(1)[self.n] = rank
        self.n += 1

    def at(self, index: i64) -> i64:
        """The one at an index of all in order. Raises `IndexError` if there are fewer."""
        if index >= self.n:
            raise IndexError(f"of {self.n} ranks there is none at {index}")
        return nth(self.room, self.n, index)

    def in_order(self) -> vec[i64]:
        """All, the least first."""
        return in_rank(self.room[: self.n])
