"""The Flying Machines: `base+flier` (FLY-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.cells import SIDES
from carc.base.game.actions import Action, chosen_segment, segment_choices
from carc.base.game.choices import Choices, Listed
from carc.base.game.expansion import ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import CHANCE
from carc.base.tiles.tile import FIELD
from carc.classics.competitive_expansion import (
    CallbackStep,
    ChanceStep,
    CompetitiveExpansion,
    SimpleAction,
)

FARTHEST: Final = 3
# What the tile shows -> by its rotation, the way from cell to cell.
WAYS: Final = {
    "W": [SIDES[(3 + turned) % 4] for turned in range(4)],
    "NW": [SIDES[turned] + SIDES[(3 + turned) % 4] for turned in range(4)],
}


class FlierState(ExpansionState):
    """Who is in the air, as a kind of follower, and the cell the flight ends at; -1: nobody, none."""

    REFERS: ClassVar[Mapping[str, str]] = {"flying": "follower", "cell": "cell"}

    def __init__(self) -> None:
        self.flying = -1
        self.cell = -1

    def copy(self) -> FlierState:
        new = FlierState()
        new.flying, new.cell = self.flying, self.cell
        return new


class Flier(CompetitiveExpansion[FlierState]):
    """A follower may fly one to three tiles and land on what is incomplete there, occupied or not.

    Option `fields`: whether it may land on fields too.
    """

    TILES = Path(__file__).with_name("flier.txt")
    ONLY_FOR = {"claims": ("flier",)}
    ON_SEGMENTS = ("land",)

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"fields": ("on", "off")}

    def bind(self, rules: Rules) -> None:
        names = [(i, kind.name) for i, kind in enumerate(rules.follower_kinds) if kind.power]
        self.boarding = {
            i: SimpleAction(rules, f"fly:{name}", partial(self._board, i)) for i, name in names
        }
        throws = [
            SimpleAction(rules, f"flight:{n}", partial(self._fly, n))
            for n in range(1, FARTHEST + 1)
        ]
        self.words = [*self.boarding.values(), *throws]
        self.die = ChanceStep("flight", throws)
        self.landing = CallbackStep("land", self._landings, self._land)
        self.shown = [tile.symbol("flier") for tile in rules.catalogue.tiles]

    def setup(self, state: State) -> ExpansionState:
        return FlierState()

    def claims(self, state: State, player: int) -> Choices:
        owner = state.rules.colours[player][0]
        return Listed(
            [word for i, word in self.boarding.items() if state.board.supply_of(owner, i)]
        )

    def _board(self, follower: int, state: State, player: int) -> None:
        self.state_of(state).flying = follower
        state.push(self.landing, player)
        state.push(self.die, CHANCE)

    def _fly(self, distance: int, state: State, player: int) -> None:
        way = WAYS[self.shown[state.board.kind_of_tile(state.board.last_tile)] or ""]
        here = state.board.cell_of(state.board.last_tile)
        self.state_of(state).cell = (
            here + distance * way[state.board.rotation_of(state.board.last_tile)]
        )

    def _found(self, state: State, player: int) -> list[int]:
        """Where the follower may land: incomplete features of the kinds that it may claim."""
        flight = self.state_of(state)
        tile = state.board.tile_on_cell(flight.cell)
        if tile < 0 or not state.allows_figures(tile):
            return []
        return [
            segment
            for segment in state.board.segments_of(tile)
            if state.board.claim_allowed(segment, flight.flying)
            and (
                (self.chosen["fields"] == "on")
                if state.board.is_kind(segment, FIELD)
                else state.board.is_open(state.board.feature_of(segment))
            )
        ]

    def _landings(self, state: State, player: int) -> list[Action]:
        found = self._found(state, player)
        return segment_choices(state.board, "land", found) if len(found) > 1 else []

    def _land(self, state: State, player: int, action: Action | None) -> None:
        """Where there is nothing it goes home."""
        found = (
            self._found(state, player) if action is None else [chosen_segment(state.board, action)]
        )
        for segment in found:
            owner = state.rules.colours[player][0]
            state.put_follower(segment, owner, self.state_of(state).flying)
        flight = self.state_of(state)
        flight.flying = flight.cell = -1

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        flying = self.state_of(state).flying
        name = None if flying < 0 else state.rules.follower_kinds[flying].name
        return {**data, "flying": name}
