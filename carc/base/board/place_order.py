"""Where segments, features and followers are: numbers and orders that no order of play changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import FOLLOWER_MASK, KIND_MASK, OWNER_AT, SEGMENT_AT
from carc.base.board.vectors import sort_in_place
from carc.base.cells import REACH
from carc.errors import BadPosition

if TYPE_CHECKING:
    from carc.base.board.board import Board


AT_BITS: Final = 16  # no table has so many followers


def place_number(board: Board, segment: i64) -> i64:
    """Return the place of a segment as one number; they are in order by y, x, index."""
    tile = board._tile_of[segment]
    return board._cell[tile] * 256 + segment - board._first_segment[tile]


def lowest_place_number(board: Board, feature: int) -> int:
    """Return the first `place_number` of a feature's segments."""
    return min([place_number(board, segment) for segment in board.members(feature)])


def first_place(board: Board, feature: int) -> tuple[int, int, int]:
    """Return the first place of a feature by y, x, index, whatever the order of its tiles."""
    return min([board.place_of(segment) for segment in board.members(feature)], key=_by_y)


def _by_y(place: tuple[int, int, int]) -> tuple[int, int, int]:
    return place[1], place[0], place[2]


def followers_by_place(board: Board) -> list[tuple[int, int, int]]:
    """Return the followers on the table by y, x, segment; those on one in order of placement."""
    entries = board._followers
    keys = vec[i64]([0] * len(entries))
    for at in range(len(entries)):
        keys[at] = place_number(board, entries[at] >> SEGMENT_AT) << AT_BITS | at
    followers: list[tuple[int, int, int]] = []
    for key in sort_in_place(keys):
        entry = entries[key & (1 << AT_BITS) - 1]
        who = entry & FOLLOWER_MASK
        followers.append((int(entry >> SEGMENT_AT), int(who >> OWNER_AT), int(who & KIND_MASK)))
    return followers


def is_place(data: Any, length: int) -> bool:
    """Return True if data are so many numbers, and none is too large for the table."""
    return (
        isinstance(data, list)
        and len(data) == length
        and all(type(n) is int and abs(n) < REACH for n in data)
    )


def segment_of(board: Board, place: Sequence[int]) -> int:
    """Return the segment at x, y, index; raise `BadPosition` if there is none."""
    x, y, index = place
    near = max(abs(x), abs(y)) < REACH
    segment = board.segment_at(x, y, index) if near else -1
    if segment < 0:
        raise BadPosition(f"there is no segment {x},{y},{index}")
    return segment
