"""`people`: takes the turn that strong people would most likely take."""

from functools import cache
from math import exp, inf, log
from pathlib import Path
from typing import Any, Final

from carc.base.evaluation.learned_weights import read_weights
from carc.base.game.outcome import is_team
from carc.base.game.state import State
from carc.bots.greedy import Greedy
from carc.bots.lookahead import ActionValues
from carc.bots.turn_features import NAMES, TurnFeatures
from carc.bounded import read_text

SHIPPED: Final = Path(__file__).with_name("people_weights.txt")
WIDTH: Final = 15  # the actions that are looked at closely: those that `greedy` values most


@cache
def shipped_weights() -> list[float]:
    """Return the weights in the package, in the order of `NAMES`."""
    weights = read_weights(read_text(SHIPPED))
    return [weights[name][0] for name in NAMES]


class People(Greedy):
    """A policy fitted to people's games: a conditional logit over the turns that are possible.

    The odds of two turns are e to the difference of their weighted sums of `TurnFeatures`.
    Decisions other than placements and claims, and those of a team, are those of `greedy`.
    """

    name = "people"

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set how much it varies or overlooks.

        Args:
            seed: The seed.
            parameter: As for `Greedy`, but with a temperature of 1 it varies as people do.

        Raises:
            BadBot: The parameter is not allowed.
        """
        super().__init__(seed, parameter)
        self._features: TurnFeatures | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_features": None}

    def _worth(self, state: State, choices: list[ActionValues]) -> list[float]:
        worth = super()._worth(state, choices)
        if state.step.name not in ("place", "claim") or is_team(state.rules):
            return worth
        if self._features is None or self._features.rules is not state.rules:
            self._features = TurnFeatures(state.rules, self._lookahead_of(state.rules))
        weights = shipped_weights()
        closely = sorted(range(len(choices)), key=lambda at: -worth[at])[:WIDTH]
        self._features.look(state)
        likely = [-inf] * len(choices)
        for at in closely:
            turns = self._features.turns(state, choices[at].action)
            likely[at] = self._of_any([turn.weighted(weights) for turn in turns])
        return likely

    def _of_any(self, turns: list[float]) -> float:
        """Return the weighted sum that stands for several turns with the same first action."""
        best = max(turns)
        if not self._temperature:
            return best
        chances = sum(exp((each - best) / self._temperature) for each in turns)
        return best + self._temperature * log(chances)
