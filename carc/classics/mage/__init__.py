"""Mage & Witch: `base+mage` (MAG-01 to MAG-03)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from carc.base.actions import Action, OnSegment
from carc.base.expansion import HALVED, Slice
from carc.base.rules import Rules
from carc.base.scoring import CITY, ROAD
from carc.base.state import State
from carc.base.steps import PlaceStep, index_of
from carc.classics.rivals import Moment, Rivalry, Word, showing

NAMES = ("mage", "witch")


class Pair(Slice):
    """Where the two stand: name -> segment."""

    REFERS: ClassVar[Mapping[str, str]] = {"at": ":segment"}

    def __init__(self) -> None:
        self.at: dict[str, int] = {}

    def copy(self) -> Pair:
        new = Pair()
        new.at = self.at.copy()
        return new


class Mage(Rivalry):
    """A mage makes each tile of a road or city worth 1 more, a witch halves what it is worth."""

    TILES = Path(__file__).with_name("mage_and_witch.txt")
    STAGE = HALVED
    ON_SEGMENTS = NAMES

    def bind(self, rules: Rules) -> None:
        self.moving = showing(rules, "mage")
        self.move = Moment("mage", self._places, self._go)
        # After what other expansions do with the tile at once, gold for one.
        self.then = rules.turn[index_of(rules.turn, PlaceStep) + 1]
        self.words = [Word(f"leave:{name}", partial(self._leave, name)) for name in NAMES]

    def setup(self, state: State) -> Slice:
        return Pair()

    def _on(self, state: State, feature: int) -> list[str]:
        at: dict[str, int] = self.slice_of(state).at
        if not at:
            return []
        return [name for name, segment in at.items() if state.feature_of(segment) == feature]

    def tile_placed(self, state: State, tile: int) -> None:
        """MAG-01: one of them moves after a mage tile, or where a tile brought them together."""
        at: dict[str, int] = self.slice_of(state).at
        met = len(at) > 1 and state.feature_of(at["mage"]) == state.feature_of(at["witch"])
        if met or self.moving[state.kind_of_tile(tile)]:
            state.schedule(self.move, state.active, self.then)

    def _places(self, state: State, player: int) -> list[Action]:
        """The incomplete roads and cities where neither is, each by its first segment; with none, one of the two leaves."""
        taken = [state.feature_of(segment) for segment in self.slice_of(state).at.values()]
        found = [
            state.in_order(state.members(feature))[0]
            for feature in state.features_laid()
            if (state.is_kind(feature, CITY) or state.is_kind(feature, ROAD))
            and state.is_open(feature)
            and feature not in taken
        ]
        places = state.in_order(found)
        if places:
            return [*state.choices("mage", places), *state.choices("witch", places)]
        return self.words if len(self.slice_of(state).at) > 1 else []

    def _go(self, state: State, player: int, action: Action | None) -> None:
        if isinstance(action, OnSegment):
            self.slice_of(state).at[action.verb] = state.chosen(action)
        elif action is not None:
            action.perform(state, player)
        else:
            self.slice_of(state).at.clear()

    def _leave(self, name: str, state: State, player: int) -> None:
        del self.slice_of(state).at[name]

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MAG-02, MAG-03."""
        here = self._on(state, feature)
        if "mage" in here:
            tiles = state.tiles_of(feature)
            state.note("mage", tiles, 1)
            points += tiles
        if "witch" in here:
            state.note("witch", points // 2, -1)
            points -= points // 2
        return points

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """MAG-01: they leave when their feature is scored."""
        for name in self._on(state, feature):
            self._leave(name, state, 0)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        at: dict[str, int] = self.slice_of(state).at
        data["pieces"] += [state.piece(name, state.cell_under(s), s) for name, s in at.items()]
        return data
