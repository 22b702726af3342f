"""Random play to the end, inside the compiled core: for search, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from carc.base.actions import Action
from carc.base.deal import throw
from carc.base.steps import CHANCE, TERMINAL, DrawStep

if TYPE_CHECKING:
    import random

    from carc.base.state import State


def playout(
    state: State,
    rng: random.Random,
    policy: Callable[[State], Action] | None = None,
) -> int:
    """Play `state` to its end in place; returns the number of decisions taken, chance's included.

    Chance does what its probabilities say; players choose uniformly among `legal_actions()`, or as `policy(state)` says.
    """
    uniform = rng.random
    any_tile = not state.rules.draws  # whether all that is in the bag may come
    deck: list[int] = []
    at = left = 0
    taken = 0
    while state.current_player != TERMINAL:
        taken += 1
        if state.current_player == CHANCE:
            if any_tile and isinstance(state.step, DrawStep):
                if state.left != left or at >= len(deck):
                    # Shuffling what the bag holds once deals as drawing by its counts does, until a tile goes another way.
                    deck = [kind for kind, copies in enumerate(state.bag) for _ in range(copies)]
                    rng.shuffle(deck)
                    at, left = 0, state.left
                state.apply(state._legal[deck[at]])
                at += 1
                left -= 1
            else:
                state.apply(throw(state, uniform()))
        elif policy is not None:
            state.apply(policy(state))
        else:
            legal = state._legal
            state.apply(legal[int(uniform() * len(legal))])
    return taken
