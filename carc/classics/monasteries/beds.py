"""Lying down in a German monastery, rather than standing there as a monk (MON-01)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.cells import beyond
from carc.base.turn.actions import PASS, Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.scoring import give_shares
from carc.base.turn.steps import ScoreStep, Step
from carc.classics.steps import CallbackStep, PutAction, SimpleAction

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.monasteries import Monasteries

NEIGHBOURS: Final = 8  # of a monastery that is complete


class Beds:
    """How followers come to lie.

    Attributes:
        actions: To lie down with a follower of the supply, or for one who has just arrived.
        rest_step: Who has just arrived lies down or not.
    """

    def __init__(self, monasteries: Monasteries, rules: Rules) -> None:
        self.monasteries: Final = monasteries
        segments = max([len(tile.segments) for tile in rules.catalogue.tiles])
        # By index of the segment, then by kind of follower.
        self._lie: Final = [
            [
                PutAction(rules, f"lie:{index},{each.name}", partial(self._put, index, kind), kind)
                for kind, each in enumerate(rules.follower_kinds)
            ]
            for index in range(segments)
        ]
        self._rest: Final = SimpleAction(rules, "rest", self._lie_down)
        self.actions: list[Action] = [*[one for some in self._lie for one in some], self._rest]
        self.rest_step: Step = CallbackStep("rest", self._postures, self._settle, is_forced=True)

    def claims(self, state: State, player: int) -> Choices:
        """Return who may lie down in the German monastery of the last tile, if it is free."""
        board = state.board
        german = self.monasteries.german.by_kind[board.kind_of_tile(board.last_tile)]
        if not german or not state.allows_figures(board.last_tile):
            return NO_CHOICES
        claims: list[Action] = []
        for index in german:
            segment = board.segment_of(board.last_tile, index)
            if not board.is_claimed(board.feature_of(segment)):
                claims += [
                    action
                    for kind, action in enumerate(self._lie[index])
                    if board.claim_allowed(segment, kind) and board.supply_of(player, kind)
                ]
        return Listed(claims)

    def _put(self, index: int, kind: int, state: State, player: int) -> None:
        segment = state.board.segment_of(state.board.last_tile, index)
        state.put_follower(segment, player, kind)
        self.monasteries.state_of(state).lay_last(state.board, segment)
        if segment in state.board.completed:
            state.board.reopen(segment)

    def _postures(self, state: State, player: int) -> list[Action]:
        cell = state.board.cell_under(self.monasteries.state_of(state).arrived)
        is_surrounded = state.board.count_neighbours(cell) == NEIGHBOURS
        return [self._rest] if is_surrounded else [self._rest, PASS]

    def _lie_down(self, state: State, player: int) -> None:
        own = self.monasteries.state_of(state)
        own.lay_last(state.board, own.arrived)

    def _settle(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            action.perform(state, player)
        self.monasteries.state_of(state).arrived = -1

    def score_lying(self, state: State, feature: int) -> None:
        """Score at the end those who lie beside others, who have scored."""
        board, own = state.board, self.monasteries.state_of(state)
        standing = own.those(board, feature, lie=False)
        for owner, kind in standing:
            board.unseat_follower(feature, owner, kind)
        own.lying[feature] = list(range(len(board.followers_at(feature))))
        if standing:
            give_shares(state, feature, True)
        for owner, kind in standing:
            board.seat_follower(feature, owner, kind)


class BedsScoreStep(ScoreStep):
    """The scoring of a turn: those who lie beside who is scored stay where they are."""

    def __init__(self, monasteries: Monasteries) -> None:
        super().__init__()
        self.monasteries: Final = monasteries

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score; then let followers come to German monasteries that are complete, to lie there."""
        board = state.board
        if not board.completed:
            return
        own = self.monasteries.state_of(state)
        german = [one for one in board.completed if self.monasteries.german.has(board, one)]
        lying = {one: own.those(board, one, lie=True) for one in german if one in own.lying}
        for segment, some in lying.items():
            del own.lying[segment]
            for owner, kind in some:
                board.unseat_follower(segment, owner, kind)
        super().apply(state, player, action)
        for segment, some in lying.items():
            for owner, kind in some:
                board.seat_follower(segment, owner, kind)
                own.lay_last(board, segment)
        for segment in german:
            board.keep_open(segment)


def row_and_column(board: Board, cell: int) -> int:
    """Return how many tiles lie in line with a cell, its own included, without a gap."""
    count = 1
    for side in range(4):
        at = beyond(cell, side)
        while not board.is_free(at):
            count += 1
            at = beyond(at, side)
    return count
