"""The Abbot: `base+abbot`. Gardens, and a follower that comes home when its player likes (ABB-01, ABB-02)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from carc.base.board.components import FollowerKind
from carc.base.game.actions import Action
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.expansion import VALUED, Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import TileSet
from carc.classics.tile_set_expansion import GARDEN, TileSetExpansion
from carc.errors import BadRules


class TakeBack(Action):
    """TakeVerb the abbot back and score for it: `abbot`."""

    def __init__(self, abbot: Abbot) -> None:
        super().__init__("abbot")
        self.abbot = abbot

    def perform(self, state: State, player: int) -> None:
        """What its place is worth now, and nothing that expansions make of it (ABB-02)."""
        segment = state.board.segments_with(player, self.abbot.abbot)[0]
        state.award(
            player, "abbot", 1 + state.board.count_neighbours(state.board.cell_under(segment)), 1
        )
        state.take_follower(segment)


class Abbot(TileSetExpansion):
    """Gardens take abbots only, and are completed and scored as monasteries are."""

    TILES = Path(__file__).with_name("base_gardens.txt")
    ORDER = {"feature_points": VALUED}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        if others[0].name != "base":
            raise BadRules(
                f"abbot needs the tiles of base, which {others[0].name} leaves in the box"
            )
        return self

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("abbot", supply=1, on=("monastery", GARDEN.name))]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """The newer edition's tiles, eight of them with gardens, in place of the base's."""
        return [read(self.TILES), *sets[1:]]

    def bind(self, rules: Rules) -> None:
        self.abbot = rules.follower_number("abbot")
        self.garden = rules.catalogue.kind_of[GARDEN.name]
        self.take_back = TakeBack(self)

    def parse(self, text: str) -> Action | None:
        return self.take_back if text == self.take_back.text else None

    def claims(self, state: State, player: int) -> Choices:
        """The abbot may come home, but not from a place just completed: that is scored (ABB-02)."""
        board = state.board
        there = board.segments_with(player, self.abbot)
        if there and board.is_open(board.feature_of(there[0])):
            return Listed([self.take_back])
        return NO_CHOICES

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        if not state.board.is_kind(feature, self.garden):
            return points
        tiles = 1 + state.board.count_neighbours(state.board.cell_under(feature))
        state.note("garden", tiles, 1)
        return points + tiles
