"""`Base`: the base game, written with the hooks of expansions; always asked first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final, final

import attrs

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.expansion import Expansion
from carc.base.tiles.tile import BASE_KINDS, SegmentKind, TileSet
from carc.base.turn.steps import ClaimStep, DrawStep, EndStep, PlaceStep, ScoreStep, Step

TILES: Final = Path(__file__).parents[1] / "tiles" / "base.txt"
FOLLOWERS: Final = 7  # BASE-01


@final
class Base(Expansion):
    """The base game, `base`, for 1 to 5 players. One plays for points alone.

    Options: `fields` (on/off): whether followers may be put on fields (BASE-05); `small_cities`:
    whether a complete city of two tiles scores like any other, or half (BASE-08).
    """

    STANDALONE: ClassVar[bool] = True
    _ADDED_OPTIONS: ClassVar[Mapping[str, str]] = {"small_cities": "full"}

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"fields": ("on", "off"), "small_cities": ("full", "half")}

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        return 1, 5

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        farming = self.chosen.get("fields", "on") == "on"
        return [
            attrs.evolve(kind, claimable=farming) if kind.name == "field" else kind
            for kind in BASE_KINDS
        ]

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [FollowerKind("meeple", 1, FOLLOWERS)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [read(TILES)]

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        return [(player,) for player in range(self.players)]

    def turn(self, steps: list[Step]) -> list[Step]:
        return [DrawStep(), PlaceStep(), ClaimStep(), ScoreStep(), EndStep()]
