"""States compared by what is seen of them and by how play goes on from them."""

from __future__ import annotations

import random
from typing import Any

from carc import State


def play_on(states: list[State], seed: int) -> None:
    """The same random actions on each: all go on alike."""
    rng = random.Random(seed)
    while not states[0].is_terminal:
        legal = states[0].legal_actions()
        assert all(state.legal_actions() == legal for state in states)
        action = rng.choice(legal)
        for state in states:
            state.apply(state.check(action))
    shown = [seen(state) for state in states]
    assert all(one == shown[0] for one in shown)


def seen(state: State) -> dict[str, Any]:
    """What is seen of a state, whatever the order in which its tiles came."""
    data = state.to_dict()
    del data["engine"]
    data["tiles"].sort(key=lambda tile: (tile["y"], tile["x"]))
    data["discarded"].sort()
    data.get("carnival", {}).get(
        "scored", []
    ).sort()  # at the end, in the order of features' numbers
    return data
