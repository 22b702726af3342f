"""`greedy`: plays the action that promises most at the end of the turn."""

import random
from math import exp
from typing import Final

from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.learned_weights import best_evaluation
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.bots.lookahead import ActionValues, Lookahead
from carc.errors import BadBot

_OVERLOOK: Final = "overlook="
_LEAST: Final = 0.001


class Greedy:
    """Tries every placement with every claim, and values them by the learned evaluation.

    Teams are valued by the hand-made one.
    """

    name = "greedy"
    blind = False
    learned = True

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set how carelessly it plays.

        The parameter is the temperature of a softmax over the chances to win, from 0.001 to 1; or
        `overlook=` and the probability, from 0.001 to 1, that an action is overlooked. Without it,
        only the best actions are chosen. Raises `BadBot` if it is not allowed.
        """
        self._rng = random.Random(seed)
        overlooks = parameter.startswith(_OVERLOOK)
        self._overlooked = parse_overlooked(parameter) if overlooks else 0.0
        self._temperature = 0.0 if overlooks else parse_temperature(parameter)
        self._lookahead: Lookahead | None = None

    def choose(self, state: State) -> Action:
        """Return the best action; with a parameter, sometimes another."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        choices = self._noticed(self._lookahead_of(state.rules).action_values(state))
        worth = self._worth(state, choices)
        best = max(worth)
        if self._temperature:
            weights = [exp((each - best) / self._temperature) for each in worth]
            return self._rng.choices(choices, weights)[0].action
        return self._rng.choice(
            [choice.action for choice, each in zip(choices, worth, strict=True) if each == best]
        )

    def expected(self, state: State) -> list[float]:
        """Return the expected final points of each owner, for hints."""
        return self._lookahead_of(state.rules).evaluation.owners(state)

    def _worth(self, state: State, choices: list[ActionValues]) -> list[float]:
        """Return what it chooses by: the player's chance to win after each of the choices."""
        return [choice.values[state.current_player] for choice in choices]

    def _noticed(self, choices: list[ActionValues]) -> list[ActionValues]:
        """Return the choices without those it overlooks; one of them if it overlooks all."""
        if not self._overlooked:
            return choices
        noticed = [choice for choice in choices if self._rng.random() >= self._overlooked]
        return noticed or [self._rng.choice(choices)]

    def _lookahead_of(self, rules: Rules) -> Lookahead:
        if self._lookahead is None or self._lookahead.rules is not rules:
            self._lookahead = Lookahead(rules, self._evaluation_for(rules))
        return self._lookahead

    def _evaluation_for(self, rules: Rules) -> Evaluation:
        make = best_evaluation if self.learned else Evaluation
        return make(rules, blind=self.blind)


class Greedy1(Greedy):
    """`greedy` as it was before its evaluation was learned: a yardstick for new versions."""

    name = "greedy-1"
    learned = False


class GhostBlind(Greedy):
    """`greedy` without the expansions' expected points: the yardstick for its play with ghosts."""

    name = "greedy-blind"
    blind = True


def parse_temperature(parameter: str) -> float:
    """Return the temperature that a parameter gives, 0 without one, or raise `BadBot`."""
    if not parameter:
        return 0.0
    return _number(
        parameter,
        f"{parameter!r} is not a temperature; it is a number from 0.001 to 1, such as 0.02, or"
        " overlook= and a probability, such as overlook=0.3",
    )


def parse_overlooked(parameter: str) -> float:
    """Return the probability that an action is overlooked, as in `overlook=0.3`, or `BadBot`."""
    return _number(
        parameter.removeprefix(_OVERLOOK),
        f"{parameter!r} gives no probability; it is a number from 0.001 to 1, such as overlook=0.3",
    )


def _number(text: str, refusal: str) -> float:
    """Return the number from 0.001 to 1 that a text is; refuse all else."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not _LEAST <= number <= 1.0:
        raise BadBot(refusal)
    return number
