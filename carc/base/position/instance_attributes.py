"""Attributes of an instance, whether its class is compiled, has slots or neither."""

from __future__ import annotations

from inspect import ismemberdescriptor
from typing import Any, Final

_LISTED: Final[dict[type, list[str]]] = {}


def _listed(cls: type) -> list[str]:
    """Return the attributes kept outside `__dict__`: of compiled classes and those with slots."""
    names = _LISTED.get(cls)
    if names is None:
        names = []
        for base in cls.__mro__:
            slots = [name for name, value in vars(base).items() if ismemberdescriptor(value)]
            for name in (*vars(base).get("__mypyc_attrs__", ()), *slots):
                if not name.startswith("__") and name not in names:
                    names.append(name)
        _LISTED[cls] = names  # only when complete: other threads may read it
    return names


def attributes(thing: object) -> dict[str, Any]:
    """Return the attributes of an instance by name."""
    values: dict[str, Any] = {}
    for name in _listed(type(thing)):
        if hasattr(thing, name):
            values[name] = getattr(thing, name)
    values.update(getattr(thing, "__dict__", ()))
    return values
