"""`About`: what people read of an expansion, on the page for a new game and at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class About(NamedTuple):
    """What people read of an expansion.

    Attributes:
        title: The name on the box.
        sentence: What it changes, in one sentence.
        tile: The tile in its picture; by default the most decorated one that it adds.
        piece: The piece or kind of follower in its picture, if any.
        cautions: By the name of a game or another expansion, a sentence that warns of playing this
            one beside it.
        terms: By the name of a symbol, a mark, a kind of feature, a kind of follower or the verb
            of an action, a sentence that explains it to a player who meets it.
    """

    title: str
    sentence: str
    tile: str = ""
    piece: str = ""
    cautions: Mapping[str, str] = {}
    terms: Mapping[str, str] = {}
