"""Bridges: where one lets a tile fit, and building it (BRC-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.candidates import Candidates
from carc.base.board.links import retype
from carc.base.cells import SIDES, beyond
from carc.base.game.actions import Action, place_on
from carc.base.tiles.catalogue import terrain_of, with_terrain
from carc.classics.bridges.tiles import WAYS

if TYPE_CHECKING:
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
        self.has_road = vec[i64]([int("R" in tile.edges) for tile in catalogue.tiles])

    def _way(self, tile_kind: int, rotation: int, side: int) -> int:
        """Return the tile with a bridge that reaches a side of a tile in this rotation; or -1."""
        if tile_kind < 0:
            return -1
        return self.bridged[2 * tile_kind + ((side - rotation) & 1)]

    def _beside(self, state: State, cell: int, side: int) -> int:
        """Return what a tile beside a free cell becomes by a bridge to that cell; or -1."""
        board = state.board
        there = beyond(cell, side)
        tile = board.tile_on_cell(there)
        if tile < 0 or not board.is_free(beyond(there, side)):
            return -1
        return self._way(board.kind_of_tile(tile), board.rotation_of(tile), side)

    def _needed(self, state: State, kind: int, cell: int, rotation: int) -> tuple[int, int]:
        """Return the bridge that lets a tile fit: where (4: on itself, else a side), and the kind.

        (-1, -1): none is needed, or none helps.
        """
        demand = state.board.demand_of(cell)
        fits = state.rules.catalogue.fits
        if rotation in fits[kind][demand]:
            return -1, -1
        for way in (0, 1):
            bridged = self.bridged[2 * kind + way]
            if bridged >= 0 and rotation in fits[bridged][demand]:
                return 4, bridged
        for side in range(4):
            with_road = with_terrain(demand, side, self.road)
            if with_road != demand and rotation in fits[kind][with_road]:
                bridged = self._beside(state, cell, side)
                if bridged >= 0:
                    return side, bridged
        return -1, -1

    def _may_help(self, state: State, kind: int, cell: int, demand: i64) -> bool:
        """Return True if some bridge may let a tile fit on a free cell: quick to say."""
        carries = self.bridged[2 * kind] >= 0 or self.bridged[2 * kind + 1] >= 0
        for side in range(4):
            if terrain_of(demand, side) == self.road and carries:
                return True
            if self.has_road[kind] and self._beside(state, cell, side) >= 0:
                return True
        return False

    def places(self, state: State, player: int, kind: int) -> list[Action]:
        """Return where a tile fits by a bridge of the player (BRC-01)."""
        more: list[Action] = []
        if not self.bridges.state_of(state).bridges[player]:
            return more
        for cell, demand in state.board.free_cells().items():
            known = state.rules.catalogue.fits[kind][demand]
            for rotation in range(4) if self._may_help(state, kind, cell, demand) else ():
                if rotation not in known and self._needed(state, kind, cell, rotation)[0] >= 0:
                    more.append(place_on(cell, rotation))
        return more

    def build_for(self, state: State, player: int, cell: int, rotation: int) -> None:
        """Build the bridge that a placement needs, if it needs one."""
        where, kind = self._needed(state, state.tile_in_hand, cell, rotation)
        if where < 0:
            return
        if where == 4:
            state.change_tile_in_hand(kind)
        else:
            retype(state.board, state.board.tile_on_cell(beyond(cell, where)), kind)
        self._spend(state, player)

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
        here = board.cell_of(board.last_tile)
        cells = [here]
        if near:
            cells += [here + step for step in SIDES]
        sites = Candidates()
        for cell in cells:
            tile = board.tile_on_cell(cell)
            for way, edges in enumerate(WAYS.values() if tile >= 0 else ()):
                if self.bridged[2 * board.kind_of_tile(tile) + way] < 0:
                    continue
                sides = [(edge + board.rotation_of(tile)) % 4 for edge in edges]
                if all(board.is_free(beyond(cell, side)) for side in sides):
                    sites.add_segment(cell, board.segment_of(tile, 0), kind=way)
        return sites
