"""Random play to the end, inside the compiled core: for search, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from carc.base.game.actions import Action
from carc.base.game.chance import Lot
from carc.base.game.steps import CHANCE, TERMINAL

if TYPE_CHECKING:
    import random

    from carc.base.game.state import State


def playout(
    state: State,
    rng: random.Random,
    policy: Callable[[State], Action] | None = None,
) -> int:
    """Play `state` to its end in place; returns the number of decisions taken, chance's included.

    Chance does what its probabilities say; players choose uniformly among `legal_actions()`, or as `policy(state)` says.
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
            state.apply(state.action_at(int(uniform() * state._count)))
    return taken
