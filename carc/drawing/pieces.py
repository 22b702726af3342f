"""What lies on the tiles, read from `State.to_dict()`: followers, pieces, face-down tiles."""

from collections.abc import Mapping
from typing import Any

import attrs

Data = Mapping[str, Any]
"""A position as data: `State.to_dict()`."""
FACE_DOWN = "face-down"
SIDE_NAMES = ("north", "east", "south", "west")


@attrs.frozen
class Piece:
    """Something that lies on the table.

    Attributes:
        kind: The kind of follower, or the name of the piece.
        x: The column of its cell.
        y: The row of its cell.
        segment: The segment it lies on; None if it lies on the cell.
        owner: Its owner, if it has one.
        count: How many there are.
        text: A text shown beside it.
        is_follower: Whether it is a follower.
        to: Another segment of the tile, to which it reaches.
    """

    kind: str
    x: int
    y: int
    segment: int | None = None
    owner: int | None = None
    count: int = 1
    text: str = ""
    is_follower: bool = False
    to: int | None = None


def pieces(data: Data) -> list[Piece]:
    """Return everything that lies on the table besides tiles, followers first."""
    followers = [
        Piece(
            follower["kind"],
            follower["x"],
            follower["y"],
            follower["segment"],
            follower["owner"],
            is_follower=True,
        )
        for feature in data["features"]
        for follower in feature["followers"]
    ]
    return followers + [Piece(**piece) for piece in data.get("pieces", ())]
