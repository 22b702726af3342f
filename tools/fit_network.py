"""Fit small networks to the games of `greedy`, and compare them with the learned weights.

    python tools/fit_network.py --games 6000 --out network

The networks see what `LearnedEvaluation` sees: the descriptors of each owner. They predict what its
expected margin leaves out. Every tenth game is not fitted to, and tells how well a prediction is.
Needs the extra `learn`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import jax
import jax.numpy as jnp
import numpy as np
import optax
from train_evaluation import EXPLORED, best_action

from carc import CHANCE, Rules
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import shipped_weights
from carc.base.game.outcome import results
from carc.bots.lookahead import Lookahead

BATCH, EPOCHS, RATE, DECAY = 512, 6, 2e-3, 1e-5
# The chance to win is the logistic function of the lead, divided by this and by its second part
# times the root of the tiles left: what predicts the winner best by the margin as shipped.
SCALE = (2.1, 1.3)
POINTS = 10.0  # that one unit of a network's output stands for
# By name: whether a network sees both players, its hidden units, whether the winner counts.
NETWORKS = {
    "own descriptors, 16 hidden units, margin": (False, 16, False),
    "both players' descriptors, 16 hidden units, margin": (True, 16, False),
    "both players' descriptors, 16 hidden units, winner": (True, 16, True),
    "both players' descriptors, 32 hidden units, winner": (True, 32, True),
}


@click.command()
@click.option("--rules", default="base", show_default=True)
@click.option("--games", default=6000, show_default=True, type=click.IntRange(min=10))
@click.option("--seed", default=0, show_default=True)
@click.option(
    "--out",
    default="network",
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file for the positions; if it is there, no games are played.",
)
def main(*, rules: str, games: int, seed: int, out: Path) -> None:
    """Play two-player games, fit networks to their positions, and print their errors."""
    file = out.with_suffix(".npz")
    if not file.exists():
        np.savez(file, **played(Rules.from_spec(rules, 2), games, seed))
    with np.load(file) as kept:
        data = Positions(kept)
    click.echo(f"{len(data.margin)} positions; the margin's deviation is {data.margin.std():.2f}")
    click.echo(data.errors("the weights as shipped", data.expected))
    for name, (both, hidden, by_winner) in NETWORKS.items():
        added = fitted(data, both=both, hidden=hidden, by_winner=by_winner)
        click.echo(data.errors(name, data.expected + added))


class Positions:
    """Positions with what became of them.

    Attributes:
        owners: The descriptors of both owners (n x 2 x descriptors).
        tiles: The tiles left (n).
        expected: The margin that the shipped weights expect (n).
        moves: Whether the first player is about to draw (n).
        margin: The final margin of the first player (n).
        unseen: Whether the position is of a game that is not fitted to (n).
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Take them from what `played` returned."""
        self.owners, self.tiles, self.moves = data["owners"], data["tiles"], data["moves"]
        self.expected, self.margin = data["expected"], data["margin"]
        self.unseen = data["game"] % 10 == 0
        self.scale = SCALE[0] + SCALE[1] * np.sqrt(self.tiles)
        self.won = 0.5 + 0.5 * np.sign(self.margin)

    def errors(self, name: str, margin: Any) -> str:
        """Return a line: the error of a predicted margin, and the log loss of the winner."""
        at = self.unseen
        error = np.sqrt(np.mean((margin[at] - self.margin[at]) ** 2))
        chance = np.clip(1 / (1 + np.exp(-margin[at] / self.scale[at])), 1e-4, 1 - 1e-4)
        won = self.won[at]
        loss = -np.mean(won * np.log(chance) + (1 - won) * np.log(1 - chance))
        return f"{name:52} margin {error:6.2f}  winner {loss:.4f}"

    def inputs(self, both: bool) -> tuple[Any, Any]:
        """Return what a network sees from the side of each player."""
        flat = self.owners.reshape(-1, self.owners.shape[-1])
        own, other = np.moveaxis((self.owners - flat.mean(0)) / (flat.std(0) + 1e-3), 1, 0)
        left = self.tiles[:, None] / self.tiles.max()
        common = [left, np.sqrt(left)]
        if not both:
            return np.hstack([own, *common]), np.hstack([other, *common])
        lead, moves = self.expected[:, None] / 30, self.moves[:, None]
        return (
            np.hstack([own, other, *common, lead, moves]),
            np.hstack([other, own, *common, -lead, 1 - moves]),
        )


def played(rules: Rules, games: int, seed: int) -> dict[str, Any]:
    """Play games, and return the fields of their `Positions`."""
    evaluation = LearnedEvaluation(rules, shipped_weights(2))
    lookahead = Lookahead(rules, evaluation)
    rows: list[tuple[Any, ...]] = []
    for number in range(games):
        rng = random.Random(f"n{seed + number}")
        state, deal = rules.start(), rules.deal(f"net{seed + number}")
        of_game: list[tuple[Any, ...]] = []
        while not state.is_terminal:
            if state.current_player == CHANCE:
                if state.step.name == "draw" and state.tiles_left:
                    owners = np.array(evaluation.descriptors(state)[0], np.float32)
                    ours, theirs = lookahead.expected_points(state)
                    moves = float(state.active_player == 0)
                    of_game.append((owners, state.tiles_left, ours - theirs, moves))
                state.apply(deal.choose(state))
            elif state.count_actions() > 1 and rng.random() < EXPLORED:
                state.apply(rng.choice(state.legal_actions()))
            else:
                state.apply(best_action(lookahead, state))
        ours, theirs = results(state)
        rows += [(*row, ours - theirs, number) for row in of_game]
    names = ("owners", "tiles", "expected", "moves", "margin", "game")
    return {
        name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def fitted(data: Positions, *, both: bool, hidden: int, by_winner: bool) -> Any:
    """Fit a network, and return the points that it adds to the expected margin of each position."""
    ours, theirs = (jnp.asarray(side, jnp.float32) for side in data.inputs(both))
    expected, margin = jnp.asarray(data.expected), jnp.asarray(data.margin)
    scale, won = jnp.asarray(data.scale), jnp.asarray(data.won)
    keys = jax.random.split(jax.random.PRNGKey(0), 2)
    network = {
        "first": jax.random.normal(keys[0], (ours.shape[1], hidden)) / np.sqrt(ours.shape[1]),
        "bias": jnp.zeros(hidden),
        "second": jax.random.normal(keys[1], (hidden,)) * 0.01,
    }

    def side(network: Any, seen: Any) -> Any:
        return jax.nn.relu(seen @ network["first"] + network["bias"]) @ network["second"]

    def added(network: Any, at: Any) -> Any:
        return POINTS * (side(network, ours[at]) - side(network, theirs[at]))

    def loss(network: Any, at: Any) -> Any:
        lead = expected[at] + added(network, at)
        if by_winner:
            error = jnp.mean(optax.sigmoid_binary_cross_entropy(lead / scale[at], won[at]))
        else:
            error = jnp.mean((lead - margin[at]) ** 2) / 400
        return error + DECAY * sum(jnp.sum(part**2) for part in network.values())

    known = np.flatnonzero(~data.unseen)
    steps = EPOCHS * (len(known) // BATCH)
    adam = optax.adam(optax.linear_schedule(RATE, 0.0, steps))
    state = adam.init(network)

    @jax.jit
    def step(network: Any, state: Any, at: Any) -> Any:
        change, state = adam.update(jax.grad(loss)(network, at), state)
        return optax.apply_updates(network, change), state

    rng = np.random.default_rng(0)
    for _ in range(EPOCHS):
        rng.shuffle(known)
        for begin in range(0, len(known) - BATCH + 1, BATCH):
            network, state = step(network, state, known[begin : begin + BATCH])
    return np.asarray(added(network, jnp.arange(len(data.margin))))


if __name__ == "__main__":
    main()
