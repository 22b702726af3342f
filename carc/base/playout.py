"""Random play to the end, inside the compiled core: for search, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from carc.base.actions import Action
from carc.base.steps import CHANCE, TERMINAL

if TYPE_CHECKING:
    import random

    from carc.base.state import State


def playout(
    state: State,
    rng: random.Random,
    policy: Callable[[State], Action] | None = None,
) -> int:
    """Play `state` to its end in place; returns the number of decisions taken, chance's included.

    Chance draws by the bag's counts; players choose uniformly among `legal_actions()`, or as `policy(state)` says.
    """
    uniform = rng.random
    draws = state.rules.draws
    taken = 0
    while state.current_player != TERMINAL:
        taken += 1
        if state.current_player == CHANCE:
            bag = state.bag
            rest = int(uniform() * sum(bag))
            kind = 0
            while rest >= bag[kind]:
                rest -= bag[kind]
                kind += 1
            state.apply(draws[kind])
        elif policy is not None:
            state.apply(policy(state))
        else:
            legal = state.legal
            state.apply(legal[int(uniform() * len(legal))])
    return taken
