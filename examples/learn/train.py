"""Train a network that plays: imitation first, then self-play (`docs/learn.md`).

python train.py runs/first                       # by settings.toml; goes on after a stop
python train.py runs/large --settings gpu.toml

The folder gets `network.npz`, by which `bot.py` plays, `curves.csv` and `curves.svg`.
Needs JAX and Optax: pip install 'carc[learn,tournament]', and 'jax[cuda12]' for a GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import tomllib
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from games import parts, play_part, read_games, stage_of
from jax.ops import segment_max, segment_sum
from measure import agreement, draw, duel
from network import POINTS, Batch, Network, Weights
from rich.progress import Progress
from search import judge_by

from carc import Rules
from carc.files import whole_file
from carc.learn.dataset import Dataset

HERE = Path(__file__).parent


class Trainer:
    """Weights and how they came about; what it needs to go on is in its folder."""

    def __init__(self, settings: dict[str, Any], folder: Path) -> None:
        self.settings, self.folder = settings, folder
        self.rules = Rules.cached(settings["rules"], settings["players"])
        self.network = Network(self.rules, settings["network"]["width"])
        self.rounds = settings["imitation"]["rounds"] + settings["self_play"]["rounds"]
        training = settings["training"]
        rate = optax.cosine_decay_schedule(training["rate"], self.rounds * training["steps"], 0.1)
        self.optimiser = optax.adam(rate)
        self.weights: Weights = self.network.new_weights(settings["seed"])
        self.state = self.optimiser.init(self.weights)
        self.curves: list[dict[str, Any]] = []  # an entry for each round
        self._data: dict[Path, Dataset] = {}
        self._forward = jax.jit(partial(self.network.forward, xp=jnp))
        self._step = jax.jit(self._take_step)
        (folder / "games").mkdir(parents=True, exist_ok=True)
        if (folder / "checkpoint.npz").exists():
            self._load()

    def play_round(self) -> None:
        """Play the games of a round, train, and save."""
        number, began = len(self.curves), cpu_seconds()
        positions = self._play(number)
        played = cpu_seconds()
        losses = self._train(number)
        curve = {"round": number + 1, "stage": stage_of(self.settings, number)}
        curve |= {"positions": positions, **losses}
        curve |= {"CPU s played": played - began, "CPU s trained": cpu_seconds() - played}
        self.curves.append(curve)
        self.save()
        for file in self._files(number + 1 - self.settings["training"]["window"]):
            file.unlink(missing_ok=True)

    def _play(self, number: int) -> int:
        """Play the games of a round; return how many positions they have."""
        weights, files = jax.device_get(self.weights), self._files(number)
        tasks = [(self.settings, weights, number, part, file) for part, file in enumerate(files)]
        if jax.default_backend() != "cpu":  # else numpy is as fast, and compiles nothing
            judge = judge_by(self.network, self.weights, self._forward, padded=True)
            return sum(play_part(*task, judge=judge) for task in tasks)
        if self.settings["processes"] == 1:
            return sum(play_part(*task) for task in tasks)
        spawn = get_context("spawn")  # JAX has threads
        with ProcessPoolExecutor(self.settings["processes"], mp_context=spawn) as pool:
            return sum(pool.map(play_part, *zip(*tasks, strict=True)))

    def _files(self, number: int) -> list[Path]:
        """Return the files of a round's games, one for each part; none before the first round."""
        count = len(parts(self.settings, number)) if number >= 0 else 0
        return [self.folder / "games" / f"{number:05}-{part}.npz" for part in range(count)]

    def _train(self, number: int) -> dict[str, float]:
        """Take the steps of a round on the games of the last rounds."""
        training = self.settings["training"]
        rng = np.random.default_rng([self.settings["seed"], number])
        files = [f for n in range(number + 1)[-training["window"] :] for f in self._files(n)]
        files += map(Path, training["datasets"])
        self._data = {file: self._data.get(file) or self._read(file) for file in files}
        sizes = np.array([len(self._data[file]) for file in files])
        losses = []
        for _ in range(training["steps"]):
            data = self._data[files[rng.choice(len(files), p=sizes / sizes.sum())]]
            batch = self._batch(data, rng.integers(len(data), size=training["batch"]))
            self.weights, self.state, loss = self._step(self.weights, self.state, batch)
            losses.append(loss)
        return {name: float(np.mean([loss[name] for loss in losses])) for name in losses[0]}

    def _read(self, file: Path) -> Dataset:
        """Return games with the tokens as the network looks at them."""
        data = read_games(file)
        return Dataset(data.rules, self.network.look(data.seen), data.columns)

    def _batch(self, data: Dataset, some: Any) -> Batch:
        """Return some positions, and what is to be learned of them."""
        seen = data.seen.take(some)
        batch = self.network.batch(seen, padded=True)
        starts, counts = data.seen.starts["actions"][some], seen.counts["actions"]
        rows = np.repeat(starts - seen.starts["actions"], counts) + np.arange(counts.sum())
        for name, nothing in (("policy", 0), ("gains", np.nan)):
            batch[name] = np.full(len(batch["actions"]), nothing, np.float32)
            batch[name][: len(rows)] = data.columns[name][rows]
        for name in ("points", "chances"):
            batch[name] = np.zeros_like(batch["scores"])
            batch[name][: len(some)] = data.columns[name][some]
        batch["weight"] = (np.arange(len(batch["scores"])) < len(some)) / np.float32(len(some))
        return batch

    def _take_step(self, weights: Weights, state: Any, batch: Batch) -> tuple[Weights, Any, Any]:
        def loss_of(weights: Weights) -> Any:
            logits, gains, points, chances = self.network.forward(weights, batch, jnp)
            of, games, policy = batch["actions of"], len(batch["scores"]), batch["policy"]

            def sums(rows: Any) -> Any:
                return segment_sum(rows, of, games, indices_are_sorted=True)[of]

            logits = logits - jax.lax.stop_gradient(segment_max(logits, of, games))[of]
            logs = logits - jnp.log(sums(jnp.exp(logits)))
            # Gains are compared within a position, the more the better the teacher finds actions.
            known = jnp.isfinite(batch["gains"])
            close = (policy / jnp.maximum(segment_max(policy, of, games)[of], 1e-9)) ** 0.25 * known
            missed = jnp.where(known, gains - batch["gains"], 0)
            missed = missed - sums(close * missed) / jnp.maximum(sums(close), 1e-9)
            off = optax.huber_loss((points - batch["points"]) / POINTS).mean(1)
            won = optax.softmax_cross_entropy(chances, batch["chances"])
            parts = {
                "policy": -(policy * logs * batch["weight"][of]).sum(),
                "gains": 0.5 * (close * missed**2).sum() / jnp.maximum(close.sum(), 1),
                "points": (off * batch["weight"]).sum(),
                "chances": (won * batch["weight"]).sum(),
            }
            return sum(parts.values()), parts

        gradient, losses = jax.grad(loss_of, has_aux=True)(weights)
        updates, state = self.optimiser.update(gradient, state)
        return optax.apply_updates(weights, updates), state, losses

    def save(self) -> None:
        """Write the checkpoint and what follows from it; each file whole or not at all."""
        weights = jax.device_get(self.weights)
        leaves = {f"leaf {n}": leaf for n, leaf in enumerate(jax.tree.leaves(self.state))}
        with whole_file(self.folder / "checkpoint.npz") as file:
            np.savez(file, curves=json.dumps(self.curves), **weights, **jax.device_get(leaves))
        with whole_file(self.folder / "network.npz") as file:
            np.savez(file, **weights)
        draw(self.curves, self.folder)

    def _load(self) -> None:
        leaves, shape = jax.tree.flatten(self.state)
        with np.load(self.folder / "checkpoint.npz") as file:
            self.weights = {name: jnp.asarray(file[name]) for name in self.weights}
            leaves = [jnp.asarray(file[f"leaf {n}"]) for n in range(len(leaves))]
            self.curves = json.loads(str(file["curves"]))
        self.state = jax.tree.unflatten(shape, leaves)

    def evaluate(self) -> None:
        """Measure what the network is worth now, once."""
        by, number = self.settings["evaluation"], len(self.curves)
        if not number or "evaluated" in self.curves[-1]:
            return
        if number % by["every"] and number < self.rounds:
            return
        curve: dict[str, Any] = {"evaluated": True}
        for name in by["agreement"]:
            found = agreement(self.network, jax.device_get(self.weights), Path(name))
            curve[f"agreement with {Path(name).stem}"] = found
        options = [
            "--elo",
            by["elo"],
            "--deals",
            str(by["deals"]),
            "--rules",
            self.settings["rules"],
        ]
        for other in by["against"]:
            out = self.folder / "duels" / f"{number:05}-{other}"
            seed = ["--seed", str(self.settings["seed"]), "--jobs", "1"]
            won, pairs, ratio = duel(self.folder / "network.npz", out, other, *options, *seed)
            curve |= {f"won against {other}": won, f"pairs {other}": pairs, f"llr {other}": ratio}
        self.curves[-1] |= curve
        self.save()


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it had."""
    return sum(os.times()[:4])


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--settings", type=Path, default=HERE / "settings.toml")
    options = parser.parse_args()
    trainer = Trainer(tomllib.loads(options.settings.read_text("utf-8")), options.folder)
    with Progress() as bar:
        rounds = bar.add_task("rounds", total=trainer.rounds)
        while True:
            trainer.evaluate()
            bar.update(rounds, completed=len(trainer.curves))
            if trainer.curves:
                bar.console.print_json(data=trainer.curves[-1], indent=None)
            if len(trainer.curves) >= trainer.rounds:
                break
            trainer.play_round()


if __name__ == "__main__":
    main()
