"""Converters between the values of a state's fields and JSON data, one class a type constructor.

`converter(Segment)`, `converter(dict[Segment, Count])` and so on return one. Lists and plain values
are written as they are. Tuples, sets and dicts are written as `{"tuple": [...]}`, `{"set": [...]}`
and `{"dict": [[key, value], ...]}`; segments, features and tiles by place (`{"segment": [x, y,
index]}`), because their numbers follow the order of placement.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import GenericAlias, NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin

from carc.base.board.place_order import first_place, is_place, segment_of
from carc.base.cells import WIDTH, xy
from carc.base.position.data import HIGHEST, shown
from carc.base.position.state_fields import UNKNOWN, Reference
from carc.errors import BadPosition

if TYPE_CHECKING:
    from carc.base.game.state import State

MOST_PIECES: Final = 999


class Converter:
    """Makes data of values of one type, and reads them back. This one takes values of any type.

    Attributes:
        is_place: Whether the values refer to places, which come and go in the course of a game.
    """

    def __init__(self) -> None:
        self.is_place: bool = False

    def write(self, state: State, value: Any) -> Any:
        """Return a value as JSON data; raise `BadPosition` if it cannot be written."""
        if isinstance(value, bool | int | float | str) or value is None:
            return value
        inferred = type_of(value)
        if inferred is Any:
            raise BadPosition(
                f"the state of an expansion holds a value of type {type(value).__name__}, which"
                " cannot be written: override ExpansionState.to_data and from_data"
            )
        return converter(inferred).write(state, value)

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        """Return the value that was written as this data.

        Args:
            state: The position that is being read; its board is complete.
            data: What `write` returned.
            fresh: The value at the start of a game; None if there is none.

        Raises:
            ValueError: The data are of no such value; the message says what they should be.
            BadPosition: There is no such place.
        """
        if fresh is not None:
            inferred = type_of(fresh)
            if inferred is not Any:
                return converter(inferred).read(state, data, fresh)
        if isinstance(data, list):
            return [self.read(state, item, None) for item in data]
        if isinstance(data, dict):
            for name, constructor in CONSTRUCTORS.items():
                if name in data:
                    return converter(constructor).read(state, data, None)
            raise ValueError(f"{shown(data)} should be a value, a list, or a tuple, set or dict")
        if isinstance(data, int | float) and not abs(data) <= HIGHEST:
            raise ValueError(f"{shown(data)} is too large a number")
        return data


class PlainConverter(Converter):
    """A bool, int, float, text or None."""

    def __init__(self, cls: type) -> None:
        super().__init__()
        self.cls: Final = cls

    def write(self, state: State, value: Any) -> Any:
        return value if type(value) is self.cls else ANY.write(state, value)

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        if type(data) is not self.cls:
            raise ValueError(f"{shown(data)} should be {NAMES[self.cls]}")
        if isinstance(data, int | float) and not abs(data) <= HIGHEST:
            raise ValueError(f"{shown(data)} is too large a number")
        return data


class ReferenceConverter(Converter):
    """A number that refers to something."""

    def __init__(self, reference: Reference) -> None:
        super().__init__()
        self.to: str = reference.to
        self.is_place = reference.is_place

    def write(self, state: State, value: Any) -> Any:
        if type(value) is not int:
            return ANY.write(state, value)
        if value < 0:
            return value
        if self.to == "segment":
            return {"segment": list(state.board.place_of(value))}
        if self.to == "feature":
            return {"feature": list(first_place(state.board, value))}
        if self.to == "tile":
            return {"tile": list(xy(state.board.cell_of(value)))}
        return value

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        if self.to in ("segment", "feature", "tile"):
            return self._read_place(state, data)
        low, end = self._range(state)
        if type(data) is not int or not low <= data < end:
            raise ValueError(f"{shown(data)} should be a number, {low} to {end - 1} ({self.to})")
        if self.to == "cell with a tile" and data >= 0 and state.board.tile_on_cell(data) < 0:
            raise ValueError(f"no tile lies on cell {data}")
        return data

    def _read_place(self, state: State, data: Any) -> int:
        if type(data) is int and -HIGHEST <= data < 0:
            return data
        length = 2 if self.to == "tile" else 3
        place: Any = data.get(self.to) if isinstance(data, dict) and len(data) == 1 else None
        if not is_place(place, length):
            form = "[x, y]" if length == 2 else "[x, y, index]"
            raise ValueError(f"{shown(data)} should be {{'{self.to}': {form}}}, or -1 for none")
        if self.to == "tile":
            tile = state.board.tile_at(place[0], place[1])
            if tile < 0:
                raise ValueError(f"there is no tile at {place[0]},{place[1]}")
            return tile
        segment = segment_of(state.board, place)
        return segment if self.to == "segment" else state.board.feature_of(segment)

    def _range(self, state: State) -> tuple[int, int]:
        """Return the lowest number there is, and the first that is too high."""
        rules = state.rules
        if self.to == "count":
            return 0, MOST_PIECES + 1
        if self.to == "owner":
            return -1, rules.owners
        if self.to == "player":
            return -1, rules.players
        if self.to == "kind of follower":
            return -1, len(rules.follower_kinds)
        if self.to == "hidden tile":
            return UNKNOWN, len(rules.tile_names)
        return -1, WIDTH * WIDTH


class ListConverter(Converter):
    """A list. One with items at the start of a game keeps their number, unless they are places."""

    def __init__(self, item: Converter) -> None:
        super().__init__()
        self.item: Final = item
        self.is_place = item.is_place

    def write(self, state: State, value: Any) -> Any:
        if not isinstance(value, list):
            return ANY.write(state, value)
        return [self.item.write(state, item) for item in value]

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        if not isinstance(data, list):
            raise ValueError(f"{shown(data)} should be a list")
        if fresh and not self.is_place and len(data) != len(fresh):
            raise ValueError(f"{shown(data)} should have {len(fresh)} items")
        return [self.item.read(state, item, fresh[0] if fresh else None) for item in data]


class OptionalConverter(Converter):
    """A value or None."""

    def __init__(self, item: Converter) -> None:
        super().__init__()
        self.item: Final = item
        self.is_place = item.is_place

    def write(self, state: State, value: Any) -> Any:
        return None if value is None else self.item.write(state, value)

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        return None if data is None else self.item.read(state, data, fresh)


class TupleConverter(Converter):
    """A tuple: of one type and any length, or with a type for each item."""

    def __init__(self, items: list[Converter], of_any_length: bool) -> None:
        super().__init__()
        self.items: Final = items
        self.of_any_length: Final = of_any_length
        self.is_place = any(item.is_place for item in items)

    def write(self, state: State, value: Any) -> Any:
        if not isinstance(value, tuple) or not self._fits(len(value)):
            return ANY.write(state, value)
        return {"tuple": [self._at(i).write(state, item) for i, item in enumerate(value)]}

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        items = held(data, "tuple")
        if not self._fits(len(items)):
            raise ValueError(f"{shown(data)} should have {len(self.items)} items")
        return tuple([self._at(i).read(state, item, None) for i, item in enumerate(items)])

    def _fits(self, length: int) -> bool:
        return self.of_any_length or length == len(self.items)

    def _at(self, index: int) -> Converter:
        return self.items[0 if self.of_any_length else index]


class SetConverter(Converter):
    """A set or frozenset."""

    def __init__(self, item: Converter, frozen: bool) -> None:
        super().__init__()
        self.item: Final = item
        self.frozen: Final = frozen
        self.is_place = item.is_place

    def write(self, state: State, value: Any) -> Any:
        if not isinstance(value, set | frozenset):
            return ANY.write(state, value)
        items = sorted([self.item.write(state, item) for item in value], key=sort_key)
        return {"frozenset" if self.frozen else "set": items}

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        items = held(data, "frozenset" if self.frozen else "set")
        values = [self.item.read(state, item, None) for item in items]
        try:
            return frozenset(values) if self.frozen else set(values)
        except TypeError:
            raise ValueError(f"{shown(data)} has items that no set can hold") from None


class DictConverter(Converter):
    """A dict. One with keys at the start of a game keeps them, unless they are places."""

    def __init__(self, key: Converter, value: Converter) -> None:
        super().__init__()
        self.key: Final = key
        self.value: Final = value
        self.is_place = key.is_place or value.is_place

    def write(self, state: State, value: Any) -> Any:
        if not isinstance(value, dict):
            return ANY.write(state, value)
        key, item = self.key, self.value
        return {"dict": [[key.write(state, k), item.write(state, v)] for k, v in value.items()]}

    def read(self, state: State, data: Any, fresh: Any) -> Any:
        first: Any = next(iter(fresh.values())) if fresh else None
        result: dict[Any, Any] = {}
        for pair in held(data, "dict"):
            if not isinstance(pair, list) or len(pair) != 2:
                raise ValueError(f"{shown(pair)} should be [key, value]")
            key = self.key.read(state, pair[0], None)
            try:
                hash(key)
            except TypeError:
                raise ValueError(f"{shown(pair[0])} cannot be a key") from None
            result[key] = self.value.read(state, pair[1], first)
        if fresh and not self.key.is_place and result.keys() != fresh.keys():
            raise ValueError(f"{shown(data)} should have the keys {shown(list(fresh))}")
        return result


ANY: Final = Converter()
NAMES: Final[dict[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "null",
}
CONSTRUCTORS: Final[dict[str, Any]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}
_CONVERTERS: Final[dict[Any, Converter]] = {}


def converter(declared: Any) -> Converter:
    """Return the converter of a type; of one that is not known here, one for values of any type."""
    known = _CONVERTERS.get(declared)
    if known is None:
        known = _made(declared)
        _CONVERTERS[declared] = known
    return known


def _made(declared: Any) -> Converter:
    if declared in NAMES:
        return PlainConverter(declared)
    origin, arguments = get_origin(declared), get_args(declared)
    if origin is Annotated:
        references = [mark for mark in arguments[1:] if isinstance(mark, Reference)]
        return ReferenceConverter(references[0]) if references else converter(arguments[0])
    if origin in (Union, UnionType):
        others = [argument for argument in arguments if argument is not NoneType]
        alone = len(others) == 1
        return OptionalConverter(converter(others[0])) if alone else ANY
    if declared in (list, set, frozenset, dict, tuple):
        origin = declared
        arguments = {dict: (Any, Any), tuple: (Any, ...)}.get(declared, (Any,))
    if origin is list:
        return ListConverter(converter(arguments[0]))
    if origin is tuple:
        of_any_length = len(arguments) == 2 and arguments[1] is ...
        items = arguments[:1] if of_any_length else arguments
        return TupleConverter([converter(item) for item in items], of_any_length)
    if origin in (set, frozenset):
        return SetConverter(converter(arguments[0]), origin is frozenset)
    if origin is dict:
        return DictConverter(converter(arguments[0]), converter(arguments[1]))
    return ANY


def type_of(value: object) -> Any:
    """Return the type of a value with those of the first items; Any if it is none of these."""
    if value is None:
        return Any
    cls = type(value)
    if cls in NAMES:
        return cls
    if isinstance(value, dict):
        first_key, first_value = next(iter(value), None), next(iter(value.values()), None)
        return GenericAlias(dict, (type_of(first_key), type_of(first_value)))
    if isinstance(value, tuple):
        return GenericAlias(tuple, (type_of(next(iter(value), None)), ...))
    for constructor in (list, set, frozenset):
        if isinstance(value, constructor):
            return GenericAlias(constructor, (type_of(next(iter(value), None)),))
    return Any


def sort_key(data: Any) -> str:
    """Return a text by which data of any kind can be sorted."""
    return json.dumps(data)


def held(data: Any, constructor: str) -> list[Any]:
    """Return the items of a tuple, set or dict; raise `ValueError` if the data are of none."""
    items = data.get(constructor) if isinstance(data, Mapping) and len(data) == 1 else None
    if not isinstance(items, list):
        raise ValueError(f"{shown(data)} should be {{'{constructor}': [...]}}")
    return items
