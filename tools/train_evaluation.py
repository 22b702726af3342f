"""Fit the weights of `LearnedEvaluation` to the results of games that it plays against itself.

    python tools/train_evaluation.py --games 4000 --seed 0 --out learned

A round plays games by the weights of the round before and fits new weights by ridge regression: the
final margin of each position, from what describes it. The first round begins with the hand-made
weights. What was done is kept in the folder `--out`; the same command continues there.
"""

from __future__ import annotations

import random
from pathlib import Path
from time import process_time
from typing import Any

import click
import numpy as np

from carc import CHANCE, Rules, State
from carc.base.evaluation.descriptors import DESCRIPTORS, KNOTS, phase
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import read_weights, write_weights
from carc.base.evaluation.weights import WEIGHTS
from carc.base.game.outcome import results
from carc.bots.lookahead import TURN_POINTS, Lookahead

SIZE = len(DESCRIPTORS) * len(KNOTS)
GAMES_PER_SAVE = 200
EXPLORED = 0.06  # the share of actions that are taken at random
POINTS = ("complete", "incomplete")
# How strongly the weights are held to those of the start: by the square of their descriptor, and in
# any case, for what hardly ever occurs.
RIDGE, RIDGE_AT_LEAST, HELD = 0.1, 300.0, 1e9
# A point counts as a point, whatever it comes from: expansions add to these and subtract from them.
FIXED = [f"{kind}_{when}" for kind in ("city", "road", "around") for when in POINTS]


@click.command()
@click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts.")
@click.option("--rounds", default=1, show_default=True, type=click.IntRange(min=1))
@click.option(
    "--games", default=4000, show_default=True, type=click.IntRange(min=1), help="In each round."
)
@click.option(
    "--seed", default=0, show_default=True, help="Decides the deals and what is explored."
)
@click.option(
    "--out",
    default="learned",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the weights of each round.",
)
def main(*, rules: str, rounds: int, games: int, seed: int, out: Path) -> None:
    """Play two-player games and fit the weights, round by round."""
    out.mkdir(parents=True, exist_ok=True)
    weights = hand_made()
    for number in range(1, rounds + 1):
        file = out / f"round-{number}.txt"
        if not file.exists():
            sums = collect(
                Rules.from_spec(rules, 2), weights, games, seed + (number - 1) * games, file
            )
            command = (
                f"python tools/train_evaluation.py --rules {rules} --rounds {rounds}"
                f" --games {games} --seed {seed}"
            )
            text = write_weights(fitted(sums), [command, f"round {number}: {sums.describe()}"])
            file.write_text(text, encoding="utf-8")
        weights = read_weights(file.read_text(encoding="utf-8"))
        click.echo(f"round {number} of {rounds}: {file}")


class Sums:
    """The sums over positions that a regression needs.

    Attributes:
        games: How many games were played.
        positions: How many positions they had.
        seconds: The CPU time they took.
        squares: The products of descriptors (n x n).
        products: The products of descriptors and results (n).
        results: The sum of the squared results.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.games = self.positions = 0
        self.seconds = self.results = 0.0
        self.squares: Any = np.zeros((SIZE, SIZE))
        self.products: Any = np.zeros(SIZE)

    def add(self, rows: Any, became: Any) -> None:
        """Add the positions of a game."""
        self.games += 1
        self.positions += len(became)
        self.squares += rows.T @ rows
        self.products += rows.T @ became
        self.results += float(became @ became)

    def error(self, weights: Any) -> float:
        """Return the root of the mean squared error of the margin that weights predict."""
        squared = self.results - 2 * weights @ self.products + weights @ self.squares @ weights
        return float(np.sqrt(squared / self.positions))

    def describe(self) -> str:
        """Say what was played."""
        before, after = self.error(as_vector(hand_made())), self.error(solved(self))
        return (
            f"{self.games} games, {self.positions} positions, {self.seconds:.0f} s of CPU time;"
            f" error of the margin {after:.2f} points, with the hand-made weights {before:.2f}"
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
    rules: Rules, weights: dict[str, list[float]], games: int, seed: int, file: Path
) -> Sums:
    """Play the games of a round, or those that an earlier call did not finish."""
    sums, kept = Sums(), file.with_suffix(".npz")
    if kept.exists():
        sums.load(kept)
    evaluation = LearnedEvaluation(rules, weights)
    lookahead = Lookahead(rules, evaluation)
    begun = process_time()
    while sums.games < games:
        sums.add(*watched(rules, lookahead, evaluation, seed + sums.games))
        if sums.games % GAMES_PER_SAVE == 0 or sums.games == games:
            sums.seconds += process_time() - begun
            begun = process_time()
            sums.save(kept)
            click.echo(f"{file.stem}: {sums.games} of {games} games, {sums.seconds:.0f} s")
    return sums


def watched(
    rules: Rules, lookahead: Lookahead, evaluation: LearnedEvaluation, seed: int
) -> tuple[Any, Any]:
    """Play a game in which both players sometimes explore.

    Returns:
        For the position after each turn, the first player's descriptors less the second's, by knot
        (n x `SIZE`); and the first player's final margin, less what is certain (n).
    """
    rng = random.Random(f"x{seed}")
    state, deal = rules.start(), rules.deal(f"t{seed}")
    rows: list[Any] = []
    certain: list[float] = []
    while not state.is_terminal:
        player = state.current_player
        if player == CHANCE:
            if state.step.name == "draw" and state.tiles_left:
                (ours, theirs), sure = evaluation.descriptors(state)
                shares = np.array(phase(state.tiles_left / rules.players))
                rows.append(np.outer(np.subtract(ours, theirs), shares).ravel())
                move = TURN_POINTS if state.active_player == 0 else -TURN_POINTS
                certain.append(sure[0] - sure[1] + move)
            state.apply(deal.choose(state))
        elif rng.random() < EXPLORED:
            state.apply(rng.choice(state.legal_actions()))
        else:
            choose(lookahead, state)
    final = results(state)
    return np.array(rows), final[0] - final[1] - np.array(certain)


def choose(lookahead: Lookahead, state: State) -> None:
    """Apply the action that looks best."""
    if state.count_actions() == 1:
        state.apply(state.action_at(0))
        return
    player = state.current_player
    choices = lookahead.action_values(state)
    state.apply(max(choices, key=lambda choice: choice.values[player]).action)


def solved(sums: Sums) -> Any:
    """Return the weights by ridge regression, as a vector."""
    start = as_vector(hand_made())
    held = RIDGE * np.diag(sums.squares) + RIDGE_AT_LEAST
    for name in FIXED:
        at = DESCRIPTORS.index(name) * len(KNOTS)
        held[at : at + len(KNOTS)] = HELD
    return start + np.linalg.solve(
        sums.squares + np.diag(held), sums.products - sums.squares @ start
    )


def fitted(sums: Sums) -> dict[str, list[float]]:
    """Return the weights by ridge regression."""
    by_knot = solved(sums).reshape(len(DESCRIPTORS), len(KNOTS))
    return {name: [float(w) for w in by_knot[at]] for at, name in enumerate(DESCRIPTORS)}


def as_vector(weights: dict[str, list[float]]) -> Any:
    """Return weights in the order of `DESCRIPTORS` and `KNOTS`."""
    return np.array([weights[name] for name in DESCRIPTORS]).ravel()


def hand_made() -> dict[str, list[float]]:
    """Return the weights with which `LearnedEvaluation` is nearly `Evaluation`."""
    w = WEIGHTS
    early = np.array([knot / (knot + w["spare_lasts"]) for knot in KNOTS])
    whole = np.ones(len(KNOTS))
    spare = [w["spare"] * w["spare_falls"] ** n for n in range(6)]
    kept = whole - w["field_risk"] * early
    chosen = {
        **dict.fromkeys(FIXED, whole),
        "city_grows": w["city_grows"] * whole,
        "road_grows": w["road_grows"] * whole,
        "around_missing": w["around_grows"] * early,
        "field_cities": kept,
        "field_open_cities": kept,
        "field_1": w["field_grows"] * early * early,
        **{f"follower_{n + 1}": (spare[n] - spare[5]) * early for n in range(5)},
        "followers": spare[5] * early,
        "returning": w["spare_back"] * spare[5] * early,
    }  # fmt: skip
    return {name: [float(w) for w in chosen.get(name, 0.0 * whole)] for name in DESCRIPTORS}


if __name__ == "__main__":
    main()
