"""The descriptors of `LearnedEvaluation`: their names, where they are, and the phase of a game.

A feature is described to the owner who has the majority there, by a block that depends on its kind.
The other descriptors describe an owner. What a name means is said where `LearnedEvaluation` fills
it.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

_BY_EDGES: Final = ("complete", "incomplete", "grows", "chance", "1", "open", "gaps", "alone")
_AROUND: Final = ("complete", "incomplete", "missing", "1")
_FIELD: Final = ("cities", "open_cities", "1", "gaps", "few_gaps", "alone", "squared")
# Where the blocks begin.
CITY_AT: Final[i64] = 0
ROAD_AT: Final[i64] = 8
AROUND_AT: Final[i64] = 16
FIELD_AT: Final[i64] = 20
# The descriptors of an owner. `SUPPLY_AT` and `JOIN_AT` are the first of several.
SUPPLY_AT: Final[i64] = 27
FOLLOWERS: Final[i64] = 32
RETURNING: Final[i64] = 33
RETURNING_FIRST: Final[i64] = 34
TRAILING: Final[i64] = 35
NEXT: Final[i64] = 36
JOIN_AT: Final[i64] = 37  # of cities, roads and fields, in the order of their kinds
JOIN_NEXT: Final[i64] = 40
JOIN_UNCLAIMED: Final[i64] = 41
THREAT: Final[i64] = 42
DESCRIPTORS: Final = (
    *(f"city_{name}" for name in _BY_EDGES),
    *(f"road_{name}" for name in _BY_EDGES),
    *(f"around_{name}" for name in _AROUND),
    *(f"field_{name}" for name in _FIELD),
    *(f"follower_{number}" for number in range(1, 6)),
    "followers",
    "returning",
    "returning_first",
    "trailing",
    "next",
    "join_city",
    "join_road",
    "join_field",
    "join_next",
    "join_unclaimed",
    "threat",
)
KNOTS: Final = (0.0, 3.0, 12.0, 35.0)  # turns left to each player at which weights are given
MOST_GROWTH: Final = 3  # open edges that make a feature grow
WHOLE_FOLLOWERS: Final[i64] = 5  # followers in a supply with a weight of their own


def block_size(block: i64) -> i64:
    """Return how many descriptors the block that begins there has."""
    if block < AROUND_AT:
        return 8
    return 4 if block < FIELD_AT else 7


def phase(turns: float) -> list[float]:
    """Return the share of each knot's weights with so many turns left to each player."""
    shares = [0.0] * len(KNOTS)
    last = len(KNOTS) - 1
    if turns >= KNOTS[last]:
        shares[last] = 1.0
        return shares
    for at in range(last):
        if turns <= KNOTS[at + 1]:
            part = (turns - KNOTS[at]) / (KNOTS[at + 1] - KNOTS[at])
            shares[at], shares[at + 1] = 1.0 - part, part
            break
    return shares
