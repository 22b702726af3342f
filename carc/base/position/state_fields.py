"""Types of the fields of an `ExpansionState`: they say what a number refers to.

Segments, features and tiles are numbered in the order of placement, so data name them by place.
Negative numbers mean none, except for a `Count`.
"""

from typing import Annotated, Final


class Reference:
    """What an int refers to.

    Attributes:
        to: The word for it.
        is_place: Whether it lies somewhere on the table.
    """

    def __init__(self, to: str, *, is_place: bool = False) -> None:
        self.to: Final = to
        self.is_place: Final = is_place

    def __repr__(self) -> str:
        return f"Reference({self.to!r})"


Segment = Annotated[int, Reference("segment", is_place=True)]
Feature = Annotated[int, Reference("feature", is_place=True)]
TileNumber = Annotated[int, Reference("tile", is_place=True)]
Cell = Annotated[int, Reference("cell", is_place=True)]
TileCell = Annotated[int, Reference("cell with a tile", is_place=True)]
Owner = Annotated[int, Reference("owner")]
Player = Annotated[int, Reference("player")]
FollowerNumber = Annotated[int, Reference("kind of follower")]
Count = Annotated[int, Reference("count")]
HiddenTile = Annotated[int, Reference("hidden tile")]
"""A kind of tile that only its holder sees, in `list[list[HiddenTile]]`: by player, a hand."""
UNKNOWN: Final = -1  # the kind of a hidden tile where it is not seen
