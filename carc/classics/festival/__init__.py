"""The Festival: `base+festival` (FES-01)."""

from __future__ import annotations

from pathlib import Path

from carc.base.board.candidates import EVERY, NOBODY, Candidates, followers_of
from carc.base.game.about import About, Words
from carc.base.game.choices import Choices
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import TakeVerb


class Festival(CompetitiveExpansion):
    """A player who lays a festival may take an own figure back instead of placing one."""

    ABOUT = About(
        "The Festival",
        "Whoever places a festival may take an own figure back instead of placing one.",
        tile="FE05",
        terms={
            "festival": "Instead of placing a follower, an own figure may be taken back.",
        },
    )

    WORDS = Words(
        phrases={
            "festival": "takes {figure} back from {place}",
        },
    )

    ONLY_FOR = {"claims": ("festival",)}
    TILES = Path(__file__).with_name("festival.txt")

    def bind(self, rules: Rules) -> None:
        """Make the choice of a figure."""
        self.take_back = TakeVerb(rules, "festival")
        self._offer_figures([self.take_back])

    def claims(self, state: State, player: int) -> Choices:
        """FES-01: all figures of the player."""
        figures = followers_of(state.board, player, EVERY, NOBODY, Candidates())
        return self.take_back.among(figures)
