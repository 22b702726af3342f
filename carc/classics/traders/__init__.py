"""Traders & Builders: `base+traders` (TRD-01 to TRD-05)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from mypy_extensions import i64

from carc.base.board.candidates import led_on_last_tile
from carc.base.board.components import FollowerKind
from carc.base.game.actions import Action
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.expansion import ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.scoring import cities_of
from carc.base.game.state import State
from carc.base.tiles.tile import CITY, FIELD, ROAD
from carc.classics.tile_set_expansion import TileSetExpansion

GOODS: Final = ("wine", "grain", "cloth")
BONUS: Final = 10  # for most tokens of a kind
A_TURN: Final = 2.0  # what a builder's turns may bring, a bot's guess


class TradersState(ExpansionState):
    """Tokens by owner and kind of goods; whether the tile just laid brings a turn, and whether this turn was brought so."""

    REFERS: ClassVar[Mapping[str, str]] = {"tokens": "count"}

    def __init__(self, owners: int) -> None:
        self.tokens = [0] * (owners * len(GOODS))
        self.due = False
        self.extra = False

    def copy(self) -> TradersState:
        new = TradersState(0)
        new.tokens = self.tokens.copy()
        new.due = self.due
        new.extra = self.extra
        return new


class Traders(TileSetExpansion[TradersState]):
    """Goods for who completes a city; builders bring another turn, pigs more for each city of a field."""

    TILES = Path(__file__).with_name("traders_and_builders.txt")

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        figures = [FollowerKind(name, power=0, supply=1, on=()) for name in ("builder", "pig")]
        return [*kinds, *figures]

    def bind(self, rules: Rules) -> None:
        self.rules = rules
        self.builder, self.pig = rules.follower_number("builder"), rules.follower_number("pig")
        self.counts = [kind.power > 0 for kind in rules.follower_kinds]  # other figures are none
        self.goods = [rules.catalogue.mark(name) for name in GOODS]
        self.printed = [_printed(rules, name) for name in GOODS]
        self.herd = rules.catalogue.mark("pig_herd")

    def setup(self, state: State) -> ExpansionState:
        return TradersState(self.rules.owners)

    # -- builder and pig --------------------------------------------------------------------------

    def claims(self, state: State, player: int) -> Choices:
        """Builder and pig go on the tile just laid, where the player has a follower (TRD-01)."""
        found: list[Action] = []
        for owner in self.rules.colours[player]:
            builder, pig = (
                state.board.supply_of(owner, self.builder),
                state.board.supply_of(owner, self.pig),
            )
            led: i64 = led_on_last_tile(state.board, owner) if builder or pig else 0
            index: i64 = 0
            while led >> index:
                if led >> index & 1:
                    segment = state.board.segment_of(state.board.last_tile, index)
                    if pig and state.board.is_kind(segment, FIELD):
                        found.append(self.rules.claim(index, self.pig, owner))
                    elif builder and self._grows(state, segment):
                        found.append(self.rules.claim(index, self.builder, owner))
                index += 1
        return Listed(found) if found else NO_CHOICES

    def _grows(self, state: State, segment: int) -> bool:
        """Whether a segment's feature is a road or city that is not completed."""
        grows = state.board.is_kind(segment, CITY) or state.board.is_kind(segment, ROAD)
        return grows and state.board.is_open(state.board.feature_of(segment))

    def tile_placed(self, state: State, tile: int) -> None:
        """Whether it extends what the player's builder stands on (TRD-02)."""
        if not state.has_begun:
            return
        market = self.state_of(state)
        for owner in self.rules.colours[state.active_player]:
            if state.board.supply_of(owner, self.builder):
                continue
            for segment in state.board.segments_with(owner, self.builder):
                if state.board.extends(state.board.feature_of(segment)):
                    market.due = True

    def next_player(self, state: State, player: int, following: int) -> int:
        market = self.state_of(state)
        market.extra = market.due and not market.extra
        market.due = False
        return player if market.extra else following

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Builder and pig go home with their owner's last follower there (TRD-05)."""
        both = state.board.supply_of(owner, self.builder) and state.board.supply_of(owner, self.pig)
        if self.counts[follower] and not both:
            followers, helpers = self._own(state, state.board.feature_of(segment), owner)
            if len(followers) == 1:
                for where, kind in helpers:
                    state.take_follower(where, owner, kind)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """A herd of pigs printed on a field (The River II)."""
        if not state.board.mark(feature, self.herd):
            return points
        cities = len(cities_of(state, feature)) if final else 0
        state.note("pig herd", cities, state.board.mark(feature, self.herd))
        return points + cities * state.board.mark(feature, self.herd)

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """A pig of one who has the majority (TRD-04)."""
        if not state.board.is_kind(feature, FIELD):
            return points
        pig = any(
            state.board.feature_of(s) == feature for s in state.board.segments_with(owner, self.pig)
        )
        cities = len(cities_of(state, feature)) if pig and final else 0
        state.note("pig", cities, 1)
        return points + cities

    def _own(
        self, state: State, feature: int, owner: int
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """An owner's followers on a feature, and the builder and pig there: segment and kind of each."""
        followers: list[tuple[int, int]] = []
        helpers: list[tuple[int, int]] = []
        for segment in state.board.occupied_segments_of(feature):
            for whose, kind in state.board.followers_at(segment):
                if whose == owner and self.counts[kind]:
                    followers.append((segment, kind))
                elif whose == owner and kind in (self.builder, self.pig):
                    helpers.append((segment, kind))
        return followers, helpers

    # -- goods ------------------------------------------------------------------------------------

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """Goods go to who completed the city, whoever scored it (TRD-03)."""
        if not final and state.board.is_kind(feature, CITY):
            market = self.state_of(state)
            first = self.rules.colours[state.active_player][0] * len(GOODS)
            for at, mark in enumerate(self.goods):
                market.tokens[first + at] += state.board.mark(feature, mark)

    def game_ended(self, state: State) -> None:
        market = self.state_of(state)
        for at, name in enumerate(GOODS):
            held = market.tokens[at :: len(GOODS)]
            for owner, tokens in enumerate(held):
                if tokens and tokens == max(held):
                    state.award(owner, f"most {name}", 1, BONUS)

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Tokens by their share of all there are; a builder where the next tile may fit."""
        market = self.state_of(state)
        for at, tokens in enumerate(market.tokens):
            expected[at // len(GOODS)] += BONUS * tokens / self.printed[at % len(GOODS)]
        for owner in range(len(expected)):
            expected[owner] += A_TURN * len(state.board.segments_with(owner, self.builder))
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """`goods`: by owner, how many tokens of each kind; `extra_turn`: whether this turn was a builder's."""
        market = self.state_of(state)
        n = len(GOODS)
        data["goods"] = [
            dict(zip(GOODS, market.tokens[owner * n : owner * n + n], strict=True))
            for owner in range(self.rules.owners)
        ]
        data["extra_turn"] = market.extra
        return data


def _printed(rules: Rules, mark: str) -> int:
    """How often a mark is printed on the tiles played with; 1 at least."""
    tiles = rules.catalogue.tiles
    return max(1, sum(t.copies * dict(s.marks).get(mark, 0) for t in tiles for s in t.segments))
