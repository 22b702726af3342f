"""Random play to the end, compiled: for search, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from carc.base.game.chance import Lot, throw
from carc.base.turn.actions import Action
from carc.base.turn.steps import CHANCE, TERMINAL

if TYPE_CHECKING:
    import random

    from carc.base.game.state import State


def playout(
    state: State,
    rng: random.Random,
    policy: Callable[[State], Action] | None = None,
) -> int:
    """Play `state` to its end in place.

    Chance acts by its probabilities.

    Args:
        state: The position; it is changed.
        rng: The source of randomness.
        policy: How players choose; None: all legal actions are equally likely.

    Returns:
        The number of decisions taken, chance's included.
    """
    uniform = rng.random
    lot = Lot(state.rules)
    taken = 0
    while state.current_player != TERMINAL:
        taken += 1
        if state.current_player == CHANCE:
            state.apply(lot.choose(state, uniform()))
        elif policy is not None:
            state.apply(policy(state))
        else:
            state.apply(_choose(state, uniform()))
    return taken


def random_action(state: State, rng: random.Random) -> Action:
    """Return a legal action, all equally likely; chance acts by its probabilities.

    Faster than choosing from the list.

    Raises:
        IllegalAction: The game is over.
    """
    if state.current_player == CHANCE:
        return throw(state, rng.random())
    return state.action_at(int(rng.random() * state._choices.count))


def _choose(state: State, where: float) -> Action:
    """Return the player's action at a part, 0 to 1, of all."""
    choices = state._choices
    return choices.action(state, int(where * choices.count))
