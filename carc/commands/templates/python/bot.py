"""A bot that places tiles where the most neighbors are, and followers whenever it can."""

import random

from carc import Action, Place, State


class Bot:
    """One object plays one game."""

    clock = None  # set before each decision: seconds left, as clock.bank and clock.limit

    def __init__(self, seed: int = 0) -> None:
        """Keep a random generator, so that a game can be repeated."""
        self.rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        """Return one of `state.legal_actions()`. The state is a copy; change it as you like."""
        legal = state.legal_actions()
        placements = [action for action in legal if isinstance(action, Place)]
        if placements:
            most = max(state.board.count_neighbours(place.cell) for place in placements)
            best = [
                place for place in placements if state.board.count_neighbours(place.cell) == most
            ]
            return self.rng.choice(best)
        return legal[0]
