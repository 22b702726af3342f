"""Bots that play by a trained network; numpy is all they need.

CARC_NETWORK=runs/first/network.npz carc duel bot:ByPolicy greedy   # in this folder
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
from network import Network, Weights
from search import Judge, Search, judge_by

from carc import Action, Rules, State


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


class BySearch(ByPolicy):
    """Plays what a search finds with the network as prior and value."""

    def decide(self, judge: Judge, state: State) -> Action:
        search = Search(judge, considered=8, turns=1, sharpness=20.0)
        return state.action_at(search([state], self._rng)[0].action)
