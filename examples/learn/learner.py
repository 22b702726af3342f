"""A bot that learned by playing itself: a small network evaluates positions (`docs/learn.md`).

python learner.py net.npz --games 200 --against greedy   # how often it wins
carc play --bots learner:Learned,greedy                  # in the folder of net.npz

`teacher.py` makes net.npz. Needs numpy: pip install 'carc[arrays]'.
"""

from __future__ import annotations

import argparse
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from carc import CHANCE, Action, Claim, Rules, State, play
from carc.base.game.bot_queries import points_if_completed
from carc.bots import by_name

KINDS = ("city", "road", "field", "monastery")
ONE_SIDE = 2 + 4 * len(KINDS)
INPUTS = 2 * ONE_SIDE + 1
SCALE = 20.0  # points


def margin(values: list[float], player: int) -> float:
    """Return how far a player is ahead of the best other."""
    return values[player] - max(v for p, v in enumerate(values) if p != player)


def look(state: State, player: int) -> tuple[list[float], float]:
    """Return the network's input for a player, and the margin if the game ended now."""
    owners = state.rules.owners
    sides = [[0.0] * ONE_SIDE for _ in range(owners)]
    final = [float(score) for score in state.scores]
    kind_of = state.rules.catalogue.kind_of
    kinds = [kind_of[kind] for kind in KINDS]
    for feature in state.board.occupied_features():
        at = 2 + 4 * next(n for n, kind in enumerate(kinds) if state.board.is_kind(feature, kind))
        now, closed = state.points_now(feature), points_if_completed(state, feature)
        for owner in state.owners_of(feature):
            final[owner] += now
            side = sides[owner]
            side[at] += now / SCALE
            side[at + 1] += closed / SCALE
            side[at + 2] += closed / SCALE / (1 + state.board.open_edges(feature))
            side[at + 3] += 1
    for owner, side in enumerate(sides):
        side[0] = state.scores[owner] / SCALE / 5
        side[1] = state.board.supply_of(owner) / 7
    best = max((p for p in range(owners) if p != player), key=lambda p: final[p])
    return [*sides[player], *sides[best], state.tiles_left / 72], margin(final, player)


Net = list[tuple[Any, Any]]  # each layer's weights and biases: arrays of numpy or of JAX


def new_net(seed: int = 0) -> Net:
    """Return an untrained network."""
    rng = np.random.default_rng(seed)
    sizes = [INPUTS, 64, 32, 1]
    return [
        (
            (rng.standard_normal((n, m)) * (2 / n) ** 0.5).astype(np.float32),
            np.zeros(m, np.float32),
        )
        for n, m in pairwise(sizes)
    ]


def growth(net: Net, inputs: Any) -> Any:
    """Return how much the margin will grow until the end, in units of `SCALE`, for each input."""
    for weights, biases in net[:-1]:
        inputs = inputs @ weights + biases
        inputs = inputs * (inputs > 0)
    weights, biases = net[-1]
    return (inputs @ weights + biases)[:, 0]


def save(net: Net, path: Path) -> None:
    """Save a network."""
    np.savez(path, *[array for layer in net for array in layer])


def load(path: Path) -> Net:
    """Load a network that `save` wrote."""
    with np.load(path) as file:
        arrays = [file[name] for name in file.files]
    return list(zip(arrays[::2], arrays[1::2], strict=True))


class Learner:
    """Plays the placement and claim that its network values most.

    With `exploration` as the probability, it plays a random one instead, to learn. `seen` collects
    the positions it chose: the network's input, the margin and the player.
    """

    def __init__(self, net: Net, seed: int = 0, exploration: float = 0.0) -> None:
        self.net = net
        self.exploration = exploration
        self.seen: list[tuple[list[float], float, int]] = []
        self._rng = random.Random(seed)
        self._claim: Action | None = None  # chosen together with the last placement

    def choose(self, state: State) -> Action:
        """Return a placement chosen together with a claim, and then that claim."""
        legal = state.legal_actions()
        if self._claim is not None and self._claim in legal:
            action, self._claim = self._claim, None
            return action
        player = state.current_player
        plans: list[tuple[Action, Action | None]] = []
        looks: list[tuple[list[float], float]] = []
        for action in legal:
            after = state.copy()
            after.apply(action)
            claims: list[Action | None] = [None]
            if after.current_player == player and not isinstance(action, Claim):
                claims = list(after.legal_actions())
            for claim in claims:
                end = after
                if claim is not None:
                    end = after.copy()
                    end.apply(claim)
                plans.append((action, claim))
                looks.append(look(end, player))
        growths = growth(self.net, np.array([inputs for inputs, _ in looks], np.float32))
        best = int((growths * SCALE + np.array([now for _, now in looks])).argmax())
        if self._rng.random() < self.exploration:
            best = self._rng.randrange(len(plans))
        action, self._claim = plans[best]
        self.seen.append((*looks[best], player))
        return action


class Learned(Learner):
    """Plays by `net.npz` in the current folder."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(load(Path("net.npz")), seed)


def self_play(
    rules: Rules, net: Net, seed: int, exploration: float
) -> list[tuple[list[float], float]]:
    """Play a game of the network against itself.

    Returns:
        The input of each position it chose, and how much the margin grew from there to the end.
    """
    learner = Learner(net, seed, exploration)
    state = rules.start()
    deal = rules.deal(f"learn {seed}")
    while not state.is_terminal:
        chance = state.current_player == CHANCE
        state.apply(deal.choose(state) if chance else learner.choose(state))
    scores = [float(score) for score in state.scores]
    return [
        (inputs, (margin(scores, player) - now) / SCALE) for inputs, now, player in learner.seen
    ]


def against(net: Net, name: str, games: int, seed: int = 10**9) -> tuple[float, float, float]:
    """Play games against a shipped bot, each deal from both seats.

    Returns:
        The share won (a draw counts half), the mean margin, and half its 95 % interval over deals.
    """
    rules = Rules.cached("base", 2)
    won, margins = 0.0, []
    for game in range(games):
        seat = game % 2
        bots = [Learner(net), by_name(name, seed + game)]
        result = play(rules, bots if seat == 0 else bots[::-1], seed=seed + game // 2).result
        won += (result.returns[seat] + 1) / 2 / games
        margins.append(margin([float(score) for score in result.scores], seat))
    deals = np.array(margins[: games // 2 * 2]).reshape(-1, 2).mean(axis=1)
    error = 1.96 * deals.std(ddof=1) / len(deals) ** 0.5 if len(deals) > 1 else float("inf")
    return won, float(np.mean(margins)), float(error)


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("net", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--against", default="greedy")
    options = parser.parse_args()
    share, ahead, error = against(load(options.net), options.against, options.games)
    print(
        f"won {share:.1%} of {options.games} games against {options.against}, {ahead:+.1f} ± "
        f"{error:.1f} points"
    )


if __name__ == "__main__":
    main()
