"""`random`: any legal action, all alike."""

import random

from carc import Action, State
from carc.base.deal import below


class Random:
    """Chooses uniformly among the legal actions."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        return state.action_at(self.choose_index(state.count_actions()))

    def choose_index(self, count: int) -> int:
        """The index of its choice among so many legal actions: it needs to see nothing of them."""
        return below(self._rng, count)
