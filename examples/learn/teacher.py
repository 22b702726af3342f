"""How `learner.Learner` learns: it plays itself, and its network is fitted to what games came to.

python teacher.py net.npz --games 1000   # prints its progress; continues an existing net.npz

Needs JAX and Optax: pip install 'carc[learn]'.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import optax
from learner import Net, growth, load, new_net, save, self_play

from carc import Rules

Memory = Sequence[tuple[list[float], float]]  # what was looked at, and what the margin grew by
OPTIMISER = optax.adam(1e-3)


@jax.jit
def improved(net: Net, memory: Any, seen: Any, grew: Any) -> tuple[Net, Any, Any]:
    """Take a step of the optimiser. Return the network, its memory, and the loss before."""

    def loss(some: Net) -> Any:
        return optax.huber_loss(growth(some, seen), grew).mean()

    was, slope = jax.value_and_grad(loss)(net)
    change, memory = OPTIMISER.update(slope, memory)
    return optax.apply_updates(net, change), memory, was


class Teacher:
    """Improves a network, by what games came to."""

    def __init__(self, net: Net, seed: int = 0) -> None:
        self.net = net
        self._memory = OPTIMISER.init(net)
        self._rng = np.random.default_rng(seed)

    def fit(self, memory: Memory, rows: int = 256) -> float:
        """About once through what is remembered, so many at a time, by lot; the mean loss."""
        seen = np.array([one for one, _ in memory], np.float32)
        grew = np.array([one for _, one in memory], np.float32)
        net, losses = self.net, []
        for _ in range(len(memory) // rows + 1):
            some = self._rng.integers(len(memory), size=rows)
            net, self._memory, loss = improved(net, self._memory, seen[some], grew[some])
            losses.append(float(loss))
        self.net = jax.device_get(net)  # numpy plays quicker, a few rows at a time
        return sum(losses) / len(losses)


def train(
    net: Net, games: int, seed: int = 0, batch: int = 20, told: bool = True
) -> tuple[Net, list[float]]:
    """Self-play and regression by turns: the network then, and the mean loss of each turn."""
    rules = Rules.cached("base", 2)
    teacher = Teacher(net, seed)
    memory: deque[tuple[list[float], float]] = deque(maxlen=40_000)
    losses = []
    start = time.monotonic()
    for turn in range(-(-games // batch)):
        curiosity = max(0.02, 0.3 * (1 - turn * batch / games))
        for game in range(batch):
            number = seed * 10**6 + turn * batch + game
            memory.extend(self_play(rules, teacher.net, number, curiosity))
        losses.append(teacher.fit(memory))
        if told:
            minutes = (time.monotonic() - start) / 60
            print(
                f"{(turn + 1) * batch:6} games {minutes:6.1f} min  loss {losses[-1]:.3f}",
                flush=True,
            )
    return teacher.net, losses


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("net", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    said = parser.parse_args()
    net, _ = train(load(said.net) if said.net.exists() else new_net(), said.games)
    save(net, said.net)


if __name__ == "__main__":
    main()
