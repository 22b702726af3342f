"""Mage & Witch: `base+mage` (MAG-01 to MAG-03)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.actions import Action, OnSegment
from carc.base.expansion import HALVED, Slice
from carc.base.ranks import Ranks, segment_in
from carc.base.rules import Rules
from carc.base.scoring import CITY, ROAD
from carc.base.state import State
from carc.base.steps import LISTED, PlaceStep, Step, index_of
from carc.classics.rivals import Rivalry, Word, showing

NAMES: Final = ("mage", "witch")


class Pair(Slice):
    """The segments where the two stand; -1: not on the table."""

    REFERS: ClassVar[Mapping[str, str]] = dict.fromkeys(NAMES, "segment")

    def __init__(self) -> None:
        self.mage: int = -1
        self.witch: int = -1

    def copy(self) -> Pair:
        new = Pair()
        new.mage = self.mage
        new.witch = self.witch
        return new

    def put(self, name: str, segment: int) -> None:
        """One of them goes to a segment, or leaves (-1)."""
        if name == "mage":
            self.mage = segment
        else:
            self.witch = segment

    def standing(self) -> list[tuple[str, int]]:
        """Those on the table, each with its segment."""
        both = zip(NAMES, (self.mage, self.witch), strict=True)
        return [(name, at) for name, at in both if at >= 0]


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
            pair.put(action.verb, state.chosen(action))
        elif action is not None:
            action.perform(state, player)
        else:
            pair.mage = pair.witch = -1


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
        self.words = [Word(rules, f"leave:{name}", partial(self._leave, name)) for name in NAMES]

    def layers(self) -> int:
        return len(NAMES)

    def setup(self, state: State) -> Slice:
        return Pair()

    def tile_placed(self, state: State, tile: int) -> None:
        """MAG-01: one of them moves after a mage tile, or where a tile brought them together."""
        if self.moving[state.kind_of_tile(tile)] or self._have_met(state):
            state.schedule(self.move, state.active, self.then)

    def _have_met(self, state: State) -> bool:
        pair: Pair = self.slice_of(state)
        return pair.mage >= 0 and _is_on(state, pair.witch, state.feature_of(pair.mage))

    def taken(self, state: State) -> list[int]:
        """The features where one of them is."""
        pair: Pair = self.slice_of(state)
        return [state.feature_of(at) for at in (pair.mage, pair.witch) if at >= 0]

    def leaving(self, state: State) -> list[Action]:
        """With no place to go one of the two leaves."""
        pair: Pair = self.slice_of(state)
        return self.words if pair.mage >= 0 and pair.witch >= 0 else []

    def _leave(self, name: str, state: State, player: int) -> None:
        pair: Pair = self.slice_of(state)
        pair.put(name, -1)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MAG-02, MAG-03."""
        pair: Pair = self.slice_of(state)
        if _is_on(state, pair.mage, feature):
            tiles = state.tiles_of(feature)
            state.note("mage", tiles, 1)
            points += tiles
        if _is_on(state, pair.witch, feature):
            state.note("witch", points // 2, -1)
            points -= points // 2
        return points

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """MAG-01: they leave when their feature is scored."""
        pair: Pair = self.slice_of(state)
        if _is_on(state, pair.mage, feature):
            pair.mage = -1
        if _is_on(state, pair.witch, feature):
            pair.witch = -1

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        pair: Pair = self.slice_of(state)
        data["pieces"] += [state.piece(name, state.cell_under(s), s) for name, s in pair.standing()]
        return data


def _is_on(state: State, segment: int, feature: int) -> bool:
    """Whether a segment, unless it is none (-1), is part of a feature."""
    return segment >= 0 and state.feature_of(segment) == feature
