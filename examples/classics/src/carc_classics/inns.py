"""Inns & Cathedrals: `base+little_inns`, for up to six players (INN-01 to INN-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from carc import Expansion, FollowerKind, Rules, State
from carc.base.game.expansion import A_TILE
from carc.base.tiles.tile import TileSet

TILES = Path(__file__).with_name("data") / "inns_and_cathedrals.txt"


class Inns(Expansion):
    """Inns and cathedrals, and the large follower, which counts twice.

    A feature with an inn or a cathedral scores more when it is completed, and nothing otherwise.
    """

    ORDER = {"feature_points": A_TILE}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        self.sixth = int(others[0].name == "base")
        return self

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        return low, high + self.sixth

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("big", power=2, supply=1)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.inn = rules.catalogue.mark("inn")
        self.cathedral = rules.catalogue.mark("cathedral")
        self.coat = rules.catalogue.mark("coat_of_arms")

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
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
