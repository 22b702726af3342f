"""`carc fit`: how likely features are completed, learnt from games; the chances of `carc.base.evaluation.WEIGHTS`."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import Any

import click
import numpy as np

from carc import CHANCE, Evaluation, Rules, State
from carc.bots import by_name

_KINDS = {"city": ("city", True), "road": ("road", True), "monastery": ("around", False)}
_ROUNDS = 50


@click.command("fit")
@click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts.")
@click.option("--players", default=2, show_default=True, help="How many play.")
@click.option("--bot", default="greedy", show_default=True, help="Who plays all seats.")
@click.option("--games", default=100, show_default=True, help="How many are played.")
@click.option("--seed", default=0, show_default=True, help="Decides the deals and the bots' seeds.")
def fit_command(*, rules: str, players: int, bot: str, games: int, seed: int) -> None:
    """Play games and print the weights that tell best, at the end of each turn, what will be completed."""
    seen: dict[str, list[tuple[list[float], bool]]] = {kind: [] for kind in _KINDS}
    for number in range(games):
        for kind, signs, completed in watched(rules, players, bot, seed + number):
            seen[kind].append((signs, completed))
    for kind, (weight, fits) in _KINDS.items():
        if not any(completed for _, completed in seen[kind]):
            continue
        rows = np.array([row if fits else row[:3] for row, _ in seen[kind]])
        became = np.array([float(completed) for _, completed in seen[kind]])
        found = logistic(rows, became)
        parts = ["", "_draws", "_gaps" if fits else "_missing", "_fits"]
        for part, value in zip(parts, found, strict=False):
            click.echo(f"{weight + part:16} {value:6.2f}")
        click.echo(f"{'':16} {len(became)} seen, {became.mean():.0%} completed")


def watched(
    spec: str, players: int, bot: str, seed: int
) -> Iterator[tuple[str, list[float], bool]]:
    """Play a game: of each incomplete feature with followers after each turn its kind, 1 and its signs, and what became of it."""
    rules = Rules.named(spec, players)
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
        yield kind, signs, not state.is_open(state.feature_of(feature))


def _open(state: State, ask: Evaluation) -> Iterator[tuple[str, int, list[float]]]:
    for feature in state.occupied():
        kind = state.kind_of(feature)
        if kind in _KINDS and state.is_open(feature):
            draws, gaps, fits = ask.signs(state, feature)
            if fits:
                yield kind, feature, [1.0, draws, gaps, log(fits)]


def logistic(signs: Any, came: Any) -> Any:
    """The weights of signs (n x k) under which what came (n, 0 or 1) is likeliest, by Newton's steps, hardly held back."""
    weights = np.zeros(signs.shape[1])
    for _ in range(_ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-signs @ weights))
        bent = (signs.T * (chance * (1.0 - chance))) @ signs + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(bent, signs.T @ (came - chance) - 1e-3 * weights)
    return weights


COMMANDS: list[click.Command] = [fit_command]
