"""How BoardGameArena numbers the tiles of the base game and the places for followers on them.

The links of CarcassonneLab are made from its logs and have the same numbers. They were found by
fitting: in six logs, for each of 391 tiles laid, the places that the site offers are the segments
that our rules offer, and the points are the same at the end of each game. Of what these logs leave
open, the order of the fields of `T` is that of `S`, whose picture is alike, and the order of those
of `G` is that of `F`.
"""

from typing import Final

from carc.base.game.rules import Rules
from carc.errors import BadRecord

START: Final = "D"
MOST_PLAYERS: Final = 5

_TYPES: Final = "TSNMPOGFIHEKJLDUVWXBACRQ"  # our kinds of tile in the order of their types, from 1
_TURNED: Final = {"G": 1, "I": 3}  # by how many quarter turns our tile lies otherwise
# By kind of tile: our segments in the order of their places, from 1. A monastery comes first, then
# roads, cities and fields.
_PLACES: Final = {
    **dict.fromkeys("C", "0"),
    **dict.fromkeys("BEMNQR", "01"),
    **dict.fromkeys("FHV", "012"),
    "G": "021",
    "U": "0 21",  # there is no second place
    **dict.fromkeys("AI", "102"),
    **dict.fromkeys("DJKOP", "1023"),
    **dict.fromkeys("ST", "1032"),
    "L": "3120465",
    "W": "201354",
    "X": "31207456",
}


def kind_of_type(number: int) -> str:
    """Return our kind of tile by the number of its type, or raise `BadRecord`."""
    if not 1 <= number <= len(_TYPES):
        raise BadRecord(
            f"tile type {number} is none of the base game, which has the types 1 to {len(_TYPES)};"
            " carc imports the base game only"
        )
    return _TYPES[number - 1]


def type_of_kind(kind: str) -> int:
    """Return the number of the type of a kind of tile."""
    return _TYPES.index(kind) + 1


def kind_of_tile(number: int, rules: Rules) -> str:
    """Return our kind of tile by the number of one of its copies, from 1, or raise `BadRecord`."""
    copies = {tile.name: tile.copies for tile in rules.catalogue.tiles}
    tiles = [kind for kind in _TYPES for _ in range(copies[kind])]
    if not 1 <= number <= len(tiles):
        raise BadRecord(f"there is no tile {number} in the base game; it has 1 to {len(tiles)}")
    return tiles[number - 1]


def our_rotation(kind: str, rotation: int) -> int:
    """Return our rotation of a tile, in quarter turns clockwise."""
    return (rotation + _TURNED.get(kind, 0)) % 4


def their_rotation(kind: str, rotation: int) -> int:
    """Return their rotation of a tile, in quarter turns clockwise."""
    return (rotation - _TURNED.get(kind, 0)) % 4


def segment_at(kind: str, place: int) -> int:
    """Return our segment by the number of its place on a tile, from 1, or raise `BadRecord`."""
    places = _PLACES[kind]
    if not 1 <= place <= len(places) or places[place - 1] == " ":
        raise BadRecord(f"tile {kind} has no place {place} for a follower")
    return int(places[place - 1])


def place_of(kind: str, segment: int) -> int:
    """Return the number of the place of one of our segments, from 1."""
    return _PLACES[kind].index(str(segment)) + 1
