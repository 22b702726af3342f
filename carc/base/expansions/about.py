"""What people read of an expansion: `About`, when they choose it, and `Words`, of its actions."""

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
        options: By option, the words of its menu: `title`, what is chosen, and for each value what
            it means. A value without words is shown as it is written in a spec.
    """

    title: str
    sentence: str
    tile: str = ""
    piece: str = ""
    cautions: Mapping[str, str] = {}
    terms: Mapping[str, str] = {}
    options: Mapping[str, Mapping[str, str]] = {}


class Words(NamedTuple):
    """How the actions of an expansion are told.

    A phrase is what a player does, such as `moves the pawn to {place}`. In braces are parts of the
    notation:

    - `{place}`, the segment or tile; `{cell}`, its coordinates;
    - `{figure}`, a follower, with its colour if the notation names one;
    - `{words}`, what else there is, each word by its name in `names`, and of these `{first}` and
      `{last}`;
    - `{other}`, for a word such as `to2`: that segment of the same tile;
    - `{way}`, for a word such as `ns`: the sides of the tile, as it lies;
    - the name of a symbol of the tile: its value there.

    Attributes:
        phrases: By verb, or by the whole action, the phrase. An action without one is shown by its
            notation.
        asks: By verb, what a decision asks, such as `move the pawn`. By default that is made of
            the phrase, which must then have no other parts than `{place}`, `{cell}` and
            `{figure}`.
        names: By a name in the notation, such as that of a kind of follower or of segment, what
            people call it.
    """

    phrases: Mapping[str, str] = {}
    asks: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
