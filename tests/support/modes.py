"""What is tested in which of the two modes, compiled and interpreted."""

import pytest

from carc.commands.bench import is_compiled

LONG_WHEN_INTERPRETED = () if is_compiled() else (pytest.mark.long,)
"""Marks of a test that `make test` runs once, compiled, and `make test-all` in both modes."""
