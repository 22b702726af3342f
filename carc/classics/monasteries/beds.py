"""Lying down in a German monastery, rather than standing there as a monk (MON-01)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import PASS, Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.classics.steps import CallbackStep, PutAction, SimpleAction

if TYPE_CHECKING:
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
        self.monasteries.state_of(state).lying.append(segment)
        state.put_follower(segment, player, kind)
        if segment in state.board.completed:
            state.board.reopen(segment)

    def _postures(self, state: State, player: int) -> list[Action]:
        cell = state.board.cell_under(self.monasteries.state_of(state).arrived)
        is_surrounded = state.board.count_neighbours(cell) == NEIGHBOURS
        return [self._rest] if is_surrounded else [self._rest, PASS]

    def _lie_down(self, state: State, player: int) -> None:
        own = self.monasteries.state_of(state)
        own.lying.append(own.arrived)

    def _settle(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            action.perform(state, player)
        self.monasteries.state_of(state).arrived = -1
