"""King & Robber Baron: `base+king` (KNG-01, KNG-02)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.game.expansion import ExpansionState
from carc.base.game.state import State
from carc.base.tiles.tile import CITY, ROAD
from carc.classics.tile_set_expansion import TileSetExpansion

TITLES: Final = {CITY: "king", ROAD: "robber"}


class KingState(ExpansionState):
    """By kind of feature: who holds the title, a colour (-1: nobody); of how many tiles the feature was that brought it."""

    REFERS: ClassVar[Mapping[str, str]] = {"holder": ":owner", "most": ":count"}

    def __init__(self) -> None:
        self.holder: dict[int, int] = dict.fromkeys(TITLES, -1)
        self.most: dict[int, int] = dict.fromkeys(TITLES, 0)

    def copy(self) -> KingState:
        new = KingState()
        new.holder = self.holder.copy()
        new.most = self.most.copy()
        return new


class King(TileSetExpansion[KingState]):
    """Who completes the largest city is king, the longest road robber baron; at the end each counts all that are completed."""

    TILES = Path(__file__).with_name("king_and_robber.txt")

    def setup(self, state: State) -> ExpansionState:
        return KingState()

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        if final:
            return
        titles = self.state_of(state)
        for kind, most in titles.most.items():
            if state.board.is_kind(feature, kind) and state.board.tiles_of(feature) > most:
                titles.most[kind] = state.board.tiles_of(feature)
                titles.holder[kind] = state.rules.colours[state.active_player][0]
                return

    def game_ended(self, state: State) -> None:
        titles = self.state_of(state)
        for kind, owner in titles.holder.items():
            if owner >= 0:
                state.award(owner, TITLES[kind], _completed(state, kind), 1)

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        titles = self.state_of(state)
        for kind, owner in titles.holder.items():
            if owner >= 0:
                expected[owner] += _completed(state, kind)
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """`titles`: by title who holds it, null for nobody, and the tiles to be surpassed."""
        titles = self.state_of(state)
        data["titles"] = {
            title: {
                "owner": titles.holder[kind] if titles.holder[kind] >= 0 else None,
                "tiles": titles.most[kind],
            }
            for kind, title in TITLES.items()
        }
        return data


def _completed(state: State, kind: int) -> int:
    """How many features of a kind are completed."""
    laid = state.board.all_features()
    return sum(1 for f in laid if state.board.is_kind(f, kind) and not state.board.is_open(f))
