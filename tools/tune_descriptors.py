"""Tune the weights of what an expansion describes, by games of `greedy`.

    python tools/tune_descriptors.py dragon --deals 200

Weights are tried one after another, early and late in the game apart: half as large and half as
large again, where they are 0 also half a point up and down. A change is kept if `greedy` with it is
ahead of `greedy` without it by more than 1.5 standard errors of the margin, on mirrored deals. What
was found is printed in the form of `Estimates.DESCRIPTORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt
from statistics import fmean, stdev

import click
from intervals import half_interval
from measure_tables import Tally
from plot_training import ByWeights
from train_evaluation import lookahead_by

from carc import Rules
from carc.base.evaluation.descriptors import KNOTS
from carc.base.evaluation.learned_weights import shipped_weights
from carc.errors import CarcError

LATE_KNOTS = 2  # the knots of the last turns
STANDARD_ERRORS = 1.5
# A weight of 0 is moved by half a point, any other one by half of it.
STEPS: tuple[Callable[[float], float], ...] = (
    lambda weight: 1.5 * weight or 0.5,
    lambda weight: 0.5 * weight or -0.5,
)


Weights = dict[str, tuple[float, ...]]  # by descriptor, one for each knot


@click.command(context_settings={"show_default": True})
@click.argument("expansion")
@click.option("--rules", help="Rules with the expansion.  [default: base and the expansion]")
@click.option("--players", default=2, type=click.IntRange(2, 6), help="How many play.")
@click.option("--rounds", default=2, type=click.IntRange(min=1), help="How often all are tried.")
@click.option("--deals", default=200, type=click.IntRange(min=2), help="Deals for each trial.")
@click.option("--seed", default=0, help="Decides the deals.")
def main(
    *, expansion: str, rules: str | None, players: int, rounds: int, deals: int, seed: int
) -> None:
    """Tune the weights of an EXPANSION's descriptors."""
    try:
        played_by = Rules.from_spec(rules or f"base+{expansion}", players)
    except CarcError as error:
        raise click.UsageError(str(error)) from error
    named = [
        type(estimates).DESCRIPTORS
        for each in played_by.expansions
        if each.name == expansion and (estimates := each.estimates()) is not None
    ]
    if not named or not named[0]:
        raise click.UsageError(f"{expansion} has no DESCRIPTORS in {played_by.spec}")
    weights = {name: tuple(each) for name, each in named[0].items()}
    for number in range(1, rounds + 1):
        kept = 0
        for trial, (name, knots, step) in enumerate(steps(weights)):
            tried = stepped(weights, name, knots, step)
            if tried == weights:
                continue
            margins = duel(played_by, tried, weights, deals, f"{seed} {number} {trial}")
            better = fmean(margins) > STANDARD_ERRORS * stdev(margins) / sqrt(deals)
            weights = tried if better else weights
            kept += better
            click.echo(
                f"{name} {tried[name]}: {fmean(margins):+.1f} ± {half_interval(margins):.1f} points"
                + (", kept" if better else "")
            )
        click.echo(f"round {number}: {kept} changes kept")
        for name, each in weights.items():
            click.echo(f'        "{name}": ({", ".join(f"{weight:g}" for weight in each)}),')
        if not kept:
            return


def steps(weights: Weights) -> Iterator[tuple[str, range, Callable[[float], float]]]:
    """Yield what to try: a descriptor, the knots, and what becomes of a weight there."""
    for name in weights:
        for knots in (range(LATE_KNOTS), range(LATE_KNOTS, len(KNOTS))):
            for step in STEPS:
                yield name, knots, step


def stepped(weights: Weights, name: str, knots: range, step: Callable[[float], float]) -> Weights:
    """Return weights of which one descriptor's are changed at some knots."""
    changed = [
        round(step(weight), 4) if at in knots else weight for at, weight in enumerate(weights[name])
    ]
    return {**weights, name: tuple(changed)}


def duel(rules: Rules, one: Weights, other: Weights, deals: int, seed: str) -> list[float]:
    """Return by how much `greedy` with one is ahead of `greedy` with the other, for each deal."""
    tally, bots = Tally(), []
    for weights in (one, other):
        table = dict(shipped_weights(rules.players))
        table.update({name: list(each) for name, each in weights.items()})
        bots.append(partial(ByWeights, lookahead_by(rules, table)))
    for deal in range(deals):
        tally.add_deal(rules, bots[0], bots[1], f"tune {seed} {deal}")
    return tally.margins


if __name__ == "__main__":
    main()
