"""The Festival: `base+festival` (FES-01)."""

from __future__ import annotations

from pathlib import Path

from carc.base.board.candidates import NOBODY, Candidates, followers_of
from carc.base.game.choices import Choices
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import EVERY_KIND, TakeVerb


class Festival(CompetitiveExpansion):
    """Who lays a festival may take an own figure back instead of putting one down."""

    ONLY_FOR = {"claims": ("festival",)}
    TILES = Path(__file__).with_name("festival.txt")

    def bind(self, rules: Rules) -> None:
        self.verbs = [TakeVerb(rules, "festival")]
        self.segment_layers = max(verb.layers for verb in self.verbs)

    def claims(self, state: State, player: int) -> Choices:
        mine = followers_of(state.board, player, EVERY_KIND, NOBODY, Candidates())
        return self.verbs[0].among(mine)
