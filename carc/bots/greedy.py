"""`greedy`: one look. Plays what promises most at the turn's end, by the evaluation that search uses too."""

import random
from math import exp

from carc import Action, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.bots.judge import Judge, options
from carc.errors import BadBot


class Greedy:
    """Weighs every placement with every claim. `parameter`: how rash it is, 0.001 to 1: a choice that promises so much less a chance
    to win is taken a third as often; without one, only the best is taken.
    """

    name = "greedy"
    blind = False

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        self._rash = rashness(parameter)
        self._judge: Judge | None = None
        self._rules: Rules | None = None

    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        me = state.current_player
        found = options(self._judging(state.rules), state)
        top = max(option.values[me] for option in found)
        if self._rash:
            weights = [exp((option.values[me] - top) / self._rash) for option in found]
            return self._rng.choices(found, weights)[0].action
        return self._rng.choice([option.action for option in found if option.values[me] == top])

    def expected(self, state: State) -> list[float]:
        """Each owner's expected final points, as a hint shows them."""
        return self._judging(state.rules).evaluation.owners(state)

    def _judging(self, rules: Rules) -> Judge:
        if self._judge is None or self._rules is not rules:
            self._rules = rules
            self._judge = Judge(rules, Evaluation(rules, blind=self.blind))
        return self._judge


class GhostBlind(Greedy):
    """A greedy that sees of expansions only what features are worth: the yardstick for the ghost play of `greedy`."""

    name = "greedy-blind"
    blind = True


def rashness(parameter: str) -> float:
    """The rashness a parameter tells; 0 without one. Raises `BadBot`."""
    if not parameter:
        return 0.0
    try:
        rash = float(parameter)
    except ValueError:
        rash = 0.0
    if not 0.001 <= rash <= 1.0:
        raise BadBot(f"{parameter!r} is no rashness; it is a number from 0.001 to 1, such as 0.02")
    return rash
