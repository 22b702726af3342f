"""A search with a network as prior and value, in many positions at a time.

Gumbel top-k chooses some actions, and sequential halving the best of them (Danihelka et al. 2022).
To try an action is to play on, chance sampled and players by the network's first choice, until so
many tiles are drawn; there the network says who wins. Actions of a position meet the same chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from network import Network, Weights
from numpy.typing import NDArray

from carc import CHANCE, State
from carc.base.game.chance import throw
from carc.learn.dataset import tokens_of

Array = NDArray[np.floating[Any]]


class Judged(NamedTuple):
    """What a network or a search says of a position."""

    policy: Array  # by legal action: logits of a network, probabilities of a search
    points: Array  # expected, by player
    chances: Array  # to win, by player
    action: int  # the index of the best
    gains: Array  # by legal action: the part of the logits that playouts would add; NaN: not known


Judge = Callable[[Sequence[State]], list[Judged]]


def judge_by(
    network: Network, weights: Weights, forward: Any = None, padded: bool = False
) -> Judge:
    """Return what asks a network: by numpy, or by its compiled `forward`, with padded batches."""
    forward = forward or network.forward

    def judge(states: Sequence[State]) -> list[Judged]:
        seen = tokens_of(states)
        said = forward(weights, network.batch(network.look(seen), padded))
        logits, gains, points, chances = (np.asarray(each, np.float64) for each in said)
        ends = np.cumsum(seen.counts["actions"])
        judged = []
        for n, (state, end) in enumerate(zip(states, ends, strict=True)):
            those = slice(end - seen.counts["actions"][n], end)
            own = logits[those] + gains[those]
            first = state.current_player  # the network counts players from who decides
            parts = np.roll(points[n], first), np.roll(softmax(chances[n]), first)
            judged.append(Judged(own, *parts, int(own.argmax()), gains[those]))
        return judged

    return judge


def softmax(logits: Array) -> Array:
    """Return probabilities."""
    odds = np.exp(logits - logits.max())
    return odds / odds.sum()


class Search:
    """The search.

    Attributes:
        considered: How many actions are tried at first; then half of them, each twice as often.
        turns: After how many further tiles the network says who wins.
        sharpness: How much the logit of an action grows by a chance to win of 1.
        noise: Whether actions are sampled, to learn.
    """

    def __init__(
        self, judge: Judge, considered: int, turns: int, sharpness: float, noise: bool = False
    ) -> None:
        self.judge, self.considered, self.turns = judge, considered, turns
        self.sharpness, self.noise = sharpness, noise

    def decide(self, states: Sequence[State], _: object, rng: random.Random) -> list[Judged]:
        """Decide as `games.Decide` does."""
        return self(states, rng)

    def __call__(self, states: Sequence[State], rng: random.Random) -> list[Judged]:
        roots, gumbel = self.judge(states), np.random.default_rng(rng.getrandbits(64)).gumbel
        noise = [gumbel(size=len(root.policy)) * self.noise for root in roots]
        alive = [
            np.argsort(-r.policy - n)[: self.considered] for r, n in zip(roots, noise, strict=True)
        ]
        sums = [np.zeros((len(root.policy), 2, len(root.points))) for root in roots]
        tried = [np.zeros(len(root.policy)) for root in roots]
        seeds, tries = [rng.getrandbits(64) for _ in states], 1
        while True:
            plans = [(n, a, t) for n, some in enumerate(alive) for a in some for t in range(tries)]
            chance = [random.Random(f"{seeds[n]} {tries + t}") for n, _, t in plans]
            ends = self._play_on([_after(states[n], a) for n, a, _ in plans], chance)
            for (n, a, _), end in zip(plans, ends, strict=True):
                sums[n][a] += end
                tried[n][a] += 1
            logits = []
            for n, (root, state) in enumerate(zip(roots, states, strict=True)):
                player = state.current_player
                worth = np.where(
                    tried[n], sums[n][:, 1, player] / np.maximum(tried[n], 1), root.chances[player]
                )
                logits.append(root.policy + self.sharpness * worth)
                best = np.argsort(-(logits[n] + noise[n])[alive[n]], kind="stable")
                alive[n] = alive[n][best][: max(1, len(best) // 2)]
            if all(len(some) == 1 for some in alive):
                break
            tries *= 2
        found = [(n, int(some[0])) for n, some in enumerate(alive)]
        return [
            Judged(softmax(own := logits[n]), *sums[n][a] / tried[n][a], a, np.zeros(len(own)))
            for n, a in found
        ]

    def _play_on(self, states: list[State], chance: list[random.Random]) -> list[Array]:
        """Play on from each position; return the points and the chances to win, by player."""
        ends: dict[int, Array] = {}
        stop = [state.tiles_left - self.turns for state in states]
        playing = list(range(len(states)))
        while playing:
            for n in playing:
                while states[n].current_player == CHANCE:
                    states[n].apply(throw(states[n], chance[n].random()))
                if states[n].is_terminal:
                    won = (np.array(states[n].returns()) + 1) / 2
                    ends[n] = np.array([states[n].scores, won])
            playing = [n for n in playing if n not in ends]
            said = self.judge([states[n] for n in playing]) if playing else []
            for n, judged in zip(playing, said, strict=True):
                if states[n].tiles_left <= stop[n]:
                    ends[n] = np.array([judged.points, judged.chances])
                else:
                    states[n].apply(states[n].action_at(judged.action))
            playing = [n for n in playing if n not in ends]
        return [ends[n] for n in range(len(states))]


def _after(state: State, index: int) -> State:
    after = state.copy()
    after.apply(after.action_at(int(index)))
    return after
