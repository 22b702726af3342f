"""What persons at a table are called."""

from collections.abc import Iterable

from carc.errors import CarcError
from carc.escape import escape_unprintable, folded

MOST_NAME = 40
"""Characters of a person's name."""


def nameless(seat: int) -> str:
    """Return what a person without a name is called."""
    return f"person {seat + 1}"


def checked_person(text: str, others: Iterable[str]) -> str:
    """Return the name that a person typed, without spaces too many.

    Raises `CarcError` if it is empty, has invisible characters, or if another is called so.
    """
    name = " ".join(text.split())[:MOST_NAME]
    if not name:
        raise CarcError("a name has at least one letter")
    if (shown := escape_unprintable(name)) != name:
        raise CarcError(f"a name has visible characters only, not as in {shown}")
    if folded(name) in map(folded, others):
        raise CarcError(f"another at this table is called {name}; choose a name of your own")
    return name
