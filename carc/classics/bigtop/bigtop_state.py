"""`BigTopState`: what Under the Big Top keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Segment, TileCell

NOWHERE: Final = -1
TOKENS: Final = (0, 1, 0, 4, 5, 3, 2, 1)  # how many there are, by points (BIG-01)
ACROBAT: Final = 5  # points of each (BIG-02)
RINGMASTER: Final = 2  # points a tile (BIG-03)


class BigTopState(ExpansionState):
    """Where the big top and the acrobats' grounds are.

    Attributes:
        tokens: How many tokens nobody has seen yet, by points.
        tent: The cell of the big top; -1: it is not on the board.
        following: The cell to which it goes after this turn's scoring.
        grounds: The segments on which acrobats may stand.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "tokens": list[Count],
        "tent": TileCell,
        "following": TileCell,
        "grounds": list[Segment],
    }

    def __init__(self) -> None:
        self.tokens = list(TOKENS)
        self.tent = NOWHERE
        self.following = NOWHERE
        self.grounds: list[int] = []

    def copy(self) -> BigTopState:
        new = BigTopState()
        new.tokens, new.grounds = self.tokens.copy(), self.grounds.copy()
        new.tent, new.following = self.tent, self.following
        return new
