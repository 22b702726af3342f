"""`team-mcts:N`, `team-mcts:Ts`: one mind for every seat of a team, by playouts of what may be done, the better half kept each round.

`carc/bots/planning.py` has the playouts; here is how they are shared out among the actions (sequential halving).
"""

import random
from time import perf_counter
from typing import Any

from carc import Action, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.bots.effort import effort
from carc.bots.judge import Judge, evenly
from carc.bots.planning import Planner
from carc.bots.sdk import Clock
from carc.errors import BadBot

WIDTH = 8  # of what may be done, so many are tried: the most promising
NARROW = 4  # placements that a playout looks into with what may be done after them
TURNS = 1  # that a playout goes on after the turn at hand
ENDING = 4  # fewer tiles left are played to the end
TRUST = 2.0  # as so many playouts counts what an option promises by one look


class TeamMCTS:
    """A team player for games that all win or lose together.

    `parameter`: playouts a decision, `64`, which always find the same; or seconds, `0.2s`, of the time on the wall. Raises
    `BadBot` at another parameter, and at a game of rivals.
    """

    name = "team-mcts"
    parameter = "0.2s"
    width, narrow, turns, ending = WIDTH, NARROW, TURNS, ENDING

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        self._playouts, self._seconds = effort(parameter or self.parameter)
        self._planner: Planner | None = None
        self.clock: Clock | None = (
            None  # set where time is short: half of what is left is used at most
        )

    def __getstate__(self) -> dict[str, Any]:
        """All but what is made anew."""
        return {**self.__dict__, "_planner": None}

    def choose(self, state: State) -> Action:
        start = perf_counter()
        seconds = self._seconds
        if self.clock is not None:
            seconds = min(seconds or self.clock.limit, self.clock.limit / 2)
        if state.count_actions() == 1:
            return state.action_at(0)
        planner = self._planning(state.rules)
        left = planner.options(state)[: self.width]
        seed = self._rng.getrandbits(32)
        first = self._rng.random()
        done = 0  # playouts
        tried = 0  # of each option left
        share = 1.0  # of the effort, what the rounds so far had
        rounds = max(1, (len(left) - 1).bit_length())
        for number in range(1, rounds + 1):
            share = number / rounds
            while True:
                if self._playouts:
                    if tried and done + len(left) > self._playouts * share:
                        break
                elif perf_counter() - start > seconds * share:
                    break
                at = evenly(first, tried)
                for option in left:
                    planner.try_out(state, option, random.Random(seed + tried), at)
                done += len(left)
                tried += 1
            left.sort(key=lambda option: -option.worth(TRUST))
            left = left[: max(1, (len(left) + 1) // 2)]
        return left[0].action

    def _planning(self, rules: Rules) -> Planner:
        if self._planner is None or self._planner.rules is not rules:
            if len(rules.hooks.win_chances) == 0:
                raise BadBot(
                    f"bot {self.name} plays games of a team, such as mists:4, not {rules.spec}"
                )
            judge = Judge(rules, Evaluation(rules))
            self._planner = Planner(
                judge,
                turns=self.turns,
                width=self.width,
                narrow=self.narrow,
                ending=self.ending,
            )
        return self._planner
