"""Bridges: where one lets a tile fit, and building it (BRC-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.candidates import Candidates
from carc.base.board.links import retype
from carc.base.cells import beyond
from carc.base.game.choices import NO_CHOICES, Choices, PlacementsAt, fit
from carc.base.tiles.catalogue import demand_in, demanding_cell, terrain_of, with_terrain
from carc.classics.bridges.tiles import WAYS

BESIDE: Final = 2  # ways from here on are bridges on the tiles beyond the four sides
ALL_WAYS: Final = 6

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
        self.road: i64 = 1 + (catalogue.letters.index("R") if "R" in catalogue.letters else 0)
        self.field: i64 = 1 + (catalogue.letters.index("F") if "F" in catalogue.letters else 0)
        self.has_road = vec[i64]([int("R" in tile.edges) for tile in catalogue.tiles])

    def _beside(self, state: State, cell: i64, side: i64) -> i64:
        """Return what a tile beside a free cell becomes by a bridge to that cell; or -1."""
        board = state.board
        there = beyond(cell, side)
        tile = board.tile_on_cell(there)
        if tile < 0 or not board.is_free(beyond(there, side)):
            return -1
        return self.bridged[2 * board.kind_of_tile(tile) + ((side - board.rotation_of(tile)) & 1)]

    def _rotations(self, state: State, kind: i64, cell: i64, demand: i64, way: i64) -> i64:
        """Return the rotations in which a tile fits on a cell by one bridge, a bit each.

        The way says where it is: 0 and 1 on the tile, as in `WAYS`; from 2 on beyond a side.
        """
        catalogue = state.rules.catalogue
        if way < BESIDE:
            bridged = self.bridged[2 * kind + way]
            return 0 if bridged < 0 else catalogue.rotations_for(bridged, demand)
        side = way - BESIDE
        if not self.has_road[kind]:
            return 0
        rotations = catalogue.rotations_for(kind, with_terrain(demand, side, self.road))
        return rotations if rotations and self._beside(state, cell, side) >= 0 else 0

    def places(self, state: State, player: int, kind: int) -> Choices:
        """Return where a tile fits with a bridge of the player or without (BRC-01).

        None: no bridge helps anywhere.
        """
        if not self.bridges.state_of(state).bridges[player]:
            return NO_CHOICES
        # On itself only a tile that can carry one, beside it only a tile with a road.
        carries = self.bridged[2 * kind] >= 0 or self.bridged[2 * kind + 1] >= 0
        first = 0 if carries else BESIDE
        last = ALL_WAYS if self.has_road[kind] else BESIDE
        if first == last:
            return NO_CHOICES
        catalogue = state.rules.catalogue
        demands = state.board.demands()
        fits = vec[i64](capacity=len(demands))
        helps = False
        for entry in demands:
            cell, demand = demanding_cell(entry), demand_in(entry)
            without = catalogue.rotations_for(kind, demand)
            rotations = without
            for way in range(first, last):
                # A bridge beyond a side helps only where there is a field without it.
                if way < BESIDE or terrain_of(demand, way - BESIDE) == self.field:
                    rotations |= self._rotations(state, kind, cell, demand, way)
            if rotations:
                fits = append(fits, fit(cell, rotations))
                helps |= rotations != without
        return PlacementsAt(fits) if helps else NO_CHOICES

    def build_for(self, state: State, player: int, cell: int, rotation: int) -> None:
        """Build the bridge that a placement needs, if it needs one."""
        kind: i64 = state.tile_in_hand
        demand: i64 = state.board.demand_of(cell)
        if state.rules.catalogue.rotations_for(kind, demand) >> rotation & 1:
            return
        for way in range(ALL_WAYS):
            if self._rotations(state, kind, cell, demand, way) >> rotation & 1:
                if way < BESIDE:
                    state.change_tile_in_hand(self.bridged[2 * kind + way])
                else:
                    side = way - BESIDE
                    tile = state.board.tile_on_cell(beyond(cell, side))
                    retype(state.board, tile, self._beside(state, cell, side))
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
        cell: i64 = board.cell_of(tile)
        for way in range(BESIDE):
            side = (way + board.rotation_of(tile)) & 1  # and the opposite one
            if self.bridged[2 * board.kind_of_tile(tile) + way] < 0:
                continue
            if board.is_free(beyond(cell, side)) and board.is_free(beyond(cell, side ^ 2)):
                sites.add_segment(cell, board.segment_of(tile, 0), kind=way)
