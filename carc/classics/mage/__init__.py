"""Mage & Witch: `base+mage` (MAG-01 to MAG-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from carc.base.expansions.expansion import HALVED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.small_set import SmallSet
from carc.base.tiles.tile import CITY, ROAD
from carc.base.turn.actions import Action, OnSegment, chosen_segment
from carc.base.turn.choices import Choices, Listed
from carc.base.turn.steps import PlaceStep, Step, index_of
from carc.base.turn.verbs import SegmentVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.mage.mage_state import MageState
from carc.classics.steps import SimpleAction
from carc.classics.tile_symbols import kinds_with_symbol

NAMES: Final = ("mage", "witch")
MAGE: Final = 0
WITCH: Final = 1
AWAY: Final = -1
ROAD_OR_CITY: Final = SmallSet([ROAD, CITY])
GO: Final = SegmentVerb(*NAMES)


class MageStep(Step):
    """MAG-01: mage or witch goes to an open road or city; if there is none, one of them leaves."""

    def __init__(self, mage: Mage) -> None:
        super().__init__("mage")
        self.mage: Final = mage

    def choices(self, state: State, player: int) -> Choices:
        """Return the places for each of the two, or else who may leave."""
        occupied = self.mage.occupied(state)
        places = state.board.open_features(ROAD_OR_CITY, occupied, len(NAMES))
        return GO.among(places) if places.count else Listed(self.mage.leave_actions(state))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice; without one both leave."""
        own = self.mage.state_of(state)
        if isinstance(action, OnSegment):
            own.at[NAMES.index(action.verb)] = chosen_segment(state.board, action)
        elif action is not None:
            action.perform(state, player)
        else:
            own.at = [AWAY, AWAY]


class Mage(CompetitiveExpansion[MageState]):
    """A mage makes each tile of a road or city worth 1 more, a witch halves what it is worth.

    Option `dragon`: whether they stay where the dragon comes, or leave the board.
    """

    HELPERS = ("occupied", "leave_actions", "flee")
    TILES = Path(__file__).with_name("mage_and_witch.txt")
    _ADDED_OPTIONS = {"dragon": "stay"}
    ORDER = {"feature_points": HALVED}
    ON_SEGMENTS = NAMES

    def options(self) -> Mapping[str, Sequence[str]]:
        """DRG-02: what the dragon does to them."""
        return {"dragon": ("stay", "leave")}

    def bind(self, rules: Rules) -> None:
        """Look up the mage tiles and make the actions."""
        self.mage_tiles = kinds_with_symbol(rules, "mage")
        self.mage_step = MageStep(self)
        self.segment_layers = len(NAMES)
        # The step before which they move: after what other expansions do with the tile at once.
        self.moves_before = rules.turn[index_of(rules.turn, PlaceStep) + 1]
        self.simple_actions = [
            SimpleAction(rules, f"leave:{n}", partial(self._leave, i)) for i, n in enumerate(NAMES)
        ]

    def setup(self, state: State) -> ExpansionState:
        """Start with both away."""
        return MageState([AWAY, AWAY])

    def tile_placed(self, state: State, tile: int) -> None:
        """MAG-01: one of them moves after a mage tile, or where a tile brought them together."""
        if state.board.kind_of_tile(tile) in self.mage_tiles or self._have_met(state):
            state.schedule(self.mage_step, state.active_player, self.moves_before)

    def _have_met(self, state: State) -> bool:
        mage, witch = self.state_of(state).at
        return mage >= 0 and _is_on(state, witch, state.board.feature_of(mage))

    def occupied(self, state: State) -> list[int]:
        """Return the features where one of them is."""
        return [state.board.feature_of(at) for at in self.state_of(state).at if at >= 0]

    def leave_actions(self, state: State) -> list[Action]:
        """Return the choice of who leaves, if both are on the board."""
        return self.simple_actions if AWAY not in self.state_of(state).at else []

    def _leave(self, which: int, state: State, player: int) -> None:
        self.state_of(state).at[which] = AWAY

    def flee(self, state: State, cell: int) -> None:
        """DRG-02: the dragon has come to a cell."""
        own = self.state_of(state)
        for which, at in enumerate(own.at):
            if at >= 0 and state.board.cell_under(at) == cell:
                own.at[which] = AWAY

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MAG-02, MAG-03: the mage adds 1 a tile, then the witch takes half, rounded down."""
        own = self.state_of(state)
        if _is_on(state, own.at[MAGE], feature):
            tiles = state.board.tiles_of(feature)
            state.note("mage", tiles, 1)
            points += tiles
        if _is_on(state, own.at[WITCH], feature):
            state.note("witch", points // 2, -1)
            points -= points // 2
        return points

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """MAG-01: they leave when their feature is scored."""
        own = self.state_of(state)
        own.at = [AWAY if _is_on(state, at, feature) else at for at in own.at]

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the two to the pieces."""
        for name, at in zip(NAMES, self.state_of(state).at, strict=True):
            if at >= 0:
                data["pieces"].append(piece(state, name, state.board.cell_under(at), at))
        return data


def _is_on(state: State, segment: int, feature: int) -> bool:
    """Return True if a segment is part of a feature; False for none (-1)."""
    return segment >= 0 and state.board.feature_of(segment) == feature
