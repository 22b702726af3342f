"""Bridges: where one lets a tile fit, and building it (BRC-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.board.candidates import Candidates
from carc.base.board.links import retype
from carc.base.cells import beyond
from carc.base.tiles.catalogue import (
    DEMANDS,
    ROTATIONS,
    Catalogue,
    demand_in,
    demanding_cell,
    terrain_of,
    with_terrain,
)
from carc.base.turn.actions import Place
from carc.base.turn.choices import NO_CHOICES, Choices, PlacementsAt, fit, fit_cell, fit_rotations
from carc.classics.bridges.tiles import WAYS

BESIDE: Final = 2  # ways from here on are bridges on the tiles beyond the four sides
ALL_WAYS: Final = 6
SIDES_AT: Final = 4  # where the sides begin in what `_gain` returns
UNKNOWN: Final = 255  # no gain: with all rotations no side has more

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.bridges import Bridges


class Spans:
    """The bridges that tiles can carry."""

    def __init__(self, bridges: Bridges, rules: Rules) -> None:
        """Look up the tiles with bridges."""
        self.bridges: Final = bridges
        catalogue = rules.catalogue
        names = [tile.name for tile in catalogue.tiles]
        # By kind of tile and way: the kind with a bridge there; -1: it can carry none.
        self.bridged = vec[i64](
            [catalogue.index.get(f"{name}+{way}", -1) for name in names for way in WAYS]
        )
        high = [kind.name for kind in catalogue.kinds if kind.rises]
        # By kind of tile: the segment on which figures may rise too high; -1: there is none.
        self.rising = vec[i64](
            [
                next((n for n, part in enumerate(tile.segments) if part.kind in high), -1)
                for tile in catalogue.tiles
            ]
        )
        self.road: i64 = 1 + (catalogue.letters.index("R") if "R" in catalogue.letters else 0)
        self.field: i64 = 1 + (catalogue.letters.index("F") if "F" in catalogue.letters else 0)
        self.has_road = vec[i64]([int("R" in tile.edges) for tile in catalogue.tiles])
        # What `_gain` returned, with the index `_gains_at[kind] | demand`. Tiles with equal edges
        # that carry equal bridges share a part.
        parts: dict[tuple[str, bool, bool], int] = {}
        starts: list[int] = []
        for kind, tile in enumerate(catalogue.tiles):
            carried = self.bridged[2 * kind] >= 0, self.bridged[2 * kind + 1] >= 0
            starts.append(parts.setdefault((tile.edges, *carried), len(parts)) * (DEMANDS + 1))
        self._gains_at = vec[i64](starts)
        self._gains = vec[u8]([UNKNOWN] * (len(parts) * (DEMANDS + 1)))

    def _beside(self, state: State, cell: i64, side: i64) -> i64:
        """Return what a tile beside a free cell becomes by a bridge to that cell; or -1."""
        board = state.board
        there = beyond(cell, side)
        tile = board.tile_on_cell(there)
        if tile < 0 or not board.is_free(beyond(there, side)):
            return -1
        return self._bridged_now(board, tile, (side - board.rotation_of(tile)) & 1)

    def _bridged_now(self, board: Board, tile: i64, way: i64) -> i64:
        """Return what a tile becomes by a bridge over it; -1: it can carry none, or not now."""
        kind: i64 = board.kind_of_tile(tile)
        at = self.rising[kind]
        if at >= 0 and board.is_claimed(board.segment_of(tile, at)):
            return -1
        return self.bridged[2 * kind + way]

    def _rotations(self, catalogue: Catalogue, kind: i64, demand: i64, way: i64) -> i64:
        """Return the rotations in which a tile fits where this is demanded by one bridge, as bits.

        The way says where it is: 0 and 1 on the tile, as in `WAYS`; from 2 on beyond a side, where
        a tile must lie that can carry it (`_beside`).
        """
        if way < BESIDE:
            bridged = self.bridged[2 * kind + way]
            return 0 if bridged < 0 else catalogue.rotations_for(bridged, demand)
        side = way - BESIDE
        # Beyond a side it helps only where there is a field without it.
        if not self.has_road[kind] or terrain_of(demand, side) != self.field:
            return 0
        return catalogue.rotations_for(kind, with_terrain(demand, side, self.road))

    def _gain(self, catalogue: Catalogue, kind: i64, demand: i64) -> i64:
        """Return what bridges gain for a tile where this is demanded, whatever lies there.

        As bits: the rotations in which it fits by a bridge on itself, above them the sides beyond
        which a bridge would let it fit in yet others.
        """
        at = self._gains_at[kind] | demand
        known = i64(self._gains[at])
        if known != UNKNOWN:
            return known
        without = catalogue.rotations_for(kind, demand)
        gain: i64 = 0
        for way in range(ALL_WAYS):
            more = self._rotations(catalogue, kind, demand, way) & ~(without | gain & ROTATIONS)
            if way < BESIDE:
                gain |= more
            elif more:
                gain |= 1 << SIDES_AT + way - BESIDE
        self._gains[at] = u8(gain)
        return gain

    def places(self, state: State, player: int, kind: int) -> Choices:
        """Return where a tile fits with a bridge of the player or without (BRC-01).

        `NO_CHOICES`: no bridge can help this player with this tile, wherever it goes.
        """
        if not self.bridges.state_of(state).bridges[player]:
            return NO_CHOICES
        # On itself only a tile that can carry one, beside it only a tile with a road.
        carries = self.bridged[2 * kind] >= 0 or self.bridged[2 * kind + 1] >= 0
        if not carries and not self.has_road[kind]:
            return NO_CHOICES
        catalogue = state.rules.catalogue
        demands = state.board.demands()
        table, start = catalogue.rotations, catalogue.rotations_at[kind]
        gains, first = self._gains, self._gains_at[kind]
        fits = vec[i64]([0] * len(demands))
        at: i64 = 0
        for entry in demands:
            demand = demand_in(entry)
            rotations = i64(table[start | demand]) & ROTATIONS
            gain = i64(gains[first | demand])
            if gain:
                rotations |= self._rotations_gained(state, kind, entry, gain)
            # Written always and kept if a rotation fits, as in `Placements.fits`.
            fits[at] = fit(demanding_cell(entry), rotations)
            at += -rotations >> 63 & 1
        return PlacementsAt(fits)

    def _rotations_gained(self, state: State, kind: i64, entry: i64, gain: i64) -> i64:
        """Return the rotations in which a tile fits by a bridge where this is demanded, as bits.

        `gain`: what `_gain` returns for it, or UNKNOWN.
        """
        catalogue = state.rules.catalogue
        cell, demand = demanding_cell(entry), demand_in(entry)
        if gain == UNKNOWN:
            gain = self._gain(catalogue, kind, demand)
        rotations = gain & ROTATIONS
        gain >>= SIDES_AT
        way: i64 = BESIDE
        while gain:
            if gain & 1 and self._beside(state, cell, way - BESIDE) >= 0:
                rotations |= self._rotations(catalogue, kind, demand, way)
            gain >>= 1
            way += 1
        return rotations

    def all_need_bridges(self, state: State, kind: int, places: Choices) -> bool:
        """Return True if a tile fits at none of these places without a bridge."""
        board, catalogue = state.board, state.rules.catalogue
        if isinstance(places, PlacementsAt):
            for entry in places.fits:
                without = catalogue.rotations_for(kind, board.demand_of(fit_cell(entry)))
                if without & fit_rotations(entry):
                    return False
            return True
        for action in places.actions(state):
            if isinstance(action, Place):
                without = catalogue.rotations_for(kind, board.demand_of(action.cell))
                if without >> action.rotation & 1:
                    return False
        return True

    def build_for(self, state: State, player: int, cell: int, rotation: int) -> None:
        """Build the bridge that a placement needs, if it needs one."""
        if not self.bridges.state_of(state).bridges[player]:
            return
        kind: i64 = state.tile_in_hand
        demand: i64 = state.board.demand_of(cell)
        catalogue = state.rules.catalogue
        if catalogue.rotations_for(kind, demand) >> rotation & 1:
            return
        for way in range(ALL_WAYS):
            if not self._rotations(catalogue, kind, demand, way) >> rotation & 1:
                continue
            if way < BESIDE:
                state.change_tile_in_hand(self.bridged[2 * kind + way])
            else:
                side = way - BESIDE
                bridged = self._beside(state, cell, side)
                if bridged < 0:
                    continue
                retype(state.board, state.board.tile_on_cell(beyond(cell, side)), bridged)
            self._spend(state, player)
            return

    def build_on(self, state: State, player: int, tile: int, way: int) -> None:
        """Build a bridge on a tile that lies."""
        retype(state.board, tile, self.bridged[2 * state.board.kind_of_tile(tile) + way])
        self._spend(state, player)

    def _spend(self, state: State, player: int) -> None:
        own = self.bridges.state_of(state)
        own.bridges[player] -= 1
        own.built = True

    def sites(self, state: State, near: bool) -> Candidates:
        """Return where a bridge may be built on the last tile, or on one beside it too."""
        board = state.board
        sites = Candidates()
        self._add_sites(board, board.last_tile, sites)
        for side in range(4 if near else 0):
            self._add_sites(board, board.neighbour(board.last_tile, side), sites)
        return sites

    def _add_sites(self, board: Board, tile: i64, sites: Candidates) -> None:
        if tile < 0:
            return
        for way in range(BESIDE):
            if self._bridged_now(board, tile, way) < 0:
                continue
            cell: i64 = board.cell_of(tile)
            side = (way + board.rotation_of(tile)) & 1  # and the opposite one
            if board.is_free(beyond(cell, side)) and board.is_free(beyond(cell, side ^ 2)):
                sites.add_segment(cell, board.segment_of(tile, 0), kind=way)
