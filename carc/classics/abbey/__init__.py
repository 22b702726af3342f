"""Abbey & Mayor: `base+abbey` (ABM-01 to ABM-04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.tiles.tile import CITY, FIELD, WILD
from carc.base.turn.actions import PASS
from carc.base.turn.choices import Choices, Listed, Placements, only_on_cells, placements_on
from carc.base.turn.steps import DrawStep, ScoreStep, Step, index_of
from carc.classics.abbey.abbey_state import AbbeyState
from carc.classics.abbey.barns import Barns, FarmersStep
from carc.classics.abbey.estimates import AbbeyEstimates
from carc.classics.abbey.steps import AbbeyDrawStep, AbbeyStep
from carc.classics.abbey.wagons import Wagons, WagonsStep
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import SimpleAction, ends_turn

TILE: Final = "AM-abbey"


class Abbey(CompetitiveExpansion[AbbeyState]):
    """An abbey for each player, a mayor, a wagon that moves on, and a barn.

    Option: `wagon`: it moves on to a feature of the nine tiles around, or to one that touches the
    feature that was scored.
    """

    VERSION = 3
    TILES = Path(__file__).with_name("abbey_and_mayor.txt")
    ORDER = {"feature_points": VALUED}
    ONLY_FOR = {
        "placements": (WILD,),
        "power": ("city", "field", "stronghold"),
        "feature_points": ("field",),
    }
    PIECES = {
        "abbey": ("1", "0"),
        "barn": ("1", "0", "2"),
        "mayor": ("1", "0"),
        "wagon": ("1", "0", "2"),
    }
    _ADDED_OPTIONS = {"barns": "alone"}

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
        steps[at : at + 1] = [AbbeyStep(self), AbbeyDrawStep(self)]
        at = index_of(steps, ScoreStep) + 1
        steps[at:at] = [FarmersStep("farmers", self, in_scoring=True), WagonsStep(self)]
        return [*steps, FarmersStep("late farmers", self)]

    def bind(self, rules: Rules) -> None:
        """Look up tile, figures and marks, and make the choices."""
        self.tile = rules.catalogue.index[TILE]
        self.mayor = rules.follower_number("mayor")
        self.wagons = Wagons(self, rules)
        self.barns = Barns(self, rules)
        self.lay_abbey = SimpleAction(rules, "abbey", self._take_abbey)
        self.may_lay = Listed([self.lay_abbey, PASS])
        self.simple_actions = [self.lay_abbey]
        self._offer_figures([self.barns.put, self.wagons.move])

    def setup(self, state: State) -> ExpansionState:
        """ABM-01: start with one abbey in each hand."""
        abbeys = [self._count_of("abbey")] * state.rules.players
        return AbbeyState(abbeys, state.rules.owners * self.wagons.each)

    def _take_abbey(self, state: State, player: int) -> None:
        """Take the abbey into the hand; the draw is left out then."""
        self.state_of(state).abbeys[player] -= 1
        state.change_tile_in_hand(self.tile)

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        """ABM-01: an abbey goes where tiles lie on all four sides."""
        if kind != self.tile:
            return choices
        enclosed = state.board.enclosed_cells()
        if isinstance(choices, Placements):
            return placements_on(enclosed)
        return only_on_cells(state, choices, enclosed)

    def claims(self, state: State, player: int) -> Choices:
        """ABM-04: a barn may be put on a corner of the tile."""
        return self.barns.claims(state, player)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """ABM-04: note the barn of this turn, for which farmers score more. ABM-03: a wagon."""
        if follower == self.barns.kind:
            self.state_of(state).barn = segment
        elif follower == self.wagons.kind:
            self.wagons.put(state, (segment, owner))

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """ABM-02: a mayor counts the coats of arms. ABM-04: barns only count without farmers."""
        board, coat = state.board, state.rules.coat_of_arms
        if not board.is_kind(feature, FIELD):
            coats = board.mark(feature, coat) if board.is_kind(feature, CITY) else 0
            for owner in range(len(powers)):
                if powers[owner] and board.segment_with(feature, owner, self.mayor) >= 0:
                    powers[owner] += coats - 1
            return powers
        return self.barns.power(state, feature, powers)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """ABM-04: 4 points a city for barns at the end, 1 for farmers who join them later."""
        return self.barns.points(state, feature, points) if final else points

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """ABM-03: note which wagons may move on."""
        if not final and state.board.is_claimed(feature):
            self.wagons.note(state, feature)

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
