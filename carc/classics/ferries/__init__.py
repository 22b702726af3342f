"""The Ferries: `base+ferries` (FER-01, FER-02)."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, Final

from carc.base.board.links import first_met
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.turn.steps import ClaimStep, Step, index_of
from carc.base.turn.verbs import CallbackVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.ferries.ferries_state import FerriesState
from carc.classics.ferries.steps import MoveFerryStep, PlaceFerryStep
from carc.classics.tile_symbols import kinds_with_symbol, segments_of_kind

NONE: Final[list[int]] = []


class Ferries(CompetitiveExpansion[FerriesState]):
    """A ferry joins two of the roads that end at a lake, and may be moved."""

    VERSION = 2
    TILES = Path(__file__).with_name("ferries.txt")
    HELPERS = ("nearest", "pairs")

    def turn(self, steps: list[Step]) -> list[Step]:
        """FER-01, FER-02: ferries come after a follower."""
        after = index_of(steps, ClaimStep) + 1
        return [*steps[:after], PlaceFerryStep(self), MoveFerryStep(self), *steps[after:]]

    def bind(self, rules: Rules) -> None:
        """Look up the lakes, and make the choices."""
        self.lakes = kinds_with_symbol(rules, "ferry")
        self.roads = segments_of_kind(rules, "road")
        self.has_helpers = any(not kind.is_follower for kind in rules.follower_kinds)
        # By kind of tile: all pairs of its roads, by index.
        self.road_pairs = [list(combinations(roads, 2)) for roads in self.roads]
        most = max([len(tile.segments) for tile in rules.catalogue.tiles])
        kinds = [f"to{index}" for index in range(most)]  # `ferry:X,Y,SEGMENT,toSEGMENT`
        self.verb = CallbackVerb(rules, "ferry", self._join, kinds=kinds)
        self._offer_figures([self.verb])

    def setup(self, state: State) -> ExpansionState:
        """Start without ferries."""
        return FerriesState()

    def _join(self, state: State, segment: int, owner: int, other: int) -> None:
        """Lay a ferry from a road to another of its tile, by index, or move it there."""
        own = self.state_of(state)
        board = state.board
        tile = board.tile_under(segment)
        new = (segment, board.segment_of(tile, other))
        for at, old in enumerate(own.ferries):
            if board.tile_under(old[0]) == tile:
                own.moved.append(segment)
                own.ferries[at] = new
                board.unlink(old[0], old[1])
                board.link(new[0], new[1])
                for end in old if self.has_helpers else ():
                    self._send_helpers_home(state, board.feature_of(end))
                return
        own.ferries.append(new)
        board.link(new[0], new[1])

    def _send_helpers_home(self, state: State, road: int) -> None:
        """FER-02: figures that claim nothing go home if no follower of their owner is there."""
        board, kinds = state.board, state.rules.follower_kinds
        here = board.followers_of(road)
        led = [owner for _, owner, kind in here if kinds[kind].is_follower]
        for at, owner, kind in here:
            if owner not in led:
                state.take_follower(at, owner, kind)

    def pairs(self, state: State, tile: int) -> list[tuple[int, int]]:
        """Return all pairs of a lake's roads but the one that its ferry joins.

        Of each pair the first segment, and the index of the second one on its tile.
        """
        board = state.board
        first = board.segment_of(tile, 0)
        joined = (-1, -1)
        for one, other in self.state_of(state).ferries:
            if board.tile_under(one) == tile:
                joined = (one - first, other - first)
        pairs = self.road_pairs[board.kind_of_tile(tile)]
        return [(first + pair[0], pair[1]) for pair in pairs if pair != joined]

    def nearest(self, state: State) -> list[int]:
        """Return the tiles of the ferries next on the roads of the last tile, not moved yet."""
        own = self.state_of(state)
        if not own.ferries:
            return NONE
        board = state.board
        ways = docks = NONE  # docks: of the ferries on these roads, on other tiles
        for index in self.roads[board.kind_of_tile(board.last_tile)]:
            way = board.segment_of(board.last_tile, index)
            if board.is_single(way):
                continue
            road = board.feature_of(way)
            for one, other in own.ferries:
                if board.feature_of(one) == road and board.tile_under(one) != board.last_tile:
                    docks = [*docks, one, other]
                    ways = [*ways, way] if way not in ways else ways
        if not docks:
            return NONE
        moved = [board.tile_under(segment) for segment in own.moved]
        tiles: list[int] = []
        for dock in first_met(board, ways, docks):
            tile = board.tile_under(dock)
            if tile not in tiles and tile not in moved:
                tiles.append(tile)
        return tiles

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ferries to the pieces, each from the first of its two roads to the other."""
        for one, other in self.state_of(state).ferries:
            data["pieces"].append(piece(state, "ferry", state.board.cell_under(one), one, to=other))
        return data
