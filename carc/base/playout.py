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
    # Shuffling what the bag holds once deals as drawing by its counts does.
    deck = [kind for kind, copies in enumerate(state.bag) for _ in range(copies)]
    rng.shuffle(deck)
    before = state.dealt
    taken = 0
    while state.current_player != TERMINAL:
        taken += 1
        if state.current_player == CHANCE:
            state.apply(draws[deck[state.dealt - before]])
        elif policy is not None:
            state.apply(policy(state))
        else:
            legal = state.legal
            state.apply(legal[int(uniform() * len(legal))])
    return taken
