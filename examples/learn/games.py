"""Games to learn from: of a teacher, or of a network that plays itself by search."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from search import Judge, Judged, softmax

from carc import CHANCE, Place, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots.lookahead import Lookahead, same_rotations
from carc.learn.dataset import Dataset, DatasetWriter, read_dataset

Decide = Callable[[Sequence[State], Sequence[int], random.Random], list[Judged]]
"""Decides in the current positions of some games, which are numbered."""


def play(rules: Rules, games: int, seed: str, decide: Decide, *, outcome: float, file: Path) -> int:
    """Play games beside each other, and write what was decided as a dataset.

    Its columns are `policy`, by action, and by player from the one who decides on `points` and
    `chances`: how the game ended, by the weight `outcome`, and for the rest what was expected.

    Returns:
        How many positions were written.
    """
    rng = random.Random(seed)
    states = [rules.start() for _ in range(games)]
    deals = [rules.deal(f"{seed} {game}") for game in range(games)]
    told: list[list[tuple[State, Judged]]] = [[] for _ in states]
    while asked := [g for g in range(games) if _advance(states[g], deals[g])]:
        decided = decide([states[game] for game in asked], asked, rng)
        for game, judged in zip(asked, decided, strict=True):
            told[game].append((states[game].copy(), judged))
            states[game].apply(states[game].action_at(judged.action))
    with DatasetWriter(rules) as writer:
        for end, decisions in zip(states, told, strict=True):
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
            points, chances = np.array(mixed, np.float32).swapaxes(0, 1)
            writer.add(
                [s for s, _ in decisions],
                policy=policy.astype(np.float32),
                points=points,
                chances=chances,
            )
        writer.save(file)
        return writer.positions


def _advance(state: State, deal: Any) -> bool:
    """Play up to the next decision of a player; return whether there is one."""
    while not state.is_terminal:
        if state.current_player != CHANCE:
            return True
        state.apply(deal.choose(state))
    return False


class Teacher:
    """Decides as `greedy:TEMPERATURE` does; in the first `own` games the network plays instead."""

    def __init__(self, rules: Rules, temperature: float, judge: Judge, own: int) -> None:
        self._lookahead = Lookahead(rules, best_evaluation(rules))
        self._temperature, self._judge, self._own = temperature, judge, own

    def __call__(
        self, states: Sequence[State], games: Sequence[int], rng: random.Random
    ) -> list[Judged]:
        found = [self._decide(state, rng) for state in states]
        own = [n for n, game in enumerate(games) if game < self._own]
        if own:
            for n, judged in zip(own, self._judge([states[n] for n in own]), strict=True):
                found[n] = found[n]._replace(action=judged.action)
        return found

    def _decide(self, state: State, rng: random.Random) -> Judged:
        looks, legal = looks_of(state), state.legal_actions()
        valued = self._lookahead.action_values(state)
        worth = np.array([each.values[state.current_player] for each in valued])
        shares = softmax(worth / self._temperature)
        share = {looks[legal.index(v.action)]: p for v, p in zip(valued, shares, strict=True)}
        policy = np.array([share[look] / looks.count(look) for look in looks])
        (action,) = rng.choices(range(len(legal)), policy)
        points = np.array(self._lookahead.expected_points(state))
        return Judged(policy, points, np.array(valued[int(worth.argmax())].values), action)


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
    columns |= {"points": columns["scores"], "chances": (columns["returns"] + 1) / 2}
    return Dataset(data.rules, data.seen, columns)
