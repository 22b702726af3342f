"""Random play to the end, inside the compiled core: for search, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

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
    any_tile = not state.rules.draws  # whether all that is in the bag may always come
    deck = vec[i64]()  # from `at` on, in no order: the tiles that may come
    at: i64 = 0
    left: i64 = 0
    taken = 0
    while state.current_player != TERMINAL:
        taken += 1
        if state.current_player == CHANCE:
            if isinstance(state.step, DrawStep) and (any_tile or state.drawable() == state.bag):
                if state.left != left or at >= len(deck):
                    # What the bag holds, until a tile goes another way.
                    deck = vec[i64](
                        [k for k, copies in enumerate(state.bag) for _ in range(copies)]
                    )
                    at, left = 0, state.left
                rest: int = len(deck) - at
                chosen: i64 = at + int(uniform() * rest)
                kind = deck[chosen]
                deck[chosen] = deck[at]
                state.apply(state._listed()[kind])
                at += 1
                left -= 1
            else:
                state.apply(throw(state, uniform()))
        elif policy is not None:
            state.apply(policy(state))
        else:
            state.apply(state.action_at(int(uniform() * state._count)))
    return taken
