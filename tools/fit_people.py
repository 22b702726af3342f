"""Fit the weights of `people` to games of people, and say how often it finds their turns.

Usage: `python tools/fit_people.py GAMES --out carc/bots/people_weights.txt`. GAMES are files or
folders of base games for two, in any form that `carc import` reads. Each part of the games is
predicted by weights that were fitted to the others; how strongly these are drawn towards 0 is
chosen among the others, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from carc import CHANCE, Match, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation, write_weights
from carc.base.turn.actions import PASS, Action
from carc.bots.lookahead import Lookahead, same_rotations
from carc.bots.people import WIDTH
from carc.bots.turn_features import NAMES, TurnFeatures
from carc.commands.game_files import read_games
from carc.match.match import initial_state

# Ridges on the weight of each feature, scaled to its standard deviation within turns, of which the
# likeliest is chosen. There is none on that of the points, so that turns are told apart first by
# what `greedy` expects of them.
RIDGES = (100.0, 200.0, 400.0)
FREE = "points"
# People's odd turns hardly count: a turn with this chance counts half.
ODD = 0.05
STEPS = 15  # of Newton's method
FOLDS, INNER_FOLDS = 6, 3
RESAMPLES = 2000  # of the games, for intervals


@attrs.frozen
class Decision:
    """A turn of a game.

    Attributes:
        game: The number of the game.
        rows: The features of the possible turns (n x len(NAMES)).
        played: Which was played.
        placed: Which have the placement that was played.
        shown: Which `people` looks at.
    """

    game: int
    rows: Any
    played: int
    placed: Any
    shown: Any


def decisions(match: Match, game: int) -> Iterator[Decision]:
    """Go through the turns of a game."""
    rules = Rules.from_spec(match.rules, match.players)
    features = TurnFeatures(rules, Lookahead(rules, best_evaluation(rules)))
    state, actions = initial_state(match, rules), iter(match.actions)
    for text in actions:
        action = state.check(rules.parse(text))
        if state.current_player != CHANCE and state.step.name == "place":
            before = state.copy()
            state.apply(action)
            claim: Action | None = None
            if state.step.name == "claim":
                claim = state.check(rules.parse(next(actions)))
                state.apply(claim)
            yield described(before, action, claim, features, game)
        else:
            state.apply(action)


def described(
    state: State, placement: Action, claim: Action | None, features: TurnFeatures, game: int
) -> Decision:
    """Return the turns that a position has, and which of them was played."""
    same = same_rotations(state.rules.catalogue, state.tile_in_hand)

    def looks(action: Any) -> tuple[int, int]:
        return action.cell, same[action.rotation]

    player = state.current_player
    features.look(state)
    rows: list[list[float]] = []
    played, placed, shown = -1, [], []
    values = sorted(features.lookahead.action_values(state), key=lambda each: -each.values[player])
    for at, each in enumerate(values):
        is_placed = looks(each.action) == looks(placement)
        if at >= WIDTH and not is_placed:
            continue
        for turn in features.turns(state, placement if is_placed else each.action):
            if is_placed and str(turn.claim or PASS) == str(claim or PASS):
                played = len(rows)
            rows.append(turn.row)
            placed.append(is_placed)
            shown.append(at < WIDTH)
    return Decision(game, np.array(rows), played, np.array(placed), np.array(shown))


def fitted(turns: Sequence[Decision], ridge: Any) -> Any:
    """Return the weights of a conditional logit, by Newton's method with a ridge.

    Args:
        turns: The turns, with features that are scaled.
        ridge: That of each feature.
    """
    rows = np.concatenate([turn.rows for turn in turns])
    counts = np.array([len(turn.rows) for turn in turns])
    starts = np.cumsum(counts) - counts
    each = np.repeat(np.arange(len(turns)), counts)
    played = starts + np.array([turn.played for turn in turns])
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        sums = rows @ weights
        chances = np.exp(sums - np.maximum.reduceat(sums, starts)[each])
        chances /= np.add.reduceat(chances, starts)[each]
        usual = chances[played] / (chances[played] + ODD)
        means = np.add.reduceat(rows * chances[:, None], starts)
        slope = usual @ (rows[played] - means) - ridge * weights
        bent = rows.T @ (rows * (chances * usual[each])[:, None])
        bent -= means.T @ (means * usual[:, None])
        step = np.linalg.solve(bent + np.diag(ridge), slope)
        step *= min(1.0, 3.0 / max(np.abs(rows @ step).max(), 1e-9))
        weights += step
        if np.abs(step).max() < 5e-3:
            break
    return weights


def likelihood(turn: Decision, weights: Any) -> float:
    """Return the logarithm of the chance of the turn that was played."""
    sums = turn.rows @ weights
    return float(sums[turn.played] - sums.max() - np.log(np.exp(sums - sums.max()).sum()))


def ridge_of(size: float) -> Any:
    """Return the ridge of each feature."""
    return np.array([0.0 if name == FREE else size for name in NAMES])


def folds(turns: Sequence[Decision], count: int) -> Iterator[tuple[list[Decision], list[int]]]:
    """Yield, for each part of the games, the turns of the others and the indices of its own."""
    games = np.array([turn.game for turn in turns])
    numbers = np.unique(games)
    parts = np.random.default_rng(0).permutation(len(numbers)) % count
    part = parts[np.searchsorted(numbers, games)]
    for fold in range(min(count, len(numbers)) if len(numbers) > 1 else 0):
        own = (part == fold).tolist()
        others = [turn for turn, left_out in zip(turns, own, strict=True) if not left_out]
        yield others, [at for at, left_out in enumerate(own) if left_out]


def best_fit(turns: Sequence[Decision]) -> Any:
    """Return the weights with the ridge that predicts parts of the games best from the others."""
    told = dict.fromkeys(RIDGES, 0.0)
    for others, left_out in folds(turns, INNER_FOLDS):
        for size in RIDGES:
            weights = fitted(others, ridge_of(size))
            told[size] += sum(likelihood(turns[at], weights) for at in left_out)
    return fitted(turns, ridge_of(max(told, key=lambda size: told[size])))


def found(turn: Decision, weights: Any) -> tuple[float, float]:
    """Return how likely `people` finds the placement, and the whole turn."""
    sums = np.where(turn.shown, turn.rows @ weights, -np.inf)
    best = sums >= sums.max() - 1e-9
    return float(best[turn.placed].sum() / best.sum()), float(best[turn.played] / best.sum())


def interval(values: Any, games: Any) -> str:
    """Return the mean of values of turns, with a 95 % interval by resampling games."""
    rng = np.random.default_rng(0)
    numbers = np.unique(games)
    sums = np.array([values[games == number].sum() for number in numbers])
    counts = np.array([(games == number).sum() for number in numbers])
    drawn = rng.integers(len(numbers), size=(RESAMPLES, len(numbers)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    low, high = np.percentile(means, (2.5, 97.5))
    return f"{values.mean():.1%} [{100 * low:.1f}, {100 * high:.1f}]"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, print how often the turns of the games left out are found, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, help="where to write the weights")
    options = parser.parse_args(arguments)
    matches = [game.match for _, game in read_games(options.games)]
    if len(matches) < 2:
        parser.error("at least two games are needed: one is predicted from the others")
    turns = [turn for game, match in enumerate(matches) for turn in decisions(match, game)]
    spread = np.concatenate([turn.rows - turn.rows.mean(0) for turn in turns])
    scale = np.maximum(spread.std(0), 1e-6)
    scaled = [attrs.evolve(turn, rows=turn.rows / scale) for turn in turns]
    games = np.array([turn.game for turn in turns])
    hits = np.zeros((len(turns), 2))
    for others, left_out in folds(scaled, FOLDS):
        weights = best_fit(others)
        for at in left_out:
            hits[at] = found(scaled[at], weights)
    said = [
        f"{len(matches)} games, {len(turns)} turns; of games that it was not fitted to, it finds",
        f"the placement in {interval(hits[:, 0], games)},"
        f" the turn in {interval(hits[:, 1], games)}",
    ]
    print("\n".join(said))
    if options.out:
        weights = best_fit(scaled) / scale
        table = {name: [float(each)] for name, each in zip(NAMES, weights, strict=True)}
        options.out.write_text(write_weights(table, ["python tools/fit_people.py", *said]), "utf-8")


if __name__ == "__main__":
    main()
