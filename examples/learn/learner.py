"""A bot that learns by playing itself: a small network says what a position will come to (`docs/learn.md`).

python learner.py train net.pt --games 1000     # an hour on one core at most; prints how it does meanwhile
python learner.py play net.pt --against greedy  # how often it wins
carc play --bots learner:Learned,greedy         # in the folder of net.pt
"""

from __future__ import annotations

import argparse
import random
import time
from collections import deque
from collections.abc import Collection
from pathlib import Path

import torch
from torch import nn

from carc import CHANCE, Action, Claim, Rules, State, play
from carc.bots import by_name

KINDS = ("city", "road", "field", "monastery")
ONE_SIDE = 2 + 4 * len(KINDS)
INPUTS = 2 * ONE_SIDE + 1
SCALE = 20.0  # points


def margin(values: list[float], player: int) -> float:
    """How far a player is ahead of the best of the others."""
    return values[player] - max(v for p, v in enumerate(values) if p != player)


def look(state: State, player: int) -> tuple[list[float], float]:
    """What the network is told of a position, seen by a player, and the margin if the game ended now."""
    owners = state.rules.owners
    sides = [[0.0] * ONE_SIDE for _ in range(owners)]
    ending = [float(score) for score in state.scores]
    kind_of = state.rules.catalogue.kind_of
    kinds = [kind_of[kind] for kind in KINDS]
    for feature in state.occupied():
        at = 2 + 4 * next(n for n, kind in enumerate(kinds) if state.is_kind(feature, kind))
        now, closed = state.points_now(feature), state.points_closed(feature)
        for owner in state.owners_of(feature):
            ending[owner] += now
            mine = sides[owner]
            mine[at] += now / SCALE
            mine[at + 1] += closed / SCALE
            mine[at + 2] += closed / SCALE / (1 + state.open_edges(feature))
            mine[at + 3] += 1
    for owner, mine in enumerate(sides):
        mine[0] = state.scores[owner] / SCALE / 5
        mine[1] = state.supply_of(owner) / 7
    best = max((p for p in range(owners) if p != player), key=lambda p: ending[p])
    return [*sides[player], *sides[best], state.left / 72], margin(ending, player)


class Value(nn.Module):
    """What is to be added to the margin of now to have that of the end."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(INPUTS, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1)
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """For rows of `look`, in units of `SCALE`."""
        found: torch.Tensor = self.layers(seen).squeeze(-1)
        return found


class Learner:
    """Takes the placement and claim that lead to the best position by its network; now and then another, to learn."""

    def __init__(self, net: Value, seed: int = 0, curiosity: float = 0.0) -> None:
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
        with torch.no_grad():
            more = self.net(torch.tensor([seen for seen, _ in looks]))
        worth = more * SCALE + torch.tensor([now for _, now in looks])
        best = int(worth.argmax())
        if self._rng.random() < self.curiosity:
            best = self._rng.randrange(len(plans))
        action, self._then = plans[best]
        self.seen.append((*looks[best], player))
        return action


class Learned(Learner):
    """The bot of `net.pt`, in the folder one is in."""

    def __init__(self, seed: int = 0) -> None:
        net = Value()
        net.load_state_dict(torch.load("net.pt", weights_only=True))
        super().__init__(net, seed)


def self_play(
    rules: Rules, net: Value, seed: int, curiosity: float
) -> list[tuple[list[float], float]]:
    """A game of the network against itself: each position it chose, and what the margin grew by from there to the end."""
    one = Learner(net, seed, curiosity)
    state = rules.start()
    deal = rules.deal(f"learn {seed}")
    while not state.is_terminal:
        chance = state.current_player == CHANCE
        state.apply(deal.choose(state) if chance else one.choose(state))
    scores = [float(score) for score in state.scores]
    return [(seen, (margin(scores, player) - now) / SCALE) for seen, now, player in one.seen]


def fit(
    net: Value, optimiser: torch.optim.Optimizer, memory: Collection[tuple[list[float], float]]
) -> float:
    """Once through what is remembered, in no order; the mean loss."""
    seen = torch.tensor([one for one, _ in memory])
    grew = torch.tensor([one for _, one in memory])
    spent = []
    for rows in torch.randperm(len(memory)).split(256):
        loss = nn.functional.smooth_l1_loss(net(seen[rows]), grew[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        spent.append(loss.item())
    return sum(spent) / len(spent)


def train(net: Value, games: int, seed: int = 0, batch: int = 20, told: bool = True) -> list[float]:
    """Self-play and regression by turns; the mean loss of each turn."""
    torch.manual_seed(seed)
    rules = Rules.known("base", 2)
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    memory: deque[tuple[list[float], float]] = deque(maxlen=40_000)
    losses = []
    start = time.monotonic()
    for turn in range(-(-games // batch)):
        curiosity = max(0.02, 0.3 * (1 - turn * batch / games))
        for game in range(batch):
            memory.extend(self_play(rules, net, seed * 10**6 + turn * batch + game, curiosity))
        losses.append(fit(net, optimiser, memory))
        if told:
            minutes = (time.monotonic() - start) / 60
            print(
                f"{(turn + 1) * batch:6} games {minutes:6.1f} min  loss {losses[-1]:.3f}",
                flush=True,
            )
    return losses


def wins(net: Value, against: str, games: int, seed: int = 10**9) -> tuple[float, float]:
    """The share of games won, a draw half, and the mean margin; each deal from both seats."""
    rules = Rules.known("base", 2)
    won = ahead = 0.0
    for game in range(games):
        seat = game % 2
        bots = [Learner(net), by_name(against, seed + game)]
        result = play(rules, bots if seat == 0 else bots[::-1], seed=seed + game // 2).result
        won += (result.returns[seat] + 1) / 2
        ahead += margin([float(score) for score in result.scores], seat)
    return won / games, ahead / games


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["train", "play"])
    parser.add_argument("net", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--against", default="greedy")
    said = parser.parse_args()
    torch.set_num_threads(1)
    net = Value()
    if said.net.exists():
        net.load_state_dict(torch.load(said.net, weights_only=True))
    if said.what == "train":
        train(net, said.games)
        torch.save(net.state_dict(), said.net)
    else:
        share, ahead = wins(net, said.against, said.games)
        print(f"won {share:.1%} of {said.games} games against {said.against}, {ahead:+.1f} points")


if __name__ == "__main__":
    main()
