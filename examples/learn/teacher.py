"""How `learner.Learner` learns: it plays itself, and its network is fitted to the results.

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

Memory = Sequence[tuple[list[float], float]]  # inputs, and how much the margin grew
OPTIMISER = optax.adam(1e-3)


@jax.jit
def step(net: Net, state: Any, inputs: Any, targets: Any) -> tuple[Net, Any, Any]:
    """Take a step of the optimiser; return the network, the optimiser's state, and the loss."""

    def loss_of(net: Net) -> Any:
        return optax.huber_loss(growth(net, inputs), targets).mean()

    loss, gradient = jax.value_and_grad(loss_of)(net)
    updates, state = OPTIMISER.update(gradient, state)
    return optax.apply_updates(net, updates), state, loss


class Teacher:
    """Fits a network to the results of games."""

    def __init__(self, net: Net, seed: int = 0) -> None:
        self.net = net
        self._state = OPTIMISER.init(net)
        self._rng = np.random.default_rng(seed)

    def fit(self, memory: Memory, rows: int = 256) -> float:
        """Train for about one epoch with random batches of so many rows; return the mean loss."""
        inputs = np.array([each for each, _ in memory], np.float32)
        targets = np.array([grew for _, grew in memory], np.float32)
        net, losses = self.net, []
        for _ in range(len(memory) // rows + 1):
            batch = self._rng.integers(len(memory), size=rows)
            net, self._state, loss = step(net, self._state, inputs[batch], targets[batch])
            losses.append(float(loss))
        self.net = jax.device_get(net)  # numpy is faster for the few rows of a move
        return sum(losses) / len(losses)


def train(
    net: Net, games: int, seed: int = 0, batch: int = 20, verbose: bool = True
) -> tuple[Net, list[float]]:
    """Alternate self-play and training; return the network and the mean loss of each round."""
    rules = Rules.cached("base", 2)
    teacher = Teacher(net, seed)
    memory: deque[tuple[list[float], float]] = deque(maxlen=40_000)
    losses = []
    start = time.monotonic()
    for number in range(-(-games // batch)):
        exploration = max(0.02, 0.3 * (1 - number * batch / games))
        for game in range(batch):
            game_seed = seed * 10**6 + number * batch + game
            memory.extend(self_play(rules, teacher.net, game_seed, exploration))
        losses.append(teacher.fit(memory))
        if verbose:
            minutes = (time.monotonic() - start) / 60
            print(
                f"{(number + 1) * batch:6} games {minutes:6.1f} min  loss {losses[-1]:.3f}",
                flush=True,
            )
    return teacher.net, losses


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("net", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    net, _ = train(load(options.net) if options.net.exists() else new_net(), options.games)
    save(net, options.net)


if __name__ == "__main__":
    main()
