"""The Robber's Son: `base+son` (ROB-01)."""

from __future__ import annotations

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.verbs import TakeVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.tile_symbols import segments_with_mark


class Son(CompetitiveExpansion):
    """A player who adds the robber's son to a road may send a follower home from it.

    No tiles with him are known; tile files of the user may have some, with the mark `robbers_son`.
    """

    def bind(self, rules: Rules) -> None:
        """Look up the roads with him, and make the choice of a follower."""
        self.roads = segments_with_mark(rules, "robbers_son")
        self.followers = rules.followers
        self.send_home = TakeVerb(rules, "rob", any_owner=True)
        self._offer_figures([self.send_home])

    def claims(self, state: State, player: int) -> Choices:
        """ROB-01: everybody's followers on the roads to which the last tile adds him."""
        board = state.board
        here = self.roads[board.kind_of_tile(board.last_tile)]
        if not here:
            return NO_CHOICES
        roads = [board.feature_of(board.segment_of(board.last_tile, index)) for index in here]
        return self.send_home.among(board.figures_in(roads, self.followers))
