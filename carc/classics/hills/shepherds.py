"""Shepherds and their flocks (HIL-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.tiles.tile import FIELD
from carc.base.turn.choices import NO_CHOICES, Choices, Listed

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.hills import Hills


class Shepherds:
    """Where shepherds stand, and what their flocks score.

    Attributes:
        kind: The kind of follower that they are.
        each: How many each player has; they are numbered by owner.
        of_player: The numbers of each player's.
    """

    def __init__(self, hills: Hills, rules: Rules) -> None:
        self.hills: Final = hills
        self.kind: int = rules.follower_number("shepherd")
        self.each: int = max(1, rules.follower_kinds[self.kind].supply)
        numbers = list(range(rules.owners * self.each))
        self.of_player = [numbers[at : at + self.each] for at in numbers[:: self.each]]

    def claims(self, state: State, player: int) -> Choices:
        """Return where a shepherd may go: on fields of the last tile on which there is none."""
        if not state.board.supply_of(player, self.kind):
            return NO_CHOICES
        board = state.board
        claims: list[Action] = []
        for index in range(board.count_segments(board.last_tile)):
            field = board.feature_of(board.segment_of(board.last_tile, index))
            if board.is_kind(field, FIELD) and not self._is_tended(state, field):
                claims.append(state.rules.claim(index, self.kind, player))
        return Listed(claims) if claims else NO_CHOICES

    def _is_tended(self, state: State, field: int) -> bool:
        """Return True if there is a shepherd on a field."""
        at = self.hills.state_of(state).at
        return any(on >= 0 and state.board.feature_of(on) == field for on in at)

    def fields(self, state: State) -> dict[int, int]:
        """Return for each shepherd on the board the field where it stands."""
        at = self.hills.state_of(state).at
        return {which: state.board.feature_of(s) for which, s in enumerate(at) if s >= 0}

    def closed(self, state: State, waiting: list[int]) -> list[int]:
        """Return the fields that cannot grow any more, but for those of shepherds who wait."""
        if not self.any_closed(state):
            return []
        fields = self.fields(state)
        kept = [fields[which] for which in waiting]
        done = [field for field in dict.fromkeys(fields.values()) if field not in kept]
        return [field for field in done if not state.board.is_open(field)]

    def any_closed(self, state: State) -> bool:
        """Return True if the field of a shepherd cannot grow any more."""
        board, at = state.board, self.hills.state_of(state).at
        return any(on >= 0 and not board.is_open(board.feature_of(on)) for on in at)

    def sheep(self, state: State) -> dict[int, int]:
        """Return for each field with shepherds the number of sheep on it."""
        with_shepherd = self.hills.state_of(state).with_shepherd
        sheep: dict[int, int] = {}
        for which, field in self.fields(state).items():
            sheep[field] = sheep.get(field, 0) + sum(with_shepherd[which])
        return sheep

    def score(self, state: State, field: int) -> None:
        """Score all the sheep on a field for each owner of a shepherd there."""
        with_shepherd = self.hills.state_of(state).with_shepherd
        sheep = sum([sum(with_shepherd[which]) for which in self._there(state, field)])
        for owner in self.send_home(state, field):
            state.award(owner, "sheep", sheep, 1)

    def send_home(self, state: State, field: int) -> list[int]:
        """Send all shepherds of a field home, and return their owners, each once."""
        there = self._there(state, field)
        for which in there:
            at = self.hills.state_of(state).at[which]
            state.take_follower(at, which // self.each, self.kind)
        return list(dict.fromkeys([which // self.each for which in there]))

    def _there(self, state: State, field: int) -> list[int]:
        """Return the shepherds on a field."""
        board, at = state.board, self.hills.state_of(state).at
        return [which for which, on in enumerate(at) if on >= 0 and board.feature_of(on) == field]
