"""Under the Big Top: `base+bigtop`, circus, acrobats and ringmaster (BIG-01 to BIG-03)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.turn.choices import Choices
from carc.base.turn.steps import CHANCE
from carc.classics.bigtop.acrobats import Acrobats
from carc.classics.bigtop.bigtop_state import NOWHERE, RINGMASTER, BigTopState
from carc.classics.bigtop.circus import CircusStep
from carc.classics.bigtop.estimates import BigTopEstimates
from carc.classics.bigtop.tiles import GROUND, with_grounds
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import after_scoring
from carc.classics.tile_symbols import kinds_with_symbol


class BigTop(CompetitiveExpansion[BigTopState]):
    """A circus scores for the followers around it, acrobats for their pyramids.

    Options: `acrobats`: whether there are any; `fairy`: whether a fairy at a pyramid is with each
    acrobat or with one; `castles`: whether who is in a castle counts for both of its tiles, or for
    the one where the follower stands.
    """

    VERSION = 2
    TILES = Path(__file__).with_name("under_the_big_top.txt")
    _ADDED_OPTIONS = {"castles": "near", "fairy": "one"}
    HELPERS = ("shows_around",)
    ONLY_FOR = {"tile_placed": ("circus", "acrobats")}

    def options(self) -> Mapping[str, Sequence[str]]:
        """BIG-01: castles at a circus. BIG-02: whether acrobats play, and the fairy with them."""
        return {"acrobats": ("on", "off"), "fairy": ("each", "one"), "castles": ("near", "tile")}

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """BIG-02: a place for acrobats."""
        return [*super().segment_kinds(kinds), GROUND]

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """BIG-03: each player has a ringmaster."""
        return [*kinds, FollowerKind("ringmaster", supply=1)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """BIG-02: the acrobats' tiles have a segment for them."""
        sets = super().tile_sets(sets, read)
        return sets if self.chosen["acrobats"] == "off" else with_grounds(sets)

    def bind(self, rules: Rules) -> None:
        """Look up the symbols on the tiles and make the choices."""
        self.circus_tiles = kinds_with_symbol(rules, "circus")
        shown = kinds_with_symbol(rules, "acrobats")
        # By kind of tile: how many of the two it shows.
        self.shows = [
            int(kind in self.circus_tiles) + int(kind in shown)
            for kind in range(len(rules.tile_names))
        ]
        self.ground = rules.catalogue.kind_of[GROUND.name]
        self.ringmaster = rules.follower_number("ringmaster")
        self.acrobats = Acrobats(self, rules)
        self._offer_figures(self.acrobats.verbs)
        self.circus = CircusStep(self, rules)
        self.simple_actions = self.circus.tokens
        self.arrives_before = rules.turn[after_scoring(rules.turn)]

    def setup(self, state: State) -> ExpansionState:
        """Start without a circus on the board."""
        return BigTopState()

    def tile_placed(self, state: State, tile: int) -> None:
        """BIG-01, BIG-02: a circus comes after the scoring; acrobats have a place at once."""
        board = state.board
        own = self.state_of(state)
        if board.kind_of_tile(tile) in self.circus_tiles:
            own.following = board.cell_of(tile)
            state.schedule(self.circus, state.active_player, self.arrives_before)
        own.grounds += [s for s in board.segments_of(tile) if board.is_kind(s, self.ground)]

    def game_ended(self, state: State) -> None:
        """BIG-01, BIG-02: the last token and all acrobats are scored."""
        own = self.state_of(state)
        for segment in own.grounds:
            self.acrobats.score(state, segment)
        if own.tent != NOWHERE:
            state.push(self.circus.token_step, CHANCE)

    def claims(self, state: State, player: int) -> Choices:
        """BIG-02: an acrobat joins a pyramid around the tile, or a full one is scored."""
        return self.acrobats.claims(state, player)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """BIG-03: a ringmaster earns 2 more a circus or acrobats' tile, majority or not.

        In a castle it does not.
        """
        if not state.board.is_within_reach(feature):
            return
        for owner in range(state.rules.owners):
            if state.board.supply_of(owner, self.ringmaster):
                continue
            segment = state.board.segment_with(feature, owner, self.ringmaster)
            count = self.shows_around(state, segment) if segment >= 0 else 0
            if count:
                state.award(owner, "ringmaster", count, RINGMASTER)

    def shows_around(self, state: State, segment: int) -> int:
        """Return how many circus and acrobats' tiles are around a segment's tile."""
        board = state.board
        tiles = board.tiles_around(board.cell_under(segment))
        return sum([self.shows[board.kind_of_tile(tile)] for tile in tiles])

    def estimates(self) -> Estimates:
        return BigTopEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the big top to the pieces; `tent_tokens`: those not seen yet, by points."""
        own = self.state_of(state)
        if own.tent != NOWHERE:
            data["pieces"].append(piece(state, "big top", own.tent))
        return {**data, "tent_tokens": own.tokens.copy()}
