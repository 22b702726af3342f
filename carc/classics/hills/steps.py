"""How players tend their flocks (HIL-02)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import CHANCE, Step
from carc.classics.hills.hills_state import TOKENS
from carc.classics.steps import CallbackStep, ChanceStep, SimpleAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.hills import Hills

WOLF: Final = 0
NOBODY: Final[list[int]] = []


class ShepherdStep(Step):
    """HIL-02: the player's flock grows or goes home, if the last tile extends its field.

    Attributes:
        actions: All actions that concern flocks.
        ways: The choice: draw a token, or drive the flock home.
        token_step: Chance draws a token.
        closing_step: Flocks go home whose field cannot grow any more.
    """

    def __init__(self, hills: Hills) -> None:
        super().__init__("flock")
        self.hills: Final = hills
        self.closing_step: Final = CallbackStep("pastures", None, self._close)

    def bind(self, rules: Rules) -> None:
        """Make the actions; a token shows a wolf or its number of sheep."""
        ways = [
            SimpleAction(rules, "flock:grow", self._draw_token),
            SimpleAction(rules, "flock:home", self._drive_home),
        ]
        tokens = [
            SimpleAction(rules, f"token:{n or 'wolf'}", partial(self._take_token, n))
            for n in range(len(TOKENS))
        ]
        self.actions: list[Action] = [*ways, *tokens]
        self.ways: Choices = Listed([*ways])
        self.token_step: Step = ChanceStep("token", tokens, self._bag)

    def _bag(self, state: State) -> list[int]:
        return list(self.hills.state_of(state).bag)

    def _to_tend(self, state: State, at: list[int], player: int) -> list[int]:
        """Return whom the player tends: who was just placed, then one on each extended field."""
        board = state.board
        mine = NOBODY
        for which in self.hills.shepherds.of_player[player]:
            on = at[which]
            if on >= 0 and board.extends(board.feature_of(on)):
                mine = [*mine, which] if mine else [which]
        if len(mine) < 2:
            return mine
        mine = [at.index(segment) for segment in board.in_order([at[which] for which in mine])]
        placed = [which for which in mine if self._is_new(state, at[which])]
        older: dict[int, int] = {}  # by field
        for which in mine:
            if which not in placed:
                older.setdefault(board.feature_of(at[which]), which)
        return placed + list(older.values())

    def _is_new(self, state: State, at: int) -> bool:
        """Return True if a shepherd stands on the last tile; `at`: the segment, or -1."""
        return at >= 0 and state.board.tile_under(at) == state.board.last_tile

    def tended(self, state: State, player: int) -> list[int]:
        """Return whom the player has to tend, the first one now."""
        own = self.hills.state_of(state)
        return own.pending if own.pending else self._to_tend(state, own.at, player)

    def _to_close(self, state: State, tended: list[int]) -> list[int]:
        """Return the fields whose flocks go home before the player chooses."""
        if self._is_new(state, self.hills.state_of(state).at[tended[0]]):
            return NOBODY
        return self.hills.shepherds.closed(state, tended)

    def choices(self, state: State, player: int) -> Choices:
        """Return the two choices; none for a shepherd just placed, who draws a token."""
        tended = self.tended(state, player)
        if not tended or self._is_new(state, self.hills.state_of(state).at[tended[0]]):
            return NO_CHOICES
        return NO_CHOICES if self.hills.shepherds.closed(state, tended) else self.ways

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice; first and last, flocks go home whose field cannot grow any more."""
        own, shepherds = self.hills.state_of(state), self.hills.shepherds
        any_new = any(self._is_new(state, own.at[which]) for which in shepherds.of_player[player])
        if action is None and not any_new and not shepherds.any_closed(state):
            return  # whoever is tended without a choice is new, or waits for closed fields
        tended = self.tended(state, player)
        closed = self._to_close(state, tended) if action is None and tended else NOBODY
        if closed:
            for field in closed:
                shepherds.score(state, field)
            state.push(self, player)
            return
        if len(tended) > 1:
            own.pending = tended
            state.push(self, player)
        if shepherds.any_closed(state):
            state.push(self.closing_step, player)
        if action is not None:
            action.perform(state, player)
        elif tended:
            self._draw_token(state, player)

    def _next(self, state: State, player: int) -> int:
        """Return which shepherd is tended; it is done with."""
        own = self.hills.state_of(state)
        return own.pending.pop(0) if own.pending else self._to_tend(state, own.at, player)[0]

    def _draw_token(self, state: State, player: int) -> None:
        state.push(self.token_step, CHANCE)

    def _drive_home(self, state: State, player: int) -> None:
        self.hills.shepherds.score(state, self._field_of(state, self._next(state, player)))

    def _field_of(self, state: State, which: int) -> int:
        return state.board.feature_of(self.hills.state_of(state).at[which])

    def _take_token(self, sheep: int, state: State, player: int) -> None:
        """Give the token that chance drew to the shepherd that is tended."""
        own, shepherds = self.hills.state_of(state), self.hills.shepherds
        which = self._next(state, state.active_player)
        if sheep == WOLF:
            shepherds.send_home(state, self._field_of(state, which))
        else:
            own.bag[sheep] -= 1
            own.with_shepherd[which] += (sheep,)

    def _close(self, state: State, player: int, action: Action | None) -> None:
        """Score the flocks of fields that cannot grow any more, but for those still to tend."""
        shepherds = self.hills.shepherds
        for field in shepherds.closed(state, self.hills.state_of(state).pending):
            shepherds.score(state, field)
