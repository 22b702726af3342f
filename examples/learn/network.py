"""The network: rows of tokens in; out two logits by action, and points and chances by player.

An action is worth what it changes: the network values each feature as it becomes, takes away what
the feature was, and adds what can lie on the free cells beside (`changes.py`). `Network.forward`
runs on numpy, for a bot, and on JAX, for training. Rows of all positions lie one after another.
Nothing depends on where the table lies or how it is turned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from changes import FEATURE, KIND, OPEN, OTHERS, OWN, PLACE, Geometry, changes

from carc import Rules
from carc.learn.token_arrays import Tokens

Weights = dict[str, Any]  # arrays of numpy or of JAX
Batch = dict[str, Any]
POINTS = 20.0  # the unit of the network's points
SAME = 0.01  # a chance to win that is so much better adds 1 to a logit of the teacher
NUMBERS = len(FEATURE) - 1
SITUATION = 11  # numbers that describe a position as a whole
FREE = 9  # numbers of a free cell
# About so many rows has a position of a base game for two, and some more.
USUAL = {"features": 55, "changed": 60, "gone": 36, "cells": 47, "actions": 20}


class Network:
    """The shape of a network for some rules, in which each player has one colour."""

    def __init__(self, rules: Rules, width: int) -> None:
        self.rules, self.width, self.geometry = rules, width, Geometry(rules)

    def new_weights(self, seed: int) -> Weights:
        """Return weights of an untrained network."""
        wide, players, kinds = self.width, self.rules.players, len(self.rules.catalogue.kinds)
        sizes = {
            "numbers": (2 * NUMBERS + SITUATION + 10 * kinds, 2 * wide),
            "feature": (2 * wide, wide),
            "middles": (wide, wide // 2),
            "halves": (wide, wide // 2),
            "free": (FREE, wide // 2),
            "cell": (wide // 2, wide),
            "action": (6 + SITUATION, wide),
            "value situation": (SITUATION, wide),
            "logit": (wide, 1),
            "gain": (wide, 1),
            "points": (wide, players),
            "chances": (wide, players),
        }
        square = ["became", "was", "beside", "best", "action again", "value", "value again"]
        sizes |= dict.fromkeys(square, (wide, wide))
        rng, weights = np.random.default_rng(seed), {}
        for name, (n, m) in sizes.items():
            scale = (2 / min(n, 2 * wide)) ** 0.5 * (0.1 if m <= players else 1)
            weights[name] = (rng.standard_normal((n, m)) * scale).astype(np.float32)
            weights[f"{name} bias"] = np.zeros(m, np.float32)
        return weights

    def look(self, seen: Tokens) -> Tokens:
        """Return what `batch` wants to have of tokens without gaps."""
        return changes(self.geometry, seen)

    def batch(self, seen: Tokens, padded: bool = False) -> Batch:
        """Return rows of positions, one position after another, as `forward` wants them.

        Args:
            seen: What `look` returned, or some positions of it.
            padded: Add empty rows and positions so that shapes are few, for what compiles them.
        """
        real = games = len(seen.counts["numbers"])
        rooms = {name: len(seen.rows[name]) + 1 for name in USUAL}
        if padded:  # as for so many usual positions, a power of the square root of 2
            usual = max(games, *((room - 1) / USUAL[name] for name, room in rooms.items()))
            games = int(np.ceil(2 ** (np.ceil(2 * np.log2(usual)) / 2)))
            rooms = {name: games * USUAL[name] + 1 for name in USUAL}

        def fill(name: str, rows: Any, nothing: int) -> Any:
            out = np.full((rooms[name], *rows.shape[1:]), nothing, np.int32)
            out[: len(rows)] = rows
            return out

        rows = {name: seen.rows[name].astype(np.int32) for name in USUAL}
        of = {name: np.repeat(np.arange(real), seen.counts[name]) for name in USUAL}
        action, feature, changed = (seen.starts[n] for n in ("actions", "features", "changed"))
        # The last row of a table is always empty; references to nothing are to that row.
        no_action, no_feature = rooms["actions"] - 1, rooms["features"] - 1
        gone = rows["gone"] + np.column_stack([action, feature])[of["gone"]]
        game, refers = of["cells"][:, None], rows["cells"][:, 4:]
        new = refers - seen.counts["features"][game] + changed[game] + rooms["features"]
        new = np.where(refers < seen.counts["features"][game], refers + feature[game], new)
        changed_rows = fill("changed", rows["changed"][:, 1:], 0)
        return {
            "features": np.concatenate([fill("features", rows["features"], 0), changed_rows]),
            "features of": np.concatenate(
                [fill(name, of[name], games) for name in ("features", "changed")]
            ),
            "became": fill("changed", rows["changed"][:, 0] + action[of["changed"]], no_action),
            "gone": fill("gone", gone[:, 0], no_action),
            "was": fill("gone", gone[:, 1], no_feature),
            "beside": fill("cells", rows["cells"][:, 0] + action[of["cells"]], no_action),
            "free": fill("cells", rows["cells"][:, 1:4], 0),
            "near": fill("cells", np.where(refers < 0, no_feature, new), no_feature),
            "actions": fill("actions", rows["actions"][:, 0], 0),
            "actions of": fill("actions", of["actions"], games),
            **self._situations(seen, games),
        }

    def _situations(self, seen: Tokens, games: int) -> Batch:
        """Return what describes each position as a whole, and the scores."""
        columns = {name: seen.columns[name].index for name in ("owners", "numbers", "actions")}
        owners = seen.rows["owners"].reshape(len(seen.counts["numbers"]), self.rules.players, -1)
        first = columns["owners"]("to decide") + 1
        scores, supply = owners[..., columns["owners"]("score")], owners[..., first:].sum(2)
        own, others = supply[:, 0], supply[:, 1:].max(1, initial=0)
        left = seen.rows["numbers"][:, columns["numbers"]("tiles left")].astype(np.float32)
        what = seen.rows["actions"][seen.starts["actions"], 0]
        lead = scores[:, 0] - scores[:, 1:].max(1, initial=0)
        numbers = [left / 36, np.log1p(left / 2) / 3.5, 1 / (1 + left), lead / 20, what == PLACE]
        numbers += [each for n in (own, others) for each in (n / 7, n == 0, n == 1)]
        situation = np.zeros((games + 1, SITUATION), np.float32)
        situation[: len(left)] = np.column_stack(numbers)
        out = np.zeros((games + 1, self.rules.players), np.float32)
        out[: len(left)] = scores
        return {"situation": situation, "scores": out}

    def forward(self, weights: Weights, batch: Batch, xp: Any = np) -> tuple[Any, Any, Any, Any]:
        """Return what the network says of each row of actions, and of each position.

        Returns:
            By action, how the teacher's evaluation values it, and by how much it is better than
            that says, both as logits; by position the players' points, and logits of their
            chances, the player to decide first.
        """

        def layer(name: str, inputs: Any) -> Any:
            return inputs @ weights[name] + weights[f"{name} bias"]

        def relu(inputs: Any) -> Any:
            return inputs * (inputs > 0)

        def to_actions(name: str, rows: Any) -> Any:
            return _gathered(xp, "sum", rows, batch[name], len(batch["actions"]))

        situation, of = batch["situation"], batch["features of"]
        games = len(situation)
        features = self._features(weights, batch, xp)
        features = features * (of < games - 1)[:, None]
        old = len(of) - len(batch["became"])
        free = batch["free"] * xp.float32(1)
        fit, sides = free[:, :2], free[:, 2:] == np.arange(1, 4)
        free = xp.concatenate([fit / 8, 1 / (1.5 + fit), fit == 0, sides], 1)
        near = batch["near"]
        middles, halves = layer("middles", features), layer("halves", features)
        cells = layer("free", free) + middles[near[:, 0::3]].sum(1)
        cells = cells + halves[near[:, 1::3]].sum(1) + halves[near[:, 2::3]].sum(1)
        cells = relu(layer("cell", relu(cells)))
        new = features[old:]
        what = batch["actions"][:, None] == np.arange(6)
        best = _gathered(
            xp, "max", relu(layer("best", new)), batch["became"], len(batch["actions"])
        )
        actions = (
            to_actions("became", new) @ weights["became"]
            - to_actions("gone", features[batch["was"]]) @ weights["was"]
            + to_actions("beside", cells) @ weights["beside"]
            + best
            + layer("action", xp.concatenate([what, situation[batch["actions of"]]], 1))
        )
        actions = relu(actions)
        actions = actions + relu(layer("action again", actions))
        whole = _gathered(xp, "sum", features[:old], of[:old], games) / 8
        value = relu(layer("value", whole) + layer("value situation", situation))
        value = value + relu(layer("value again", value))
        points = layer("points", value) + batch["scores"] / POINTS
        chances = layer("chances", value) + points
        logits, gains = layer("logit", actions)[:, 0], layer("gain", actions)[:, 0]
        return logits, gains, points * POINTS, chances

    def _features(self, weights: Weights, batch: Batch, xp: Any) -> Any:
        """Return a vector for each feature, as it is or as an action makes it."""
        rows = batch["features"]
        own, others = rows[:, OWN], rows[:, OTHERS]
        # Nobody, one, the other, both with more of one, both with as many.
        held = xp.where(own > others, xp.where(others > 0, 3, 1), xp.where(own > 0, 4, 2))
        held = xp.where(own + others == 0, 0, held)
        name = rows[:, KIND] * 10 + held * 2 + (rows[:, OPEN] == 0)
        numbers = rows[:, 1:] * xp.float32(1)
        names = name[:, None] == np.arange(10 * len(self.rules.catalogue.kinds))
        situation = batch["situation"][batch["features of"]]
        numbers = xp.concatenate([numbers / 8, 1 / (1 + numbers), situation, names], 1)
        inputs = numbers @ weights["numbers"] + weights["numbers bias"]
        inputs = inputs * (inputs > 0)
        out = inputs @ weights["feature"] + weights["feature bias"]
        return out * (out > 0)


def _gathered(xp: Any, how: str, rows: Any, into: Any, count: int) -> Any:
    """Return the sums, or the greatest and at least 0, of rows that go into the same, in order."""
    if xp is np:
        out = np.zeros((count, rows.shape[1]), np.float32)
        first = np.flatnonzero(np.diff(into, prepend=-1))
        by = np.add if how == "sum" else np.maximum
        if len(first):
            out[into[first]] = by.reduceat(rows, first)
        return out
    from jax.ops import segment_max, segment_sum  # noqa: PLC0415 (a bot needs no JAX)

    by = segment_sum if how == "sum" else segment_max
    return xp.maximum(
        by(rows, into, count, indices_are_sorted=True), 0 if how == "max" else -xp.inf
    )
