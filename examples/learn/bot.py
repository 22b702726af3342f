"""Bots that play by a trained network; numpy is all they need.

CARC_NETWORK=runs/first/network.npz carc duel bot:ByPolicy greedy   # in this folder
"""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import numpy as np
from network import SAME, Network, Weights
from search import Judge, Search, judge_by

from carc import CHANCE, Action, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots.lookahead import ActionValues, Lookahead, golden_sequence, outcome_at
from carc.bots.mcts import Strong
from carc.bots.mcts_playouts import Line, Playouts


def load(file: Path, rules: Rules) -> tuple[Network, Weights]:
    """Return a network and its weights."""
    with np.load(file) as arrays:
        weights = {name: arrays[name] for name in arrays.files}
    return Network(rules, len(weights["logit"])), weights


@cache
def judge_of(rules: Rules) -> Judge:
    """Return what asks the network that the environment names."""
    return judge_by(*load(Path(os.environ.get("CARC_NETWORK", "network.npz")), rules))


class ByPolicy:
    """Plays what its network likes most, without a search."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        return self.decide(judge_of(state.rules), state)

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


class PriorByNetwork(Playouts):
    """Playouts of lines that begin better where the network finds their first action better."""

    def start(self, state: State, seed: int) -> list[Line]:
        gains = judge_of(state.rules)([state])[0].gains * SAME
        gain = dict(zip(map(str, state.legal_actions()), gains, strict=True))
        lines = [
            Line(each.actions, each.after, prior, each.prior_weight)
            for each in super().start(state, seed)
            for prior in [each.prior + gain[str(each.actions[0])]]
        ]
        return sorted(lines, key=lambda line: -line.prior)


class LeafByNetwork(Playouts):
    """Playouts at whose ends a tile is drawn, and the network says who wins."""

    def start(self, state: State, seed: int) -> list[Line]:
        self.player, self.seed = state.current_player, seed
        return super().start(state, seed)

    def play(self, line: Line) -> None:
        end, rng = self.end_of_playout(line.after, line.visits), random.Random(self.seed)
        quantile = golden_sequence(rng.random(), line.visits)
        while end.current_player == CHANCE:
            end.apply(outcome_at(end, quantile))
            quantile = rng.random()
        if end.is_terminal:
            line.total += (end.returns()[self.player] + 1) / 2
        else:
            line.total += judge_of(end.rules)([end])[0].chances[self.player]
        line.visits += 1


class BothByNetwork(PriorByNetwork, LeafByNetwork):
    """Both."""


class AsPrior(Strong):
    """`strong` with the network as prior."""

    parameter, make_playouts = "0.1s", PriorByNetwork


class AsLeaf(Strong):
    """`strong` with the network as value where playouts end, which is sooner."""

    parameter, make_playouts, turns = "0.1s", LeafByNetwork, 2


class AsBoth(AsLeaf):
    """`strong` with the network as prior and as value."""

    make_playouts = BothByNetwork
