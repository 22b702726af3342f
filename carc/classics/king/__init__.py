"""King & Robber Baron: `base+king` (KNG-01, KNG-02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Owner
from carc.base.tiles.tile import CITY, ROAD
from carc.classics.king.estimates import KingEstimates
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
        self.holder: dict[int, int] = dict.fromkeys(TITLES, -1)
        self.most: dict[int, int] = dict.fromkeys(TITLES, 0)

    def copy(self) -> KingState:
        new = KingState()
        new.holder = self.holder.copy()
        new.most = self.most.copy()
        return new


class King(TileSetExpansion[KingState]):
    """The player who completes the largest city is king, the longest road robber baron.

    At the end each scores for all completed features of that kind.

    Option `worth`: what the titles score instead (KNG-02).
    """

    TILES = Path(__file__).with_name("king_and_robber.txt")
    ONLY_FOR = {"feature_scored": ("city", "road")}
    HELPERS = ("at_the_end",)
    _ADDED_OPTIONS = {"worth": "completed"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """KNG-02: what the titles score."""
        return {"worth": ("completed", "at_once", "10", "15")}

    def bind(self, rules: Rules) -> None:
        """Look the option up once (KNG-02)."""
        self._worth: str = self.chosen["worth"]
        self._at_once: bool = self._worth == "at_once"

    def setup(self, state: State) -> ExpansionState:
        """Start with nobody holding a title."""
        return KingState()

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """KNG-01: a larger city or a longer road takes the title."""
        if final:
            return
        own = self.state_of(state)
        for kind, most in own.most.items():
            if not state.board.is_kind(feature, kind):
                continue
            if self._at_once:
                self._score_at_once(state, feature, kind)
            if state.board.tiles_of(feature) > most:
                own.most[kind] = state.board.tiles_of(feature)
                own.holder[kind] = state.rules.colours[state.active_player][0]
            return

    def _score_at_once(self, state: State, feature: int, kind: int) -> None:
        """KNG-02: with the first of a turn's features, before the title goes on."""
        done = [one for one in state.board.completed if state.board.is_kind(one, kind)]
        holder = self.state_of(state).holder[kind]
        if holder >= 0 and done[:1] == [feature]:
            state.award(holder, TITLES[kind], len(done), 1)

    def game_ended(self, state: State) -> None:
        """KNG-02: what the titles score at the end."""
        for kind, (owner, count, each) in self.at_the_end(state).items():
            state.award(owner, TITLES[kind], count, each)

    def at_the_end(self, state: State) -> dict[int, tuple[int, int, int]]:
        """Return by kind of feature who scores how often how many points (KNG-02)."""
        if self._at_once:
            return {}
        held = {kind: one for kind, one in self.state_of(state).holder.items() if one >= 0}
        if self._worth == "completed":
            return {kind: (owner, _completed(state, kind), 1) for kind, owner in held.items()}
        has_both = len(held) == len(TITLES) and len({*held.values()}) == 1
        each = 20 if self._worth == "15" and has_both else int(self._worth)
        return {kind: (owner, 1, each) for kind, owner in held.items()}

    def estimates(self) -> Estimates:
        return KingEstimates(self)

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
    count = 0
    for segment in range(board.segment_count):
        if board.is_kind(segment, kind) and board.feature_of(segment) == segment:
            count += 0 if board.is_open(segment) else 1
    return count
