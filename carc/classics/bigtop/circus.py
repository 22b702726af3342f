"""The circus: its big top scores for the followers around it, then moves on (BIG-01)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.cells import are_close
from carc.base.turn.actions import Action
from carc.base.turn.steps import CHANCE, Step
from carc.classics.bigtop.bigtop_state import NOWHERE, TOKENS
from carc.classics.steps import ChanceStep, SimpleAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.bigtop import BigTop


class CircusStep(Step):
    """A circus that was placed has the token beneath the big top scored, before that moves there.

    Attributes:
        tokens: What chance reveals beneath the big top.
        token_step: Chance reveals it.
    """

    def __init__(self, bigtop: BigTop, rules: Rules) -> None:
        super().__init__("circus")
        self.bigtop: Final = bigtop
        self.tokens: list[Action] = [
            SimpleAction(rules, f"tent:{points}", partial(self._reveal, points))
            for points in range(len(TOKENS))
        ]
        self.token_step: Final = ChanceStep("tent", self.tokens, self._unseen)
        self._followers: Final = rules.followers
        shelters = any(kind.shelters for kind in rules.catalogue.kinds)
        self._castles_are_whole: bool = shelters and bigtop.chosen["castles"] != "tile"

    def _unseen(self, state: State) -> list[int]:
        return self.bigtop.state_of(state).tokens

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Reveal the token; the first circus has the big top at once."""
        own = self.bigtop.state_of(state)
        if own.tent == NOWHERE:
            own.tent, own.following = own.following, NOWHERE
        else:
            state.push(self.token_step, CHANCE)

    def _reveal(self, points: int, state: State, player: int) -> None:
        """Score for the followers on the nine tiles, and move the big top."""
        own = self.bigtop.state_of(state)
        own.tokens[points] -= 1
        for owner, count in enumerate(self.spectators(state)):
            if count:
                state.award(owner, "big top", count, points)
        if own.following != NOWHERE:  # else the game is over
            own.tent, own.following = own.following, NOWHERE

    def spectators(self, state: State) -> list[int]:
        """Return how many followers of each owner are around the big top.

        A castle is one building: who is in it is on both of its tiles.
        """
        board, tent = state.board, self.bigtop.state_of(state).tent
        counts = board.count_around(tent, self._followers)
        if not self._castles_are_whole:
            return counts
        for segment, owner, kind in board.all_followers():
            elsewhere = not are_close(board.cell_under(segment), tent)
            if elsewhere and kind in self._followers and not board.is_within_reach(segment):
                castle = board.members(board.feature_of(segment))
                near = [one for one in castle if are_close(board.cell_under(one), tent)]
                counts[owner] += min(1, len(near))
        return counts
