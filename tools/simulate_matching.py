"""Simulate ladders: how many games until the order of the bots is right, by who plays whom.

    python tools/simulate_matching.py --bots 10,100,1000 --svg docs/pictures/matching.svg
    python tools/simulate_matching.py --bots 1000 --tables 3-5
    python tools/simulate_matching.py --bots 100,1000 --parts

Strengths are normal, with the deviation of TrueSkill's prior. In a game each bot performs as its
strength and a normal deviate with TrueSkill's beta say; nobody ties. Ratings are those of ladders.
Several games are played at once, so who plays next is chosen before their results are known. The
order is right when Kendall's tau of skills and strengths is 0.95: one pair of 40 is the wrong way.
`carc.arena.matching` is used as it is, beside tables at random and a round robin.

Where bots *come and go*, half are there at first. The others come one by one while 40 games a bot
are played; meanwhile a quarter of all leave, and others come in their place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from math import inf, sqrt
from pathlib import Path
from statistics import median
from typing import ClassVar, Final, Protocol

import attrs
import click
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from plots import save_svg
from simulated_skills import kendall, rated

from carc.arena.matching import Matching
from carc.commands.options import numbers
from carc.tournaments.rating.strength import Floats
from carc.tournaments.rating.tally import BETA, MU, SIGMA

RIGHT: Final = 0.95
STEP: Final = 2  # games a bot from one look at the order to the next
COMING: Final = 40  # games a bot while bots come and go
AT_ONCE: Final = 8  # games

# -- ways to choose who plays next -----------------------------------------------------------------


class Way(Protocol):
    """What `Matching` has, too."""

    def enter(self, bot: str, mu: float, sigma: float) -> None: ...
    def leave(self, bot: str) -> None: ...
    def table(self, busy: Collection[str]) -> tuple[str, ...] | None: ...


class AtRandom:
    """Tables at random."""

    def __init__(self, seats: int, seed: int) -> None:
        """Begin without bots."""
        self.seats = seats
        self.random = np.random.default_rng(seed)
        self.bots: dict[str, None] = {}
        self.names: list[str] = []

    def enter(self, bot: str, mu: float, sigma: float) -> None:
        """Add a bot; ratings do not matter."""
        if bot not in self.bots:
            self.bots[bot] = None
            self.names = [*self.bots]

    def leave(self, bot: str) -> None:
        """Take a bot out."""
        del self.bots[bot]
        self.names = [*self.bots]

    def table(self, busy: Collection[str]) -> tuple[str, ...] | None:
        """Return who plays next."""
        while len(self.names) - len(busy) >= self.seats:
            drawn = self.random.choice(len(self.names), self.seats, replace=False)
            table = tuple(self.names[bot] for bot in drawn.tolist())
            if not any(bot in busy for bot in table):
                return table
        return None


class RoundRobin(AtRandom):
    """Each of those who are there meets each other, round by round, by the circle method."""

    waiting: deque[tuple[str, ...]]
    round = 0

    def __init__(self, seats: int, seed: int) -> None:
        """Begin without bots."""
        super().__init__(seats, seed)
        self.waiting = deque()

    def table(self, busy: Collection[str]) -> tuple[str, ...] | None:
        """Return the next table of the round whose bots are there and free."""
        if not self.waiting:
            names = self.names + [""] * (len(self.names) % 2)
            turn = 1 + self.round % (len(names) - 1)
            ring = [names[0], *names[turn:], *names[1:turn]]
            pairs = [*zip(ring, reversed(ring[len(ring) // 2 :]), strict=False)]
            order = self.random.permutation(len(pairs)).tolist()
            self.waiting.extend(pairs[at][:: 1 - 2 * (self.round % 2)] for at in order)
            self.round += 1
        for _ in range(len(self.waiting)):
            table = self.waiting.popleft()
            if any(bot in busy for bot in table):
                self.waiting.append(table)
            elif all(bot in self.bots for bot in table):
                return table
        return None if self.waiting else self.table(busy)


class ByPlaces(Matching):
    """Whoever has the most others within one sigma opens a table."""

    def _uncertain(self, rows: NDArray[np.void]) -> Floats:
        order, sigma = np.sort(rows["mu"]), np.sqrt(rows["variance"])
        within = np.searchsorted(order, rows["mu"] + sigma, "right")
        count: Floats = (within - np.searchsorted(order, rows["mu"] - sigma)).astype(float)
        return count + self._random.random(len(rows)) / 2


class ByPlacesInVariance(ByPlaces):
    """Whoever has the most others within one sigma, times sigma, opens a table."""

    def _uncertain(self, rows: NDArray[np.void]) -> Floats:
        uncertain: Floats = super()._uncertain(rows) * np.sqrt(rows["variance"])
        return uncertain


class ByQuality(Matching):
    """The most even games by TrueSkill's quality of a match, without chance."""

    chance: ClassVar = 0.0

    def _telling(self, rows: NDArray[np.void], one: int) -> Floats:
        mu, variance = rows["mu"], rows["variance"]
        c2 = 2 * BETA**2 + variance + variance[one]
        quality: Floats = np.exp(-((mu - mu[one]) ** 2) / (2 * c2)) / np.sqrt(c2)
        return quality


class WithoutChance(Matching):
    """Those who tell most, whatever the odds that others tell nearly as much."""

    chance: ClassVar = 0.0


class WithoutPatience(Matching):
    """Nobody opens a table because of waiting."""

    patience: ClassVar = 1 << 62


class AnySeat(Matching):
    """Whoever tells most plays, even where it sat more often."""

    uneven: ClassVar = 1.0


WAYS: Final[dict[str, Callable[[int, int], Way]]] = {
    "at random": AtRandom,
    "round robin": RoundRobin,
    "matching": Matching,
}
PARTS: Final[dict[str, Callable[[int, int], Way]]] = {
    "as it is": Matching,
    "opened by the number of others within sigma": ByPlaces,
    "opened by that number times sigma": ByPlacesInVariance,
    "by quality instead of information": ByQuality,
    "without chance": WithoutChance,
    "without turns for who waited longest": WithoutPatience,
    "whatever the seats": AnySeat,
}


# -- ladders ---------------------------------------------------------------------------------------


@attrs.define
class Ladder:
    """A simulated ladder."""

    seats: int
    way: Way
    random: np.random.Generator
    strength: Floats
    mu: Floats = attrs.field(init=False)
    variance: Floats = attrs.field(init=False)
    sat: NDArray[np.int64] = attrs.field(init=False)
    """By bot and seat: how often it sat there."""
    there: list[int] = attrs.field(factory=list)
    tables: int = 0

    def __attrs_post_init__(self) -> None:
        """Know nothing of the bots."""
        self.mu = np.full(len(self.strength), MU)
        self.variance = np.full(len(self.strength), SIGMA**2)
        self.sat = np.zeros((len(self.strength), self.seats), dtype=np.int64)

    def enter(self, bot: int) -> None:
        """Let a bot come."""
        self.there.append(bot)
        self.way.enter(str(bot), MU, SIGMA)

    def leave(self) -> None:
        """Let one of the bots go."""
        bot = self.there.pop(int(self.random.integers(len(self.there))))
        self.way.leave(str(bot))

    def play(self, at_once: int) -> None:
        """Play some games at the same time."""
        tables: list[tuple[str, ...]] = []
        busy: set[str] = set()
        while len(tables) < at_once and (table := self.way.table(busy)):
            tables.append(table)
            busy.update(table)
        bots = np.array(tables, dtype=np.int64)
        np.add.at(self.sat, (bots, np.arange(self.seats)), 1)
        performed = self.strength[bots] + self.random.normal(0, BETA, bots.shape)
        placed = np.take_along_axis(bots, np.argsort(-performed, axis=1), axis=1)
        self.mu[placed], self.variance[placed] = rated(self.mu[placed], self.variance[placed])
        for bot in placed.flat:
            self.way.enter(str(bot), float(self.mu[bot]), sqrt(self.variance[bot]))
        self.tables += len(tables)

    def tau(self) -> float:
        """Return how right the order is."""
        return kendall(self.mu[self.there], self.strength[self.there])


@attrs.frozen
class Result:
    """What became of a simulated ladder."""

    games: float
    """Games a bot until the order was right; infinite if it never was."""
    curve: tuple[tuple[float, float], ...]
    """Kendall's tau by games a bot."""
    played: tuple[int, int]
    """The least and the most games of a bot that was there at the end."""
    uneven: float
    """The share of these bots that sat two times more often at one seat than at another."""


def simulate(
    bots: int, seats: int, way: Callable[[int, int], Way], seed: int, *, coming: bool, most: float
) -> Result:
    """Play until the order is right, or `most` games a bot are played."""
    random = np.random.default_rng([seed, bots, seats])
    come = bots // 2 + bots // 4 if coming else 0
    first = bots - bots // 2 if coming else bots
    ladder = Ladder(
        seats, way(seats, seed), random, random.normal(MU, SIGMA, bots + (bots // 4) * coming)
    )
    for bot in range(first):
        ladder.enter(bot)
    curve: list[tuple[float, float]] = []
    came, tau, look = 0, 0.0, 0.0
    while tau < RIGHT and (games := ladder.tables * seats / bots) < most:
        while came < min(come, games / COMING * come):
            ladder.enter(first + came)
            came += 1
            if came % 3 == 0 and came // 3 <= bots // 4:
                ladder.leave()
        ladder.play(min(AT_ONCE, max(1, len(ladder.there) // (2 * seats))))
        games = ladder.tables * seats / bots
        if came == come and games >= look:
            look, tau = games + STEP, ladder.tau()
            curve.append((games, tau))
    assert came < come or len(ladder.there) == bots
    sat = ladder.sat[ladder.there]
    return Result(
        games=curve[-1][0] if tau >= RIGHT else inf,
        curve=tuple(curve),
        played=(int(sat.sum(axis=1).min()), int(sat.sum(axis=1).max())),
        uneven=float((sat.max(axis=1) - sat.min(axis=1) > 1).mean()),
    )


# -- what is printed -------------------------------------------------------------------------------


HEAD: Final = (
    "| bots | table | come and go | who plays next | games a bot | least to most | uneven |\n"
    "|---|---|---|---|---|---|---|"
)


def repeats(bots: int) -> int:
    """Return how many ladders are simulated: the fewer bots, the more is luck."""
    return max(1, min(49, 1500 // bots | 1))


def row(label: str, results: Sequence[Result]) -> str:
    """Return a line of a table: the median, the quartiles, and how bots played."""
    games = sorted(result.games for result in results)
    middle = f"{median(games):.0f}"
    if len(games) > 1:
        middle += f" [{games[len(games) // 4]:.0f}, {games[-1 - len(games) // 4]:.0f}]"
    least, most = (median(ends) for ends in zip(*(one.played for one in results), strict=True))
    uneven = 100 * sum(one.uneven for one in results) / len(results)
    return f"| {label} | {middle} | {least:.0f} to {most:.0f} | {uneven:.1f} % |"


def draw(curves: dict[str, Result], title: str) -> Figure:
    """Return a drawing of how the order becomes right."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name, result in curves.items():
        axes.plot(*zip(*result.curve, strict=True), label=name)
    axes.axhline(RIGHT, color="grey", linestyle="--")
    axes.set(xlabel="games a bot", ylabel="Kendall's tau", title=title, ylim=(0.5, 1))
    axes.legend(loc="lower right")
    return figure


@click.command(context_settings={"show_default": True})
@click.option("--bots", type=numbers("numbers of bots", 10, 100_000), default="10,100")
@click.option("--tables", type=numbers("sizes of tables", 2, 5), default="2")
@click.option("--parts", is_flag=True, help="Compare variants of the matching.")
@click.option("--ways", default="", help="Only these, separated by commas.")
@click.option("--coming/--staying", default=None, help="Whether bots come and go.  [default: both]")
@click.option("--ladders", type=click.IntRange(1), help="Of each kind.  [default: by size]")
@click.option("--most", default=400, type=click.IntRange(1), help="Games a bot at most.")
@click.option("--svg", type=click.Path(path_type=Path), help="Draw the last size without coming.")
def main(
    *,
    bots: tuple[int, ...],
    tables: tuple[int, ...],
    parts: bool,
    ways: str,
    coming: bool | None,
    ladders: int | None,
    most: int,
    svg: Path | None,
) -> None:
    """Print games a bot until Kendall's tau is 0.95: the median, and the quartiles of many."""
    chosen = {
        name: way
        for name, way in (PARTS if parts else WAYS).items()
        if not ways or name in ways.split(",")
    }
    click.echo(
        "| bots | table | come and go | who plays next | games a bot | least to most | uneven |"
    )
    click.echo("|---|---|---|---|---|---|---|")
    for count, seats in ((count, seats) for count in bots for seats in tables):
        for moving in (False, True) if coming is None else (coming,):
            curves: dict[str, Result] = {}
            for name, way in chosen.items():
                if seats > 2 and way is RoundRobin:
                    continue
                label = f"{count:,} | {seats} | {'yes' if moving else 'no'} | {name}"
                results = [
                    simulate(count, seats, way, seed, coming=moving, most=most)
                    for seed in range(ladders or repeats(count))
                ]
                click.echo(row(label, results))
                curves[name] = results[0]
            if svg is not None and not moving:
                save_svg(draw(curves, f"{count:,} bots, tables of {seats}"), svg)


if __name__ == "__main__":
    main()
