"""Draw what a training of `train_evaluation.py` achieved.

    python tools/plot_training.py learned --rules base --deals 200

On the left: how far off the weights of a round were in games that they had not seen yet, divided by
how far off the weights before were. On the right: how often `greedy` with the weights of each round
comes in ahead of `greedy` with those of the start, on mirrored deals. The drawing is `training.svg`
in the folder.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter
from measure_tables import Tally
from plots import save_svg
from train_evaluation import best_action, lookahead_by

from carc import Action, Rules, State
from carc.base.evaluation.learned_weights import read_weights
from carc.bots.lookahead import Lookahead


@click.command(context_settings={"show_default": True})
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--rules", default="base", help="Rules, such as base+ghosts.")
@click.option("--players", default=2, type=click.IntRange(2, 6), help="How many play.")
@click.option("--deals", default=200, type=click.IntRange(min=2), help="Deals that a round plays.")
@click.option("--seed", default=0, help="Decides the deals.")
def main(*, folder: Path, rules: str, players: int, deals: int, seed: int) -> None:
    """Play the weights of each round against those of the start and draw the training."""
    count = len(list(folder.glob("round-*.txt"))) - 1
    if count < 1:
        raise click.UsageError(f"{folder} holds no round of a training")
    played_by = Rules.from_spec(rules, players)
    start, *rounds = [
        partial(ByWeights, lookahead_by(played_by, read_weights(file.read_text(encoding="utf-8"))))
        for file in (folder / f"round-{number}.txt" for number in range(count + 1))
    ]
    tallies: list[Tally] = []
    for number, one in enumerate(rounds, start=1):
        tallies.append(Tally())
        for deal in range(deals):
            tallies[-1].add_deal(played_by, one, start, f"plot {seed} {deal}")
        click.echo(f"round {number} against the start: {tallies[-1].describe()}")
    curves: list[Any] = []
    for number in range(1, count + 1):
        with np.load(folder / f"round-{number}.npz") as kept:
            curves.append(kept["curve"])
    drawing = folder / "training.svg"
    save_svg(draw(curves, tallies, 1 / players), drawing)
    click.echo(drawing)


class ByWeights:
    """Plays what looks best by a lookahead."""

    def __init__(self, lookahead: Lookahead, _seed: int) -> None:
        """Use a lookahead; nothing is left to chance."""
        self._lookahead = lookahead

    def choose(self, state: State) -> Action:
        """Return the action that looks best."""
        return best_action(self._lookahead, state)


def draw(curves: list[Any], tallies: list[Tally], equal: float) -> Figure:
    """Return the drawing.

    Args:
        curves: For each round, see `training_sums.Sums.curve`.
        tallies: For each round, the games against the start.
        equal: The share of games ahead if both are equally strong.
    """
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    errors, strength = figure.subplots(1, 2)
    for number, curve in enumerate(curves, start=1):
        games, before, fitted = curve[1:].T  # nothing is fitted yet in the first
        errors.plot(games, np.cumsum(fitted) / np.cumsum(before), label=f"round {number}")
    errors.axhline(1, color="grey", linestyle="--")
    errors.set(xlabel="games fitted", ylabel="error in the next games,\nby that before the round")
    errors.set_xscale("log")
    errors.xaxis.set_major_formatter(ScalarFormatter())
    errors.legend()
    rounds = range(1, len(tallies) + 1)
    shares = [tally.share() for tally in tallies]
    strength.errorbar(rounds, *zip(*shares, strict=True), fmt="o", capsize=4)
    strength.axhline(equal, color="grey", linestyle="--")
    strength.set(xlabel="round", ylabel="share of games ahead of the start", xticks=list(rounds))
    return figure


if __name__ == "__main__":
    main()
