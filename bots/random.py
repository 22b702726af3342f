"""`random`: any legal action, all alike."""

import random

from carc import Action, State


class Random:
    """Chooses uniformly among the legal actions."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        return state.action_at(self._rng.randrange(state.count_actions()))
