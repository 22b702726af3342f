"""Shepherds and their flocks (HIL-02)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.tiles.tile import FIELD
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import CHANCE, Step, index_of
from carc.classics.steps import CallbackStep, ChanceStep, SimpleAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.hills import Hills

WOLF: Final = 0


class Shepherds:
    """What shepherds do, under some rules.

    Attributes:
        kind: The kind of follower that they are.
        each: How many each player has; they are numbered by owner.
        step: The player tends one flock after the other.
        tend_actions: Draw a token, or drive the flock home.
        tending: The choice between the two.
        actions: All actions that concern flocks.
        closing_step: Flocks go home whose field cannot grow any more.
        token_step: Chance draws a token.
    """

    def __init__(self, hills: Hills, rules: Rules, token_kinds: int) -> None:
        """Make the actions and steps; a token shows a wolf (0) or its number of sheep."""
        self.hills: Final = hills
        self.kind: int = rules.follower_number("shepherd")
        self.each: int = max(1, rules.follower_kinds[self.kind].supply)
        self.step: Step = rules.turn[index_of(rules.turn, ShepherdStep)]
        self.tend_actions: list[Action] = [
            SimpleAction(rules, "flock:grow", self._draw_token),
            SimpleAction(rules, "flock:home", self._drive_home),
        ]
        self.tending: Choices = Listed(self.tend_actions)
        tokens = [
            SimpleAction(rules, f"token:{n or 'wolf'}", partial(self._take_token, n))
            for n in range(token_kinds)
        ]
        self.actions: list[Action] = [*self.tend_actions, *tokens]
        self.closing_step: Step = CallbackStep("pastures", None, self._close)
        self.token_step: Step = ChanceStep("token", tokens, self._bag)

    def _bag(self, state: State) -> list[int]:
        return list(self.hills.state_of(state).bag)

    def fields(self, state: State) -> dict[int, int]:
        """Return for each shepherd on the board the field where it stands."""
        at = self.hills.state_of(state).at
        return {which: state.board.feature_of(s) for which, s in enumerate(at) if s >= 0}

    def keepers(self, state: State) -> list[tuple[int, int]]:
        """Return the owners of shepherds, each once with each of their fields."""
        fields = self.fields(state)
        return list(dict.fromkeys([(which // self.each, fields[which]) for which in fields]))

    def sheep(self, state: State) -> dict[int, int]:
        """Return for each field with shepherds the number of sheep on it."""
        with_shepherd = self.hills.state_of(state).with_shepherd
        sheep: dict[int, int] = {}
        for which, field in self.fields(state).items():
            sheep[field] = sheep.get(field, 0) + sum(with_shepherd[which])
        return sheep

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

    def _to_tend(self, state: State, player: int) -> list[int]:
        """Return whom the player tends: who was just placed, then one on each extended field."""
        own, board = self.hills.state_of(state), state.board
        on = [s for s in own.at[player * self.each : (player + 1) * self.each] if s >= 0]
        mine = [own.at.index(s) for s in (board.in_order(on) if len(on) > 1 else on)]
        placed = [which for which in mine if self._is_new(state, which)]
        older: dict[int, int] = {}  # by field
        for which in mine:
            field = board.feature_of(own.at[which])
            if which not in placed and board.extends(field):
                older.setdefault(field, which)
        return placed + list(older.values())

    def _is_new(self, state: State, which: int) -> bool:
        """Return True if a shepherd stands on the last tile."""
        segment = self.hills.state_of(state).at[which]
        return state.board.tile_under(segment) == state.board.last_tile

    def _tended(self, state: State, player: int) -> list[int]:
        """Return whom the player has to tend, the first one now."""
        return self.hills.state_of(state).pending or self._to_tend(state, player)

    def may_tend(self, state: State, player: int) -> bool:
        """Return True if the player chooses what to do with a flock."""
        tended = self._tended(state, player)
        return bool(tended) and not self._is_new(state, tended[0])

    def closed(self, state: State, player: int) -> list[int]:
        """Return the fields that cannot grow any more, but for those that the player will tend."""
        fields = self.fields(state)
        kept = [fields[which] for which in self._tended(state, player)]
        open_or_kept = [f for f in fields.values() if f in kept or state.board.is_open(f)]
        return [f for f in dict.fromkeys(fields.values()) if f not in open_or_kept]

    def tend(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice; a shepherd just placed draws a token without one.

        After that, flocks whose field cannot grow any more go home.
        """
        own = self.hills.state_of(state)
        tended = self._tended(state, player)
        if len(tended) > 1:
            own.pending = tended
            state.push(self.step, player)
        if any(s >= 0 and not state.board.is_open(state.board.feature_of(s)) for s in own.at):
            state.push(self.closing_step, player)
        if action is not None:
            action.perform(state, player)
        elif tended:
            self._draw_token(state, player)

    def _pop(self, state: State, player: int) -> int:
        """Return which shepherd is tended; it is done with."""
        pending = self.hills.state_of(state).pending
        return pending.pop(0) if pending else self._to_tend(state, player)[0]

    def _draw_token(self, state: State, player: int) -> None:
        state.push(self.token_step, CHANCE)

    def _drive_home(self, state: State, player: int) -> None:
        self._score(state, self.fields(state)[self._pop(state, player)])

    def _take_token(self, sheep: int, state: State, player: int) -> None:
        """Give the token that chance drew to the shepherd that is tended."""
        own = self.hills.state_of(state)
        which = self._pop(state, state.active_player)
        if sheep == WOLF:
            self._send_home(state, self.fields(state)[which])
        else:
            own.bag[sheep] -= 1
            own.with_shepherd[which] += (sheep,)

    def _send_home(self, state: State, field: int) -> list[int]:
        """Send all shepherds of a field home, and return their owners, each once."""
        there = [which for which, on in self.fields(state).items() if on == field]
        for which in there:
            at = self.hills.state_of(state).at[which]
            state.take_follower(at, which // self.each, self.kind)
        return list(dict.fromkeys([which // self.each for which in there]))

    def _score(self, state: State, field: int) -> None:
        """Score all the sheep on a field for each owner of a shepherd there."""
        sheep = self.sheep(state)[field]
        for owner in self._send_home(state, field):
            state.award(owner, "sheep", sheep, 1)

    def _close(self, state: State, player: int, action: Action | None) -> None:
        """Score the flocks of fields that cannot grow any more, but for those in `pending`."""
        fields = self.fields(state)
        kept = [fields[which] for which in self.hills.state_of(state).pending]
        for field in dict.fromkeys(fields.values()):
            if field not in kept and not state.board.is_open(field):
                self._score(state, field)

    def close(self, state: State, fields: list[int]) -> None:
        """Score the flocks of these fields."""
        for field in fields:
            self._score(state, field)


class ShepherdStep(Step):
    """HIL-02: the player's flock grows or goes home, if the last tile extends its field."""

    def __init__(self, hills: Hills) -> None:
        """Make the step."""
        super().__init__("flock")
        self.hills: Final = hills

    def choices(self, state: State, player: int) -> Choices:
        """Return the two choices, or none."""
        shepherds = self.hills.shepherds
        if not shepherds.may_tend(state, player) or shepherds.closed(state, player):
            return NO_CHOICES
        return shepherds.tending

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice; first, what cannot grow any more goes home."""
        shepherds = self.hills.shepherds
        closed = shepherds.closed(state, player) if action is None else []
        if closed and shepherds.may_tend(state, player):
            shepherds.close(state, closed)
            state.push(self, player)
        else:
            shepherds.tend(state, player, action)
