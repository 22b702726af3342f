"""What persons at a table are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from carc.errors import CarcError
from carc.escape import escape_unprintable

MOST_NAME = 40
"""Characters of a person's name."""


def nameless(seat: int) -> str:
    """Return what a person without a name is called."""
    return f"person {seat + 1}"


def checked_person(text: str, others: Iterable[str]) -> str:
    """Return the name that a person typed, without spaces too many.

    Raises:
        CarcError: It is empty, has invisible characters, or another at the table is called so.
    """
    name = " ".join(text.split())[:MOST_NAME]
    if not name:
        raise CarcError("a name has at least one letter")
    if (shown := escape_unprintable(name)) != name:
        raise CarcError(f"a name has visible characters only, not as in {shown}")
    if _folded(name) in map(_folded, others):
        raise CarcError(f"another at this table is called {name}; choose a name of your own")
    return name


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
