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

CELLS = 1 << 18  # of the arrays of the samples that are fitted at once
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
    pairs: NDArray[np.intp]
    """2 x p: a set, and two bots of it as the number of a cell of an n x n matrix."""

    @classmethod
    def of(
        cls, bots: Sequence[str], made: Mapping[tuple[int, Group], float], wins: Floats
    ) -> "Choices":
        """Return the choices from how often each set of bots was chosen from in each unit."""
        number = {bot: at for at, bot in enumerate(bots)}
        kinds = sorted({group for _, group in made})
        index = {group: at for at, group in enumerate(kinds)}
        members = np.zeros((len(kinds), len(bots)))
        pairs = []
        for at, group in enumerate(kinds):
            places = [number[bot] for bot in group]
            members[at, places] = 1
            pairs += [(at, one * len(bots) + other) for one in places for other in places]
        return cls(
            members=members,
            wins=wins,
            where=np.array([unit for unit, _ in made], dtype=np.intp),
            among=np.array([index[group] for _, group in made], dtype=np.intp),
            weights=np.array(list(made.values()), dtype=np.float64),
            pairs=np.array(pairs, dtype=np.intp).reshape(-1, 2).T,
        )

    def fit(self, repeats: Floats, prior: Floats, start: Floats | None = None) -> Floats:
        """Return the strengths that maximise the likelihood, of sum 0, of many samples at once.

        Args:
            repeats: b x s: how often each sample takes a unit.
            prior: b x n: the prior of a sample is N(prior, 1 / RIDGE).
            start: n: where the search begins.

        Returns:
            b x n.

        Raises:
            ArithmeticError: The search does not converge.
        """
        at_once = max(1, CELLS // max(1, self.pairs.size))
        parts = [slice(at, at + at_once) for at in range(0, len(repeats), at_once)]
        return np.concatenate([self._fit(repeats[part], prior[part], start) for part in parts])

    def _fit(self, repeats: Floats, prior: Floats, start: Floats | None) -> Floats:
        likelihood = _Likelihood.of(self, repeats, prior)
        strengths = np.zeros_like(prior) if start is None else np.tile(start, (len(prior), 1))
        moving = np.arange(len(prior))  # samples that have not converged
        for _ in range(100):
            now = strengths[moving]
            step = likelihood.newton_step(now)
            goes_on = np.abs(step).max(axis=1) >= 1e-9
            if not goes_on.any():
                centred: Floats = strengths - strengths.mean(axis=1, keepdims=True)
                return centred
            moving, now, step = moving[goes_on], now[goes_on], step[goes_on]
            likelihood = likelihood.of_samples(goes_on)
            before = likelihood.at(now)
            least = before - 1e-9 * np.abs(before)
            while (worse := likelihood.at(now + step) < least).any():
                step[worse] /= 2
            strengths[moving] = now + step
        raise ArithmeticError("the fit of strengths did not converge")


@attrs.frozen(eq=False)
class _Likelihood:
    """The logarithm of the likelihood of b samples, a concave function of the strengths (b x n)."""

    members: Floats
    """u x n, as in `Choices`."""
    pairs: NDArray[np.intp]
    """2 x p, as in `Choices`."""
    counts: Floats
    """b x u: how often was chosen from the set."""
    wins: Floats
    """b x n."""
    prior: Floats
    """b x n, of sum 0."""

    @classmethod
    def of(cls, choices: Choices, repeats: Floats, prior: Floats) -> "_Likelihood":
        """Return that of samples that take each unit so often (b x s)."""
        kinds = len(choices.members)
        return cls(
            members=choices.members,
            pairs=choices.pairs,
            counts=np.array(
                [
                    np.bincount(
                        choices.among,
                        weights=choices.weights * sample[choices.where],
                        minlength=kinds,
                    )
                    for sample in repeats
                ]
            ),
            wins=repeats @ choices.wins,
            # What all strengths have in common says nothing, and of millions of games its rounding
            # errors outweigh the prior: it is kept at 0, as firmly as the games hold the rest.
            prior=prior - prior.mean(axis=1, keepdims=True),
        )

    def of_samples(self, samples: NDArray[np.bool_]) -> "_Likelihood":
        """Return that of the samples marked (b)."""
        return attrs.evolve(
            self, counts=self.counts[samples], wins=self.wins[samples], prior=self.prior[samples]
        )

    def at(self, strengths: Floats) -> Floats:
        """Return its value for each sample, b."""
        odds = np.exp(strengths) @ self.members.T
        off = strengths - self.prior
        value: Floats = (
            (self.wins * strengths).sum(axis=1)
            - (self.counts * np.log(odds)).sum(axis=1)
            - RIDGE / 2 * (off * off).sum(axis=1)
        )
        return value

    def newton_step(self, strengths: Floats) -> Floats:
        """Return the step of Newton's method for each sample, b x n, of sum 0."""
        number, bots = strengths.shape
        odds = np.exp(strengths)
        of_sets = odds @ self.members.T
        expected = odds * ((self.counts / of_sets) @ self.members)
        slope = self.wins - expected - RIDGE * (strengths - self.prior)
        slope = slope - slope.mean(axis=1, keepdims=True)
        at, cells = self.pairs
        cells = cells + bots**2 * np.arange(number)[:, np.newaxis]
        weights = (self.counts / of_sets**2)[:, at]
        together = np.bincount(
            cells.ravel(), weights=weights.ravel(), minlength=number * bots**2
        ).reshape(number, bots, bots)
        curvature: Floats = expected.mean(axis=1)[:, np.newaxis, np.newaxis] - (
            odds[:, :, np.newaxis] * odds[:, np.newaxis] * together
        )
        diagonal = np.arange(bots)
        curvature[:, diagonal, diagonal] += expected + RIDGE
        step = np.linalg.solve(curvature, slope[:, :, np.newaxis])[:, :, 0]
        centred: Floats = step - step.mean(axis=1, keepdims=True)
        return centred
