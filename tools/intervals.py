"""How far a mean may be off."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import stdev

from carc.tournaments.rating.ratings import Z


def half_interval(values: Sequence[float]) -> float:
    """Return half of the 95 % interval of the mean of some values; 0 for a single one."""
    return Z * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
