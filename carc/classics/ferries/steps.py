"""The choices of ferries (FER-01, FER-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.game.state import State
from carc.base.turn.actions import PASS, Action
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import Step

if TYPE_CHECKING:
    from carc.classics.ferries import Ferries


class PlaceFerryStep(Step):
    """FER-01: who places a lake lays a ferry on it."""

    def __init__(self, ferries: Ferries) -> None:
        super().__init__("ferry")
        self.ferries: Final = ferries

    def choices(self, state: State, player: int) -> Choices:
        """Return the pairs of roads of the lake."""
        board = state.board
        if board.kind_of_tile(board.last_tile) not in self.ferries.lakes:
            return NO_CHOICES
        return self.ferries.verb.on(board, self.ferries.pairs(state, board.last_tile))


class MoveFerryStep(Step):
    """FER-02: who extends a road with a ferry may move the nearest one; then others."""

    def __init__(self, ferries: Ferries) -> None:
        super().__init__("ferries")
        self.ferries: Final = ferries

    def choices(self, state: State, player: int) -> Choices:
        """Return where ferries may move to."""
        tiles = self.ferries.nearest(state)
        if not tiles:
            return NO_CHOICES
        pairs = [pair for tile in tiles for pair in self.ferries.pairs(state, tile)]
        return self.ferries.verb.on(state.board, pairs).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move a ferry, and ask again."""
        super().apply(state, player, action)
        own = self.ferries.state_of(state)
        if action is not None and action is not PASS:
            state.push(self, player)
        elif own.moved:
            own.moved.clear()
