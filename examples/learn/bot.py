"""Bots that play by a trained network; numpy is all they need.

CARC_NETWORK=runs/first/network.npz carc duel bot:ByPolicy greedy   # in this folder
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
from network import SAME, Network, Weights
from search import Judge, Search, judge_by

from carc import Action, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots.lookahead import ActionValues, Lookahead


def load(file: Path, rules: Rules) -> tuple[Network, Weights]:
    """Return a network and its weights."""
    with np.load(file) as arrays:
        weights = {name: arrays[name] for name in arrays.files}
    return Network(rules, len(weights["logit"])), weights


class ByPolicy:
    """Plays what its network likes most, without a search."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        self._judge: Judge | None = None

    def choose(self, state: State) -> Action:
        if self._judge is None:
            file = Path(os.environ.get("CARC_NETWORK", "network.npz"))
            self._judge = judge_by(*load(file, state.rules))
        return self.decide(self._judge, state)

    def decide(self, judge: Judge, state: State) -> Action:
        return state.action_at(judge([state])[0].action)


class ByGains(ByPolicy):
    """Plays what greedy's evaluation likes most, corrected by what the network adds."""

    _lookahead: Lookahead | None = None

    def decide(self, judge: Judge, state: State) -> Action:
        if state.count_actions() == 1:
            return state.action_at(0)
        if self._lookahead is None:
            self._lookahead = Lookahead(state.rules, best_evaluation(state.rules))
        gains = dict(zip(map(str, state.legal_actions()), judge([state])[0].gains, strict=True))
        player = state.current_player

        def worth(valued: ActionValues) -> float:
            return valued.values[player] / SAME + gains[str(valued.action)]

        return max(self._lookahead.action_values(state), key=worth).action


class BySearch(ByPolicy):
    """Plays what a search finds with the network as prior and value."""

    def decide(self, judge: Judge, state: State) -> Action:
        search = Search(judge, considered=8, turns=1, sharpness=20.0)
        return state.action_at(search([state], self._rng)[0].action)
