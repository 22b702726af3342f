"""Bridges, Castles & Bazaars: `base+bridges` (BRC-01, BRC-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import DOUBLED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.scoring import cities_of
from carc.base.turn.steps import DrawStep, PlaceStep, ScoreStep, Step, index_of
from carc.classics.bridges.bazaar import BazaarStep, NoTileStep, TakeStep
from carc.classics.bridges.bridges_state import CASTLE, BridgesState
from carc.classics.bridges.castles import Castles, CastlesStep
from carc.classics.bridges.estimates import BridgesEstimates
from carc.classics.bridges.fiefs import CastleScoreStep
from carc.classics.bridges.offers import Offers
from carc.classics.bridges.spans import BridgePlaceStep, Spans
from carc.classics.bridges.tiles import PIER, with_bridges
from carc.classics.competitive_expansion import CompetitiveExpansion

FEW_PLAYERS: Final = 4  # with more, each player has one piece less (BRC-01, BRC-02)


class Bridges(CompetitiveExpansion[BridgesState]):
    """Roads go on over bridges; small cities become castles.

    Options: `bridges`: built on the tile just placed or one beside it (near), on the tile alone
    (own), or not at all; `castles`: whether there are castles; `bazaars`: whether tiles are
    auctioned, or each player chooses one for nothing, or neither.
    """

    VERSION = 3
    TILES = Path(__file__).with_name("bridges_castles_and_bazaars.txt")
    PIECES = {"bridge": (), "castle": ()}  # without its tiles, too
    ORDER = {"tile_sets": DOUBLED}
    ONLY_FOR = {"feature_points": ("field",), "tile_placed": ("bazaar",)}
    ON_SEGMENTS = ("castle",)

    def options(self) -> Mapping[str, Sequence[str]]:
        """BRC-01, BRC-02: which parts are played."""
        return {
            "bridges": ("near", "own", "off"),
            "castles": ("on", "off"),
            "bazaars": ("on", "choose", "off"),
            **super().options(),
        }

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """BRC-01: room for bridges. BRC-02: castles."""
        kinds = super().segment_kinds(kinds)
        self.rising = [kind.name for kind in kinds if kind.rises]
        return [*kinds, PIER, CASTLE]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """BRC-01: all tiles of the game, with bridges too."""
        sets = super().tile_sets(sets, read)
        if self.chosen["bridges"] == "off":
            return sets
        return [with_bridges(one, self.rising) for one in sets]

    def turn(self, steps: list[Step]) -> list[Step]:
        """BRC-01: tiles are placed with bridges. BRC-02: castles come before the scoring.

        BRC-03: an auction begins the turn after that of the bazaar, before an abbey is laid.
        """
        self.bridged = self.chosen["bridges"] != "off"
        self.auctions = self.chosen["bazaars"] == "on"
        self.castle_scores = CastleScoreStep(self)
        self.bazaar = BazaarStep("bazaar", self)
        if self.bridged:
            steps[index_of(steps, PlaceStep)] = BridgePlaceStep(self)
        if self.chosen["castles"] == "on":
            at = index_of(steps, ScoreStep)
            steps[at : at + 1] = [CastlesStep(self), steps[at], self.castle_scores]
        if self.chosen["bazaars"] != "off":
            steps.insert(index_of(steps, DrawStep), NoTileStep("empty hand", self))
            steps = [self.bazaar, TakeStep("bought tile", self), *steps]
        return steps

    def bind(self, rules: Rules) -> None:
        """Look up the tiles with bridges, and make the choices."""
        self.castle_kind = rules.catalogue.kind_of[CASTLE.name]
        self.spans = Spans(self, rules)
        self.castles = Castles(self, rules)
        self.offers = Offers(rules)
        self.bazaars = self.chosen["bazaars"] != "off" and rules.players > 1
        self.draw_step = rules.turn[index_of(rules.turn, DrawStep)]
        self._offer_figures([self.spans.verb])

    def parse(self, text: str) -> Action | None:
        return self.offers.parse(text) or super().parse(text)

    def setup(self, state: State) -> ExpansionState:
        """Start with three or two bridges and castles each."""
        players = state.rules.players
        return BridgesState(3 if players <= FEW_PLAYERS else 2, players)

    def tile_placed(self, state: State, tile: int) -> None:
        """BRC-03: a bazaar brings an auction, unless tiles of the last one are being placed."""
        own = self.state_of(state)
        if self.bazaars and state.has_begun and own.host < 0:
            own.host = state.active_player

    def claims(self, state: State, player: int) -> Choices:
        """BRC-01: a bridge over the tile just placed, or one beside it."""
        return self.spans.claims(state, player) if self.bridged else NO_CHOICES

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """BRC-02: note what the castles near a completed feature score."""
        castle = state.board.is_kind(feature, self.castle_kind)  # those are noted when they score
        if not final and not castle and self.state_of(state).standing:
            self.castle_scores.note(state, feature)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """BRC-02: a castle is worth 1 more than a city to a field."""
        own = self.state_of(state)
        if not final or not (own.standing or own.new or own.ruins):
            return points
        cities = cities_of(state, feature)
        castles = sum([1 for city in cities if state.board.is_kind(city, self.castle_kind)])
        state.note("castle", castles, 1)
        return points + castles

    def estimates(self) -> Estimates:
        return BridgesEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add castles to the pieces; `bridges`, `castles`: what each player has left."""
        own = self.state_of(state)
        for castle in (*own.standing, *own.new, *own.ruins):
            data["pieces"].append(piece(state, "castle", segment=castle))
        names = state.rules.tile_names
        held = data.setdefault("tiles_held", [{} for _ in range(state.rules.players)])
        for player, tile in enumerate(own.bought):
            held[player].update({names[tile]: 1} if tile >= 0 else {})
        data["tiles_offered"] = [names[tile] for tile in own.offers]
        if self.chosen["bridges"] != "off":
            data["bridges"] = own.bridges.copy()
        if self.chosen["castles"] != "off":
            data["castles"] = own.castles.copy()
        return data
