"""Darmstadt: `base+darmstadt`, two churches and the Darmstadtium (DAR-01, DAR-02)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.steps import ScoreStep, Step, index_of
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.darmstadt.estimates import DarmstadtEstimates
from carc.classics.steps import CallbackStep
from carc.classics.tile_symbols import Marked

CHURCH: Final = 3  # points for most followers around a church (DAR-01)
DARMSTADTIUM: Final = 3  # points for its city (DAR-02)


class Darmstadt(CompetitiveExpansion):
    """A completed church is worth more to those with most followers around it."""

    HELPERS = ("owners_ahead",)
    TILES = Path(__file__).with_name("darmstadt.txt")

    def turn(self, steps: list[Step]) -> list[Step]:
        """DAR-01: followers are counted before any go home."""
        before = index_of(steps, ScoreStep)
        church = CallbackStep("church", None, self._reward, in_scoring=True, if_completed=True)
        return [*steps[:before], church, *steps[before:]]

    def bind(self, rules: Rules) -> None:
        """Look up the marks on the tiles and the kinds of follower that count."""
        self.church = rules.catalogue.mark("church")
        self.darmstadtium = rules.catalogue.mark("darmstadtium")
        self.churches = Marked(rules, "church")
        self.followers = rules.followers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """DAR-02: the city of the Darmstadtium is worth 3 more when it is completed."""
        if final or not state.board.mark(feature, self.darmstadtium):
            return points
        state.note("darmstadtium", 1, DARMSTADTIUM)
        return points + DARMSTADTIUM

    def _reward(self, state: State, player: int, action: Action | None) -> None:
        """Give 3 points for most followers on the nine tiles of a completed church (DAR-01)."""
        for feature in state.board.completed:
            if state.board.mark(feature, self.church):
                for owner in self.owners_ahead(state, feature):
                    state.award(owner, "church", 1, CHURCH)

    def owners_ahead(self, state: State, church: int) -> list[int]:
        """Return the owners with most followers around a church."""
        counts = state.board.count_around(state.board.cell_under(church), self.followers)
        best = max(counts)
        return [owner for owner, count in enumerate(counts) if count == best > 0]

    def estimates(self) -> Estimates:
        return DarmstadtEstimates(self, CHURCH / 2)
