"""Traders & Builders: `base+traders` (TRD-01 to TRD-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.turn.choices import Choices
from carc.base.turn.scoring import cities_of
from carc.classics.pig_herds import with_pig_herds
from carc.classics.tile_set_expansion import TileSetExpansion
from carc.classics.traders.builder_and_pig import Helpers
from carc.classics.traders.estimates import TradersEstimates
from carc.classics.traders.traders_state import GOODS, MOST_TOKENS, TradersState


@final
class Traders(TileSetExpansion[TradersState]):
    """Goods for completing cities; builders bring second tiles, pigs more points for fields."""

    TILES = Path(__file__).with_name("traders_and_builders.txt")
    PIECES = {"builder": ("1", "0"), "pig": ("1", "0", "2")}
    _ADDED_OPTIONS = {"herds": "on"}
    ORDER = {"next_player": VALUED}
    HELPERS = ("building", "goes_on")
    ONLY_FOR = {"player_points": ("field",), "feature_scored": ("city",)}

    def options(self) -> Mapping[str, Sequence[str]]:
        """TRD-01, TRD-06: whether herds of pigs score, and what is played without tiles."""
        return {"herds": ("on", "off"), **super().options()}

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """TRD-01: each player has a builder and a pig, which claim nothing."""
        figures = [
            FollowerKind(name, power=0, supply=self._count_of(name), on=()) for name in self.PIECES
        ]
        return [*kinds, *figures]

    def bind(self, rules: Rules) -> None:
        """Look up the followers and the marks of tiles."""
        self.rules = rules
        self.helpers = Helpers(rules)
        self.goods = [rules.catalogue.mark(name) for name in GOODS]
        self.herd = rules.catalogue.mark("pig_herd") if self.chosen["herds"] == "on" else -1

    def setup(self, state: State) -> ExpansionState:
        """Start without tokens."""
        return TradersState(self.rules.owners)

    def claims(self, state: State, player: int) -> Choices:
        """TRD-01: builder and pig go on features of the tile where the player has a follower."""
        return self.helpers.claims(state, player)

    def tile_placed(self, state: State, tile: int) -> None:
        """TRD-02: a tile that extends the feature of a builder brings a second part of the turn."""
        board = state.board
        for owner in self.rules.colours[state.active_player] if state.has_begun else ():
            segment = board.segment_with_figure(owner, self.helpers.builder)
            if segment >= 0 and board.extends(board.feature_of(segment)):
                self.state_of(state).due = True

    def building(self, state: State) -> list[int]:
        """Return the features on which builders of the active player stand."""
        board = state.board
        owners = self.rules.colours[state.active_player]
        segments = [board.segment_with_figure(owner, self.helpers.builder) for owner in owners]
        return [board.feature_of(segment) for segment in segments if segment >= 0]

    def goes_on(self, state: State) -> bool:
        """Return whether the turn has a second part after this one (TRD-02)."""
        own = self.state_of(state)
        return own.due and not own.extra

    def next_player(self, state: State, player: int, following: int) -> int:
        """TRD-02: the second part of the player's turn, which brings no third."""
        own = self.state_of(state)
        own.extra = self.goes_on(state)
        own.due = False
        return player if own.extra else following

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """TRD-05: builder and pig go home with the last follower there, but not from a trap."""
        self.helpers.leave_with(state, segment, owner, follower)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """TRD-06: a herd of pigs printed on a field makes each city worth 1 more."""
        return with_pig_herds(state, feature, final, self.herd, points)

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """TRD-04: a pig scores 1 more a city for an owner with the majority."""
        pig = state.board.segment_with(feature, owner, self.helpers.pig)
        cities = len(cities_of(state, feature)) if pig >= 0 else 0
        state.note("pig", cities, 1)
        return points + cities

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """TRD-03: the player who completed a city takes its goods, whoever scored it."""
        if not final:
            own = self.state_of(state)
            first = self.rules.colours[state.active_player][0] * len(GOODS)
            for at, mark in enumerate(self.goods):
                own.tokens[first + at] += state.board.mark(feature, mark)

    def game_ended(self, state: State) -> None:
        """TRD-03: 10 points for most tokens of a kind, for all who tie."""
        own = self.state_of(state)
        for at, name in enumerate(GOODS):
            held = own.tokens[at :: len(GOODS)]
            for owner, tokens in enumerate(held):
                if tokens and tokens == max(held):
                    state.award(owner, f"most {name}", 1, MOST_TOKENS)

    def estimates(self) -> Estimates:
        return TradersEstimates(self, self.rules)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """`goods`: the tokens of each owner; `extra_turn`: whether this is a builder's turn."""
        own = self.state_of(state)
        n = len(GOODS)
        data["goods"] = [
            dict(zip(GOODS, own.tokens[owner * n : owner * n + n], strict=True))
            for owner in range(self.rules.owners)
        ]
        data["extra_turn"] = own.extra
        return data
