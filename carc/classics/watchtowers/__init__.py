"""The Watchtowers: `base+watchtowers` (WAT-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from carc.base.board.board import Board
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import CITY, Tile
from carc.base.turn.actions import Action
from carc.base.turn.steps import ScoreStep, Step, index_of
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import CallbackStep
from carc.classics.watchtowers.estimates import WatchtowersEstimates

COAT: Final = "coat-of-arms"
MEEPLE: Final = "meeple"
LABELS: Final = {  # what a watchtower counts -> the name of the scoring
    "city": "watched cities",
    "road": "watched roads",
    "monastery": "watched monasteries",
    COAT: "watched coats of arms",
    MEEPLE: "watched meeples",
}


class Watchtowers(CompetitiveExpansion):
    """A follower on a watchtower's tile scores for what is printed on the nine tiles around it.

    Option `bonus`: when its city or road is `scored`, or when the tile is `claimed`.
    """

    TILES = Path(__file__).with_name("watchtowers.txt")
    HELPERS = ("seen",)
    _ADDED_OPTIONS = {"castles": "cities"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """WAT-01: when a watchtower scores, and whether it counts castles."""
        return {"bonus": ("scored", "claimed"), "castles": ("cities", "none")}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Note when a watchtower scores."""
        self.at_once: bool = self.chosen["bonus"] == "claimed"
        self.castles_count: bool = self.chosen["castles"] == "cities"
        return super().resolve_with(others)

    def turn(self, steps: list[Step]) -> list[Step]:
        """WAT-01: watchtowers score before the features do."""
        if self.at_once:
            return steps
        before = index_of(steps, ScoreStep)
        watch = CallbackStep("watch", None, self._watch, in_scoring=True, if_completed=True)
        return [*steps[:before], watch, *steps[before:]]

    def bind(self, rules: Rules) -> None:
        """Look up what each watchtower counts, and how often each kind of tile shows that."""
        self.followers = rules.followers
        tiles = rules.catalogue.tiles
        self.watched = [_printed(tile) for tile in tiles]
        self.shown = {subject: [_shown(tile, subject) for tile in tiles] for subject in LABELS}

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """WAT-01, option `claimed`: a watchtower scores at once."""
        if self.at_once and follower in self.followers:
            self._score(state, state.board.tile_under(segment), owner)

    def _watch(self, state: State, player: int, action: Action | None) -> None:
        """Score watchtowers for followers on completed features (WAT-01)."""
        board = state.board
        for feature in board.completed:
            for segment, owner, kind in board.followers_of(feature):
                if kind in self.followers:
                    self._score(state, board.tile_under(segment), owner)

    def _score(self, state: State, tile: int, owner: int) -> None:
        """Score the watchtower of a tile, if it has one, for an owner."""
        count = self.seen(state, tile)
        if count:
            subject, each = self.watched[state.board.kind_of_tile(tile)]
            state.award(owner, LABELS[subject], count, each)

    def seen(self, state: State, tile: int) -> int:
        """Return how much of what it watches is on the nine tiles around a watchtower, if any."""
        board = state.board
        cell = board.cell_of(tile)
        subject, each = self.watched[board.kind_of_tile(tile)]
        if not each:
            return 0
        if subject == MEEPLE:
            return sum(state.board.count_around(cell, self.followers))
        if subject == "city" and not self.castles_count:
            return sum([self._shows_city(board, other) for other in board.tiles_around(cell)])
        shown = self.shown[subject]
        return sum([shown[board.kind_of_tile(other)] for other in board.tiles_around(cell)])

    def _shows_city(self, board: Board, tile: int) -> bool:
        """Return whether a tile has a city that is no castle (option `castles=none`)."""
        return any(board.is_kind(segment, CITY) for segment in board.segments_of(tile))

    def estimates(self) -> Estimates:
        return WatchtowersEstimates(self)


def _printed(tile: Tile) -> tuple[str, int]:
    """Return what the watchtower of a tile counts, and for how many points each."""
    points, _, subject = (tile.symbol("watchtower") or "0/").partition("/")
    return subject, int(points)


def _shown(tile: Tile, subject: str) -> int:
    """Return how often a tile shows what a watchtower counts; of cities and roads, if it does."""
    if subject == COAT:
        return sum([dict(part.marks).get("coat_of_arms", 0) for part in tile.segments])
    count = [part.kind for part in tile.segments].count(subject)
    return count if subject == "monastery" else min(1, count)
