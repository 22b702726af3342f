"""The network: rows of tokens in; out a logit for each action, points and chances of each player.

`Network.forward` runs on numpy, for a bot, and on JAX, for training. Rows of all positions lie one
after another. Each row becomes a vector; what a row refers to is added to it; rows of a position
are added up to its context, from which rows of features and actions learn of all others. Nothing
depends on where the table lies or how it is turned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carc import Rules
from carc.learn.observation import encoding_for
from carc.learn.token_arrays import Tokens, fixed_shapes, table_columns

Weights = dict[str, Any]  # arrays of numpy or of JAX
Batch = dict[str, Any]
POINTS = 20.0  # the unit of the network's points
POOLED = ("features", "tiles", "followers", "owners", "bag", "places", "numbers")
NAMED = {"kind", "what", "follower", "owner", "layer", "field", "step", "player", "leaders"}
NOT_SEEN = {"x", "y", "rotation", "segment"}
SIDES = ("feature", "feature east", "feature south", "feature west")
AROUND = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
# In the middle of a game, a table has so much of the most rows.
USUAL = {"tiles": 0.55, "features": 0.22, "followers": 0.7, "places": 0.2, "actions": 0.05}
TABLE = 64  # cells: rows of tiles further out are not seen by the actions


class Columns:
    """What the columns of a table are."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.at = {name: at for at, name in enumerate(names)}
        self.refers = {
            at: "tiles" if "tile" in name.split() else "features"
            for name, at in self.at.items()
            if name in ("tile", "last tile") or name.split()[0] == "feature"
        }
        self.named = [at for name, at in self.at.items() if name in NAMED]
        left_out = {*self.refers, *self.named, *(self.at.get(name, -1) for name in NOT_SEEN)}
        numbers = [at for at in self.at.values() if at not in left_out]
        self.numbers = np.array(numbers, int)


class Network:
    """The shape of a network for some rules, in which each player has one colour."""

    def __init__(self, rules: Rules, width: int) -> None:
        self.rules, self.width = rules, width
        self.columns = {
            table: Columns(names) for table, names in table_columns(encoding_for(rules)).items()
        }
        self.most_names = max(len(rules.tile_names), 30) + 2
        most = fixed_shapes(encoding_for(rules))
        self.usual = {table: USUAL.get(table, 1) * most[table][0] + 1 for table in self.columns}

    def new_weights(self, seed: int) -> Weights:
        """Return weights of an untrained network."""
        wide, kinds, players, sizes = self.width, self.most_names, self.rules.players, {}
        for table, columns in self.columns.items():
            sizes[f"{table} numbers"] = (3 * len(columns.numbers), wide)
            sizes[f"{table} names"] = (len(columns.named) * kinds, wide)
            sizes[f"{table} refers"] = (wide, wide)
        sizes |= {"context": (wide * len(POOLED), wide), "sides gate": (kinds * 4, wide)}
        layers = ["features again", "features context", "pooled again", "sides", "near"]
        layers += ["actions context", "actions again", "value"]
        sizes |= dict.fromkeys(layers, (wide, wide))
        sizes |= {"logit": (wide, 1), "points": (wide, players), "chances": (wide, players)}
        rng, weights = np.random.default_rng(seed), {}
        for name, (n, m) in sizes.items():
            scale = 0.3 if name.endswith(("names", "gate")) else (2 / max(n, 1)) ** 0.5
            scale *= 0.1 if m < wide else 1
            weights[name] = (rng.standard_normal((n, m)) * scale).astype(np.float32)
            weights[f"{name} bias"] = np.zeros(m, np.float32)
        return weights

    def batch(self, seen: Tokens, padded: bool = False) -> Batch:
        """Return rows of positions, one position after another, as `forward` wants them.

        Args:
            seen: The tokens, without gaps.
            padded: Add empty rows and positions so that shapes are few, for what compiles them.
        """
        games = len(seen.counts["numbers"])
        rooms = {name: len(rows) + 1 for name, rows in seen.rows.items()}
        if padded:  # as for so many usual positions, a power of the square root of 2
            usual = max(games, *(room / self.usual[name] for name, room in rooms.items()))
            games = int(np.ceil(2 ** (np.ceil(2 * np.log2(usual)) / 2)))
            rooms = {name: int(games * self.usual[name]) + 1 for name in rooms}
        batch: Batch = {}
        for table, rows in seen.rows.items():
            numbers = np.arange(len(seen.counts[table]))
            game = np.repeat(numbers, seen.counts[table])
            out = np.zeros((rooms[table], rows.shape[1]), np.int32)
            out[: len(rows)] = rows
            for at, target in self.columns[table].refers.items():
                row = rows[:, at] + seen.starts[target][game]
                nothing = rooms[target] - 1  # its last row, which is always empty
                out[: len(rows), at] = np.where(rows[:, at] < 0, nothing, row)
            batch[table] = out
            batch[f"{table} of"] = np.full(rooms[table], games, np.int32)
            batch[f"{table} of"][: len(rows)] = game
        self._add_surroundings(batch, games)
        return batch

    def _add_surroundings(self, batch: Batch, games: int) -> None:
        """Add what is beside each action's cell, the tile in hand, and the scores."""
        actions, tiles, bag = batch["actions"], batch["tiles"], batch["bag"]
        at = {table: columns.at for table, columns in self.columns.items()}
        hand = np.zeros(games + 1, np.int32)
        held = bag[:, at["bag"]["in hand"]] == 1
        hand[batch["bag of"][held]] = bag[held, at["bag"]["kind"]] + 1
        # A placement's features in the order of the tile's own sides.
        turned = np.arange(4) + np.maximum(actions[:, [at["actions"]["rotation"]]], 0) & 3
        sides = actions[:, [at["actions"][side] for side in SIDES]]
        batch["sides"] = np.take_along_axis(sides, turned, 1)
        placing = actions[:, [at["actions"]["rotation"]]] >= 0
        kind = np.where(placing, hand[batch["actions of"]][:, None], 0)
        batch["gates"] = (kind * 4 + np.arange(4)).astype(np.int32)
        table = np.full((games + 1, TABLE, TABLE), len(tiles) - 1, np.int32)
        cells = np.clip(tiles[:, [at["tiles"]["x"], at["tiles"]["y"]]] + TABLE // 2, 0, TABLE - 1)
        table[batch["tiles of"], cells[:, 0], cells[:, 1]] = np.arange(len(tiles))
        cells = actions[:, [at["actions"]["x"], at["actions"]["y"]]] + TABLE // 2
        around = np.clip(cells[:, None] + AROUND, 0, TABLE - 1)
        near = table[batch["actions of"][:, None], around[..., 0], around[..., 1]]
        somewhere = placing | (actions[:, [at["actions"]["feature"]]] < len(batch["features"]) - 1)
        batch["near"] = np.where(somewhere, near, len(tiles) - 1)
        scores = np.zeros((games + 1) * self.rules.players, np.float32)
        owned = batch["owners of"] < games
        scores[: owned.sum()] = batch["owners"][owned, at["owners"]["score"]]
        batch["scores"] = scores.reshape(games + 1, -1)

    def forward(self, weights: Weights, batch: Batch, xp: Any = np) -> tuple[Any, Any, Any]:
        """Return the logit of each row of actions, and of each position the players' points and
        logits of their chances, the player to decide first.
        """

        def layer(name: str, inputs: Any) -> Any:
            return inputs @ weights[name] + weights[f"{name} bias"]

        def relu(inputs: Any) -> Any:
            return inputs * (inputs > 0)

        def pooled(table: str, rows: Any) -> Any:
            return even(_sums(xp, rows, batch[f"{table} of"], games))

        def even(inputs: Any) -> Any:
            return inputs / xp.sqrt((inputs * inputs).mean(1, keepdims=True) + 0.1)

        games = batch["scores"].shape[0]
        rows: dict[str, Any] = {}
        for table in (*POOLED, "actions"):
            there = (batch[f"{table} of"] < games - 1)[:, None]
            rows[table] = relu(self._embed(weights, table, batch[table], rows, xp)) * there
        context = relu(
            layer("context", xp.concatenate([pooled(table, rows[table]) for table in POOLED], 1))
        )
        told = context @ weights["features context"]
        features = relu(layer("features again", rows["features"]) + told[batch["features of"]])
        features = (features + rows["features"]) * (batch["features of"] < games - 1)[:, None]
        context = even(context + relu(layer("pooled again", pooled("features", features))))
        sides = (features[batch["sides"]] * weights["sides gate"][batch["gates"]]).sum(1)
        told = context @ weights["actions context"]
        actions = relu(
            rows["actions"]
            + layer("sides", sides)
            + weights["sides gate"][batch["gates"]].sum(1)
            + rows["tiles"][batch["near"]].sum(1) @ weights["near"]
            + told[batch["actions of"]]
        )
        actions = even(actions)
        actions = actions + relu(layer("actions again", actions))
        value = context + relu(layer("value", context))
        points = layer("points", value) + batch["scores"] / POINTS
        chances = layer("chances", value) + points
        return layer("logit", actions)[:, 0], points * POINTS, chances

    def _embed(
        self, weights: Weights, table: str, rows: Any, others: dict[str, Any], xp: Any
    ) -> Any:
        columns = self.columns[table]
        numbers = rows[:, columns.numbers] * xp.float32(1)
        numbers = xp.concatenate([numbers / 16, numbers == 0, 4 / (4 + xp.abs(numbers))], 1)
        inputs = numbers @ weights[f"{table} numbers"] + weights[f"{table} numbers bias"]
        for number, at in enumerate(columns.named):
            name = xp.clip(rows[:, at] + 1, 0, self.most_names - 1)
            inputs = inputs + weights[f"{table} names"][name + number * self.most_names]
        if columns.refers and table != "actions":  # whose features come later
            referred = sum(others[target][rows[:, at]] for at, target in columns.refers.items())
            inputs = inputs + referred @ weights[f"{table} refers"]
        return inputs


def _sums(xp: Any, rows: Any, game: Any, games: int) -> Any:
    """Return the sums of the rows of each position; rows are in the order of positions."""
    if xp is np:
        sums = np.zeros((games, rows.shape[1]), np.float32)
        first = np.flatnonzero(np.diff(game, prepend=-1))
        sums[game[first]] = np.add.reduceat(rows, first) if len(first) else 0
        return sums
    from jax.ops import segment_sum  # noqa: PLC0415 (a bot needs no JAX)

    return segment_sum(rows, game, games, indices_are_sorted=True)
