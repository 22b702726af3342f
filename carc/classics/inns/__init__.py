"""Inns & Cathedrals: `base+inns`, for up to six players (INN-01 to INN-03)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import final

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.expansion import A_TILE, Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.tile_set_expansion import TileSetExpansion


@final
class Inns(TileSetExpansion):
    """Inns and cathedrals are worth more when the feature is completed, and nothing otherwise.

    A large follower counts twice.
    """

    TILES = Path(__file__).with_name("inns_and_cathedrals.txt")
    PIECES = {"big": ()}  # played without its tiles, too
    ORDER = {"feature_points": A_TILE}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """INN-01: a sixth player only beside base."""
        self.sixth = int(others[0].name == "base")
        return super().resolve_with(others)

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        """INN-01: up to six players."""
        return low, high + self.sixth

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """INN-01: each player has one large follower, which counts 2 in majorities."""
        return [*kinds, FollowerKind("big", power=2, supply=1)]

    def bind(self, rules: Rules) -> None:
        """Look up the marks of tiles: without its own those of other sets mean nothing."""
        played = self.chosen["tiles"] == "on"
        self.inn = rules.catalogue.mark("inn") if played else -1
        self.cathedral = rules.catalogue.mark("cathedral") if played else -1
        self.coat = rules.coat_of_arms

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """INN-02, INN-03: 1 more a tile, for cities also a coat of arms; incomplete: 0."""
        if state.board.mark(feature, self.inn):
            label, more = "inn", state.board.tiles_of(feature)
        elif state.board.mark(feature, self.cathedral):
            label = "cathedral"
            more = state.board.tiles_of(feature) + state.board.mark(feature, self.coat)
        else:
            return points
        if final:
            state.note(f"incomplete with {label}", points, -1)
            return 0
        state.note(label, more, 1)
        return points + more
