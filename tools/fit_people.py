"""Fit the weights of `people` to games of people, and say how often it finds their turns.

Usage: `python tools/fit_people.py GAMES --out carc/bots/people_weights.txt`. GAMES are files or
folders of base games for two, in any form that `carc import` reads. Each part of the games is
predicted by weights that were fitted to the others.
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
from carc.base.game.actions import PASS, Action
from carc.bots.lookahead import Lookahead, same_rotations
from carc.bots.people import WIDTH
from carc.bots.turn_features import NAMES, TurnFeatures
from carc.commands.game_files import read_games
from carc.match.match import initial_state

# On the weight of each feature, scaled to its standard deviation within turns; none on that of the
# points, so that turns are told apart first by what `greedy` expects of them.
RIDGE = np.array([0.1 if name == "points" else 200.0 for name in NAMES])
# People's odd turns hardly count: a turn with this chance counts half.
ODD = 0.05
STEPS = 15  # of Newton's method
FOLDS = 6
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


def fitted(turns: Sequence[Decision], start: Any) -> Any:
    """Return the weights of a conditional logit, by Newton's method with a ridge.

    Args:
        turns: The turns, with features that are scaled.
        start: The weights to begin with.
    """
    weights = start.copy()
    size = max(len(turn.rows) for turn in turns)
    rows = np.zeros((len(turns), size, len(weights)), np.float32)
    missing = np.full((len(turns), size), -np.inf)
    for at, turn in enumerate(turns):
        rows[at, : len(turn.rows)] = turn.rows
        missing[at, : len(turn.rows)] = 0.0
    each = np.arange(len(turns))
    played = np.array([turn.played for turn in turns])
    for _ in range(STEPS):
        sums = rows @ weights + missing
        chances = np.exp(sums - sums.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        counts = chances[each, played]
        counts = counts / (counts + ODD)
        means = np.einsum("tk,tkf->tf", chances, rows)
        slope = counts @ (rows[each, played] - means) - RIDGE * weights
        flat = rows.reshape(-1, len(weights))
        weighted = flat * (chances * counts[:, None]).reshape(-1, 1)
        bent = flat.T @ weighted - means.T @ (means * counts[:, None])
        step = np.linalg.solve(bent + np.diag(RIDGE), slope)
        step *= min(1.0, 3.0 / max(np.abs(flat @ step).max(), 1e-9))
        weights = weights + step
        if np.abs(step).max() < 5e-3:
            break
    return weights


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
    turns = [turn for game, match in enumerate(matches) for turn in decisions(match, game)]
    spread = np.concatenate([turn.rows - turn.rows.mean(0) for turn in turns])
    scale = np.maximum(spread.std(0), 1e-6)
    scaled = [attrs.evolve(turn, rows=turn.rows / scale) for turn in turns]
    games = np.array([turn.game for turn in turns])
    parts = np.random.default_rng(0).permutation(len(matches)) % FOLDS
    hits = np.zeros((len(turns), 2))
    for part in range(min(FOLDS, len(matches))):
        others = [turn for turn in scaled if parts[turn.game] != part]
        weights = fitted(others, np.zeros(len(NAMES)))
        for at in np.flatnonzero(parts[games] == part):
            hits[at] = found(scaled[at], weights)
    said = [
        f"{len(matches)} games, {len(turns)} turns; of games that it was not fitted to, it finds",
        f"the placement in {interval(hits[:, 0], games)},"
        f" the turn in {interval(hits[:, 1], games)}",
    ]
    print("\n".join(said))
    if options.out:
        weights = fitted(scaled, np.zeros(len(NAMES))) / scale
        table = {name: [float(each)] for name, each in zip(NAMES, weights, strict=True)}
        options.out.write_text(write_weights(table, ["python tools/fit_people.py", *said]), "utf-8")


if __name__ == "__main__":
    main()
