"""Actions: what chance or a player may do.

An action is frozen, interned by whoever makes it, and known by its text: two actions are equal when their
texts are. `str(action)` and `Rules.parse(text)` are each other's inverse.
"""

from __future__ import annotations

import re
from typing import Final

from mypy_extensions import mypyc_attr

from carc.base.cells import REACH, cell_at, xy


@mypyc_attr(allow_interpreted_subclasses=True)
class Action:
    """Something chance or a player may do; `text` is its notation (`docs/concepts.md`)."""

    def __init__(self, text: str) -> None:
        self.text: Final = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Action) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)


class Draw(Action):
    """Chance turns up a tile: `draw:KIND`. `tile` is its name, `kind` its index in the rules' catalogue."""

    def __init__(self, tile: str, kind: int) -> None:
        super().__init__(f"draw:{tile}")
        self.tile: Final = tile
        self.kind: Final = kind


class Place(Action):
    """Lay the drawn tile: `place:X,Y,R`, with R quarter turns clockwise."""

    def __init__(self, cell: int, rotation: int) -> None:
        x, y = xy(cell)
        super().__init__(f"place:{x},{y},{rotation}")
        self.cell: Final = cell
        self.x: Final = x
        self.y: Final = y
        self.rotation: Final = rotation


class Claim(Action):
    """Put a follower on a segment of the tile just laid: `claim:SEGMENT,KIND`, and `,COLOUR` if it must be said.

    `follower` is the index of the follower's kind, `owner` its colour, or -1 where the player has but one.
    """

    def __init__(self, segment: int, follower: int, owner: int, text: str) -> None:
        super().__init__(text)
        self.segment: Final = segment
        self.follower: Final = follower
        self.owner: Final = owner


class Pass(Action):
    """Do without what is offered: `pass`."""

    def __init__(self) -> None:
        super().__init__("pass")


PASS: Final = Pass()

_places: Final[dict[int, list[Place]]] = {}


def places(cell: int) -> list[Place]:
    """The four placements on a cell, by rotation; made once."""
    found = _places.get(cell)
    if found is None:
        found = [Place(cell, rotation) for rotation in range(4)]
        _places[cell] = found
    return found


def place(x: int, y: int, rotation: int) -> Place:
    """The placement at (x, y) with `rotation` quarter turns clockwise."""
    return places(cell_at(x, y))[rotation]


class OnSegment(Action):
    """A choice among segments on the table, or of who stands there: `VERB:X,Y,SEGMENT`. Expansions bring the verbs."""

    def __init__(self, verb: str, cell: int, index: int) -> None:
        x, y = xy(cell)
        super().__init__(f"{verb}:{x},{y},{index}")
        self.verb: Final = verb
        self.cell: Final = cell
        self.index: Final = index


_on_segment: Final[dict[str, dict[int, OnSegment]]] = {}
_ON_SEGMENT: Final = re.compile(r"([a-z]+):(-?\d{1,3}),(-?\d{1,3}),(\d{1,2})")


def on_segment(verb: str, cell: int, index: int) -> OnSegment:
    """The choice of a segment, by its tile's cell and its index in the tile's data; made once."""
    known = _on_segment.setdefault(verb, {})
    key = cell * 128 + index
    found = known.get(key)
    if found is None:
        found = OnSegment(verb, cell, index)
        known[key] = found
    return found


def parse_on_segment(text: str, verbs: tuple[str, ...]) -> OnSegment | None:
    """The choice that `text` denotes if its verb is one of `verbs`, else None."""
    match = _ON_SEGMENT.fullmatch(text)
    if match is None or match[1] not in verbs:
        return None
    x, y = int(match[2]), int(match[3])
    if max(abs(x), abs(y)) > REACH:
        return None
    found = on_segment(match[1], cell_at(x, y), int(match[4]))
    return found if found.text == text else None
