"""`About`: what people see of an expansion when they choose the rules of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class About(NamedTuple):
    """What people see of an expansion when they choose the rules of a game.

    Attributes:
        title: The name on the box.
        sentence: What it changes, in one sentence.
        tile: The tile in its picture; by default the most decorated one that it adds.
        piece: The piece or kind of follower in its picture, if any.
        cautions: By the name of a game or another expansion, a sentence that warns of playing this
            one beside it.
    """

    title: str
    sentence: str
    tile: str = ""
    piece: str = ""
    cautions: Mapping[str, str] = {}
