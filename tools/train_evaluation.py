"""Fit the weights of `LearnedEvaluation` to games that it plays against itself.

    python tools/train_evaluation.py --games 4000 --rounds 3 --compared 300 --seed 0 --out learned

The first round plays by the hand-made weights and fits new ones by ridge regression: the final
margin of each position, from what describes it. Each later round plays by the weights of the round
before. It compares ways to play a turn by playouts, and fits how much better one is than another.
What was done is kept in the folder `--out`; the same command continues there. Afterwards
`python tools/plot_training.py learned` draws how the error fell and how strong the weights became.

`--start` begins with weights from a file, and compares lines from the first round on. So the
shipped weights are fitted to other rules or more players:

    python tools/train_evaluation.py --players 3 --rounds 1 --compared 150 --seed 500000 \
        --start carc/base/evaluation/learned_weights_2_players.txt --out three

The margin is a player's points less the mean of the others'.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import click
import numpy as np
from training_sums import Sums, collect

from carc import CHANCE, Action, Rules, State
from carc.base.evaluation.descriptors import DESCRIPTORS, KNOTS, phase
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import read_weights, write_weights
from carc.base.evaluation.weights import WEIGHTS
from carc.base.game.outcome import results
from carc.bots.lookahead import TURN_POINTS, Lookahead
from carc.bots.mcts_playouts import Line, Playouts

COUNT = click.IntRange(min=1)
GAMES_PER_SAVE, COMPARED_PER_SAVE = 200, 10
EXPLORED = 0.06  # the share of actions that are taken at random
POINTS = ("complete", "incomplete")
# How strongly the weights are held to those of the start: by the square of their descriptor, and in
# any case, for what hardly ever occurs. Results are mostly luck, comparisons are not.
RIDGE, RIDGE_AT_LEAST = 0.1, 300.0
COMPARED_RIDGE, COMPARED_AT_LEAST = 0.01, 10.0
HELD = 1e9  # what is not fitted
# In half of the turns of a game lines are compared: the best and some others, by playouts.
COMPARED_TURNS, BEST, OTHERS, AMONG = 0.5, 8, 5, 60
PLAYOUTS, PLAYOUT_TURNS, PLACEMENTS = 8, 8, 8
# A point counts as a point, whatever it comes from: expansions add to these and subtract from them.
FIXED = [f"{kind}_{when}" for kind in ("city", "road", "around") for when in POINTS]


@click.command(context_settings={"show_default": True})
@click.option("--rules", default="base", help="Rules, such as base+ghosts.")
@click.option("--players", default=2, type=click.IntRange(2, 6), help="How many play.")
@click.option("--rounds", default=3, type=COUNT)
@click.option("--games", default=4000, type=COUNT, help="In the first round.")
@click.option("--compared", default=300, type=COUNT, help="Games in each later round.")
@click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file of weights to begin with.  [default: hand-made weights]",
)
@click.option("--seed", default=0, help="Decides the deals and what is explored.")
@click.option("--jobs", default=1, type=COUNT, help="Processes.")
@click.option(
    "--out",
    default="learned",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the weights of each round.",
)
def main(
    *,
    rules: str,
    players: int,
    rounds: int,
    games: int,
    compared: int,
    start: Path | None,
    seed: int,
    jobs: int,
    out: Path,
) -> None:
    """Play games and fit the weights, round by round."""
    out.mkdir(parents=True, exist_ok=True)
    weights = read_weights(start.read_text(encoding="utf-8")) if start else hand_made()
    (out / "round-0.txt").write_text(write_weights(weights, ["The start."]), encoding="utf-8")
    for number in range(1, rounds + 1):
        file = out / f"round-{number}.txt"
        if not file.exists():
            first = number == 1 and start is None
            lookahead = lookahead_by(Rules.from_spec(rules, players), weights)
            count = games if first else compared
            weights = weights_for(lookahead)
            before = as_vector(weights)
            held = (RIDGE, RIDGE_AT_LEAST) if first else (COMPARED_RIDGE, COMPARED_AT_LEAST)
            fit = partial(solved, start=before, ridge=held[0], least=held[1])
            sums = collect(
                partial(final_margins if first else compared_lines, lookahead),
                fit,
                range(seed + (number - 1) * games, seed + (number - 1) * games + count),
                size=len(before),
                file=file,
                per_save=GAMES_PER_SAVE if first else COMPARED_PER_SAVE,
                jobs=jobs,
            )
            fitted = fit(sums)
            command = (
                f"python tools/train_evaluation.py --rules {rules} --players {players}"
                f" --games {games} --rounds {rounds} --compared {compared} --seed {seed}"
                + (f" --start {start.name}" if start else "")
            )
            said = f"round {number}: {sums.describe(before, fitted)}"
            turns = ", ".join([f"{knot:g}" for knot in KNOTS])
            columns = f"By descriptor: the weights with {turns} turns left to each player."
            text = write_weights(by_name(fitted, weights), [command, said, columns])
            file.write_text(text, encoding="utf-8")
        weights = read_weights(file.read_text(encoding="utf-8"))
        click.echo(f"round {number} of {rounds}: {file}")


def lookahead_by(rules: Rules, weights: dict[str, list[float]]) -> Lookahead:
    """Return a lookahead that goes by weights."""
    return Lookahead(rules, LearnedEvaluation(rules, weights))


def weights_for(lookahead: Lookahead) -> dict[str, list[float]]:
    """Return the weights of a lookahead, those of the expansions included."""
    evaluation = lookahead.evaluation
    assert isinstance(evaluation, LearnedEvaluation)
    return {name: list(weights) for name, weights in evaluation.weights.items()}


def final_margins(lookahead: Lookahead, seed: int) -> tuple[Any, Any, float]:
    """Play a game in which both players sometimes explore, and watch its positions.

    Returns:
        For the position after each turn, the first player's descriptors less the others', by knot
        (n x weights); the first player's final margin, less what is certain (n); and the CPU time.
    """
    begun = process_time()
    rows: list[Any] = []
    certain: list[float] = []

    def watch(state: State) -> None:
        row, sure = described(lookahead, state, 0)
        turn = [0.0] * lookahead.rules.players
        turn[state.active_player] = TURN_POINTS
        rows.append(row)
        certain.append(sure + lead(turn, 0))

    final = results(played(lookahead, seed, random.Random(f"x{seed}"), after_turn=watch))
    became = lead(final, 0) - np.array(certain)
    return np.array(rows), became, process_time() - begun


def compared_lines(lookahead: Lookahead, seed: int) -> tuple[Any, Any, float]:
    """Play a game in which both players sometimes explore, and compare lines in half of the turns.

    Returns:
        For the position after each line, the player's descriptors less the others', by knot, less
        their mean over the lines of the turn (n x weights); the player's margin after some turns of
        playouts, less what is certain, less its mean (n); and the CPU time.
    """
    begun = process_time()
    rng = random.Random(f"x{seed}")
    playouts = Playouts(
        lookahead,
        width=24,
        max_lines=80,
        turns=PLAYOUT_TURNS,
        max_placements=PLACEMENTS,
        prior_weight=1.0,
    )
    rows: list[Any] = [np.zeros((0, len(weights_for(lookahead)) * len(KNOTS)))]
    margins: list[Any] = [np.zeros(0)]

    def watch(state: State) -> None:
        if not state.tiles_left or rng.random() >= COMPARED_TURNS:
            return
        player = state.current_player
        lines = playouts.start(state, rng.getrandbits(32))
        others = lines[BEST:AMONG]
        lines = lines[:BEST] + rng.sample(others, min(OTHERS, len(others)))
        after = [described(lookahead, line.after, player) for line in lines]
        reached = [mean_margin(playouts, line, player) for line in lines]
        described_by = np.array([row for row, _ in after])
        gained = np.subtract(reached, [sure for _, sure in after])
        rows.append(described_by - described_by.mean(axis=0))
        margins.append(gained - gained.mean())

    played(lookahead, seed, rng, before_placement=watch)
    return np.concatenate(rows), np.concatenate(margins), process_time() - begun


def mean_margin(playouts: Playouts, line: Line, player: int) -> float:
    """Return by how much a player leads on average after playouts of a line."""
    total = 0.0
    for number in range(PLAYOUTS):
        end = playouts.end_of_playout(line.after, number)
        total += lead(playouts.lookahead.expected_points(end), player)
    return total / PLAYOUTS


def described(lookahead: Lookahead, state: State, player: int) -> tuple[Any, float]:
    """Return a player's descriptors less the others', by knot, and likewise what is certain."""
    evaluation = lookahead.evaluation
    assert isinstance(evaluation, LearnedEvaluation)
    rows, sure = evaluation.descriptors(state)
    shares = np.array(phase(state.tiles_left / lookahead.rules.players))
    players = lookahead.rules.players
    difference = lead(np.array(rows[:players]), player)
    return np.outer(difference, shares).ravel(), float(lead(sure[:players], player))


def lead(values: Any, player: int) -> Any:
    """Return what a player has less the mean of what the others have (one item for each player)."""
    return values[player] - np.mean(np.delete(values, player, axis=0), axis=0)


def played(
    lookahead: Lookahead,
    seed: int,
    rng: random.Random,
    *,
    after_turn: Callable[[State], None] | None = None,
    before_placement: Callable[[State], None] | None = None,
) -> State:
    """Play a game in which some actions are taken at random, and return its end."""
    rules = lookahead.rules
    state, deal = rules.start(), rules.deal(f"t{seed}")
    while not state.is_terminal:
        if state.current_player == CHANCE:
            if after_turn is not None and state.step.name == "draw" and state.tiles_left:
                after_turn(state)
            state.apply(deal.choose(state))
            continue
        if before_placement is not None and state.step.name == "place":
            before_placement(state)
        if rng.random() < EXPLORED:
            state.apply(rng.choice(state.legal_actions()))
        else:
            state.apply(best_action(lookahead, state))
    return state


def best_action(lookahead: Lookahead, state: State) -> Action:
    """Return the action that looks best."""
    if state.count_actions() == 1:
        return state.action_at(0)
    player = state.current_player
    choices = lookahead.action_values(state)
    return max(choices, key=lambda choice: choice.values[player]).action


def solved(sums: Sums, start: Any, ridge: float, least: float) -> Any:
    """Return the weights by ridge regression, as a vector.

    Args:
        sums: The sums over positions.
        start: The weights that they are held to.
        ridge: How strongly, as a share of the square of their descriptor.
        least: How strongly at least.
    """
    held = ridge * np.diag(sums.squares) + least
    for name in FIXED:
        at = DESCRIPTORS.index(name) * len(KNOTS)
        held[at : at + len(KNOTS)] = HELD
    return start + np.linalg.solve(
        sums.squares + np.diag(held), sums.products - sums.squares @ start
    )


def by_name(vector: Any, names: Iterable[str]) -> dict[str, list[float]]:
    """Return the weights of each descriptor."""
    rows = vector.reshape(-1, len(KNOTS))
    return {name: [float(w) for w in row] for name, row in zip(names, rows, strict=True)}


def as_vector(weights: dict[str, list[float]]) -> Any:
    """Return weights in the order of their names and of `KNOTS`."""
    return np.array(list(weights.values())).ravel()


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
