"""Bridges: which tiles carry one, and building it (BRC-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.board.links import retype
from carc.base.cells import beyond
from carc.base.small_set import TileKinds
from carc.base.turn.actions import PASS, Place
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.exchanges import Exchanges
from carc.base.turn.steps import ClaimStep, PlaceStep, allowed_placements
from carc.base.turn.verbs import CallbackVerb
from carc.classics.bridges.tiles import WAYS, has_gate, may_end

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.bridges import Bridges


class Spans(Exchanges):
    """The bridges that tiles can carry: a tile is exchanged for one with a road over its fields."""

    def __init__(self, bridges: Bridges, rules: Rules) -> None:
        """Look up the tiles with bridges."""
        catalogue = rules.catalogue
        names = [tile.name for tile in catalogue.tiles]
        # By kind of tile and way: the kind with a bridge there; -1: it can carry none.
        self.bridged: Final = [
            [catalogue.index.get(f"{name}+{way}", -1) for way in WAYS] for name in names
        ]
        super().__init__(
            catalogue, [[kind for kind in ways if kind >= 0] for ways in self.bridged], "F", "R"
        )
        self.gates: Final = TileKinds([has_gate(tile) for tile in catalogue.tiles])
        self.carrying: Final = TileKinds([max(ways) >= 0 for ways in self.bridged])
        self.bridges: Final = bridges
        self.verb: Final = CallbackVerb(rules, "bridge", self._build, kinds=list(WAYS))
        self._near: Final = bridges.chosen["bridges"] == "near"
        high = [kind.name for kind in catalogue.kinds if kind.rises]
        # By kind of tile: the segment on which figures may rise too high; -1: there is none.
        self.rising: Final = [
            next((n for n, part in enumerate(tile.segments) if part.kind in high), -1)
            for tile in catalogue.tiles
        ]

    def beside(self, state: State, cell: int, side: int) -> int:
        """Return what a tile beside a free cell becomes by a bridge to that cell; or -1."""
        board = state.board
        there = beyond(cell, side)
        tile = board.tile_on_cell(there)
        if tile < 0 or not may_end(board, self.gates, there, side):
            return -1
        return self._bridged_now(board, tile, (side - board.rotation_of(tile)) % 2)

    def _bridged_now(self, board: Board, tile: int, way: int) -> int:
        """Return what a tile becomes by a bridge over it; -1: it can carry none, or not now."""
        kind = board.kind_of_tile(tile)
        at = self.rising[kind]
        if at >= 0 and board.is_claimed(board.segment_of(tile, at)):
            return -1
        return self.bridged[kind][way]

    def places(self, state: State, player: int, kind: int) -> Choices:
        """Return where a tile fits with a bridge of the player or without.

        `NO_CHOICES`: no bridge can help this player with this tile, wherever it goes.
        """
        if not self.bridges.state_of(state).bridges[player]:
            return NO_CHOICES
        return self.placements(state, kind)

    def build_for(self, state: State, player: int, cell: int, rotation: int) -> None:
        """Build the bridge that a placement needs, if it needs one."""
        if not self.bridges.state_of(state).bridges[player]:
            return
        side, bridged = self.needed_for(state, cell, rotation)
        if bridged < 0:
            return
        if side < 0:
            state.change_tile_in_hand(bridged)
        else:
            retype(state.board, state.board.tile_on_cell(beyond(cell, side)), bridged)
        self._spend(state, player)

    def _build(self, state: State, segment: int, player: int, way: int) -> None:
        """Build a bridge on a tile that lies; a follower may be placed too."""
        tile = state.board.tile_under(segment)
        retype(state.board, tile, self.bridged[state.board.kind_of_tile(tile)][way])
        self._spend(state, player)
        if isinstance(state.step, ClaimStep):
            state.push(state.step, player)

    def _spend(self, state: State, player: int) -> None:
        own = self.bridges.state_of(state)
        own.bridges[player] -= 1
        own.built = True

    def claims(self, state: State, player: int) -> Choices:
        """Return where a bridge may be built on the last tile, or on one beside it too."""
        board, own = state.board, self.bridges.state_of(state)
        if own.built or not own.bridges[player]:
            return NO_CHOICES
        sites: list[tuple[int, int]] = []  # a segment of the tile, and the way
        self._add_sites(board, board.last_tile, sites)
        for side in range(4 if self._near else 0):
            self._add_sites(board, board.neighbour(board.last_tile, side), sites)
        return self.verb.on(board, sites) if sites else NO_CHOICES

    def _add_sites(self, board: Board, tile: int, sites: list[tuple[int, int]]) -> None:
        if tile < 0 or board.kind_of_tile(tile) not in self.carrying:
            return
        cell, gates = board.cell_of(tile), self.gates
        for way in range(len(WAYS)):
            side = (way + board.rotation_of(tile)) % 2  # and the opposite one
            ends = may_end(board, gates, cell, side) and may_end(board, gates, cell, side ^ 2)
            if ends and self._bridged_now(board, tile, way) >= 0:
                sites.append((board.segment_of(tile, 0), way))


class BridgePlaceStep(PlaceStep):
    """BRC-01: a tile may be placed with a bridge that makes it fit, or else be put away."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__()
        self.bridges: Final = bridges

    def choices(self, state: State, player: int) -> Choices:
        """Return where the tile fits; if only by a bridge, the player may decline."""
        kind = state.tile_in_hand
        spans = self.bridges.spans
        places = spans.places(state, player, kind)
        if not places.count:
            return super().choices(state, player)
        places = allowed_placements(state, kind, places)
        if places.count and not spans.any_fits_as_it_is(state, kind, places):
            return places.or_pass()
        return places

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Build the bridge that is needed, then place the tile."""
        self.bridges.state_of(state).built = False
        if isinstance(action, Place):
            self.bridges.spans.build_for(state, player, action.cell, action.rotation)
        super().apply(state, player, None if action is PASS else action)
