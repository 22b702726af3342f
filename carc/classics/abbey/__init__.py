"""Abbey & Mayor: `base+abbey` (ABM-01 to ABM-04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from carc.base.board.board import Board
from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.tiles.tile import CITY, FIELD, WILD
from carc.base.turn.actions import PASS
from carc.base.turn.choices import (
    NO_CHOICES,
    Choices,
    Listed,
    Placements,
    only_on_cells,
    placements_on,
)
from carc.base.turn.scoring import cities_of
from carc.base.turn.steps import DrawStep, EndStep, ScoreStep, Step, index_of
from carc.base.turn.verbs import PutVerb
from carc.classics.abbey.abbey_state import AbbeyState
from carc.classics.abbey.barns import Barns
from carc.classics.abbey.estimates import AbbeyEstimates
from carc.classics.abbey.steps import (
    AbbeyDrawStep,
    AbbeyStep,
    FarmersStep,
    WagonsStep,
    WagonStep,
)
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import SimpleAction, ends_turn

TILE: Final = "AM-abbey"
# How many of a piece each player may have.
PIECES: Final = {
    "abbey": ("1", "0"),
    "barn": ("1", "0", "2"),
    "mayor": ("1", "0"),
    "wagon": ("1", "0", "2"),
}


class Abbey(CompetitiveExpansion[AbbeyState]):
    """An abbey for each player, a mayor, a wagon that moves on, and a barn.

    Option: `wagon`: it moves on to a feature of the nine tiles around, or to one that touches the
    feature that was scored.
    """

    VERSION = 2
    TILES = Path(__file__).with_name("abbey_and_mayor.txt")
    ORDER = {"feature_points": VALUED}
    ONLY_FOR = {
        "placements": (WILD,),
        "power": ("city", "field", "stronghold"),
        "feature_points": ("field",),
    }
    HELPERS = ("enclosed", "leaving", "reached", "scored_fields", "touching")

    PIECES = PIECES
    _ADDED_OPTIONS = {
        "barns": "alone",
        "tiles": "on",
        **{f"{piece}_count": "1" for piece in PIECES},
    }

    def options(self) -> Mapping[str, Sequence[str]]:
        """ABM-03: where a wagon may move on to. ABM-04: where a barn may be put."""
        own = {"wagon": ("near", "touching"), "barns": ("alone", "together")}
        return {**own, **super().options()}

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """ABM-02 to ABM-04: a mayor, a wagon and a barn for each player."""
        return [
            *kinds,
            FollowerKind("mayor", supply=self._count_of("mayor"), on=("city",)),
            FollowerKind("wagon", supply=self._count_of("wagon"), on=("city", "road", "monastery")),
            FollowerKind("barn", supply=self._count_of("barn"), on=(), is_follower=False),
        ]

    def turn(self, steps: list[Step]) -> list[Step]:
        """ABM-01, ABM-03, ABM-04: an abbey instead of a draw; farmers, wagons, late farmers."""
        at = index_of(steps, DrawStep)
        steps = [*steps[:at], AbbeyStep(self), AbbeyDrawStep(self), *steps[at + 1 :]]
        at = index_of(steps, ScoreStep)
        farmers = FarmersStep("farmers", self, in_scoring=True)
        steps = [*steps[: at + 1], farmers, WagonsStep(self), *steps[at + 1 :]]
        return [*steps, FarmersStep("late farmers", self)]

    def bind(self, rules: Rules) -> None:
        """Look up tile, figures and marks, and make the choices."""
        self.tile = rules.catalogue.index[TILE]
        self.mayor, self.wagon = rules.follower_number("mayor"), rules.follower_number("wagon")
        # By kind of tile: the groups of segments that touch one another.
        self.meets = [tile.meets for tile in rules.catalogue.tiles]
        self.coat = rules.coat_of_arms
        self.wagons = rules.follower_kinds[self.wagon].supply  # of each player
        self.barns = Barns(rules, may_share=self.chosen["barns"] == "together")
        self.end_step = rules.turn[index_of(rules.turn, EndStep)]
        self.wagon_step = WagonStep(self)
        self.lay_abbey = SimpleAction(rules, "abbey", self._take_abbey)
        self.may_lay = Listed([self.lay_abbey, PASS])
        self.simple_actions = [self.lay_abbey]
        self.put_barn = PutVerb(rules, "barn")
        self.move_wagon: PutVerb = PutVerb(rules, "wagon")
        self._offer_figures([self.put_barn, self.move_wagon])

    def setup(self, state: State) -> ExpansionState:
        """ABM-01: start with one abbey in each hand."""
        abbeys = [self._count_of("abbey")] * state.rules.players
        return AbbeyState(abbeys, state.rules.owners * self.wagons)

    def _take_abbey(self, state: State, player: int) -> None:
        """Take the abbey into the hand; the draw is left out then."""
        self.state_of(state).abbeys[player] -= 1
        state.change_tile_in_hand(self.tile)

    def enclosed(self, state: State) -> Choices:
        """Return the placements where tiles lie on all four sides."""
        return placements_on(state.board.enclosed_cells())

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        """ABM-01: an abbey goes where tiles lie on all four sides."""
        if kind != self.tile:
            return choices
        if isinstance(choices, Placements):
            return self.enclosed(state)
        return only_on_cells(state, choices, state.board.enclosed_cells())

    def claims(self, state: State, player: int) -> Choices:
        """ABM-04: a barn may be put on a corner of the tile."""
        places = self.barns.places(state, player)
        if not places:
            return NO_CHOICES
        return self.put_barn.among(state.board.with_each(places, [self.barns.kind]))

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """ABM-04: note the barn of this turn, for which farmers score more."""
        if follower == self.barns.kind:
            self.state_of(state).barn = segment

    def scored_fields(self, state: State) -> list[int]:
        """Return the fields whose farmers score at the end of this turn (ABM-04)."""
        return self.barns.scored_fields(state, self.state_of(state).barn)

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """ABM-02: a mayor counts the coats of arms. ABM-04: barns only count without farmers."""
        board = state.board
        if not board.is_kind(feature, FIELD):
            coats = board.mark(feature, self.coat) if board.is_kind(feature, CITY) else 0
            for owner in range(len(powers)):
                if powers[owner] and board.segment_with(feature, owner, self.mayor) >= 0:
                    powers[owner] += coats - 1
            return powers
        barns = self.barns.owners_on(state, feature)
        if not barns:
            return powers
        farmers = [power - barns.count(owner) for owner, power in enumerate(powers)]
        return farmers if any(farmers) else [min(power, 1) for power in powers]

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """ABM-04: 4 points a city for barns at the end, 1 for farmers who join them later."""
        if not final:
            return points
        more = self.barns.more_a_city(state, feature, self.state_of(state).barn)
        if more == 0:
            return points
        cities = len(cities_of(state, feature))
        state.note("barn" if more > 0 else "joined late", cities, more)
        return points + more * cities

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """ABM-03: note which wagons may move on."""
        board = state.board
        if final or not board.is_claimed(feature):
            return
        left = self.state_of(state).left
        for segment, owner, kind in board.followers_of(feature):
            if kind == self.wagon:
                left[left.index(-1, owner * self.wagons)] = segment

    def leaving(self, state: State, player: int) -> list[int]:
        """Return the segments that a player's scored wagons came from (ABM-03)."""
        first = player * self.wagons
        left = self.state_of(state).left[first : first + self.wagons]
        return [segment for segment in left if segment >= 0]

    def reached(self, state: State, player: int) -> Choices:
        """Return where a player's wagon may move on to (ABM-03)."""
        board = state.board
        if not board.supply_of(player, self.wagon):
            return NO_CHOICES
        places: list[tuple[int, int]] = []
        left = self.leaving(state, player)[0]
        scored = board.feature_of(left)
        touching = self.chosen["wagon"] == "touching"
        for segment in self._touched(state, left) if touching else self._near(state, left):
            feature, tile = board.feature_of(segment), board.tile_under(segment)
            free = feature != scored and board.is_open(feature) and board.is_unclaimed(segment)
            if free and board.claim_allowed(segment, self.wagon) and state.allows_figures(tile):
                places.append((segment, self.wagon))
        return self.move_wagon.on(board, places)

    def _near(self, state: State, left: int) -> list[int]:
        """Return the segments on the tile of one and on the eight around it."""
        board = state.board
        segments: list[int] = []
        for tile in board.tiles_around(board.cell_under(left)):
            segments += board.segments_of(tile)
        return segments

    def _touched(self, state: State, left: int) -> list[int]:
        """Return the segments of the features that touch that of one, on whatever tile."""
        board = state.board
        features = {board.feature_of(one) for one in self.touching(state, left)}
        return [segment for feature in features for segment in board.members(feature)]

    def touching(self, state: State, left: int) -> list[int]:
        """Return the segments that touch the feature of one, on any of its tiles."""
        board = state.board
        segments: list[int] = []
        for segment in board.members(board.feature_of(left)):
            tile = board.tile_under(segment)
            first = board.segment_of(tile, 0)
            for group in self.meets[board.kind_of_tile(tile)]:
                if segment - first in group:
                    segments += [first + at for at in group if first + at not in segments]
            segments += [one for one in self._at_abbeys(board, segment) if one not in segments]
        return segments

    def _at_abbeys(self, board: Board, segment: int) -> list[int]:
        """Return the abbeys at which a segment ends; for an abbey, what ends at it."""
        tile = board.tile_under(segment)
        segments: list[int] = []
        for side in range(4):
            other = board.neighbour(tile, side)
            if other < 0:
                continue
            ends_there = board.segment_at_side(tile, side) == segment
            if board.kind_of_tile(tile) == self.tile:
                segments.append(board.segment_at_side(other, side ^ 2))
            elif ends_there and board.kind_of_tile(other) == self.tile:
                segments.append(board.segment_of(other, 0))
        return [one for one in segments if one >= 0]

    def next_player(self, state: State, player: int, following: int) -> int:
        """ABM-01: with an empty bag each player has one more turn, for an abbey."""
        if state.tiles_left == 0 and ends_turn(state, player, following):
            self.state_of(state).asked += 1
        return following

    def estimates(self) -> Estimates:
        return AbbeyEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """`tiles_held`: the tiles that each player has in the hand."""
        held = data.setdefault("tiles_held", [{} for _ in range(state.rules.players)])
        for player, abbeys in enumerate(self.state_of(state).abbeys):
            held[player].update({TILE: abbeys} if abbeys else {})
        return data
