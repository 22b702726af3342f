"""The Labyrinth: `base+labyrinth` (LAB-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import ROAD, SegmentKind
from carc.classics.competitive_expansion import CompetitiveExpansion

MARK: Final = "labyrinth"  # of the segment in its middle
EACH: Final = 2  # points a follower


class Labyrinth(CompetitiveExpansion):
    """A crossing that ends no road, and whose road is worth more with many followers on it.

    Option `followers`: all of them score for the `majority`, and a road up to the labyrinth may be
    claimed by itself; or nothing is added; or each scores for its `owner`.
    """

    TILES = Path(__file__).with_name("labyrinth.txt")
    HELPERS = ("leads_to",)

    def options(self) -> Mapping[str, Sequence[str]]:
        """LAB-01: for whom the followers on a completed road score."""
        return {"followers": ("majority", "off", "owner")}

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """LAB-01, option `majority`: the labyrinth and each road up to it are claimed alone."""
        kinds = super().segment_kinds(kinds)
        if self.chosen["followers"] != "majority":
            return kinds
        road = attrs.evolve(kinds[ROAD], parted_by=MARK)
        return [road if kind.name == road.name else kind for kind in kinds]

    def bind(self, rules: Rules) -> None:
        """Look up the mark of the road and the kinds of follower that count."""
        self.labyrinth = rules.catalogue.mark(MARK)
        self.followers = rules.followers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """LAB-01, option `majority`: all followers on the road make it worth more."""
        if final or self.chosen["followers"] != "majority" or not self.leads_to(state, feature):
            return points
        count = sum(self._counts(state, feature))
        state.note("labyrinth", count, EACH)
        return points + count * EACH

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """LAB-01: each follower on the completed road scores 2 for its owner."""
        if final or self.chosen["followers"] != "owner" or not self.leads_to(state, feature):
            return
        for owner, count in enumerate(self._counts(state, feature)):
            if count:
                state.award(owner, "labyrinth", count, EACH)

    def leads_to(self, state: State, feature: int) -> bool:
        """Return whether a road leads to the labyrinth."""
        return state.board.mark(feature, self.labyrinth) > 0

    def _counts(self, state: State, feature: int) -> list[int]:
        """Return how many followers each owner has on a feature."""
        counts = [0] * state.rules.owners
        for _, owner, kind in state.board.followers_of(feature):
            counts[owner] += int(kind in self.followers)
        return counts
