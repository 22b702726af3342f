"""Positions as one player sees them: what others hold in secret lies in the bag, unseen.

A tile that others hold is like one that lies face down: nobody who looks knows its kind, and it has
not been counted out of the bag. Chance draws it when its holder comes to act. So every search of
such a position deals the hands anew, all that was not seen being equally likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.position.expansion_state import ExpansionState, hidden_fields
from carc.base.position.state_fields import UNKNOWN
from carc.base.turn.actions import Action, Draw
from carc.base.turn.choices import Choices
from carc.base.turn.steps import Step

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

_CONCEAL: Final = "conceal"


class RevealStep(Step):
    """Chance draws a tile that the player who comes to act holds, unknown to who looks."""

    def __init__(self) -> None:
        super().__init__("draw", by_chance=True)

    def choices(self, state: State, player: int) -> Choices:
        return state.rules._every_draw

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return state.bag.copy()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        assert isinstance(action, Draw) and state._agenda is not None
        hand = unknown_hand(state, state._agenda.player)
        assert hand is not None
        hand[hand.index(UNKNOWN)] = action.kind
        state._recognise(action.kind)


def has_secrets(start: State) -> bool:
    """Return True if what some expansion keeps is hidden from some players."""
    default: object = getattr(ExpansionState, _CONCEAL)
    for own in start.expansion_states:
        cls = type(own)
        if hidden_fields(cls) or getattr(cls, _CONCEAL) is not default:
            return True
    return False


def view(state: State, player: int) -> State:
    """Return a copy of a position without what a player does not see."""
    seen = state.copy()
    if state.rules.has_secrets and not state.is_terminal:
        for own in seen.expansion_states:
            own.conceal(seen, player)
        seen._advance()
    return seen


def unknown_hand(state: State, player: int) -> list[int] | None:
    """Return the first hand of a player with a tile that is not known here; None if all are."""
    for own in state.expansion_states:
        for name in hidden_fields(type(own)):
            hand: list[int] = getattr(own, name)[player]
            if UNKNOWN in hand:
                return hand
    return None


def read_by(rules: Rules, action: str, player: int) -> str:
    """Return what a player reads of an action in notation."""
    return rules.parse(action).seen_by(player) if rules.has_secrets else action
