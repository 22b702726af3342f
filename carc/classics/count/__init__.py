"""The Count of Carcassonne: `base+count` (CNT-01, CNT-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import LESSENED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import TileSet, start_in_bag
from carc.base.turn.choices import Choices
from carc.base.turn.steps import EndStep, ScoreStep, Step, index_of
from carc.classics.abbey import Abbey
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.count.city import City
from carc.classics.count.count_state import QUARTERS, CountState
from carc.classics.count.estimates import CountEstimates
from carc.classics.count.start import beside_city
from carc.classics.count.steps import (
    EnterStep,
    JoinStep,
    LastJoinStep,
    LastSummonStep,
    MoveStep,
    SummonStep,
)
from carc.classics.steps import after_scoring, ends_turn


class Count(CompetitiveExpansion[CountState]):
    """Followers wait in the city of Carcassonne, and join what is scored.

    Options: `final`: the quarters whose followers may leave before the final scoring; `moves`: the
    count moves as the player says who puts a follower in the city, or clockwise by one quarter, or
    to the follower; `enter`: a follower enters once in a turn, or once for each tile.
    """

    TILES = Path(__file__).with_name("count.txt")
    _ADDED_OPTIONS = {"enter": "tile"}
    ORDER = {"tile_sets": LESSENED}
    ONLY_FOR = {"claims": ("festival",)}
    ON_SEGMENTS = ("count",)
    HELPERS = ("scored",)

    def options(self) -> Mapping[str, Sequence[str]]:
        """CNT-01, CNT-02: who enters and leaves the city when, and how the count moves."""
        return {
            "final": ("market", "all"),
            "moves": ("player", "clockwise", "follow"),
            "enter": ("turn", "tile"),
        }

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """CNT-01: start with the city; the base's start tile goes into the bag.

        A single start tile of another expansion lies beside the city; others stay in
        the box.
        """
        base, *others = sets
        placed = [beside_city(one) for one in others]
        return [start_in_bag(base), *super().tile_sets(placed, read)]

    def turn(self, steps: list[Step]) -> list[Step]:
        """CNT-02: followers leave the city before each scoring. CNT-01: they enter after it."""
        first = index_of(steps, ScoreStep)
        after = after_scoring(steps)
        entering = EnterStep("enter", self, in_scoring=True)
        summon = SummonStep("summon", self, in_scoring=True)
        steps = [*steps[:first], summon, *steps[first:after], entering, *steps[after:]]
        end = index_of(steps, EndStep) + 1
        return [*steps[:end], LastSummonStep("last summon", self), *steps[end:]]

    def bind(self, rules: Rules) -> None:
        """Look up the quarters, and make the choices."""
        self.city = City(self, rules)
        self.for_each_tile = self.chosen["enter"] == "tile"
        self.abbeys = [each for each in rules.expansions if isinstance(each, Abbey)]
        self.join_step, self.move_step = JoinStep("join", self), MoveStep("count", self)
        self.last_join_step = LastJoinStep("last join", self)
        self.after_joins = rules.ending[index_of(rules.ending, LastSummonStep) + 1]
        market = list(QUARTERS).index("market")
        self.final_quarters = [
            quarter
            for quarter in self.city.quarters
            if quarter == market or self.chosen["final"] == "all"
        ]
        self._offer_figures([self.city.enter, self.city.join, self.city.recall])

    def setup(self, state: State) -> ExpansionState:
        """CNT-01: start with the count in the castle."""
        return CountState([0] * (len(QUARTERS) * self.city.owners * self.city.kinds))

    def scored(self, state: State) -> list[int]:
        """Return the features that are scored in this turn: completed, or fields with barns."""
        scored = state.board.completed
        for abbey in self.abbeys:
            scored = scored + abbey.barns.scored_fields(state)
        return scored

    def next_player(self, state: State, player: int, following: int) -> int:
        """CNT-01: in a new turn a follower may enter again."""
        if self.for_each_tile or ends_turn(state, player, following):
            self.state_of(state).entered = False
        return following

    def claims(self, state: State, player: int) -> Choices:
        """FES-01: a festival brings back who is in the city, too."""
        return self.city.recallable(state, player)

    def estimates(self) -> Estimates:
        """Return what followers in the city are worth."""
        return CountEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the count and those in the city to the pieces; `residents`: who is in which quarter.

        `count`: the quarter of the count.
        """
        own, names, out = self.state_of(state), list(QUARTERS), data["out_of_play"]
        data["count"] = names[own.count]
        data["residents"] = []
        at_count = self.city.segment(state, own.count)
        cell = self.city.cells[own.count]
        data["pieces"].append(piece(state, "count", cell, at_count))
        for at, count in enumerate(own.residents):
            if not count:
                continue
            who, kind = divmod(at, self.city.kinds)
            quarter, owner = divmod(who, self.city.owners)
            name, cell = state.rules.follower_kinds[kind].name, self.city.cells[quarter]
            one = {"quarter": names[quarter], "owner": owner, "kind": name, "count": count}
            data["residents"].append(one)
            segment = self.city.segment(state, quarter)
            shown = piece(state, name, cell, segment, owner=owner, count=count)
            data["pieces"].append(shown)
            out[name] = out.get(name, 0) + count
        return data
