"""The Flying Machines: `base+flier` (FLY-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.cells import beyond
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Cell, FollowerNumber
from carc.base.tiles.tile import FIELD
from carc.base.turn.actions import Action, chosen_segment, segment_choices
from carc.base.turn.choices import Choices, Listed
from carc.base.turn.steps import CHANCE, note_forced
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import CallbackStep, ChanceStep, PutAction, SimpleAction

FARTHEST: Final = 3
DIRECTIONS: Final = {"W": (3,), "NW": (0, 3)}  # what the tile shows -> the sides crossed by a step


class FlierState(ExpansionState):
    """The flight under way.

    Attributes:
        flying: The kind of follower in the air; -1: none.
        cell: The cell where its flight ends; -1: none yet.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"flying": FollowerNumber, "cell": Cell}

    def __init__(self) -> None:
        self.flying = -1
        self.cell = -1

    def copy(self) -> FlierState:
        new = FlierState()
        new.flying, new.cell = self.flying, self.cell
        return new


class Flier(CompetitiveExpansion[FlierState]):
    """A follower may fly one to three tiles and land on what is incomplete there, claimed or not.

    Option `fields`: whether it may land on fields too.
    """

    TILES = Path(__file__).with_name("flier.txt")
    ONLY_FOR = {"claims": ("flier",)}
    ON_SEGMENTS = ("land",)

    def options(self) -> Mapping[str, Sequence[str]]:
        """FLY-01: whether a follower may land on fields."""
        return {"fields": ("on", "off")}

    def bind(self, rules: Rules) -> None:
        """Look up the machines on the tiles and make the actions."""
        names = [(i, kind.name) for i, kind in enumerate(rules.follower_kinds) if kind.is_follower]
        self.fly_actions = {
            i: PutAction(rules, f"fly:{name}", partial(self._board, i), i) for i, name in names
        }
        throws = [
            SimpleAction(rules, f"flight:{n}", partial(self._set_target, n))
            for n in range(1, FARTHEST + 1)
        ]
        self.simple_actions = [*self.fly_actions.values(), *throws]
        self.die = ChanceStep("flight", throws)
        self.landing = CallbackStep("land", self._list_landings, self._land)
        self.direction = [tile.symbol("flier") for tile in rules.catalogue.tiles]

    def setup(self, state: State) -> ExpansionState:
        """Start with nobody in the air."""
        return FlierState()

    def claims(self, state: State, player: int) -> Choices:
        """FLY-01: a follower of the supply may board the machine."""
        owner = state.rules.colours[player][0]
        return Listed(
            [fly for i, fly in self.fly_actions.items() if state.board.supply_of(owner, i)]
        )

    def _board(self, follower: int, state: State, player: int) -> None:
        self.state_of(state).flying = follower
        state.push(self.landing, player)
        state.push(self.die, CHANCE)

    def _set_target(self, distance: int, state: State, player: int) -> None:
        board = state.board
        tile = board.last_tile
        cell = board.cell_of(tile)
        for _ in range(distance):
            for side in DIRECTIONS[self.direction[board.kind_of_tile(tile)] or ""]:
                cell = beyond(cell, (side + board.rotation_of(tile)) % 4)
        self.state_of(state).cell = cell

    def _landing_places(self, state: State) -> list[int]:
        """Return where the follower may land: incomplete features of the kinds it may claim."""
        own = self.state_of(state)
        tile = state.board.tile_on_cell(own.cell)
        if tile < 0 or not state.allows_figures(tile):
            return []
        return [
            segment
            for segment in state.board.segments_of(tile)
            if state.board.claim_allowed(segment, own.flying)
            and (
                self.chosen["fields"] == "on"
                if state.board.is_kind(segment, FIELD)
                else state.board.is_open(state.board.feature_of(segment))
            )
        ]

    def _list_landings(self, state: State, player: int) -> list[Action]:
        places = self._landing_places(state)
        return segment_choices(state.board, "land", places) if len(places) > 1 else []

    def _land(self, state: State, player: int, action: Action | None) -> None:
        """Land; without a place the follower goes home."""
        if action is None:
            places = self._landing_places(state)
            for only in segment_choices(state.board, "land", places):
                note_forced(state, player, only.text)
        else:
            places = [chosen_segment(state.board, action)]
        own = self.state_of(state)
        for segment in places:
            state.put_follower(segment, state.rules.colours[player][0], own.flying)
        own.flying = own.cell = -1

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """`flying`: the kind of follower in the air; None: none."""
        flying = self.state_of(state).flying
        name = None if flying < 0 else state.rules.follower_kinds[flying].name
        return {**data, "flying": name}
