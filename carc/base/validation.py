"""Validation of caller arguments."""

from __future__ import annotations

from operator import index

from carc.errors import CarcError


def whole(given: object, what: str) -> int:
    """Return a whole number as an int, numpy's too; else raise `CarcError`, saying what it is."""
    if isinstance(given, int):
        return int(given)
    try:
        return index(given)  # type: ignore[arg-type]
    except TypeError:
        raise CarcError(f"{what} is a whole number, not {given!r}") from None
