"""Mage & Witch: `base+mage` (MAG-01 to MAG-03)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.board.candidates import Ranks, segment_in
from carc.base.game.actions import Action, OnSegment
from carc.base.game.expansion import HALVED, Slice
from carc.base.game.rules import Rules
from carc.base.game.scoring import CITY, ROAD
from carc.base.game.state import State
from carc.base.game.steps import LISTED, PlaceStep, Step, index_of
from carc.classics.rivals import Rivalry, Word, showing

NAMES: Final = ("mage", "witch")
MAGE: Final = 0
WITCH: Final = 1
AWAY: Final = -1


class Pair(Slice):
    """The segments where the two stand, in the order of `NAMES`; -1: not on the table."""

    REFERS: ClassVar[Mapping[str, str]] = {"at": "segment"}

    def __init__(self, at: list[int]) -> None:
        self.at = at

    def copy(self) -> Pair:
        return Pair(self.at.copy())


class Move(Step):
    """One of the two goes to one of the places; with none, one leaves."""

    def __init__(self, mage: Mage) -> None:
        super().__init__("mage")
        self.mage: Final = mage

    def actions(self, state: State, player: int) -> list[Action]:
        found: list[Action] = []
        for rank in self._find(state, Ranks()).in_order():
            for layer, name in enumerate(NAMES):
                found.append(state.choice(name, segment_in(rank), layer))
        return found or self.mage.leaving(state)

    def count(self, state: State, player: int) -> int:
        places = self._find(state, state.counting(self))
        return 2 * places.n if places.n else LISTED

    def _find(self, state: State, places: Ranks) -> Ranks:
        """The incomplete roads and cities where neither is."""
        return state.open_ranks(self.mage.sorts, self.mage.taken(state), places)

    def pick(self, state: State, player: int, index: int) -> Action:
        place = segment_in(state.rank_at(index >> 1))
        return state.choice(NAMES[index & 1], place, index & 1)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        pair: Pair = self.mage.slice_of(state)
        if isinstance(action, OnSegment):
            pair.at[NAMES.index(action.verb)] = state.chosen(action)
        elif action is not None:
            action.perform(state, player)
        else:
            pair.at = [AWAY, AWAY]


class Mage(Rivalry):
    """A mage makes each tile of a road or city worth 1 more, a witch halves what it is worth."""

    HELPERS = ("taken", "leaving")
    TILES = Path(__file__).with_name("mage_and_witch.txt")
    STAGE = HALVED
    ON_SEGMENTS = NAMES

    def bind(self, rules: Rules) -> None:
        self.moving = showing(rules, "mage")
        self.sorts = 1 << CITY | 1 << ROAD
        self.move = Move(self)
        # After what other expansions do with the tile at once, gold for one.
        self.then = rules.turn[index_of(rules.turn, PlaceStep) + 1]
        self.words = [
            Word(rules, f"leave:{n}", partial(self._leave, i)) for i, n in enumerate(NAMES)
        ]

    def layers(self) -> int:
        return len(NAMES)

    def setup(self, state: State) -> Slice:
        return Pair([AWAY, AWAY])

    def tile_placed(self, state: State, tile: int) -> None:
        """MAG-01: one of them moves after a mage tile, or where a tile brought them together."""
        if self.moving[state.kind_of_tile(tile)] or self._have_met(state):
            state.schedule(self.move, state.active, self.then)

    def _have_met(self, state: State) -> bool:
        pair: Pair = self.slice_of(state)
        mage, witch = pair.at
        return mage >= 0 and _is_on(state, witch, state.feature_of(mage))

    def taken(self, state: State) -> list[int]:
        """The features where one of them is."""
        pair: Pair = self.slice_of(state)
        return [state.feature_of(at) for at in pair.at if at >= 0]

    def leaving(self, state: State) -> list[Action]:
        """With no place to go one of the two leaves."""
        pair: Pair = self.slice_of(state)
        return self.words if AWAY not in pair.at else []

    def _leave(self, which: int, state: State, player: int) -> None:
        self.slice_of(state).at[which] = AWAY

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MAG-02, MAG-03."""
        pair: Pair = self.slice_of(state)
        if _is_on(state, pair.at[MAGE], feature):
            tiles = state.tiles_of(feature)
            state.note("mage", tiles, 1)
            points += tiles
        if _is_on(state, pair.at[WITCH], feature):
            state.note("witch", points // 2, -1)
            points -= points // 2
        return points

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """MAG-01: they leave when their feature is scored."""
        pair: Pair = self.slice_of(state)
        pair.at = [AWAY if _is_on(state, at, feature) else at for at in pair.at]

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        pair: Pair = self.slice_of(state)
        there = [(name, at) for name, at in zip(NAMES, pair.at, strict=True) if at >= 0]
        data["pieces"] += [state.piece(name, state.cell_under(at), at) for name, at in there]
        return data


def _is_on(state: State, segment: int, feature: int) -> bool:
    """Whether a segment, unless it is none (-1), is part of a feature."""
    return segment >= 0 and state.feature_of(segment) == feature
