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
from carc.base.game.queries import points_if_completed
from carc.bots import by_name

KINDS = ("city", "road", "field", "monastery")
ONE_SIDE = 2 + 4 * len(KINDS)
INPUTS = 2 * ONE_SIDE + 1
SCALE = 20.0  # points


def margin(values: list[float], player: int) -> float:
    """How far a player is ahead of the best of the others."""
    return values[player] - max(v for p, v in enumerate(values) if p != player)


def look(state: State, player: int) -> tuple[list[float], float]:
    """Return the network's input for a player, and the margin if the game ended now."""
    owners = state.rules.owners
    sides = [[0.0] * ONE_SIDE for _ in range(owners)]
    ending = [float(score) for score in state.scores]
    kind_of = state.rules.catalogue.kind_of
    kinds = [kind_of[kind] for kind in KINDS]
    for feature in state.board.occupied_features():
        at = 2 + 4 * next(n for n, kind in enumerate(kinds) if state.board.is_kind(feature, kind))
        now, closed = state.points_now(feature), points_if_completed(state, feature)
        for owner in state.owners_of(feature):
            ending[owner] += now
            mine = sides[owner]
            mine[at] += now / SCALE
            mine[at + 1] += closed / SCALE
            mine[at + 2] += closed / SCALE / (1 + state.board.open_edges(feature))
            mine[at + 3] += 1
    for owner, mine in enumerate(sides):
        mine[0] = state.scores[owner] / SCALE / 5
        mine[1] = state.board.supply_of(owner) / 7
    best = max((p for p in range(owners) if p != player), key=lambda p: ending[p])
    return [*sides[player], *sides[best], state.tiles_left / 72], margin(ending, player)


Net = list[tuple[Any, Any]]  # each layer's weights and biases: arrays of numpy or of JAX


def new_net(seed: int = 0) -> Net:
    """A network that knows nothing."""
    rng = np.random.default_rng(seed)
    sizes = [INPUTS, 64, 32, 1]
    return [
        (
            (rng.standard_normal((n, m)) * (2 / n) ** 0.5).astype(np.float32),
            np.zeros(m, np.float32),
        )
        for n, m in pairwise(sizes)
    ]


def growth(net: Net, seen: Any) -> Any:
    """Return, for rows of `look`, by how much the margin will grow to the end, over `SCALE`."""
    for weights, biases in net[:-1]:
        seen = seen @ weights + biases
        seen = seen * (seen > 0)
    weights, biases = net[-1]
    return (seen @ weights + biases)[:, 0]


def save(net: Net, path: Path) -> None:
    """Write a network down, for `load`."""
    np.savez(path, *[array for layer in net for array in layer])


def load(path: Path) -> Net:
    """The network that `save` wrote."""
    with np.load(path) as held:
        arrays = [held[name] for name in held.files]
    return list(zip(arrays[::2], arrays[1::2], strict=True))


class Learner:
    """Plays the placement and claim that its network likes best; now and then another, to learn."""

    def __init__(self, net: Net, seed: int = 0, curiosity: float = 0.0) -> None:
        self.net = net
        self.curiosity = curiosity
        self.seen: list[
            tuple[list[float], float, int]
        ] = []  # what it came to: look, margin, player
        self._rng = random.Random(seed)
        self._then: Action | None = None  # the claim that goes with the placement

    def choose(self, state: State) -> Action:
        """A placement with the claim that goes with it, then that claim."""
        legal = state.legal_actions()
        if self._then is not None and self._then in legal:
            action, self._then = self._then, None
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
        more = growth(self.net, np.array([seen for seen, _ in looks], np.float32))
        best = int((more * SCALE + np.array([now for _, now in looks])).argmax())
        if self._rng.random() < self.curiosity:
            best = self._rng.randrange(len(plans))
        action, self._then = plans[best]
        self.seen.append((*looks[best], player))
        return action


class Learned(Learner):
    """The bot of `net.npz`, in the folder one is in."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(load(Path("net.npz")), seed)


def self_play(
    rules: Rules, net: Net, seed: int, curiosity: float
) -> list[tuple[list[float], float]]:
    """Play a game of the network against itself.

    Return each position it chose, and by how much the margin grew from there to the end.
    """
    one = Learner(net, seed, curiosity)
    state = rules.start()
    deal = rules.deal(f"learn {seed}")
    while not state.is_terminal:
        chance = state.current_player == CHANCE
        state.apply(deal.choose(state) if chance else one.choose(state))
    scores = [float(score) for score in state.scores]
    return [(seen, (margin(scores, player) - now) / SCALE) for seen, now, player in one.seen]


def against(net: Net, name: str, games: int, seed: int = 10**9) -> tuple[float, float, float]:
    """Play games against a shipped bot, each deal from both seats.

    Return the share won (a draw is half), the mean margin, and half its 95 % interval over deals.
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
    wrong = 1.96 * deals.std(ddof=1) / len(deals) ** 0.5 if len(deals) > 1 else float("inf")
    return won, float(np.mean(margins)), float(wrong)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("net", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--against", default="greedy")
    said = parser.parse_args()
    share, ahead, wrong = against(load(said.net), said.against, said.games)
    print(
        f"won {share:.1%} of {said.games} games against {said.against}, {ahead:+.1f} ± "
        f"{wrong:.1f} points"
    )


if __name__ == "__main__":
    main()
