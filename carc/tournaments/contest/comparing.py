"""Comparing what was published with what is computed again, perhaps on another machine."""

import re
from collections.abc import Mapping
from math import isclose
from typing import Any, Final

TOLERANCE: Final = 1e-6  # of a rating


def same_text(left: str, right: str) -> bool:
    """Return whether two pages are equal, but for the last digits of numbers with a point."""
    parts = [re.split(r"([0-9]+\.[0-9]+)", text) for text in (left, right)]
    if len(parts[0]) != len(parts[1]):
        return False
    for at, (one, other) in enumerate(zip(*parts, strict=True)):
        places = len(one.partition(".")[2])
        if one != other and not (
            at % 2
            and places == len(other.partition(".")[2])
            and abs(float(one) - float(other)) < 1.5 * 10**-places
        ):
            return False
    return True


def same(left: Any, right: Any) -> bool:
    """Return whether two pieces of data are equal, numbers within `TOLERANCE`."""
    if isinstance(left, float) or isinstance(right, float):
        both = isinstance(left, int | float) and isinstance(right, int | float)
        return both and isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)
