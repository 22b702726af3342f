"""Strengths: the maximum-likelihood fit of the Plackett-Luce model, and samples of it.

A ranking is made by drawing the first, then the second, and so on, each with odds exp(strength)
among those left. The fit does not depend on the order of games. A tie counts as the average of all
orders it leaves open.
"""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Group = tuple[str, ...]

RIDGE = 0.1  # precision of the prior of strengths: keeps those finite that win or lose everything


@lru_cache(maxsize=1 << 16)
def choices(
    seats: Group, ranks: tuple[int, ...]
) -> tuple[Sequence[tuple[Group, float]], Sequence[tuple[str, float]]]:
    """Return a game as the model sees it.

    That is: from which sets of bots one came in first, how often, and how often each bot did.
    """
    tied: dict[int, list[str]] = defaultdict(list)
    for bot, rank in zip(seats, ranks, strict=True):
        tied[rank].append(bot)
    made: dict[Group, float] = defaultdict(float)
    wins: dict[str, float] = defaultdict(float)
    below: Group = ()
    for rank in sorted(tied, reverse=True):
        level = tied[rank]
        # Over all orders of the tied, what is left of them is any subset of a size equally often.
        for size in range(1, len(level) + 1):
            share = 1 / comb(len(level), size)
            for left in itertools.combinations(level, size):
                if size + len(below) > 1:
                    made[tuple(sorted((*below, *left)))] += share
                    for bot in left:
                        wins[bot] += share / size
        below = (*below, *level)
    return tuple(made.items()), tuple(wins.items())


@attrs.frozen(eq=False)
class Choices:
    """The choices of many games, by unit of the statistics.

    There are `n` bots, `s` units, `u` different sets of bots, and `c` choices.
    """

    members: Floats
    """u x n: 1 where the bot is in the set."""
    wins: Floats
    """s x n: how often the bot came in first."""
    where: NDArray[np.intp]
    """c: unit of the choice."""
    among: NDArray[np.intp]
    """c: the set of bots it was made from."""
    weights: Floats
    """c: how often."""

    @classmethod
    def of(
        cls, bots: Sequence[str], made: Mapping[tuple[int, Group], float], wins: Floats
    ) -> "Choices":
        """Return the choices from how often each set of bots was chosen from in each unit."""
        number = {bot: at for at, bot in enumerate(bots)}
        kinds = sorted({group for _, group in made})
        index = {group: at for at, group in enumerate(kinds)}
        members = np.zeros((len(kinds), len(bots)))
        for at, group in enumerate(kinds):
            members[at, [number[bot] for bot in group]] = 1
        return cls(
            members=members,
            wins=wins,
            where=np.array([unit for unit, _ in made], dtype=np.intp),
            among=np.array([index[group] for _, group in made], dtype=np.intp),
            weights=np.array(list(made.values()), dtype=np.float64),
        )

    def fit(self, repeats: Floats, prior: Floats, start: Floats | None = None) -> Floats:
        """Return the strengths, of sum 0, that maximise the likelihood of the units.

        Each unit is taken `repeats` times (s), and the prior is N(prior, 1 / RIDGE).
        """
        wins = repeats @ self.wins
        counts = np.bincount(
            self.among, weights=self.weights * repeats[self.where], minlength=len(self.members)
        )

        def likelihood(strengths: Floats) -> float:
            odds = self.members @ np.exp(strengths)
            off = strengths - prior
            return float(wins @ strengths - counts @ np.log(odds) - RIDGE / 2 * off @ off)

        # What all strengths have in common says nothing, and of millions of games its rounding
        # errors outweigh the prior: it is kept at 0, as firmly as the games hold the rest.
        prior = prior - prior.mean()
        strengths = np.zeros(len(prior)) if start is None else start
        for _ in range(100):  # Newton's method; the function is concave
            shares = self.members * np.exp(strengths)
            shares /= shares.sum(axis=1, keepdims=True)
            expected = counts @ shares
            slope = wins - expected - RIDGE * (strengths - prior)
            curvature = np.diag(expected + RIDGE) - (shares.T * counts) @ shares
            step = np.linalg.solve(curvature + expected.mean(), slope - slope.mean())
            step -= step.mean()
            if np.abs(step).max() < 1e-9:
                centred: Floats = strengths - strengths.mean()
                return centred
            before = likelihood(strengths)
            while likelihood(strengths + step) < before - 1e-9 * abs(before):
                step = step / 2
            strengths = strengths + step
        raise ArithmeticError("the fit of strengths did not converge")
