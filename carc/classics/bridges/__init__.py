"""Bridges, Castles & Bazaars: `base+bridges` (BRC-01, BRC-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.candidates import Candidates
from carc.base.board.links import change_kind, retype
from carc.base.cells import SIDES, beyond
from carc.base.game.actions import Action, place_on
from carc.base.game.choices import NO_CHOICES, Choices
from carc.base.game.expansion import DOUBLED, ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.scoring import cities_of, value
from carc.base.game.state import State
from carc.base.game.steps import (
    ClaimStep,
    DrawStep,
    EndStep,
    PlaceStep,
    ScoreStep,
    Step,
    index_of,
)
from carc.base.game.to_dict import piece
from carc.base.tiles.catalogue import terrain_of, with_terrain
from carc.base.tiles.tile import CITY, FIELD, SegmentKind, TileSet
from carc.classics.bridges.bazaar import (
    BazaarStep,
    BidStep,
    DealStep,
    OfferStep,
    SelectStep,
    TakeStep,
    parse_offer,
)
from carc.classics.bridges.bridges_state import CASTLE, BridgesState
from carc.classics.bridges.steps import BridgePlaceStep, CastleScoreStep, CastlesStep, CastleStep
from carc.classics.bridges.tiles import PIER, WAYS, parts_a_corner, with_bridges
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import FigureVerb
from carc.classics.tile_symbols import kinds_with_symbol

FEW_PLAYERS: Final = 4  # with more, each player has one piece less (BRC-01, BRC-02)
TILE_WORTH: Final = 1.5  # points that the choice of a tile is worth, an estimate
CASTLE_PROMISE: Final = 5.0  # points that a castle may bring, an estimate


class BridgeVerb(FigureVerb):
    """BRC-01: the choice of a tile and of the way a bridge runs over it."""

    def __init__(self, bridges: Bridges, rules: Rules) -> None:
        """Make the verb."""
        super().__init__(rules, "bridge", kinds=list(WAYS))
        self.bridges: Final = bridges

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Build the bridge; a follower may be placed too."""
        self.bridges.build_on(state, owner, state.board.tile_under(segment), follower)
        if isinstance(state.step, ClaimStep):
            state.push(state.step, owner)


class Bridges(CompetitiveExpansion[BridgesState]):
    """Roads go on over bridges; small cities become castles.

    Options: `bridges`: built on the tile just placed or one beside it (near), on the tile alone
    (own), or not at all; `castles`, `bazaars`: whether there are castles and auctions.
    """

    TILES = Path(__file__).with_name("bridges_castles_and_bazaars.txt")
    ORDER = {"tile_sets": DOUBLED}
    ON_SEGMENTS = ("castle",)
    HELPERS = ("places", "build_for", "build_on", "small_cities", "found", "score_castles")

    def options(self) -> Mapping[str, Sequence[str]]:
        """BRC-01, BRC-02: which parts are played."""
        return {
            "bridges": ("near", "own", "off"),
            "castles": ("on", "off"),
            "bazaars": ("on", "off"),
        }

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """BRC-01: room for bridges. BRC-02: castles."""
        return [*super().segment_kinds(kinds), PIER, CASTLE]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """BRC-01: all tiles of the game, with bridges too."""
        sets = super().tile_sets(sets, read)
        return sets if self.chosen["bridges"] == "off" else [with_bridges(one) for one in sets]

    def turn(self, steps: list[Step]) -> list[Step]:
        """BRC-01: tiles are placed with bridges. BRC-02: castles come before the scoring."""
        if self.chosen["bridges"] != "off":
            steps[index_of(steps, PlaceStep)] = BridgePlaceStep(self)
        if self.chosen["castles"] == "on":
            at = index_of(steps, ScoreStep)
            score = [CastlesStep(self), steps[at], CastleScoreStep(self)]
            steps = [*steps[:at], *score, *steps[at + 1 :]]
        if self.chosen["bazaars"] == "on":
            at = index_of(steps, DrawStep)
            steps = [*steps[:at], TakeStep("bought tile", self), *steps[at:]]
            at = index_of(steps, EndStep)
            steps = [*steps[:at], BazaarStep("bazaar", self), *steps[at:]]
        return steps

    def bind(self, rules: Rules) -> None:
        """Look up the tiles with bridges, and make the choices."""
        self.rules = rules
        catalogue = rules.catalogue
        self.castle_kind = catalogue.kind_of[CASTLE.name]
        names = [tile.name for tile in catalogue.tiles]
        # By kind of tile and way: the kind with a bridge there; -1: it can carry none.
        self.bridged = vec[i64](
            [catalogue.index.get(f"{name}+{way}", -1) for name in names for way in WAYS]
        )
        self.road: i64 = 1 + (catalogue.letters.index("R") if "R" in catalogue.letters else 0)
        self.has_road = vec[i64]([int("R" in tile.edges) for tile in catalogue.tiles])
        self.castle_step = CastleStep(self)
        self.bazaar = kinds_with_symbol(rules, "bazaar")
        self.draw_step = rules.turn[index_of(rules.turn, DrawStep)]
        self.offer_step = OfferStep("offer", self)
        self.select_step = SelectStep("auction", self)
        self.bid_step, self.deal_step = BidStep("bid", self), DealStep("deal", self)
        self.verb = BridgeVerb(self, rules)
        self._offer_figures([self.verb])

    def parse(self, text: str) -> Action | None:
        """Return the action that `text` denotes, at a bazaar or elsewhere."""
        return parse_offer(self.rules, text) or super().parse(text)

    def setup(self, state: State) -> ExpansionState:
        """Start with three or two bridges and castles each."""
        players = state.rules.players
        return BridgesState(3 if players <= FEW_PLAYERS else 2, players)

    # -- bridges -------------------------------------------------------------------------------

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
        if not self.state_of(state).bridges[player]:
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
        own = self.state_of(state)
        own.bridges[player] -= 1
        own.built = True

    def claims(self, state: State, player: int) -> Choices:
        """BRC-01: a bridge over the tile just placed, or one beside it."""
        own = self.state_of(state)
        if self.chosen["bridges"] == "off" or own.built or not own.bridges[player]:
            return NO_CHOICES
        board = state.board
        here = board.cell_of(board.last_tile)
        cells = [here]
        if self.chosen["bridges"] == "near":
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
        return self.verb.among(sites)

    # -- castles -------------------------------------------------------------------------------

    def small_cities(self, state: State, player: int) -> list[int]:
        """Return the small cities just completed that a player may make castles (BRC-02)."""
        board = state.board
        found: list[int] = []
        for feature in board.completed if self.state_of(state).castles[player] else ():
            if not board.is_kind(feature, CITY) or board.tiles_of(feature) != 2:
                continue
            members = board.members(feature)
            if len(members) == 2 and state.owners_of(feature) == [player]:
                last = [s for s in members if board.tile_under(s) == board.last_tile]
                if all(self._is_cap(state, segment) for segment in members):
                    found.append(last[0] if last else members[0])
        return board.in_order(found)

    def _is_cap(self, state: State, segment: int) -> bool:
        """Return True for a semicircle: a city at one edge that reaches no corner beyond."""
        tile = state.board.tile_data(state.board.tile_under(segment))
        part = tile.segments[state.board.place_of(segment)[2]]
        return len(part.edges) == 1 and not parts_a_corner(tile)

    def found(self, state: State, player: int, segment: int) -> None:
        """Make a city a castle; whoever is not its owner's follower goes home."""
        board = state.board
        own = self.state_of(state)
        feature = board.feature_of(segment)
        for at in board.occupied_segments_of(feature):
            for owner, kind in board.followers_at(at):
                if owner != player or not state.rules.follower_kinds[kind].is_follower:
                    state.take_follower(at, owner, kind)
        board.completed.remove(feature)
        change_kind(board, feature, self.castle_kind)
        own.castles[player] -= 1
        own.new.append(feature)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """BRC-02: note what the castles near a completed feature score."""
        own = self.state_of(state)
        if final or not own.standing:
            return
        cells = self._cells(state, feature)
        for castle in own.standing:
            if not cells.isdisjoint(self._fief(state, castle)):
                points = value(state, feature, False)
                if points > own.best.get(castle, (-1, 0))[0]:
                    own.best[castle] = (points, feature)

    def score_castles(self, state: State) -> None:
        """Score the castles near what was completed, and those near such castles."""
        own = self.state_of(state)
        waiting = list(own.best)
        while waiting:
            one = waiting.pop()
            cells = self._cells(state, one)
            for castle in own.standing:
                if castle == one or cells.isdisjoint(self._fief(state, castle)):
                    continue
                if own.best[one][0] > own.best.get(castle, (-1, 0))[0]:
                    own.best[castle] = own.best[one]
                    waiting.append(castle)
        for castle, (points, feature) in own.best.items():
            self._score_castle(state, castle, points, feature)
        own.best.clear()
        own.standing += own.new
        own.new.clear()

    def _score_castle(self, state: State, castle: int, points: int, feature: int) -> None:
        board = state.board
        own = self.state_of(state)
        own.standing.remove(castle)
        own.ruins.append(castle)
        for segment in board.occupied_segments_of(board.feature_of(castle)):
            label = f"castle by {board.kind_of(feature)}"
            state.award(board.owner_at(segment), label, 1, points)
            while board.has_follower(segment):
                state.take_follower(segment)

    def _cells(self, state: State, feature: int) -> set[int]:
        """Return the cells of a feature's segments: a monastery has one."""
        return {state.board.cell_under(segment) for segment in state.board.members(feature)}

    def _fief(self, state: State, castle: int) -> list[int]:
        """Return the cells of a castle and those beside its two long sides."""
        cells = [state.board.cell_under(segment) for segment in state.board.members(castle)]
        across = SIDES[1] if abs(cells[0] - cells[1]) != SIDES[1] else SIDES[2]
        return [cell + step for cell in cells for step in (-across, 0, across)]

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """BRC-02: a castle is worth 1 more than a city to a field."""
        if not final or not state.board.is_kind(feature, FIELD):
            return points
        if self.chosen["castles"] == "off":
            return points
        cities = cities_of(state, feature)
        castles = sum([1 for city in cities if state.board.is_kind(city, self.castle_kind)])
        state.note("castle", castles, 1)
        return points + castles

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what castles may bring (BRC-02), and take off what is bid (BRC-03)."""
        own = self.state_of(state)
        if own.bidder >= 0:
            expected[own.bidder] += TILE_WORTH - own.price
        rest = min(1.0, state.tiles_left / 20)
        for castle in (*own.standing, *own.new):
            for segment in state.board.occupied_segments_of(state.board.feature_of(castle)):
                expected[state.board.owner_at(segment)] += CASTLE_PROMISE * rest
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add castles to the pieces; `bridges`, `castles`: what each player has left."""
        own = self.state_of(state)
        for castle in (*own.standing, *own.new, *own.ruins):
            cell = state.board.cell_under(castle)
            data["pieces"].append(piece(state, "castle", cell, castle))
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
