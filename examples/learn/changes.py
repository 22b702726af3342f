"""What each action would change, computed from tokens: features as they become, free cells nearby.

Greedy play compares positions one action later. Here the rows of those positions that differ are
found for all actions of many positions at once, in numpy, without playing the actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from carc import Rules
from carc.learn.token_arrays import Tokens

Ints = NDArray[np.integer[Any]]
FEATURE = ("kind", "tiles", "open", "own", "others", "marks", "gaps", "rarest")
FEATURE += ("cities", "complete cities", "own fields", "others' fields", "missing")
KIND, TILES, OPEN, OWN, OTHERS, MARKS, GAPS, RAREST, *BESIDE, MISSING = range(len(FEATURE))
CITIES, COMPLETE, OWN_FIELDS, OTHERS_FIELDS = BESIDE
ADDED = [TILES, OPEN, OWN, OTHERS, MARKS, *BESIDE]  # when features become one
COLUMNS = {
    "features": FEATURE,
    "changed": ("action", *FEATURE),
    "gone": ("action", "feature"),
    # By side, north first, and there in the middle, left and right: rows of features, then changed.
    "cells": ("action", "fit", "fitted", "sides", *(f"feature {n}" for n in range(12))),
}
SIZE = 96  # cells of the table; those further out are not seen
MANY = 30  # tiles that fit; more are as good
SIDES = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
OPPOSITE = np.array([2, 3, 0, 1])
MIRRORED = [0, 2, 1]  # left and right, seen from the other side
AROUND = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
PLACE, CLAIM = 1, 2


class Geometry:
    """What the kinds of tile of some rules look like, as arrays."""

    def __init__(self, rules: Rules) -> None:
        tiles = rules.catalogue
        self.terrain = np.array(tiles.terrain).reshape(-1, 4)  # by oriented kind and side
        slots = (tiles.main, tiles.left, tiles.right)
        self.slots = np.stack([np.array(each).reshape(-1, 4) for each in slots], -1)
        self.count = np.array(tiles.segment_count)
        self.most = int(self.count.max())
        starts, shape = np.array(tiles.segment_start), (len(self.count), self.most)
        at = np.minimum(starts[:-1, None] + np.arange(self.most), starts[-1] - 1)
        self.there = np.arange(self.most) < self.count[:, None]
        self.kind = np.where(self.there, np.array(tiles.segment_kind)[at], -1)
        self.open = np.array(tiles.segment_open)[at]
        marks = np.array(tiles.segment_marks).reshape(-1, tiles.mark_words)[:, 0] & 255
        self.marks = marks[at]
        self.city = tiles.kind_of.get("city", -1)
        never = np.array([kind.completed_by == "never" for kind in tiles.kinds])
        self.field = never[self.kind] & self.there
        touched = np.array(tiles.touched)[at][..., None] >> np.arange(self.most) & 1
        # By kind of tile: pairs of a field and a city that it borders.
        self.borders = (touched == 1) & self.field[:, :, None] & (self.kind == self.city)[:, None]
        self.centre = np.array([each[0] if each else -1 for each in tiles.centres])
        demands = np.arange(4096)
        fits = np.array(tiles.rotations)[np.array(tiles.rotations_at)[:, None] + demands] & 15
        self.fits = (fits > 0).T.astype(np.float32)  # by demand and kind of tile
        assert shape == self.kind.shape


class Table:
    """The tables of some positions, and what lies where."""

    def __init__(self, geometry: Geometry, seen: Tokens) -> None:
        self.geometry, self.seen = geometry, seen
        self.games = len(seen.counts["numbers"])
        games = np.arange(self.games)
        self.of = {name: np.repeat(games, seen.counts[name]) for name in seen.rows}
        rows = {name: table.astype(np.int32) for name, table in seen.rows.items()}
        self.tiles, self.actions, bag = rows["tiles"], rows["actions"], rows["bag"]
        self.cells = self.tiles[:, :2] + SIZE // 2
        self.kinds = np.maximum(self.tiles[:, 2], 0)
        self.oriented = np.append(self.kinds * 4 + self.tiles[:, 3], 0)
        self.grid = np.full((self.games, SIZE, SIZE), -1, np.int32)
        self.grid[self.of["tiles"], self.cells[:, 0], self.cells[:, 1]] = np.arange(len(self.tiles))
        first = seen.columns["tiles"].index("feature 0")
        own = self.tiles[:, first : first + geometry.most]
        starts = seen.starts["features"][self.of["tiles"], None]
        self.features_of = np.append(
            np.where(own >= 0, own + starts, -1), np.full((1, geometry.most), -1), axis=0
        )
        self.stock = np.zeros((self.games, geometry.fits.shape[1]), np.float32)
        self.stock[self.of["bag"], bag[:, 0]] = bag[:, 1]
        self.hand = np.full(self.games, -1)
        held = bag[:, 2] == 1
        self.hand[self.of["bag"][held]] = bag[held, 0]

    def at(self, game: Ints, cells: Ints, steps: Ints) -> Any:
        """Return the tiles that lie so many steps from some cells; -1 for none."""
        there = cells[:, None] + steps
        return self.grid[game[:, None], there[..., 0], there[..., 1]]

    def facing(self, near: Ints) -> tuple[Any, Any]:
        """Return the terrains and the features that tiles at the four sides show to a cell."""
        oriented = self.oriented[near]
        terrain = np.where(near >= 0, self.geometry.terrain[oriented, OPPOSITE], 0)
        segments = self.geometry.slots[oriented, OPPOSITE][..., MIRRORED]
        shown = self.features_of[near[..., None], segments]
        return terrain, np.where((near[..., None] >= 0) & (segments >= 0), shown, -1)

    def fitting(self, game: Ints, terrain: Ints) -> Any:
        """Return how many tiles of the bag fit where this terrain is at the sides."""
        demand = (terrain << np.array([0, 3, 6, 9])).sum(-1)
        fits = (self.geometry.fits[demand] * self.stock[game]).sum(-1)
        return np.minimum(fits, MANY).astype(np.int32)


class Features:
    """The features as they are: their rows, and by feature what the rarest free cell is."""

    def __init__(self, table: Table) -> None:
        seen, geometry = table.seen, table.geometry
        columns, given = seen.columns["features"], seen.rows["features"].astype(np.int32)
        powers = [at for at, name in enumerate(columns) if name.startswith("power")]
        marks = [at for at, name in enumerate(columns) if name.startswith("mark")]
        self.rows = rows = np.zeros((len(given), len(FEATURE)), np.int32)
        rows[:, [KIND, TILES, OPEN]] = given[:, [columns.index(n) for n in FEATURE[:3]]]
        rows[:, OWN] = given[:, powers[0]]
        rows[:, OTHERS] = given[:, powers[1:]].max(1, initial=0)
        rows[:, MARKS] = given[:, marks].sum(1)
        self._look_at_free_cells(table)
        tile, field, city = np.nonzero(geometry.borders[table.kinds])
        count_borders(rows, table.features_of[tile, field], table.features_of[tile, city])
        centred = np.flatnonzero(geometry.centre[table.kinds] >= 0)
        centres = table.features_of[centred, geometry.centre[table.kinds[centred]]]
        near = table.at(table.of["tiles"][centred], table.cells[centred], AROUND)
        rows[centres, MISSING] = (near < 0).sum(1)
        self.centre_of = np.full(len(table.tiles) + 1, -1)  # by tile: what neighbours complete
        self.centre_of[centred] = centres

    def _look_at_free_cells(self, table: Table) -> None:
        """Find how many free cells each feature needs, and the two for which fewest tiles fit."""
        game, rows = table.of["tiles"], self.rows
        beside = (table.cells[:, None] + SIDES).reshape(-1, 2)
        empty = (table.at(game, table.cells, SIDES) < 0).ravel()
        keys = (np.repeat(game, 4) * SIZE + beside[:, 0]) * SIZE + beside[:, 1]
        keys = np.unique(keys[empty])
        game, cells = keys // SIZE**2, np.stack([keys // SIZE % SIZE, keys % SIZE], 1)
        terrain, shown = table.facing(table.at(game, cells, SIDES))
        fits = table.fitting(game, terrain)
        self.fits = np.full((table.games, SIZE, SIZE), -1, np.int32)
        self.fits[game, cells[:, 0], cells[:, 1]] = fits
        shown = shown.reshape(len(keys), 12)
        feature, cell = pairs(shown[shown >= 0], np.nonzero(shown >= 0)[0])
        rows[:, GAPS] = np.bincount(feature, minlength=len(rows))
        order = np.lexsort((fits[cell], feature))
        feature, cell = feature[order], cell[order]
        first = np.flatnonzero(np.diff(feature, prepend=-1))
        self.rarest_cell, self.second = np.full(len(rows), -1), np.full(len(rows), MANY)
        rows[:, RAREST] = MANY
        rows[feature[first], RAREST] = fits[cell[first]]
        self.rarest_cell[feature[first]] = keys[cell[first]]
        more = first[rows[feature[first], GAPS] > 1]
        self.second[feature[more]] = fits[cell[more + 1]]


def pairs(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the different pairs among these."""
    many = int(other.max(initial=0)) + 1
    found = np.unique(one.astype(np.int64) * many + other)
    return found // many, found % many


def count_borders(rows: Any, field: Any, city: Any) -> None:
    """Add to rows of features which border which: the cities of a field, the fields of a city."""
    field, city = pairs(field, city)
    own, others = rows[:, OWN], rows[:, OTHERS]
    for column, at, counted in (
        (COMPLETE, field, rows[city, OPEN] == 0),
        (CITIES, field, rows[city, OPEN] > 0),
        (OWN_FIELDS, city, ((own >= others) & (own > 0))[field]),
        (OTHERS_FIELDS, city, ((others >= own) & (others > 0))[field]),
    ):
        rows[:, column] += np.bincount(at[counted], minlength=len(rows))


class Placements:
    """What placements make of features, and of the free cells beside them."""

    def __init__(self, table: Table, features: Features) -> None:
        geometry, actions = table.geometry, table.actions
        places = (actions[:, 0] == PLACE) & (table.hand[table.of["actions"]] >= 0)
        self.actions = np.flatnonzero(places)
        self.game = table.of["actions"][self.actions]
        self.cells = actions[self.actions, 1:3] + SIZE // 2
        self.kind = table.hand[self.game]
        self.oriented = self.kind * 4 + actions[self.actions, 3]
        self.near = table.at(self.game, self.cells, SIDES)
        met = table.facing(self.near)[1].reshape(-1, 12)
        self.segments = geometry.slots[self.oriented].reshape(-1, 12)
        self.meets = (met >= 0) & (self.segments >= 0)
        self.met = np.where(self.meets, met, -1)  # features at the sides, 3 each
        self._join(geometry)
        self._add_up(geometry, features)
        self._look_around(table, features)
        self._look_at_free_cells(table, features)
        tile, field, city = np.nonzero(geometry.borders[self.kind])
        count_borders(self.rows, self.became[tile, field], self.became[tile, city])

    def _join(self, geometry: Geometry) -> None:
        """Find which segments of the tile become one feature, by what they meet."""
        number = np.tile(np.arange(geometry.most), (len(self.kind), 1))
        self.first = self.meets.copy()  # where a feature is met for the first time
        for q in range(12):
            for p in range(q):
                same = np.flatnonzero(self.meets[:, p] & (self.met[:, p] == self.met[:, q]))
                self.first[same, q] = False
                ends = self.segments[same][:, [p, q]]
                one, other = number[same[:, None], ends].T
                low, high = np.minimum(one, other)[:, None], np.maximum(one, other)[:, None]
                number[same] = np.where(number[same] == high, low, number[same])
        self.there = geometry.there[self.kind]
        new = self.there & (number == np.arange(geometry.most))
        index = (np.cumsum(new) - 1).reshape(new.shape)
        # By segment of the tile: the row of what it becomes a part of.
        self.became = np.where(self.there, np.take_along_axis(index, number, 1), -1)
        self.new = new
        self.placement = np.nonzero(new)[0]  # by row

    def _add_up(self, geometry: Geometry, features: Features) -> None:
        """Write the rows: the tile's own segments, and the features that they join."""
        self.rows = rows = np.zeros((len(self.placement), len(FEATURE)), np.int32)
        rows[:, KIND], rows[:, RAREST] = geometry.kind[self.kind][self.new], MANY
        segments = self.became[self.there]
        # Of a field each segment counts; a tile counts twice where two of its features meet.
        np.add.at(rows[:, TILES], segments, geometry.field[self.kind][self.there])
        rows[:, TILES] = np.maximum(rows[:, TILES], 1)
        np.add.at(rows[:, MARKS], segments, geometry.marks[self.kind][self.there])
        np.add.at(rows[:, OPEN], segments, geometry.open[self.kind][self.there])
        at, side = np.nonzero(self.meets)
        np.add.at(rows[:, OPEN], self.became[at, self.segments[at, side]], -2)
        at, side = np.nonzero(self.first)
        joined, into = self.met[at, side], self.became[at, self.segments[at, side]]
        for column in ADDED:
            np.add.at(rows[:, column], into, features.rows[joined, column])
        np.add.at(rows[:, GAPS], into, features.rows[joined, GAPS] - 1)
        key = (self.game * SIZE + self.cells[:, 0]) * SIZE + self.cells[:, 1]
        here = features.rarest_cell[joined] == key[at]
        rare = np.where(here, features.second[joined], features.rows[joined, RAREST])
        np.minimum.at(rows[:, RAREST], into, rare)
        self.joins, self.joined = at, joined

    def _look_around(self, table: Table, features: Features) -> None:
        """See what neighbours complete: on the tile itself, and on the tiles around it."""
        around = table.at(self.game, self.cells, AROUND)
        centre = table.geometry.centre[self.kind]
        (with_one,) = np.nonzero(centre >= 0)
        rows = self.became[with_one, centre[with_one]]
        self.rows[rows, MISSING] = (around[with_one] < 0).sum(1)
        self.rows[rows, OPEN] = self.rows[rows, MISSING] > 0
        self.next_to, which = np.nonzero(features.centre_of[around] >= 0)
        self.centres = features.centre_of[around[self.next_to, which]]
        self.nearer = features.rows[self.centres]
        self.nearer[:, MISSING] -= 1
        self.nearer[:, OPEN] = self.nearer[:, MISSING] > 0

    def _look_at_free_cells(self, table: Table, features: Features) -> None:
        """Write the free cells beside each placement: what fits there, what lies at their sides."""
        at, side = np.nonzero(self.near < 0)
        game, cells, back = self.game[at], self.cells[at] + SIDES[side], OPPOSITE[side]
        terrain, shown = table.facing(table.at(game, cells, SIDES))
        each, old = np.arange(len(at)), len(features.rows)
        terrain[each, back] = table.geometry.terrain[self.oriented[at], side]
        fits = table.fitting(game, terrain)
        shown = shown.reshape(-1, 12)
        refers = shown.copy()
        for n in range(12):  # what has become part of a new row
            new = old + self.became[at, np.maximum(self.segments[at, n], 0)]
            same = (shown == self.met[at, n, None]) & self.meets[at, n, None]
            refers = np.where(same, new[:, None], refers)
        mine = table.geometry.slots[self.oriented[at], side][:, MIRRORED]
        own = np.where(mine >= 0, self.became[at[:, None], mine], -1)
        refers = refers.reshape(-1, 4, 3)
        refers[each, back] = np.where(own >= 0, old + own, -1)
        row, cell = pairs(own[own >= 0], np.nonzero(own >= 0)[0])
        np.minimum.at(self.rows[:, RAREST], row, fits[cell])
        np.add.at(self.rows[:, GAPS], row, 1)
        before = features.fits[game, cells[:, 0], cells[:, 1]]
        sides = (terrain > 0).sum(1)
        self.free = np.column_stack([at, fits, before, sides, refers.reshape(-1, 12)])


def changes(geometry: Geometry, seen: Tokens) -> Tokens:
    """Return tokens with the tables of `COLUMNS`, those of actions, owners and numbers.

    Rows refer to each other within a position, as in all tokens; `seen` has no gaps.
    """
    table = Table(geometry, seen)
    features = Features(table)
    placements = Placements(table, features)
    feature = seen.columns["actions"].index("feature")
    claims = np.flatnonzero((table.actions[:, 0] == CLAIM) & (table.actions[:, feature] >= 0))
    of = table.of["actions"]
    claimed = table.actions[claims, feature] + seen.starts["features"][of[claims]]
    with_follower = features.rows[claimed]
    with_follower[:, OWN] += 1

    near = placements.actions[placements.next_to]
    action = np.concatenate([placements.actions[placements.placement], near, claims])
    rows = np.concatenate([placements.rows, placements.nearer, with_follower])
    order = np.argsort(action, kind="stable")
    place = np.argsort(order)
    changed = np.column_stack([action, rows])[order]
    gone_of = np.concatenate([placements.actions[placements.joins], near, claims])
    gone = np.column_stack(
        [gone_of, np.concatenate([placements.joined, placements.centres, claimed])]
    )
    gone = gone[np.argsort(gone_of, kind="stable")]
    cells = placements.free
    cells[:, 0] = placements.actions[cells[:, 0]]
    counts = {
        name: np.bincount(of[rows[:, 0]], minlength=table.games)
        for name, rows in (("changed", changed), ("gone", gone), ("cells", cells))
    }
    counts["features"] = seen.counts["features"]
    starts = {name: np.cumsum(many) - many for name, many in counts.items()}

    old, refers, game = len(features.rows), cells[:, 4:], of[cells[:, :1]]
    later = place[np.maximum(refers - old, 0)] - starts["changed"][game] + counts["features"][game]
    refers = np.where(refers >= old, later, refers - starts["features"][game])
    cells[:, 4:] = np.where(cells[:, 4:] < 0, -1, refers)
    gone[:, 1] -= starts["features"][of[gone[:, 0]]]
    tables = {"features": features.rows, "changed": changed, "gone": gone, "cells": cells}
    for rows in (changed, gone, cells):
        rows[:, 0] -= seen.starts["actions"][of[rows[:, 0]]]
    kept = ("actions", "owners", "numbers")
    return Tokens(
        {name: rows.astype(np.int16) for name, rows in tables.items()}
        | {name: seen.rows[name] for name in kept},
        starts | {name: seen.starts[name] for name in kept},
        counts | {name: seen.counts[name] for name in kept},
        seen.codes,
        COLUMNS | {name: seen.columns[name] for name in kept},
    )
