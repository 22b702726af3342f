"""Fit the weights of evaluations to games.

Usage: `python tools/fit_weights.py --games 100 --seed 1`.

The weights of chances in `carc.base.evaluation.weights` are fitted to what was completed, all of
them to who won, and those of a team in the mist (`carc.mists.estimates.win_weights`) to how far it
came.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from math import log
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from carc import CHANCE, Evaluation, Rules, State
from carc.base.evaluation.weights import WEIGHTS
from carc.base.game.outcome import results
from carc.bots import by_name
from carc.bots.lookahead import Lookahead
from carc.bots.team_search import TeamSearch
from carc.mists import Mists
from carc.mists.estimates.win_estimator import WinEstimator
from carc.mists.estimates.win_weights import WEIGHTS as MISTS_WEIGHTS
from carc.mists.mists_state import NO_MARKER

_KINDS = {"city": ("city", True), "road": ("road", True), "monastery": ("around", False)}
_ROUNDS = 50
# The climb: the step to both sides as a share of a weight, the step for a point of margin, and
# after how many steps it slows down.
_LOOKS = 0.15
_GOES = 0.012
_SLOWER = 400
_DEALS = 2  # per step
_MOST = 60  # points of margin that count at most
# The climb through levels: which levels, team sizes, and how many placements are examined.
_LEVELS = (3, 4, 5, 6)
_TEAMS = (2, 3, 4, 5)
_BROAD = 8


@click.command()
@click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts.")
@click.option(
    "--by",
    type=click.Choice(["chances", "matches", "levels"]),
    default="chances",
    show_default=True,
    help="chances: those of chances, from what is completed. matches: all, from who wins. "
    "levels: those of a team in the mist, levels 3 to 6, for each number of players from 2 to 5.",
)
@click.option("--players", default=2, show_default=True, help="How many play.")
@click.option("--bot", default="greedy", show_default=True, help="Who plays all seats.")
@click.option(
    "--games",
    default=100,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many are played.",
)
@click.option("--seed", default=0, show_default=True, help="Decides the deals and the bots' seeds.")
def main(*, rules: str, by: str, players: int, bot: str, games: int, seed: int) -> None:
    """Play games and print the weights that predict completion best, or that win."""
    if by == "levels":
        _not_with(by, "teams in levels 3 to 6, of 2 to 5", "rules", "players", "bot")
    if by == "matches":
        _not_with(by, "greedy-1 against itself", "bot")
    if by == "levels":
        for name, value in climbed_levels(games, seed).items():
            click.echo(f"{name:16} {value:7.3f}")
        return
    if by == "matches":
        for name, value in climbed(rules, players, games, seed).items():
            click.echo(f"{name:16} {value:6.2f}")
        return
    seen: dict[str, list[tuple[list[float], bool]]] = {kind: [] for kind in _KINDS}
    for number in range(games):
        for kind, signs, completed in watched(rules, players, bot, seed + number):
            seen[kind].append((signs, completed))
    for kind, (weight, fits) in _KINDS.items():
        if not any(completed for _, completed in seen[kind]):
            continue
        rows = np.array([row if fits else row[:3] for row, _ in seen[kind]])
        became = np.array([float(completed) for _, completed in seen[kind]])
        weights = logistic(rows, became)
        parts = ["", "_draws", "_gaps" if fits else "_missing", "_fits"]
        for part, value in zip(parts, weights, strict=False):
            click.echo(f"{weight + part:16} {value:6.2f}")
        click.echo(f"{'':16} {len(became)} seen, {became.mean():.0%} completed")


def _not_with(by: str, plays: str, *names: str) -> None:
    """Refuse options that mean nothing with this choice."""
    ctx = click.get_current_context()
    if given := [
        f"--{name}" for name in names if ctx.get_parameter_source(name) != ParameterSource.DEFAULT
    ]:
        raise click.UsageError(f"--by {by} plays {plays}; leave out {', '.join(given)}")


def _steps(games: int, each: int) -> int:
    """Return how many steps these games allow; refuse fewer than one."""
    if games < each:
        raise click.UsageError(f"--games {games} is not one step of the climb, which takes {each}")
    return games // each


def watched(
    spec: str, players: int, bot: str, seed: int
) -> Iterator[tuple[str, list[float], bool]]:
    """Play a game and watch its incomplete features with followers after each turn.

    Yields:
        The feature's kind, its signs with a leading 1, and whether it was completed later.
    """
    rules = Rules.from_spec(spec, players)
    ask = Evaluation(rules)
    state, deal = rules.start(), rules.deal(seed)
    bots = [by_name(bot, seed * players + seat) for seat in range(players)]
    noted: list[tuple[str, int, list[float]]] = []
    while not state.is_terminal:
        if state.current_player == CHANCE:
            noted.extend(_open(state, ask))
            state.apply(deal.choose(state))
        else:
            state.apply(state.check(bots[state.current_player].choose(state.copy())))
    for kind, feature, signs in noted:
        yield kind, signs, not state.board.is_open(state.board.feature_of(feature))


def _open(state: State, ask: Evaluation) -> Iterator[tuple[str, int, list[float]]]:
    for feature in state.board.occupied_features():
        kind = state.board.kind_of(feature)
        if kind in _KINDS and state.board.is_open(feature):
            draws, gaps, fits = ask.signs(state, feature)
            if fits:
                yield kind, feature, [1.0, draws, gaps, log(fits)]


def logistic(signs: Any, came: Any) -> Any:
    """Return logistic regression weights by Newton's method with a slight ridge.

    Args:
        signs: The features (n x k).
        came: The results, 0 or 1 (n).
    """
    weights = np.zeros(signs.shape[1])
    for _ in range(_ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-signs @ weights))
        bent = (signs.T * (chance * (1.0 - chance))) @ signs + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(bent, signs.T @ (came - chance) - 1e-3 * weights)
    return weights


def climbed(spec: str, players: int, games: int, seed: int) -> dict[str, float]:
    """Return the weights that a climb from `WEIGHTS` reaches in games of `greedy-1`."""
    rules = Rules.from_spec(spec, players)
    deals = random.Random(seed)

    def margin(ours: Mapping[str, float], others: Mapping[str, float]) -> float:
        total = 0
        for _ in range(_DEALS):
            deal = deals.randrange(10**9)
            for seat in range(players):
                results = _match(rules, ours, others, seat, deal)
                best = max(result for at, result in enumerate(results) if at != seat)
                total += max(-_MOST, min(_MOST, results[seat] - best))
        return total / (_DEALS * players)

    steps = _steps(games, _DEALS * players)
    return climb(WEIGHTS, margin, steps, random.Random(f"climb {seed}"))


def climbed_levels(games: int, seed: int) -> dict[str, float]:
    """Return the weights that a climb from those of the mist reaches in games of teams."""
    deals = random.Random(seed)

    def margin(ours: Mapping[str, float], others: Mapping[str, float]) -> float:
        total = 0.0
        for level in _LEVELS:
            players, deal = deals.choice(_TEAMS), deals.randrange(10**9)
            total += _progress(level, players, ours, deal) - _progress(level, players, others, deal)
        return _MOST * total / len(_LEVELS)

    steps = _steps(games, 2 * len(_LEVELS))
    return climb(MISTS_WEIGHTS, margin, steps, random.Random(f"climb {seed}"), least=0.0)


def _progress(level: int, players: int, weights: Mapping[str, float], seed: int) -> float:
    """Return how far a team gets with these weights, from 0 to 1.

    A win counts half, and so does the share of the goal that the markers reach.
    """
    rules = Rules.from_spec(f"mists:{level}", players)
    (mists,) = [e for e in rules.expansions if isinstance(e, Mists)]
    estimator = WinEstimator(mists, rules, dict(weights))
    search = TeamSearch(
        Lookahead(rules, Evaluation(rules)),
        turns=0,
        width=_BROAD,
        playout_width=_BROAD,
        win_chances=[lambda state, chances: [estimator.chance(state)] * len(chances)],
    )
    state, deal = rules.start(), rules.deal(seed)
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
        else:
            state.apply(search.best_action(state))
    goal = mists.level.goal
    team = mists.state_of(state)
    reached = [marker for marker in team.markers if marker != NO_MARKER] or [state.scores[0]]
    return 0.5 * team.won + 0.5 * sum(min(points, goal) for points in reached) / (
        goal * len(reached)
    )


def climb(
    start: Mapping[str, float],
    margin: Callable[[dict[str, float], dict[str, float]], float],
    steps: int,
    rng: random.Random,
    least: float = 0.05,
) -> dict[str, float]:
    """Climb by simultaneous perturbation (SPSA, Spall 1992).

    Args:
        start: The weights to begin with.
        margin: Returns by how much the first weights win against the second.
        steps: How many steps to take.
        rng: Draws the sides to look at.
        least: The smallest step to a side.

    Returns:
        The mean of the weights over the last three quarters of the steps.
    """
    scale = {name: max(abs(value) * _LOOKS, least) for name, value in start.items()}
    at = dict(start)
    mean = dict.fromkeys(start, 0.0)
    counted = 0
    for step in range(steps):
        sides = {name: rng.choice((-1, 1)) * scale[name] for name in start}
        won = margin(
            {name: at[name] + sides[name] for name in start},
            {name: at[name] - sides[name] for name in start},
        )
        pace = _GOES / (1 + step / _SLOWER) ** 0.6
        at = {name: at[name] + pace * won * sides[name] for name in start}
        if step >= steps // 4:
            counted += 1
            mean = {name: mean[name] + (at[name] - mean[name]) / counted for name in start}
    return mean


def _match(
    rules: Rules, ours: Mapping[str, float], others: Mapping[str, float], seat: int, seed: int
) -> list[int]:
    """Return the results of a game of our weights in one seat against others in the rest."""
    lookaheads = [
        Lookahead(rules, Evaluation(rules, ours if at == seat else others))
        for at in range(rules.players)
    ]
    state, deal = rules.start(), rules.deal(seed)
    while not state.is_terminal:
        player = state.current_player
        if player == CHANCE:
            state.apply(deal.choose(state))
        elif state.count_actions() == 1:
            state.apply(state.legal_actions()[0])
        else:
            choices = lookaheads[player].action_values(state)
            state.apply(max(choices, key=lambda choice: choice.values[player]).action)
    return results(state)


if __name__ == "__main__":
    main()
