"""TrueSkill of many simulated games at once, and how right an order is."""

from __future__ import annotations

from functools import cache
from math import erfc, exp, pi, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from carc.tournaments.rating.strength import Floats
from carc.tournaments.rating.tally import BETA, DRAW_PROBABILITY

MARGIN: Final = NormalDist().inv_cdf((DRAW_PROBABILITY + 1) / 2) * sqrt(2) * BETA


@cache
def _v() -> tuple[Floats, Floats]:
    """Return a grid and, on it, the normal density by the distribution function."""
    grid = np.linspace(-12, 12, 24001)
    return grid, np.array([exp(-x * x / 2) / sqrt(pi / 2) / erfc(-x / sqrt(2)) for x in grid])


def rated(mu: Floats, variance: Floats, sweeps: int = 5) -> tuple[Floats, Floats]:
    """Return means and variances after games, each row one without ties, the winner first.

    It is TrueSkill's expectation propagation: messages go along the places and back. A message is a
    normal distribution, as its precision and its precision times its mean.
    """
    prior = _message(mu, variance + BETA**2)  # of performances
    last = mu.shape[1] - 2
    up, down = np.zeros((2, *mu.shape)), np.zeros((2, *mu.shape))  # from who came next, and before
    way = [*range(last + 1), *range(last - 1, 0, -1)] if last else [0]
    for place in way * (sweeps if last else 1):
        above = prior[..., place] + down[..., place]
        below = prior[..., place + 1] + up[..., place + 1]
        spread = 1 / above[0] + 1 / below[0]
        ahead, scale = above[1] / above[0] - below[1] / below[0], np.sqrt(spread)
        t = (ahead - MARGIN) / scale
        v = np.interp(t, *_v())
        w = v * (v + t)
        # What the result says of the difference: the truncated normal by the one before.
        difference, doubt = ahead + scale * v / w, spread * (1 - w) / w
        up[..., place] = _message(below[1] / below[0] + difference, 1 / below[0] + doubt)
        down[..., place + 1] = _message(above[1] / above[0] - difference, 1 / above[0] + doubt)
    told = up + down
    told = _message(told[1] / told[0], 1 / told[0] + BETA**2)
    after = 1 / (1 / variance + told[0])
    return after * (mu / variance + told[1]), after


def _message(mean: Floats, variance: Floats) -> Floats:
    return np.array([1 / variance, mean / variance])


def kendall(skills: Floats, strengths: Floats) -> float:
    """Return Kendall's tau of two orders without ties."""
    count = len(skills)
    return 1 - 4 * _inversions(skills[np.argsort(strengths)])[0] / (count * (count - 1))


def _inversions(values: Floats) -> tuple[int, Floats]:
    """Return how many pairs are the wrong way, and the values in order."""
    if len(values) < 64:
        return int(np.triu(values[:, None] > values, 1).sum()), np.sort(values)
    half = len(values) // 2
    (left, low), (right, high) = _inversions(values[:half]), _inversions(values[half:])
    across = half * len(high) - int(np.searchsorted(low, high).sum())
    return left + right + across, np.sort(values)
