"""The fairy and her companion (DRG-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from carc.base.board.figures import NOBODY
from carc.base.tiles.tile import FIELD
from carc.base.turn.scoring import value
from carc.base.turn.steps import Step
from carc.base.turn.verbs import FigureVerb
from carc.classics.bigtop import BigTop

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.dragon import Dragon

FAIRY_TURN: Final = 1  # points at the start of a turn
FAIRY_SCORED: Final = 3  # points when the feature of her companion is scored


@final
class FairyPointStep(Step):
    """At the start of a turn, a point for the owner of the fairy's companion.

    The second part of a builder's turn is no new turn.
    """

    def __init__(self, dragon: Dragon) -> None:
        super().__init__("guest")
        self.dragon: Final = dragon

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Award the point."""
        own = self.dragon.state_of(state)
        begins = own.began != player or state.rules.players == 1  # alone, each tile is a turn
        count = self.dragon.fairy.protected(state, player) if begins else 0
        if count:
            state.award(player, "fairy", count, FAIRY_TURN)
        own.began = player


@final
class FairyVerb(FigureVerb):
    """The choice of an own follower, to which the fairy goes."""

    def __init__(self, dragon: Dragon, rules: Rules) -> None:
        super().__init__(rules, "fairy")
        self.dragon: Final = dragon
        self.always: Final = dragon.chosen["fairy"] == "always"
        self.circuses: Final = [
            each
            for each in rules.expansions
            if isinstance(each, BigTop) and each.chosen["fairy"] == "each"
        ]

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Put the fairy beside the follower."""
        own = self.dragon.state_of(state)
        own.fairy, own.companion = state.board.cell_under(segment), (segment, owner, follower)

    def protected(self, state: State, player: int) -> int:
        """Return how many of a player's followers the fairy is with (BIG-02: a whole pyramid)."""
        segment, owner, _ = self.dragon.state_of(state).companion
        if self.circuses and self._is_pyramid(state, segment):
            return [whose for whose, _ in state.board.followers_at(segment)].count(player)
        return int(owner == player)

    def _is_pyramid(self, state: State, segment: int) -> bool:
        """Return True if the fairy would be with all acrobats on a segment (BIG-02)."""
        return segment >= 0 and any(
            state.board.is_kind(segment, one.ground) for one in self.circuses
        )

    def lose(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Keep the fairy where her companion was; in a pyramid she stays with the others."""
        own = self.dragon.state_of(state)
        gone = (segment, owner, follower) == own.companion
        if gone and state.board.count_followers(segment, owner, follower) == 1:
            own.companion = NOBODY
            left = [who for who in state.board.followers_at(segment) if who != (owner, follower)]
            if left and self._is_pyramid(state, segment):
                own.companion = (segment, *left[0])

    def score(self, state: State, feature: int, final: bool) -> None:
        """Give 3 points for her companion, unless at the end its feature is worth 0."""
        segment, owner, kind = self.dragon.state_of(state).companion
        if owner < 0 or state.board.feature_of(segment) != feature:
            return
        if not state.board.count_followers(segment, owner, kind):
            return  # the companion lies beside who is scored (MON-01)
        always = not final or self.always or state.board.is_kind(feature, FIELD)
        if always or value(state, feature, final):
            state.award(owner, "fairy", 1, FAIRY_SCORED)
