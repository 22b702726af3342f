"""Measure how often 95 % intervals hold in simulated tournaments.

Usage: `python tools/calibrate_intervals.py --tournaments 40`. The bots are simulated and their
strengths known; their games are rated as real ones are.

Rankings are drawn from the Plackett-Luce model. With a *deal effect* every bot is stronger or
weaker by a normal deviate in all games of a deal, as mirrored deals suit one bot more than another.
The fit then tends to other values than the strengths put in. The truth is therefore the fit of the
results that are to be expected of far more deals than a tournament has.
"""

import random
from collections.abc import Iterator
from concurrent.futures import wait
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import Final

import attrs
import click
import numpy as np

from carc.commands.options import numbers
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.ratings import Range, board_of, wilson
from carc.tournaments.rating.strength import Choices, Floats, Group
from carc.tournaments.rating.tally import Tally
from carc.tournaments.running.pool import LocalPool, cores

SPREAD: Final = 2.0  # between the strongest and the weakest
TRUTH: Final = 20_000  # deals that the truth is taken from
SAMPLES: Final = 200  # of the bootstrap, in each of many tournaments


@attrs.frozen
class Case:
    """A kind of tournament."""

    bots: int
    size: int
    """The table size; all subsets play."""
    effect: float
    """The standard deviation of the deal effect."""
    deals: int


def played(case: Case, deals: int, seed: int) -> Iterator[Outcome]:
    """Yield the games of one tournament."""
    rng = random.Random(seed)
    names = _names(case)
    for deal in range(deals):
        rates = [
            exp(SPREAD * number / (case.bots - 1) + rng.gauss(0, case.effect))
            for number in range(case.bots)
        ]
        for number, some in enumerate(combinations(range(case.bots), case.size)):
            for turn in range(case.size):
                seats = some[turn:] + some[:turn]
                times = [rng.expovariate(rates[bot]) for bot in seats]
                order = sorted(times)
                yield Outcome(
                    id=f"{deal} {number} {turn}",
                    rotation_set=f"{deal} {number}",
                    deal=deal,
                    deal_seed=deal,
                    rules="",
                    seats=tuple(names[bot] for bot in seats),
                    digests=(),
                    isolation=(),
                    verdict=OK,
                    ranks=tuple(order.index(time) for time in times),
                    scores=(0,) * case.size,
                    verdicts=(OK,) * case.size,
                )


def _names(case: Case) -> list[str]:
    return [f"bot {number}" for number in range(case.bots)]


@lru_cache(maxsize=8)
def truth(case: Case) -> Floats:
    """Return the strengths that the fit tends to.

    It is the fit of each game as often as it is to be expected in `TRUTH` deals, so only the deals
    are drawn, and nothing where they have no effect.
    """
    bots = range(case.bots)
    deals = TRUTH if case.effect else 1
    deviates = np.random.default_rng(1).normal(0, case.effect, (deals, case.bots))
    rates = np.exp(np.linspace(0, SPREAD, case.bots) + deviates)
    # How often, a deal, each set of bots is what is left to choose from: all of a table, then
    # without the first, ...
    left = dict.fromkeys(combinations(bots, case.size), np.full(deals, float(case.size)))
    made: dict[tuple[int, Group], float] = {}
    wins = np.zeros((1, case.bots))
    names = _names(case)
    for _ in range(case.size, 1, -1):
        fewer: dict[tuple[int, ...], Floats] = {}
        for some, often in left.items():
            made[0, tuple(names[bot] for bot in some)] = float(often.mean())
            share = often / rates[:, some].sum(axis=1)
            for bot in some:
                first = share * rates[:, bot]
                wins[0, bot] += first.mean()
                rest = tuple(other for other in some if other != bot)
                fewer[rest] = fewer[rest] + first if rest in fewer else first
        left = fewer
    # As many as there are to be, the prior says nothing.
    choices = Choices.of(names, made, wins)
    strengths: Floats = choices.fit(np.full((1, 1), 1e6), np.zeros((1, case.bots)))[0]
    return strengths


def held(case: Case, seed: int) -> int:
    """Return how many intervals of one tournament hold the truth."""
    tally = Tally(skills=False).add_all(played(case, case.deals, seed))
    intervals = {line.bot: line.strength for line in board_of(tally, SAMPLES).standings}
    true = dict(zip(_names(case), truth(case), strict=True))
    return sum(intervals[bot].low <= true[bot] <= intervals[bot].high for bot in intervals)


def coverage(cases: list[Case], tournaments: int, jobs: int) -> list[tuple[Case, Range]]:
    """Return the share of intervals that hold, case by case, with its own 95 % interval.

    That interval takes the bots of a tournament as independent, which they nearly are.
    """
    with LocalPool(jobs) as pool:
        # Case by case, so that a process finds the truth once.
        futures = {
            case: [pool.submit(held, case, seed) for seed in range(tournaments)] for case in cases
        }
        wait([future for some in futures.values() for future in some])
        sums = {case: sum(future.result() for future in some) for case, some in futures.items()}
    counts = {case: case.bots * tournaments for case in cases}
    return [(case, wilson(sums[case] / counts[case], counts[case])) for case in cases]


def table(shares: list[tuple[Case, Range]]) -> str:
    """Return a Markdown table: a row for each table size and number of bots, a column an effect."""
    effects = sorted({case.effect for case, _ in shares})
    lines = [
        "| tables | bots | " + " | ".join(f"deal effect {effect:g}" for effect in effects) + " |",
        "|" + "---|" * (2 + len(effects)),
    ]
    for size, bots in sorted({(case.size, case.bots) for case, _ in shares}):
        cells = [
            f"{100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"
            for effect in effects
            for case, share in shares
            if (case.size, case.bots, case.effect) == (size, bots, effect)
        ]
        lines.append(f"| {size} | {bots} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


@click.command()
@click.option(
    "--tables", type=numbers("table sizes", 2, 5), default="2-5", show_default=True, help="Sizes."
)
@click.option(
    "--bots",
    type=numbers("numbers of bots", 3, 12),
    default="4,8",
    show_default=True,
    help="How many.",
)
@click.option("--deals", default=30, show_default=True, type=click.IntRange(2), help="Of each.")
@click.option(
    "--tournaments", default=40, show_default=True, type=click.IntRange(1), help="Of each kind."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
def main(
    *,
    tables: tuple[int, ...],
    bots: tuple[int, ...],
    deals: int,
    tournaments: int,
    jobs: int | None,
) -> None:
    """Print how often the 95 % intervals of boards hold in simulated tournaments."""
    cases = [
        Case(number, size, effect, deals)
        for size in tables
        for number in bots
        if number >= size
        for effect in (0.0, 0.8)
    ]
    click.echo(
        f"Intervals of 95 % that hold, in per cent, in {tournaments} tournaments "
        f"of {deals} mirrored deals each:\n"
    )
    click.echo(table(coverage(cases, tournaments, jobs or cores())))


if __name__ == "__main__":
    main()
