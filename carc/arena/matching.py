"""Who plays whom next in a ladder whose bots come and go.

*Whoever's skill is least certain opens a table*, so new bots play first. One table in ten is opened
by whoever has waited longest: a bot that can always play sits again within ten times as many tables
as there were bots when it last sat, however many come later.

*The other seats go, one by one, to those who tell most.* A game of two tells what it is expected to
take from the variances of both skills: much where they are uncertain and about equal. At a table of
more, a bot tells the sum of that over those who already sit there. As many tell nearly the same,
each is multiplied by a random factor up to two: opponents vary, and nobody can foresee them.

*Everybody sits everywhere.* A bot sits where it has sat least. Those who would have to sit
elsewhere are asked only if others tell much less.

`docs/research/2026-11-28-who-plays-next.md` compares this with other ways, in games that are needed
until the order is right.
"""

from collections.abc import Iterable
from math import pi
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from carc.tournaments.rating.strength import Floats
from carc.tournaments.rating.tally import BETA


def expected_information(
    mu: float, variance: float, others_mu: Floats, others_variance: Floats
) -> Floats:
    """Return by how much a game with each of the others is expected to reduce both variances.

    TrueSkill's update takes w v²/c² from a variance v, where c² = 2 beta² + both variances. Over
    both results, w is expected to be φ²/(Φ (1 - Φ)) at t, the difference over c. This is about
    2/π exp(-(1 - 2/π) t²), by its Taylor series at 0.
    """
    c2 = 2 * BETA**2 + variance + others_variance
    w: Floats = 2 / pi * np.exp((2 / pi - 1) * (mu - others_mu) ** 2 / c2)
    return w * (variance**2 + others_variance**2) / c2


class Matching:
    """The bots of a ladder, and who of them plays next.

    The same calls with the same seed give the same tables. Who knows the seed can foresee them.
    Where bots have sat is known from its own tables, not from those before a restart.
    """

    patience: ClassVar = 10
    """One table in so many is opened by whoever has waited longest."""
    chance: ClassVar = 1.0
    """By how much the random factor may exceed one."""
    uneven: ClassVar = 0.25
    """What is left of its worth to a bot that would have to sit where it sat more often."""

    def __init__(self, seats: int, seed: int) -> None:
        """Begin without bots, for tables of two or more; the seed decides what chance does."""
        self._seats = seats
        self._random = np.random.default_rng(seed)
        self._tables = 0
        self._bots: list[str] = []
        self._row: dict[str, int] = {}
        self._groups: dict[str, int] = {"": 0}
        self._all: NDArray[np.void] = np.zeros(
            16,
            dtype=[
                ("mu", float),
                ("variance", float),
                ("group", int),  # 0: none
                ("since", int),  # which table it waits
                ("excess", int, seats),  # by seat: how much more often it sat there than anywhere
            ],
        )

    def __len__(self) -> int:
        return len(self._bots)

    def enter(self, bot: str, mu: float, sigma: float, group: str = "") -> None:
        """Let a bot play from now on, or tell its new rating.

        Args:
            bot: Its name.
            mu: TrueSkill's mean.
            sigma: TrueSkill's standard deviation.
            group: Bots of one group, such as an author's, never meet; those of none meet all.
        """
        if bot not in self._row:
            row = self._row[bot] = len(self._bots)
            if row == len(self._all):
                self._all = np.concatenate([self._all, np.zeros_like(self._all)])
            self._bots.append(bot)
            self._all["since"][row] = self._tables
            self._all["excess"][row] = 0
        row = self._row[bot]
        self._all["mu"][row] = mu
        self._all["variance"][row] = sigma**2
        self._all["group"][row] = self._groups.setdefault(group, len(self._groups))

    def leave(self, bot: str) -> None:
        """Let a bot play no more; one that left already stays away."""
        row = self._row.pop(bot, None)
        if row is None:
            return
        last = self._bots.pop()
        if last != bot:
            self._bots[row] = last
            self._row[last] = row
            self._all[row] = self._all[len(self._bots)]

    def table(self, busy: Iterable[str] = ()) -> tuple[str, ...] | None:
        """Return who plays next, by seat, or None if too few can; the busy cannot.

        Who sits where and who has waited is known from the tables returned: each is to be played.
        """
        rows = self._all[: len(self._bots)]
        free = np.ones(len(rows), dtype=bool)
        free[[self._row[bot] for bot in busy if bot in self._row]] = False
        patient = (self._tables + 1) % self.patience == 0
        worth: Floats = -rows["since"].astype(float) if patient else self._uncertain(rows)
        seats, told = list(range(self._seats)), np.zeros(len(rows))
        table: dict[int, int] = {}
        while seats:
            if not free.any():
                return None
            one = int(np.argmax(np.where(free, worth, -np.inf)))
            seat = min(seats, key=rows["excess"][one].__getitem__)
            seats.remove(seat)
            table[seat] = one
            free[one] = False
            if rows["group"][one]:
                free &= rows["group"] != rows["group"][one]
            if seats:
                told += self._telling(rows, one)
                worth = told * (1 + self.chance * self._random.random(len(rows)))
                worth[rows["excess"][:, seats].min(axis=1) > 0] *= self.uneven
        return self._seated(table)

    def _uncertain(self, rows: NDArray[np.void]) -> Floats:
        """Return how uncertain each bot's skill is."""
        variance: Floats = rows["variance"]
        return variance

    def _telling(self, rows: NDArray[np.void], one: int) -> Floats:
        """Return what a game of a bot with each tells."""
        mu, variance = rows["mu"], rows["variance"]
        return expected_information(mu[one], variance[one], mu, variance)

    def _seated(self, table: dict[int, int]) -> tuple[str, ...]:
        """Return the names by seat, and remember who sat where."""
        self._tables += 1
        for seat, row in table.items():
            excess = self._all["excess"][row]
            excess[seat] += 1
            excess -= excess.min()
            self._all["since"][row] = self._tables
        return tuple(self._bots[table[seat]] for seat in range(self._seats))
