"""The Festival: `base+festival` (FES-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.small_set import EVERY
from carc.base.turn.choices import Choices
from carc.base.turn.verbs import TakeVerb
from carc.classics.competitive_expansion import CompetitiveExpansion


class Festival(CompetitiveExpansion):
    """A player who lays a festival may take an own figure back instead of placing one.

    Option `returns`: all figures, or only followers (FES-01).
    """

    ONLY_FOR = {"claims": ("festival",)}
    TILES = Path(__file__).with_name("festival.txt")
    _ADDED_OPTIONS = {"returns": "figures"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """FES-01: which figures come back."""
        return {"returns": ("figures", "followers")}

    def bind(self, rules: Rules) -> None:
        """Make the choice of a figure."""
        followers_only = self.chosen["returns"] == "followers"
        self.kinds = rules.followers if followers_only else EVERY
        self.take_back = TakeVerb(rules, "festival")
        self._offer_figures([self.take_back])

    def claims(self, state: State, player: int) -> Choices:
        """FES-01: the player's figures on the table."""
        return self.take_back.among(state.board.figures_of(player, self.kinds))
