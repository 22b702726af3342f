"""Shepherds and their flocks (HIL-02)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.steps import CHANCE, Step
from carc.base.tiles.tile import FIELD
from carc.classics.steps import CallbackStep, ChanceStep, SimpleAction

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.hills import Hills

WOLF: Final = 0


class Shepherds:
    """What shepherds do, under some rules.

    Attributes:
        kind: The kind of follower that they are.
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
        """Return for each owner whose shepherd is on the board the field where it stands."""
        at = self.hills.state_of(state).at
        return {owner: state.board.feature_of(s) for owner, s in enumerate(at) if s >= 0}

    def sheep(self, state: State) -> dict[int, int]:
        """Return for each field with shepherds the number of sheep on it."""
        with_shepherd = self.hills.state_of(state).with_shepherd
        sheep: dict[int, int] = {}
        for owner, field in self.fields(state).items():
            sheep[field] = sheep.get(field, 0) + sum(with_shepherd[owner])
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

    def may_tend(self, state: State, player: int) -> bool:
        """Return True if the last tile extends the field of the player's shepherd."""
        board = state.board
        at = self.hills.state_of(state).at[player]
        before = at >= 0 and board.tile_under(at) != board.last_tile
        return before and board.extends(board.feature_of(at))

    def close_others(self, state: State, player: int) -> None:
        """Score the flocks of fields that cannot grow any more, before the player tends one."""
        if self.may_tend(state, player):
            own = state.board.feature_of(self.hills.state_of(state).at[player])
            self._score_closed(state, keep=own)

    def tend(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice; a shepherd just placed draws a token without one.

        After that, flocks whose field cannot grow any more go home.
        """
        board = state.board
        at = self.hills.state_of(state).at
        if any(s >= 0 and not board.is_open(board.feature_of(s)) for s in at):
            state.push(self.closing_step, player)
        if action is not None:
            action.perform(state, player)
        elif at[player] >= 0 and board.tile_under(at[player]) == board.last_tile:
            self._draw_token(state, player)

    def _draw_token(self, state: State, player: int) -> None:
        state.push(self.token_step, CHANCE)

    def _drive_home(self, state: State, player: int) -> None:
        self._score(state, self.fields(state)[player])

    def _take_token(self, sheep: int, state: State, player: int) -> None:
        """Give the token that chance drew to the active player's shepherd."""
        own = self.hills.state_of(state)
        owner = state.active_player
        if sheep == WOLF:
            self._send_home(state, self.fields(state)[owner])
        else:
            own.bag[sheep] -= 1
            own.with_shepherd[owner] += (sheep,)

    def _send_home(self, state: State, field: int) -> list[int]:
        """Send all shepherds of a field home, and return their owners."""
        owners = [owner for owner, on in self.fields(state).items() if on == field]
        for owner in owners:
            state.take_follower(self.hills.state_of(state).at[owner], owner, self.kind)
        return owners

    def _score(self, state: State, field: int) -> None:
        """Score all the sheep on a field for each of its shepherds."""
        sheep = self.sheep(state)[field]
        for owner in self._send_home(state, field):
            state.award(owner, "sheep", sheep, 1)

    def _close(self, state: State, player: int, action: Action | None) -> None:
        self._score_closed(state, keep=-1)

    def _score_closed(self, state: State, keep: int) -> None:
        """Score the flocks of fields that cannot grow any more, but for one field."""
        for field in dict.fromkeys(self.fields(state).values()):
            if field != keep and not state.board.is_open(field):
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
        return shepherds.tending if shepherds.may_tend(state, player) else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice."""
        self.hills.shepherds.tend(state, player, action)
