"""Parsed data as values of attrs classes, whose annotations say of which kind each field is."""

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import attrs

from carc.bounded import of_kind

T = TypeVar("T", bound=attrs.AttrsInstance)


def structured(kind: type[T], value: object, what: str, most: float = inf) -> T:
    """Return a value of an attrs class from an object of parsed data.

    Other keys of the object are ignored. Fields with a default may be missing. What `attrs.asdict`
    returns is read, too, though no parsed data have tuples.

    Args:
        kind: The class. Its fields are plain values, values of such classes, and tuples, mappings
            and optional ones of them.
        value: The object.
        what: What it is called in messages.
        most: No number with a fraction is larger, nor less than its negative.

    Raises:
        ValueError: A field is missing or of another kind, or a number is too large.
    """
    data, values = of_kind(value, dict, what), {}
    for field in attrs.fields(kind):
        if field.name in data:
            of, called = _hints(kind)[field.name], f"{field.name!r} of {what}"
            values[field.name] = _read(of, data[field.name], called, most)
        elif field.default is attrs.NOTHING:
            raise ValueError(f"{what} has no {field.name!r}")
    return kind(**values)


@lru_cache(maxsize=64)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: object, what: str, most: float) -> Any:
    origin, inside = get_origin(kind), get_args(kind)
    if attrs.has(kind):
        return structured(kind, value, what, most)
    if origin is UnionType:  # of something and None
        return None if value is None else _read(inside[0], value, what, most)
    if origin is tuple:
        parts = value if isinstance(value, tuple) else of_kind(value, list, what)
        kinds = inside[:1] * len(parts) if inside[-1] is ... else inside
        if len(kinds) != len(parts):
            raise ValueError(f"{what} has {len(kinds)} values, not {len(parts)}")
        each = zip(kinds, parts, strict=True)
        return tuple(_read(of, part, f"a value in {what}", most) for of, part in each)
    if origin in (dict, Mapping):
        named = of_kind(value, dict, what).items()
        return {name: _read(inside[1], part, f"{name!r} in {what}", most) for name, part in named}
    plain = of_kind(value, kind, what)
    if kind is float and abs(plain) > most:
        raise ValueError(f"{what} is {plain:g}, which is more than {most:g}")
    return plain
