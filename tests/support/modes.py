"""What is tested in which of the two modes, compiled and interpreted."""

from collections.abc import Sequence
from typing import Any

import pytest

from carc.commands.bench import is_compiled

LONG_WHEN_INTERPRETED = () if is_compiled() else (pytest.mark.long,)
"""Marks of a test that `make test` runs once, compiled, and `make test-all` in both modes."""


def thinned(cases: Sequence[Any], one_in: int) -> list[Any]:
    """Return the cases of a test, of which `make test` runs one in so many interpreted."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if number % one_in == 0 else LONG_WHEN_INTERPRETED,
        )
        for number, case in enumerate(cases)
    ]
