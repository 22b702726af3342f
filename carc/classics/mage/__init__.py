"""Mage & Witch: `base+mage` (MAG-01 to MAG-03)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from mypy_extensions import i64

from carc.base.board.candidates import Candidates, open_features, segment_in
from carc.base.game.actions import Action, OnSegment, chosen_segment, segment_choice
from carc.base.game.choices import Choices, Listed
from carc.base.game.expansion import HALVED, ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import PlaceStep, Step, index_of
from carc.base.game.to_dict import piece
from carc.base.tiles.tile import CITY, ROAD
from carc.classics.competitive_expansion import CompetitiveExpansion, SimpleAction, showing

NAMES: Final = ("mage", "witch")
MAGE: Final = 0
WITCH: Final = 1
AWAY: Final = -1


class MageState(ExpansionState):
    """The segments where the two stand, in the order of `NAMES`; -1: not on the table."""

    REFERS: ClassVar[Mapping[str, str]] = {"at": "segment"}

    def __init__(self, at: list[int]) -> None:
        self.at = at

    def copy(self) -> MageState:
        return MageState(self.at.copy())


class Move(Step):
    """One of the two goes to one of the places; with none, one leaves."""

    def __init__(self, mage: Mage) -> None:
        super().__init__("mage")
        self.mage: Final = mage

    def choices(self, state: State, player: int) -> Choices:
        places = open_features(
            state.board, self.mage.segment_kinds_bits, self.mage.taken(state), Candidates()
        )
        return MageChoices(places) if places.count else Listed(self.mage.leaving(state))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        pair = self.mage.state_of(state)
        if isinstance(action, OnSegment):
            pair.at[NAMES.index(action.verb)] = chosen_segment(state.board, action)
        elif action is not None:
            action.perform(state, player)
        else:
            pair.at = [AWAY, AWAY]


class MageChoices(Choices):
    """Mage and witch at each of some places, in the order of `NAMES`."""

    def __init__(self, places: Candidates) -> None:
        super().__init__(places.count * len(NAMES))
        self.places: Final = places

    def action(self, state: State, index: int) -> Action:
        place = segment_in(self.places.at(index // len(NAMES)))
        which = index % len(NAMES)
        return segment_choice(state.board, NAMES[which], place, which)


class Mage(CompetitiveExpansion[MageState]):
    """A mage makes each tile of a road or city worth 1 more, a witch halves what it is worth."""

    HELPERS = ("taken", "leaving")
    TILES = Path(__file__).with_name("mage_and_witch.txt")
    ORDER = {"feature_points": HALVED}
    ON_SEGMENTS = NAMES

    def bind(self, rules: Rules) -> None:
        self.moving = showing(rules, "mage")
        self.segment_kinds_bits: i64 = 1 << CITY | 1 << ROAD
        self.move = Move(self)
        self.segment_layers = len(NAMES)
        # After what other expansions do with the tile at once, gold for one.
        self.then = rules.turn[index_of(rules.turn, PlaceStep) + 1]
        self.words = [
            SimpleAction(rules, f"leave:{n}", partial(self._leave, i)) for i, n in enumerate(NAMES)
        ]

    def setup(self, state: State) -> ExpansionState:
        return MageState([AWAY, AWAY])

    def tile_placed(self, state: State, tile: int) -> None:
        """MAG-01: one of them moves after a mage tile, or where a tile brought them together."""
        if self.moving[state.board.kind_of_tile(tile)] or self._have_met(state):
            state.schedule(self.move, state.active_player, self.then)

    def _have_met(self, state: State) -> bool:
        pair = self.state_of(state)
        mage, witch = pair.at
        return mage >= 0 and _is_on(state, witch, state.board.feature_of(mage))

    def taken(self, state: State) -> list[int]:
        """The features where one of them is."""
        pair = self.state_of(state)
        return [state.board.feature_of(at) for at in pair.at if at >= 0]

    def leaving(self, state: State) -> list[Action]:
        """With no place to go one of the two leaves."""
        pair = self.state_of(state)
        return self.words if AWAY not in pair.at else []

    def _leave(self, which: int, state: State, player: int) -> None:
        self.state_of(state).at[which] = AWAY

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MAG-02, MAG-03."""
        pair = self.state_of(state)
        if _is_on(state, pair.at[MAGE], feature):
            tiles = state.board.tiles_of(feature)
            state.note("mage", tiles, 1)
            points += tiles
        if _is_on(state, pair.at[WITCH], feature):
            state.note("witch", points // 2, -1)
            points -= points // 2
        return points

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """MAG-01: they leave when their feature is scored."""
        pair = self.state_of(state)
        pair.at = [AWAY if _is_on(state, at, feature) else at for at in pair.at]

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        pair = self.state_of(state)
        there = [(name, at) for name, at in zip(NAMES, pair.at, strict=True) if at >= 0]
        data["pieces"] += [piece(state, name, state.board.cell_under(at), at) for name, at in there]
        return data


def _is_on(state: State, segment: int, feature: int) -> bool:
    """Whether a segment, unless it is none (-1), is part of a feature."""
    return segment >= 0 and state.board.feature_of(segment) == feature
