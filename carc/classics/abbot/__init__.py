"""The Abbot: `base+abbot`, with gardens and a follower that may come home (ABB-01, ABB-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.expansion import VALUED, Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.classics.tile_set_expansion import GARDEN, TileSetExpansion
from carc.errors import BadRules

NEIGHBOURS: Final = 8


class ReturnAbbot(Action):
    """Take the abbot back and score for it: `abbot`."""

    def __init__(self, abbot: Abbot) -> None:
        super().__init__("abbot")
        self.abbot = abbot

    def perform(self, state: State, player: int) -> None:
        """Score what its place is worth now, whatever other expansions say (ABB-02)."""
        segment = state.board.segments_with(player, self.abbot.abbot)[0]
        neighbours = state.board.count_neighbours(state.board.cell_under(segment))
        state.award(player, "abbot", 1 + neighbours, 1)
        state.take_follower(segment, player, self.abbot.abbot)


class Abbot(TileSetExpansion):
    """Gardens take abbots only; they are completed and scored as monasteries are.

    Option: `gardens`: on the tiles of all sets, on those of the base game, or none.
    """

    TILES: ClassVar[Path] = Path(__file__).with_name("base_gardens.txt")
    ORDER = {"feature_points": VALUED}
    ONLY_FOR = {"feature_points": (GARDEN.name,)}
    _ADDED_OPTIONS = {"gardens": "all"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """ABB-01: where gardens are."""
        return {"gardens": ("all", "base", "off")}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Refuse a game without the tiles of base."""
        if others[0].name != "base":
            raise BadRules(
                f"abbot needs the tiles of base, which {others[0].name} leaves in the box"
            )
        return self

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """ABB-01: each player has one abbot, for monasteries and gardens."""
        return [*kinds, FollowerKind("abbot", supply=1, on=("monastery", GARDEN.name))]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Replace the base's tiles by the newer edition's, eight of which show gardens."""
        if self.chosen["gardens"] == "off":
            return sets
        return [read(self.TILES), *sets[1:]]

    def bind(self, rules: Rules) -> None:
        """Look up the follower and make the action."""
        self.abbot = rules.follower_number("abbot")
        self.return_abbot = ReturnAbbot(self)

    def parse(self, text: str) -> Action | None:
        """Return the action `abbot`."""
        return self.return_abbot if text == self.return_abbot.text else None

    def claims(self, state: State, player: int) -> Choices:
        """ABB-02: the abbot may come home, but not from a place with tiles all around."""
        board = state.board
        at = board.segment_with_figure(player, self.abbot)
        if at < 0 or not board.is_open(board.feature_of(at)):
            return NO_CHOICES
        if board.count_neighbours(board.cell_under(at)) == NEIGHBOURS:
            return NO_CHOICES  # he lies there, so that it is open still
        return Listed([self.return_abbot])

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """ABB-01: a garden scores 1 for itself and 1 for each neighbour."""
        tiles = 1 + state.board.count_neighbours(state.board.cell_under(feature))
        state.note("garden", tiles, 1)
        return points + tiles
