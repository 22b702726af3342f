"""Where segments, features and followers are: numbers and orders that no order of play changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from carc.base.cells import REACH
from carc.errors import BadPosition

if TYPE_CHECKING:
    from carc.base.game.state import State


def place_number(state: State, segment: int) -> int:
    """Return the place of a segment as one number; they are in order by y, x, index."""
    return (
        state.board.cell_under(segment) * 256
        + segment
        - state.board._first_segment[state.board._tile_of[segment]]
    )


def lowest_place_number(state: State, feature: int) -> int:
    """Return the first `place_number` of a feature's segments."""
    return min([place_number(state, segment) for segment in state.board.members(feature)])


def first_place(state: State, feature: int) -> tuple[int, int, int]:
    """Return the first place of a feature by y, x, index, whatever the order of its tiles."""
    return min(
        [state.board.place_of(segment) for segment in state.board.members(feature)], key=_by_y
    )


def _by_y(place: tuple[int, int, int]) -> tuple[int, int, int]:
    return place[1], place[0], place[2]


def followers_by_place(state: State) -> list[tuple[int, int, int]]:
    """Return the followers on the table by y, x, segment; those on one in order of placement."""
    followers = state.board.all_followers()
    followers.sort(key=lambda follower: place_number(state, follower[0]))
    return followers


def is_place(data: Any, length: int) -> bool:
    """Return True if data are so many numbers, and none is too large for the table."""
    return (
        isinstance(data, list)
        and len(data) == length
        and all(type(n) is int and abs(n) < REACH for n in data)
    )


def segment_of(state: State, place: Sequence[int]) -> int:
    """Return the segment at x, y, index.

    Raises:
        BadPosition: There is none.
    """
    x, y, index = place
    near = max(abs(x), abs(y)) < REACH
    segment = state.board.segment_at(x, y, index) if near else -1
    if segment < 0:
        raise BadPosition(f"there is no segment {x},{y},{index}")
    return segment
