"""Tune the settings of `strong` by games against itself at equal CPU time.

    python tools/tune_search.py --seconds 0.05 --steps 150 --deals 60

The settings climb by simultaneous perturbation (SPSA, as in `fit_weights.py`): in each step all of
them are moved a little to both sides, and the two sides play a deal in both seatings. Then the
settings that were found play against the shipped ones on other deals; only that says whether they
are better.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial

import click
from fit_weights import climb
from measure_tables import Tally

from carc import Rules
from carc.bots.mcts import Strong

# The settings that are tuned: see `carc.bots.mcts_playouts.Playouts`.
SHIPPED: dict[str, float] = {
    "width": Strong.width,
    "max_lines": Strong.max_lines,
    "turns": Strong.turns,
    "max_placements": Strong.max_placements,
    "prior_weight": Strong.prior_weight,
}
COUNT = click.IntRange(min=1)
MOST_MARGIN = 60.0  # points that count at most


@click.command(context_settings={"show_default": True})
@click.option("--rules", default="base", help="Rules, such as base+ghosts.")
@click.option("--seconds", default=0.05, type=click.FloatRange(0.001), help="CPU time for a turn.")
@click.option("--steps", default=150, type=COUNT, help="Each plays two games.")
@click.option("--deals", default=60, type=COUNT, help="Of the duel with the shipped settings.")
@click.option("--seed", default=0, help="Decides deals and steps.")
def main(*, rules: str, seconds: float, steps: int, deals: int, seed: int) -> None:
    """Climb from the shipped settings and play what is found against them."""
    played_by = Rules.from_spec(rules, 2)
    deal_seeds = random.Random(seed)
    done = 0

    def margin(ours: Mapping[str, float], others: Mapping[str, float]) -> float:
        nonlocal done
        done += 1
        tally = Tally()
        deal = f"tune {deal_seeds.randrange(10**9)}"
        tally.add_deal(played_by, partial(bot, ours, seconds), partial(bot, others, seconds), deal)
        (points,) = tally.margins
        if done % 10 == 0:
            click.echo(f"{done} of {steps} steps; around {describe(ours, others)}")
        return max(-MOST_MARGIN, min(MOST_MARGIN, points))

    found = climb(SHIPPED, margin, steps, random.Random(f"climb {seed}"))
    click.echo(f"found {describe(found)}")
    tally = Tally()
    for number in range(deals):
        ours, shipped = partial(bot, found, seconds), partial(bot, SHIPPED, seconds)
        tally.add_deal(played_by, ours, shipped, f"check {seed} {number}")
    click.echo(f"against {describe(SHIPPED)}: {tally.describe()}")


def bot(settings: Mapping[str, float], seconds: float, seed: int) -> Strong:
    """Return `strong` with these settings. All but the weight of the prior are whole numbers."""
    strong = Strong(seed, f"{seconds:g}s")
    for name, value in settings.items():
        setattr(strong, name, value if name == "prior_weight" else max(1, round(value)))
    return strong


def describe(*sides: Mapping[str, float]) -> str:
    """Return the mean of some settings in words."""
    return ", ".join(
        f"{name} {sum(side[name] for side in sides) / len(sides):.1f}" for name in SHIPPED
    )


if __name__ == "__main__":
    main()
