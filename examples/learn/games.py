"""Games to learn from: of a teacher, or of a network that plays itself by search."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from network import SAME, Network, Weights
from search import Array, Judge, Judged, Search, judge_by, softmax

from carc import CHANCE, Place, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots.lookahead import Lookahead, same_rotations
from carc.bots.mcts_playouts import Line, Playouts
from carc.learn.dataset import Dataset, DatasetWriter, read_dataset

PARTS = 4  # of a round's games; those of a part are played beside each other
# Playouts compare the best actions, those that are this near to the very best, and some others.
BEST, NEAR, OTHERS = 8, 8, 2
Decide = Callable[[Sequence[State], Sequence[int], random.Random], list[Judged]]
"""Decides in the current positions of some games, which are numbered."""


def play(
    rules: Rules, games: range, seed: str, decide: Decide, *, outcome: float, file: Path
) -> int:
    """Play games, by their numbers, beside each other; write what was decided as a dataset.

    Its columns are `policy` and `gains`, by action, and by player from the one who decides on
    `points` and `chances`: how the game ended, by the weight `outcome`, and for the rest what was
    expected.

    Returns:
        How many positions were written.
    """
    rng = random.Random(f"{seed} from {games.start}")
    states = {game: rules.start() for game in games}
    deals = {game: rules.deal(f"{seed} {game}") for game in games}
    told: dict[int, list[tuple[State, Judged]]] = {game: [] for game in games}
    while asked := [game for game in games if play_on(states[game], deals[game])]:
        decided = decide([states[game] for game in asked], asked, rng)
        for game, judged in zip(asked, decided, strict=True):
            told[game].append((states[game].copy(), judged))
            states[game].apply(states[game].action_at(judged.action))
    with DatasetWriter(rules) as writer:
        for game, decisions in told.items():
            end = states[game]
            final = np.array([end.scores, (np.array(end.returns()) + 1) / 2])
            mixed = [
                np.roll(
                    outcome * final + (1 - outcome) * np.array([j.points, j.chances]),
                    -s.current_player,
                    1,
                )
                for s, j in decisions
            ]
            policy = np.concatenate([judged.policy for _, judged in decisions])
            gains = np.concatenate([judged.gains for _, judged in decisions])
            points, chances = np.array(mixed, np.float32).swapaxes(0, 1)
            writer.add(
                [s for s, _ in decisions],
                policy=policy.astype(np.float32),
                gains=gains.astype(np.float32),
                points=points,
                chances=chances,
            )
        writer.save(file)
        return writer.positions


def play_part(
    settings: dict[str, Any],
    weights: Weights,
    number: int,
    part: int,
    file: Path,
    *,
    judge: Judge | None = None,
) -> int:
    """Play a part of a round's games, in any process; see `play`.

    Args:
        settings: Those of the training.
        weights: The network's, for numpy.
        number: The number of the round.
        part: The number of the part.
        file: Where to write.
        judge: How to ask the network, instead of by numpy.
    """
    rules, stage = Rules.cached(settings["rules"], settings["players"]), stage_of(settings, number)
    by = settings[stage]
    judge = judge or judge_by(Network(rules, settings["network"]["width"]), weights)
    if stage == "imitation":
        decide: Decide = Teacher(rules, by, judge)
    else:
        decide = Search(judge, by["considered"], by["turns"], by["sharpness"], noise=True).decide
    games, seed = parts(settings, number)[part], f"{settings['seed']} {number}"
    return play(rules, games, seed, decide, outcome=settings["training"]["outcome"], file=file)


def stage_of(settings: dict[str, Any], number: int) -> str:
    """Return whether a round imitates or plays itself."""
    return "imitation" if number < settings["imitation"]["rounds"] else "self_play"


def parts(settings: dict[str, Any], number: int) -> list[range]:
    """Return the numbers of a round's games, part by part."""
    games = range(settings[stage_of(settings, number)]["games"])
    return [games[part::PARTS] for part in range(min(PARTS, len(games)))]


def play_on(state: State, deal: Any) -> bool:
    """Play up to the next decision of a player; return whether there is one."""
    while not state.is_terminal:
        if state.current_player != CHANCE:
            return True
        state.apply(deal.choose(state))
    return False


class Teacher:
    """Decides as `greedy:0.01` does; in the first `own` games the network plays instead.

    In a share of the decisions, playouts tell by how much actions are better than greedy says.
    """

    def __init__(self, rules: Rules, by: dict[str, Any], judge: Judge) -> None:
        self._by, self._judge = by, judge
        self.lookahead = Lookahead(rules, best_evaluation(rules))
        self.playouts = Playouts(
            self.lookahead,
            width=64,
            max_lines=400,
            turns=by["turns"],
            max_placements=8,
            prior_weight=1.0,
        )

    def __call__(
        self, states: Sequence[State], games: Sequence[int], rng: random.Random
    ) -> list[Judged]:
        found = [self._decide(state, rng) for state in states]
        own = [n for n, game in enumerate(games) if game < self._by["own"]]
        if own:
            for n, judged in zip(own, self._judge([states[n] for n in own]), strict=True):
                found[n] = found[n]._replace(action=judged.action)
        return found

    def _decide(self, state: State, rng: random.Random) -> Judged:
        looks, legal = looks_of(state), state.legal_actions()
        valued = self.lookahead.action_values(state)
        worth = np.array([each.values[state.current_player] for each in valued])
        shares = softmax(worth / SAME)
        share = {looks[legal.index(v.action)]: p for v, p in zip(valued, shares, strict=True)}
        policy = np.array([share[look] / looks.count(look) for look in looks])
        (action,) = rng.choices(range(len(legal)), policy.tolist())
        points = np.array(self.lookahead.expected_points(state))
        gains = np.full(len(legal), np.nan)
        if len(legal) > 1 and rng.random() < self._by["compared"] and self.is_open(state):
            gains = self._compare(state, rng)
        return Judged(policy, points, np.array(valued[int(worth.argmax())].values), action, gains)

    def is_open(self, state: State) -> bool:
        """Return whether playouts tell much; to the very end they are nearly all luck."""
        return state.tiles_left > 2 * int(self._by["turns"])

    def lines(self, state: State, rng: random.Random) -> tuple[dict[str, Line], list[str]]:
        """Start playouts; return the best line by its first action, and the best such actions."""
        lines: dict[str, Line] = {}  # the best action first
        for line in self.playouts.start(state, rng.getrandbits(32)):
            lines.setdefault(str(line.actions[0]), line)
        least = max(line.prior for line in lines.values()) - NEAR * SAME
        return lines, [name for name, line in lines.items() if line.prior >= least][:BEST]

    def gain(self, line: Line, count: int) -> float:
        """Return by how much so many playouts find a line better than greedy does."""
        line.total, line.visits = 0.0, 0
        for _ in range(count):
            self.playouts.play(line)
        return (line.total / line.visits - line.prior) / SAME

    def _compare(self, state: State, rng: random.Random) -> Array:
        """Return how much better playouts find some actions, most of them good; NaN for others."""
        lines, best = self.lines(state, rng)
        others = list(lines)[len(best) :]
        tried = {*best, *rng.sample(others, min(OTHERS, len(others)))}
        gains = np.full(state.count_actions(), np.nan)
        for at, action in enumerate(state.legal_actions()):
            if str(action) in tried:
                gains[at] = self.gain(lines[str(action)], self._by["playouts"])
        return gains


def looks_of(state: State) -> list[object]:
    """Return what tells legal actions apart: placements that look the same are the same."""
    kind = state.tile_in_hand
    same = same_rotations(state.rules.catalogue, kind) if kind >= 0 else range(4)
    return [
        (action.cell, same[action.rotation]) if isinstance(action, Place) else action
        for action in state.legal_actions()
    ]


def read_games(file: Path) -> Dataset:
    """Return games to learn from; of what `carc export` wrote, the action chosen is the policy."""
    data = read_dataset(file)
    if "policy" in data.columns:
        return data
    columns = dict(data.columns)
    columns["policy"] = np.zeros(len(data.seen.codes), np.float32)
    columns["policy"][data.seen.starts["actions"] + columns["chosen"]] = 1
    columns["gains"] = np.full(len(data.seen.codes), np.nan, np.float32)
    columns |= {"points": columns["scores"], "chances": (columns["returns"] + 1) / 2}
    return Dataset(data.rules, data.seen, columns)
