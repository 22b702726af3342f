"""Acrobats and their pyramids (BIG-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.cells import are_close
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.verbs import CallbackVerb, FigureVerb, PutVerb
from carc.classics.bigtop.bigtop_state import ACROBAT

if TYPE_CHECKING:
    from carc.classics.bigtop import BigTop

PYRAMID: Final = 3  # followers


class Acrobats:
    """What acrobats do, under some rules.

    Attributes:
        verbs: Their choices: to join a pyramid, and to score a full one.
    """

    def __init__(self, bigtop: BigTop, rules: Rules) -> None:
        self.bigtop: Final = bigtop
        self.join: Final = PutVerb(rules, "acrobat")
        self.score_full: Final = CallbackVerb(rules, "pyramid", self._perform, kinds=("score",))
        self.verbs: list[FigureVerb] = [self.join, self.score_full]

    def claims(self, state: State, player: int) -> Choices:
        """Return what acrobats may do: join a pyramid around the tile, or score a full one."""
        own = self.bigtop.state_of(state)
        if not own.grounds:
            return NO_CHOICES
        board = state.board
        open_ones: list[tuple[int, int]] = []
        full: list[tuple[int, int]] = []
        cell = board.cell_of(board.last_tile)
        able = board.supply_of(player) > 0
        for segment in own.grounds:
            near = able and are_close(board.cell_under(segment), cell)
            claimed = board.is_claimed(segment)
            if not near and not claimed:
                continue
            count = 0  # only meeples stand there, and each counts 1
            for owner in range(state.rules.owners if claimed else 0):
                count += board.power(segment, owner)
            if count >= PYRAMID:
                full.append((segment, 0))
            elif near and self._is_open(state, segment):
                open_ones.append((segment, 0))
        if not open_ones and not full:
            return NO_CHOICES
        return self.join.on(board, open_ones).then(self.score_full.on(board, full))

    def _is_open(self, state: State, segment: int) -> bool:
        """Return True if acrobats may join there: no bridge is above, and figures may go there."""
        tile = state.board.tile_under(segment)
        return state.board.is_kind(segment, self.bigtop.ground) and state.allows_figures(tile)

    def score(self, state: State, segment: int) -> None:
        """Give 5 points for each acrobat of a pyramid (BIG-02)."""
        owners = [owner for owner, _ in state.board.followers_at(segment)]
        for owner in range(state.rules.owners):
            if owner in owners:
                state.award(owner, "acrobats", owners.count(owner), ACROBAT)

    def _perform(self, state: State, segment: int, owner: int, kind: int) -> None:
        """Score a full pyramid, and send the acrobats home (BIG-02)."""
        self.score(state, segment)
        while state.board.has_follower(segment):
            state.take_follower(segment)
