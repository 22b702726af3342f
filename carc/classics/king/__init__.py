"""King & Robber Baron: `base+king` (KNG-01, KNG-02)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from mypy_extensions import i64

from carc.base.game.about import About
from carc.base.game.expansion import ExpansionState
from carc.base.game.state import State
from carc.base.game.state_fields import Count, Owner
from carc.base.tiles.tile import CITY, ROAD
from carc.classics.tile_set_expansion import TileSetExpansion

TITLES: Final = {CITY: "king", ROAD: "robber"}


class KingState(ExpansionState):
    """Who holds the titles.

    Attributes:
        holder: The owner who holds the title of a kind of feature; -1: nobody.
        most: The tiles of the feature that brought the title.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "holder": dict[int, Owner],
        "most": dict[int, Count],
    }

    def __init__(self) -> None:
        """Start with nobody holding a title."""
        self.holder: dict[int, int] = dict.fromkeys(TITLES, -1)
        self.most: dict[int, int] = dict.fromkeys(TITLES, 0)

    def copy(self) -> KingState:
        """Return an independent copy."""
        new = KingState()
        new.holder = self.holder.copy()
        new.most = self.most.copy()
        return new


class King(TileSetExpansion[KingState]):
    """The player who completes the largest city is king, the longest road robber baron.

    At the end each scores for all completed features of that kind.
    """

    ABOUT = About(
        "King & Robber Baron",
        "Whoever completes the largest city or the longest road holds a title worth "
        "points at the end.",
        tile="KR05",
        cautions={
            "mists": "There is no final scoring in this game, so the titles are worth nothing."
        },
    )

    TILES = Path(__file__).with_name("king_and_robber.txt")
    ONLY_FOR = {"feature_scored": ("city", "road")}

    def setup(self, state: State) -> ExpansionState:
        """Start with nobody holding a title."""
        return KingState()

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """KNG-01: a larger city or a longer road takes the title."""
        if final:
            return
        own = self.state_of(state)
        for kind, most in own.most.items():
            if state.board.is_kind(feature, kind) and state.board.tiles_of(feature) > most:
                own.most[kind] = state.board.tiles_of(feature)
                own.holder[kind] = state.rules.colours[state.active_player][0]
                return

    def game_ended(self, state: State) -> None:
        """KNG-02: a point for each completed city or road."""
        own = self.state_of(state)
        for kind, owner in own.holder.items():
            if owner >= 0:
                state.award(owner, TITLES[kind], _completed(state, kind), 1)

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what the titles would score now (KNG-02)."""
        own = self.state_of(state)
        for kind, owner in own.holder.items():
            if owner >= 0:
                expected[owner] += _completed(state, kind)
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """`titles`: for each who holds it (None: nobody), and the tiles to be surpassed."""
        own = self.state_of(state)
        data["titles"] = {
            title: {
                "owner": own.holder[kind] if own.holder[kind] >= 0 else None,
                "tiles": own.most[kind],
            }
            for kind, title in TITLES.items()
        }
        return data


def _completed(state: State, kind: int) -> int:
    """Return how many features of a kind are completed."""
    board = state.board
    features = board.segment_features()
    count: i64 = 0
    for segment in range(len(features)):
        complete = board.is_kind(segment, kind) and not board.is_open(segment)
        if complete and features[segment] == segment:
            count += 1
    return count
