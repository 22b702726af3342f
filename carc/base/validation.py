"""What callers give, made what it stands for, or refused in a sentence."""

from __future__ import annotations

from operator import index

from carc.errors import CarcError


def whole(given: object, what: str) -> int:
    """A whole number, an int of numpy's too. Raises `CarcError`, saying what it was given as, for anything else."""
    if isinstance(given, int):
        return int(given)
    try:
        return index(given)  # type: ignore[arg-type]
    except TypeError:
        raise CarcError(f"{what} is a whole number, not {given!r}") from None
