"""Barns: the corners where they may stand, and the fields with a barn (ABM-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.board.corners import Corners
from carc.base.turn.scoring import majority, score_share, tell_scored, value

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

BARN_MORE: Final = 1  # points a city that a barn scores more than a farmer does
LATE_MORE: Final = -2  # the same of farmers who join a field that has a barn


class Barns:
    """Where barns may stand and what they score, under some rules.

    Attributes:
        kind: The kind of figure that they are.
    """

    def __init__(self, rules: Rules, *, may_share: bool) -> None:
        """Look up the figure and the corners of the tiles.

        Args:
            rules: The rules.
            may_share: Whether a barn may go on a field that has one.
        """
        self._may_share: Final = may_share
        self.kind: int = rules.follower_number("barn")
        self._each: int = rules.follower_kinds[self.kind].supply
        self._corners: Final = Corners(rules.catalogue)

    def places(self, state: State, owner: int) -> list[int]:
        """Return where an owner's barn may go: corners of the last tile, on fields without one."""
        board = state.board
        if not board.supply_of(owner, self.kind):
            return []
        fields = self._corners.meeting(board)
        if not fields or self._may_share:
            return fields
        return [one for one in fields if not self.owners_on(state, board.feature_of(one))]

    def owners_on(self, state: State, field: int) -> list[int]:
        """Return the owners of the barns on a field, once for each barn."""
        board = state.board
        owners: list[int] = []
        for owner in range(state.rules.owners):
            if board.supply_of(owner, self.kind) < self._each:
                for segment in board.segments_with(owner, self.kind):
                    if board.feature_of(segment) == field:
                        owners += [owner] * board.count_followers(segment, owner, self.kind)
        return owners

    def _has_farmers(self, state: State, field: int) -> bool:
        """Return True if there are others than barns on a field that has one."""
        board = state.board
        powers = 0
        for owner in range(state.rules.owners):
            powers += board.power(field, owner)
        return powers > 1 and powers > len(self.owners_on(state, field))

    def more_a_city(self, state: State, field: int, new: int) -> int:
        """Return how much more than a farmer's a city is worth on a field with barns, else 0.

        Args:
            state: The position.
            field: The field.
            new: The segment of the barn put down in this turn; -1: none.
        """
        if not self.owners_on(state, field):
            return 0
        if not self._has_farmers(state, field):
            return BARN_MORE
        return 0 if new >= 0 and state.board.feature_of(new) == field else LATE_MORE

    def _score(self, state: State, field: int) -> None:
        """Score a field as at the end, but ghosts cost what they cost in the game (GCC-16)."""
        if state.journal is not None:
            state.journal.open()
        winners = majority(state, field)
        points = value(state, field, True)
        for owner in winners:
            score_share(state, field, owner, False, points)
        tell_scored(state, field, True)

    def scored_fields(self, state: State, new: int) -> list[int]:
        """Return the fields with barns and farmers, and that of the barn put down in this turn.

        Args:
            state: The position.
            new: The segment of that barn; -1: none.
        """
        board = state.board
        fields: list[int] = []
        for owner in range(state.rules.owners):
            if board.supply_of(owner, self.kind) == self._each:
                continue
            for segment in board.segments_with(owner, self.kind):
                field = board.feature_of(segment)
                if field not in fields and (segment == new or self._has_farmers(state, field)):
                    fields.append(field)
        return fields

    def score_farmers(self, state: State, new: int) -> None:
        """Score the farmers on fields with a barn, and send them home."""
        board = state.board
        kinds = state.rules.follower_kinds
        for field in self.scored_fields(state, new):
            farmers = [each for each in board.followers_of(field) if kinds[each[2]].is_follower]
            if farmers:
                self._score(state, field)
            for segment, owner, kind in farmers:
                state.take_follower(segment, owner, kind)
