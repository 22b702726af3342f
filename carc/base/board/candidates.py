"""`Candidates`: what may be chosen on the board, as ints that sort in the order of the choices.

An entry is `cell << CELL_AT | segment << SEGMENT_AT | owner << OWNER_AT | kind of follower`, so
entries sort by y, x, segment, owner, kind. `Board` collects them (`carc.base.board.figures`).
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from carc.base.board.arrays import FOLLOWER_MASK, KIND_MASK, OWNER_AT, SEGMENT_AT
from carc.base.board.vectors import nth, sort_in_place

CELL_AT: Final = 40
BELOW_CELL: Final = (1 << CELL_AT) - 1


def cell_in(entry: i64) -> i64:
    """Return the cell of an entry."""
    return entry >> CELL_AT


def segment_in(entry: i64) -> i64:
    """Return the segment of an entry."""
    return (entry & BELOW_CELL) >> SEGMENT_AT


def owner_in(entry: i64) -> i64:
    """Return the owner of an entry."""
    return (entry & FOLLOWER_MASK) >> OWNER_AT


def kind_in(entry: i64) -> i64:
    """Return the kind of follower of an entry."""
    return entry & KIND_MASK


@final
@mypyc_attr(free_list_len=1, acyclic=True)
class Candidates:
    """What may be chosen: collected in any order, read in order."""

    def __init__(self, entries: vec[i64], count: i64) -> None:
        self.entries: Final = entries
        self.count: Final[i64] = count  # entries from there on are unused

    def at(self, index: i64) -> i64:
        """Return the entry at an index of all in order; raise `IndexError` if there are fewer."""
        if index >= self.count:
            raise IndexError(f"there is no candidate {index}; there are {self.count}")
        return nth(self.entries, self.count, index)

    def in_order(self) -> vec[i64]:
        """Return all entries, the least first."""
        return sort_in_place(self.entries[: self.count])

    def segments(self) -> list[int]:
        """Return the segments of all, in order."""
        return [int(segment_in(entry)) for entry in self.in_order()]


NO_CANDIDATES: Final = Candidates(vec[i64](), 0)
