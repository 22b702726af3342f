"""The Flying Machines: `base+flier` (FLY-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.cells import SIDES
from carc.base.game.actions import Action
from carc.base.game.expansion import Slice
from carc.base.game.rules import Rules
from carc.base.game.scoring import FIELD
from carc.base.game.state import State
from carc.base.game.steps import CHANCE
from carc.base.tiles.tile import Tile
from carc.classics.rivals import Moment, Rivalry, Throw, Word

FARTHEST: Final = 3
# What the tile shows -> by its rotation, the way from cell to cell.
WAYS: Final = {
    "W": [SIDES[(3 + turned) % 4] for turned in range(4)],
    "NW": [SIDES[turned] + SIDES[(3 + turned) % 4] for turned in range(4)],
}


class Flight(Slice):
    """Who is in the air, as a kind of follower, and the cell the flight ends at; -1: nobody, none."""

    REFERS: ClassVar[Mapping[str, str]] = {"flying": "follower", "cell": "cell"}

    def __init__(self) -> None:
        self.flying = -1
        self.cell = -1

    def copy(self) -> Flight:
        new = Flight()
        new.flying, new.cell = self.flying, self.cell
        return new


class Flier(Rivalry):
    """A follower may fly one to three tiles and land on what is incomplete there, occupied or not.

    Option `fields`: whether it may land on fields too.
    """

    TILES = Path(__file__).with_name("flier.txt")
    ON_SEGMENTS = ("land",)

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"fields": ("on", "off")}

    def bind(self, rules: Rules) -> None:
        names = [(i, kind.name) for i, kind in enumerate(rules.follower_kinds) if kind.power]
        self.boarding = {
            i: Word(rules, f"fly:{name}", partial(self._board, i)) for i, name in names
        }
        throws = [Word(rules, f"flight:{n}", partial(self._fly, n)) for n in range(1, FARTHEST + 1)]
        self.words = [*self.boarding.values(), *throws]
        self.die = Throw("flight", throws)
        self.landing = Moment("land", self._landings, self._land)
        self.shown = [tile.symbol("flier") for tile in rules.catalogue.tiles]

    def offers(self, tile: Tile) -> bool:
        return tile.symbol("flier") is not None

    def setup(self, state: State) -> Slice:
        return Flight()

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        owner = state.rules.colours[player][0]
        boarding = [word for i, word in self.boarding.items() if state.supply_of(owner, i)]
        return [*actions, *boarding]

    def _board(self, follower: int, state: State, player: int) -> None:
        self.slice_of(state).flying = follower
        state.push(self.landing, player)
        state.push(self.die, CHANCE)

    def _fly(self, distance: int, state: State, player: int) -> None:
        way = WAYS[self.shown[state.kind_of_tile(state.last)] or ""]
        here = state.cell_of(state.last)
        self.slice_of(state).cell = here + distance * way[state.rotation_of(state.last)]

    def _found(self, state: State, player: int) -> list[int]:
        """Where the follower may land: incomplete features of the kinds that it may claim."""
        flight: Flight = self.slice_of(state)
        tile = state.tile_on_cell(flight.cell)
        if tile < 0 or not state.admits(tile):
            return []
        owner = state.rules.colours[player][0]
        return [
            segment
            for segment in state.segments_of(tile)
            if state.takes(segment, owner, flight.flying)
            and (
                self.on("fields")
                if state.is_kind(segment, FIELD)
                else state.is_open(state.feature_of(segment))
            )
        ]

    def _landings(self, state: State, player: int) -> list[Action]:
        found = self._found(state, player)
        return state.choices("land", found) if len(found) > 1 else []

    def _land(self, state: State, player: int, action: Action | None) -> None:
        """Where there is nothing it goes home."""
        found = self._found(state, player) if action is None else [state.chosen(action)]
        for segment in found:
            owner = state.rules.colours[player][0]
            state.put_follower(segment, owner, self.slice_of(state).flying)
        flight: Flight = self.slice_of(state)
        flight.flying = flight.cell = -1

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        flying = self.slice_of(state).flying
        name = None if flying < 0 else state.rules.follower_kinds[flying].name
        return {**data, "flying": name}
