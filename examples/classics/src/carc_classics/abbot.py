"""The Abbot: `base+little_abbot`.

Gardens, and a follower that comes home when its player likes (ABB-01, ABB-02).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from carc import Action, Expansion, FollowerKind, Rules, State
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.tiles.tile import SegmentKind, TileSet, without_start
from carc.errors import BadRules

TILES = Path(__file__).with_name("data") / "base_gardens.txt"


class TakeBack(Action):
    """Take the abbot back and score for it: `abbot`."""

    def __init__(self, abbot: Abbot) -> None:
        super().__init__("abbot")
        self.abbot = abbot

    def perform(self, state: State, player: int) -> None:
        segment = self.abbot._where(state, player)
        around = state.board.count_neighbours(state.board.cell_under(segment))
        state.award(player, "abbot", 1 + around, 1)
        state.take_follower(segment)


class Abbot(Expansion):
    """Gardens take abbots only, and are completed and scored as monasteries are."""

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        if others[0].name != "base":
            raise BadRules(
                f"little_abbot needs the tiles of base, which {others[0].name} leaves in the box"
            )
        return self

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        garden = SegmentKind("garden", completed_by="neighbours", claimable=False)
        return [*kinds, garden]

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("abbot", supply=1, on=("monastery", "garden"))]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Replace the base's tiles by the newer edition's, eight of them with gardens."""
        gardens = read(TILES)
        return [gardens if sets[0].start else without_start(gardens), *sets[1:]]

    def bind(self, rules: Rules) -> None:
        self.abbot = rules.follower_number("abbot")
        self.take_back = TakeBack(self)

    def parse(self, text: str) -> Action | None:
        return self.take_back if text == self.take_back.text else None

    def claims(self, state: State, player: int) -> Choices:
        return Listed([self.take_back]) if self._where(state, player) >= 0 else NO_CHOICES

    def _where(self, state: State, player: int) -> int:
        """The segment of the player's abbot; -1: in the supply."""
        return next(iter(state.board.segments_with(player, self.abbot)), -1)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        if state.board.kind_of(feature) != "garden":
            return points
        tiles = 1 + state.board.count_neighbours(state.board.cell_under(feature))
        state.note("garden", tiles, 1)
        return points + tiles
