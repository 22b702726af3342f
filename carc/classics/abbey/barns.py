"""Barns: the corners where they may stand, and the fields with a barn (ABM-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.board.corners import Corners
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.scoring import cities_of, majority, score_share, tell_scored, value
from carc.base.turn.steps import Step
from carc.base.turn.verbs import PutVerb

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.abbey import Abbey

BARN_MORE: Final = 1  # points a city that a barn scores more than a farmer does
LATE_MORE: Final = -2  # the same of farmers who join a field that has a barn
NO_FIELDS: Final[list[int]] = []


class Barns:
    """Where barns may stand and what they score.

    Attributes:
        kind: The kind of figure that they are.
        put: The choice of a corner.
    """

    def __init__(self, abbey: Abbey, rules: Rules) -> None:
        self.abbey: Final = abbey
        self.kind: int = rules.follower_number("barn")
        self.put: Final = PutVerb(rules, "barn")
        self._may_share: Final = abbey.chosen["barns"] == "together"
        self._corners: Final = Corners(rules.catalogue)

    def claims(self, state: State, owner: int) -> Choices:
        """Return where an owner's barn may go: corners of the last tile, on fields without one."""
        board = state.board
        if not board.supply_of(owner, self.kind):
            return NO_CHOICES
        fields = self._corners.meeting(board)
        if fields and not self._may_share:
            fields = [one for one in fields if not self._owners_on(state, board.feature_of(one))]
        return self.put.among(board.with_each(fields, [self.kind])) if fields else NO_CHOICES

    def power(self, state: State, field: int, powers: list[int]) -> list[int]:
        """Return each owner's weight on a field: that of farmers, or 1 for barns without any."""
        barns = self._owners_on(state, field)
        if not barns:
            return powers
        farmers = [power - barns.count(owner) for owner, power in enumerate(powers)]
        return farmers if any(farmers) else [min(power, 1) for power in powers]

    def points(self, state: State, field: int, points: int) -> int:
        """Return what a field is worth: 4 a city for barns, 1 for farmers who joined them."""
        if not self._owners_on(state, field):
            return points
        if not self._has_farmers(state, field):
            label, more = "barn", BARN_MORE
        else:
            new = self.abbey.state_of(state).barn
            if new >= 0 and state.board.feature_of(new) == field:
                return points
            label, more = "joined late", LATE_MORE
        cities = len(cities_of(state, field))
        state.note(label, cities, more)
        return points + more * cities

    def _owners_on(self, state: State, field: int) -> list[int]:
        """Return the owners of the barns on a field, once for each barn."""
        return state.board.owners_with(field, self.kind)

    def _has_farmers(self, state: State, field: int) -> bool:
        """Return True if there are others than barns on a field that has one."""
        board = state.board
        powers = 0
        for owner in range(state.rules.owners):
            powers += board.power(field, owner)
        return powers > 1 and powers > len(self._owners_on(state, field))

    def scored_fields(self, state: State) -> list[int]:
        """Return the fields whose farmers score at the end of this turn.

        They have barns and farmers, or the barn put down in this turn.
        """
        board, new = state.board, self.abbey.state_of(state).barn
        fields = NO_FIELDS
        for segment in board.occupied_by(self.kind):
            field = board.feature_of(segment)
            if field not in fields and (segment == new or self._has_farmers(state, field)):
                fields = [*fields, field]
        return fields


class FarmersStep(Step):
    """ABM-04: the farmers beside a barn score, and go home."""

    def __init__(self, name: str, abbey: Abbey, *, in_scoring: bool = False) -> None:
        super().__init__(name, in_scoring=in_scoring)
        self.abbey: Final = abbey

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score them; the barn is no longer new."""
        board, kinds = state.board, state.rules.follower_kinds
        for field in self.abbey.barns.scored_fields(state):
            farmers = [each for each in board.followers_of(field) if kinds[each[2]].is_follower]
            if farmers:
                self._score(state, field)
            for segment, owner, kind in farmers:
                state.take_follower(segment, owner, kind)
        self.abbey.state_of(state).barn = -1

    def _score(self, state: State, field: int) -> None:
        """Score a field as at the end, but ghosts cost what they cost in the game (GCC-16)."""
        if state.journal is not None:
            state.journal.open()
        winners = majority(state, field)
        points = value(state, field, True)
        for owner in winners:
            score_share(state, field, owner, False, points)
        tell_scored(state, field, True)
