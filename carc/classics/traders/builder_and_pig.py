"""Builders and pigs, which go where their owner has a follower (TRD-01, TRD-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from carc.base.small_set import SmallSet
from carc.base.tiles.tile import CITY, FIELD, ROAD
from carc.base.turn.choices import NO_CHOICES, Choices, Listed

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action


@final
class Helpers:
    """Where builders and pigs stand, and when they go home.

    Attributes:
        builder: The kind of figure that a builder is.
        pig: The kind of figure that a pig is.
        builders: How many builders each player has.
    """

    def __init__(self, rules: Rules) -> None:
        self.builder: int = rules.follower_number("builder")
        self.pig: int = rules.follower_number("pig")
        self.builders: int = rules.follower_kinds[self.builder].supply
        self._pigs: int = rules.follower_kinds[self.pig].supply
        self._both: Final = SmallSet([self.builder, self.pig])
        self._followers: Final = rules.followers
        self._rules: Final = rules

    def claims(self, state: State, player: int) -> Choices:
        """Return the features of the last tile where a helper may join the player's followers."""
        board = state.board
        claims: list[Action] = []
        for owner in self._rules.colours[player]:
            builder, pig = board.supply_of(owner, self.builder), board.supply_of(owner, self.pig)
            led = board.led_on_last_tile(owner) if builder or pig else []
            for index in led:
                segment = board.segment_of(board.last_tile, index)
                if pig and board.is_kind(segment, FIELD):
                    field = board.feature_of(segment)
                    has_farmer = self._on(board, field, owner, self._followers)
                    if has_farmer and board.segment_with(field, owner, self.pig) < 0:
                        claims.append(self._rules.claim(index, self.pig, owner))
                elif builder and _can_grow(board, segment):
                    claims.append(self._rules.claim(index, self.builder, owner))
        return Listed(claims) if claims else NO_CHOICES

    def leave_with(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Send the helpers on a feature home if its owner's last follower there leaves."""
        board = state.board
        builders, pigs = board.supply_of(owner, self.builder), board.supply_of(owner, self.pig)
        placed = builders < self.builders or pigs < self._pigs
        if placed and follower in self._followers and board.segment_kind(segment).scores:
            feature = board.feature_of(segment)
            if len(self._on(board, feature, owner, self._followers)) == 1:
                for where, kind in self._on(board, feature, owner, self._both):
                    state.take_follower(where, owner, kind)

    def _on(self, board: Board, feature: int, owner: int, kinds: SmallSet) -> list[tuple[int, int]]:
        """Return an owner's figures of these kinds on a feature, each as segment and kind."""
        return [
            (segment, kind)
            for segment, whose, kind in board.followers_of(feature)
            if whose == owner and kind in kinds
        ]


def _can_grow(board: Board, segment: int) -> bool:
    """Return True if a segment is part of an incomplete road or city."""
    grows = board.is_kind(segment, CITY) or board.is_kind(segment, ROAD)
    return grows and board.is_open(board.feature_of(segment))
