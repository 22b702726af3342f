"""The sums over games that a fit of the evaluation needs.

Several processes collect them, and a stopped collection continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import numpy as np


class Sums:
    """The sums over positions that a regression needs.

    Attributes:
        games: How many games were played.
        positions: How many positions they had.
        seconds: The CPU time they took.
        squares: The products of descriptors (n x n).
        products: The products of descriptors and results (n).
        results: The sum of the squared results.
        curve: After how many games, how far the weights before and those fitted to these games were
            off in the games that followed (a row for each time the sums were saved).
    """

    def __init__(self, size: int) -> None:
        """Begin with nothing; `size` is the number of weights."""
        self.games = self.positions = 0
        self.seconds = self.results = 0.0
        self.squares: Any = np.zeros((size, size))
        self.products: Any = np.zeros(size)
        self.curve: Any = np.zeros((0, 3))

    def add(self, rows: Any, became: Any) -> None:
        """Add the positions of a game."""
        self.games += 1
        self.positions += len(became)
        self.squares += rows.T @ rows
        self.products += rows.T @ became
        self.results += float(became @ became)

    def include(self, later: Sums) -> None:
        """Add the sums over later games."""
        for name, value in vars(later).items():
            if name != "curve":
                setattr(self, name, getattr(self, name) + value)

    def error(self, weights: Any) -> float:
        """Return the root of the mean squared error of the margin that weights predict.

        Without positions it is 0.
        """
        if not self.positions:
            return 0.0
        squared = self.results - 2 * weights @ self.products + weights @ self.squares @ weights
        return float(np.sqrt(squared / self.positions))

    def describe(self, before: Any, after: Any) -> str:
        """Say what was played, and how far the weights before and after are off."""
        return (
            f"{self.games} games, {self.positions} positions, {self.seconds:.0f} s of CPU time;"
            f" error {self.error(after):.2f} points, with the weights before"
            f" {self.error(before):.2f}"
        )

    def save(self, file: Path) -> None:
        """Write the sums to a file."""
        np.savez(file, **vars(self))

    def load(self, file: Path) -> None:
        """Continue from a file."""
        with np.load(file) as kept:
            for name, value in vars(self).items():
                setattr(self, name, kept[name] if isinstance(value, np.ndarray) else kept[name][()])


def collect(
    watch: Callable[[int], tuple[Any, Any, float]],
    fit: Callable[[Sums], Any],
    seeds: range,
    *,
    size: int,
    file: Path,
    per_save: int,
    jobs: int,
) -> Sums:
    """Play the games of a round, or those that an earlier call did not finish.

    Args:
        watch: Plays a game with a seed; see `final_margins`.
        fit: Returns the weights that fit sums, as a vector; those before for no sums.
        seeds: The seeds of the games.
        size: The number of weights.
        file: The file for the weights of the round; the sums are kept beside it.
        per_save: After how many games they are saved.
        jobs: How many processes play.
    """
    sums, kept = Sums(size), file.with_suffix(".npz")
    if kept.exists():
        sums.load(kept)
    before, latest = fit(Sums(size)), Sums(size)
    with in_order(watch, seeds[sums.games :], jobs) as games:
        for rows, became, seconds in games:
            latest.add(rows, became)
            latest.seconds += seconds
            played = sums.games + latest.games
            if played % per_save and played != len(seeds):
                continue
            off = [latest.error(before), latest.error(fit(sums))]
            sums.curve = np.vstack([sums.curve, [sums.games, *off]])
            sums.include(latest)
            latest = Sums(size)
            sums.save(kept)
            click.echo(
                f"{file.stem}: {played} of {len(seeds)} games, {sums.seconds:.0f} s; in the last"
                f" ones off by {off[1]:.2f} points, with the weights before by {off[0]:.2f}"
            )
    return sums


@contextmanager
def in_order(
    watch: Callable[[int], tuple[Any, Any, float]], seeds: Iterable[int], jobs: int
) -> Iterator[Iterable[tuple[Any, Any, float]]]:
    """Provide what `watch` returns for each seed, in the order of the seeds."""
    if jobs == 1:
        yield map(watch, seeds)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield pool.imap(watch, seeds, chunksize=2)
