"""What the data of a position looks like (`docs/positions.md`), told before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from carc.errors import BadPosition

MOST: Final = 10**9  # of any number
MANY: Final = 999  # of pieces
_SHOWN: Final = 60


class Shape:
    """How some data looks; `words` says it."""

    def __init__(self, words: str) -> None:
        self.words: Final = words

    def check(self, data: object, what: str) -> None:
        """Raises `BadPosition`, naming `what` this is of, for data that looks otherwise."""

    def refuse(self, data: object, what: str) -> BadPosition:
        """The error for such data."""
        return BadPosition(f"the position's {what} is {shown(data)}; it should be {self.words}")


class Number(Shape):
    """A whole number."""

    def check(self, data: object, what: str) -> None:
        if not isinstance(data, int) or isinstance(data, bool) or abs(data) > MOST:
            raise self.refuse(data, what)


class Text(Shape):
    """A text."""

    def check(self, data: object, what: str) -> None:
        if not isinstance(data, str):
            raise self.refuse(data, what)


class Anything(Shape):
    """Data of an expansion's own."""


class OrNone(Shape):
    """Something, or null."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(f"{shape.words} or null")
        self.shape: Final = shape

    def check(self, data: object, what: str) -> None:
        if data is not None:
            self.shape.check(data, what)


class Several(Shape):
    """A list, all of one shape."""

    def __init__(self, shape: Shape) -> None:
        super().__init__("a list")
        self.shape: Final = shape

    def check(self, data: object, what: str) -> None:
        if not isinstance(data, (list, tuple)):
            raise self.refuse(data, what)
        for at, one in enumerate(data):
            self.shape.check(one, f"{what}[{at}]")


class Row(Shape):
    """A list of so many, each of its own shape."""

    def __init__(self, words: str, shapes: Sequence[Shape]) -> None:
        super().__init__(words)
        self.shapes: Final = shapes

    def check(self, data: object, what: str) -> None:
        if not isinstance(data, (list, tuple)) or len(data) != len(self.shapes):
            raise self.refuse(data, what)
        for shape, one in zip(self.shapes, data, strict=True):
            shape.check(one, what)


class Counts(Shape):
    """Numbers by name."""

    def check(self, data: object, what: str) -> None:
        if not isinstance(data, Mapping):
            raise self.refuse(data, what)
        for name, n in data.items():
            TEXT.check(name, f"{what}'s name")
            NUMBER.check(n, f"{what}[{name!r}]")


class Parts(Shape):
    """A mapping that has these parts, and perhaps others."""

    def __init__(self, parts: Mapping[str, Shape]) -> None:
        super().__init__(f"a mapping with {', '.join(parts)}")
        self.parts: Final = parts

    def check(self, data: object, what: str) -> None:
        if not isinstance(data, Mapping):
            raise self.refuse(data, what)
        for name, shape in self.parts.items():
            if name not in data:
                raise BadPosition(
                    f"the position's {what} has no {name!r}; it should be {self.words}"
                )
            shape.check(data[name], f"{what} {name}" if what != "data" else name)


def within(numbers: Iterable[object], low: int, high: int) -> bool:
    """Whether all are whole numbers from `low` to `high`."""
    return all(type(n) is int and low <= n <= high for n in numbers)


def shown(data: object) -> str:
    """Data in a message, cut where it is long."""
    words = repr(data)
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}..."


NUMBER: Final = Number("a whole number")
TEXT: Final = Text("a text")
_CELL: Final = Row("[x, y]", [NUMBER] * 2)
_PLACE: Final = Row("[x, y, segment]", [NUMBER] * 3)
_ENGINE: Final = Parts(
    {
        "active": NUMBER,
        "agenda": Several(Row("[step, player]", [TEXT, NUMBER])),
        "last": OrNone(_CELL),
        "met": NUMBER,
        "completed": Several(_PLACE),
        "ways": Several(Row("[what, [x, y, segment], [x, y, segment]]", [NUMBER, _PLACE, _PLACE])),
        "never_complete": Several(_PLACE),
        "followers": Several(Row("[x, y, segment, owner, kind]", [NUMBER] * 5)),
        "face_down": Several(_CELL),
        "unseen": NUMBER,
        "dealt": NUMBER,
        "slices": Several(Anything("what an expansion keeps")),
    }
)
DATA: Final = Parts(
    {
        "tile_in_hand": OrNone(TEXT),
        "tiles": Several(Parts({"x": NUMBER, "y": NUMBER, "kind": TEXT, "rotation": NUMBER})),
        "supplies": Several(Counts("numbers by the kind of follower")),
        "scores": Several(NUMBER),
        "bag": Counts("numbers by the tile's name"),
        "discarded": Several(TEXT),
        "engine": _ENGINE,
    }
)
"""All of what a state is made again from, but for the rules."""
