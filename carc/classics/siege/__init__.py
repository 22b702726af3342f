"""The Besiegers and The Cathars: `base+siege` (SIE-01 to SIE-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from carc.base.board.board import Board
from carc.base.expansions.expansion import A_TILE
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import CITY, FIELD
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.scoring import cities_of
from carc.base.turn.steps import Step
from carc.base.turn.verbs import TakeVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import after_scoring
from carc.classics.tile_symbols import kinds_with_segment, segments_with_mark
from carc.classics.traders import Traders


class EscapeStep(Step):
    """SIE-03: a follower of the player may escape from a besieged city."""

    def __init__(self, siege: Siege) -> None:
        super().__init__("escape")
        self.siege: Final = siege

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers who may escape."""
        if any(traders.goes_on(state) for traders in self.siege.traders):
            return NO_CHOICES
        return self.siege.escaping(state, player).or_pass()


class Siege(CompetitiveExpansion):
    """A besieged city scores less, fields beside it more; followers may escape from it.

    Options: `sets`: both, or one of them; `escape`: by a monastery beside any tile of the city,
    beside a tile that shows the siege, or not at all; `escapes`: after each tile, or once a turn.
    """

    SETS = {
        "besiegers": Path(__file__).with_name("besiegers.txt"),
        "cathars": Path(__file__).with_name("cathars.txt"),
    }
    ORDER = {"feature_points": A_TILE}
    ONLY_FOR = {"feature_points": ("city", "field")}
    _ADDED_OPTIONS = {"escapes": "tile"}
    HELPERS = ("escaping",)

    def options(self) -> Mapping[str, Sequence[str]]:
        """SIE-01, SIE-03: which tiles are played, and where a follower may escape."""
        return {
            **super().options(),
            "escape": ("city", "siege", "off"),
            "escapes": ("tile", "turn"),
        }

    def turn(self, steps: list[Step]) -> list[Step]:
        """SIE-03: followers escape after the scoring."""
        if self.chosen["escape"] == "off":
            return steps
        at = after_scoring(steps)
        return [*steps[:at], EscapeStep(self), *steps[at:]]

    def bind(self, rules: Rules) -> None:
        """Look up the marks, and make the choice of a follower."""
        self.besieged = rules.catalogue.mark("besieged")
        self.monastery = kinds_with_segment(rules, "monastery")
        # The tiles of a city from which one gets out.
        everywhere = self.chosen["escape"] == "city"
        here = segments_with_mark(rules, "besieged")
        self.exits = TileKinds([everywhere or bool(segments) for segments in here])
        self.traders = [
            each
            for each in rules.expansions
            if self.chosen["escapes"] == "turn" and isinstance(each, Traders)
        ]
        self.coat = rules.coat_of_arms
        self.followers = rules.followers
        self.escape = TakeVerb(rules, "escape")
        self._offer_figures([self.escape])

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """SIE-01: 1 less a tile and coat of arms, incomplete: 0. SIE-02: cities count twice."""
        board = state.board
        if self._is_besieged(board, feature):
            less = board.tiles_of(feature) + board.mark(feature, self.coat)
            less = points if final else less
            state.note("besieged", less, -1)
            return points - less
        if final and board.is_kind(feature, FIELD):
            cities = cities_of(state, feature)
            besieged = sum([1 for city in cities if self._is_besieged(board, city)])
            each = points // max(1, len(cities))
            state.note("besieged city", besieged, each)
            return points + besieged * each
        return points

    def _is_besieged(self, board: Board, feature: int) -> bool:
        """Return True for a besieged city. A castle is no city any more (BRC-02)."""
        return board.is_kind(feature, CITY) and board.mark(feature, self.besieged) > 0

    def escaping(self, state: State, player: int) -> Choices:
        """Return the player's followers in besieged cities beside a monastery (SIE-03)."""
        board = state.board
        held = board.features_held(player, CITY, self.besieged)
        cities = [city for city in held if self._leads_out(board, city)]
        if not cities:
            return NO_CHOICES
        return self.escape.among(board.figures_in(cities, self.followers, player))

    def _leads_out(self, board: Board, city: int) -> bool:
        """Return True if a monastery lies on the tiles of a city or around them."""
        for segment in board.members(city):
            tile = board.tile_under(segment)
            leads_out = board.kind_of_tile(tile) in self.exits
            if leads_out and board.count_tiles_around(board.cell_of(tile), self.monastery):
                return True
        return False
