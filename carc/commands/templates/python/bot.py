"""A bot: of the placements it takes one that touches most tiles, and claims when it can."""

import random

from carc import Action, Place, State


class Bot:
    """Made anew for each game; `seed` is its own. `clock`, before each choice, has the seconds left: bank and limit."""

    clock = None

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        """One of `state.legal_actions()`; the state is a copy, to play on with as one likes."""
        legal = state.legal_actions()
        placements = [action for action in legal if isinstance(action, Place)]
        if placements:
            most = max(state.neighbours(place.cell) for place in placements)
            best = [place for place in placements if state.neighbours(place.cell) == most]
            return self.rng.choice(best)
        return legal[0]
