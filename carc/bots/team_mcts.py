"""`team-mcts:N`, `team-mcts:Ts`: plays every seat of a team, by playouts.

The playouts are in `team_search.py`. They are shared out by sequential halving, as in `mcts.py`.
"""

import random
from typing import Any

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.outcome import is_team
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.bots.end_solver import EndSolver
from carc.bots.lookahead import Lookahead, golden_sequence
from carc.bots.search_budget import SearchTimer, parse_budget
from carc.bots.session import Clock
from carc.bots.team_search import TeamSearch
from carc.errors import BadBot

PRIOR_WEIGHT = 2.0  # how many playouts the prior of an action counts as
NODES_PER_PLAYOUT = 500  # positions that a search for the solution visits in the time of a playout


class TeamMCTS:
    """A player for games that all players win or lose together.

    Attributes:
        clock: Set where time is short; at most half of what is left is used.
        width: How many actions are tried, and how many placements continued: those that look best.
        solved_tiles: With so many tiles left to draw or fewer, it tries to solve the position.
    """

    name = "team-mcts"
    parameter = "0.2s"
    # See `TeamSearch`.
    width, playout_width, turns, endgame_tiles = 8, 4, 1, 4
    solved_tiles = 3

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set the budget.

        The parameter is playouts per decision, `64`, which are always the same ones; or seconds of
        CPU time, `0.2s`. Raises `BadBot` if it is not allowed.
        """
        self._rng = random.Random(seed)
        self._playouts, self._seconds = parse_budget(parameter or self.parameter)
        self._search: TeamSearch | None = None
        self._ends = EndSolver(self._playouts * NODES_PER_PLAYOUT, self._seconds, self.solved_tiles)
        self.clock: Clock | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_search": None}

    def choose(self, state: State) -> Action:
        """Return the best action of an end that is solved, else the one left after all rounds.

        Raises `BadBot` if the game has rivals.
        """
        timer = SearchTimer(self._seconds, self.clock)
        if state.count_actions() == 1:
            return state.action_at(0)
        search = self._search_of(state.rules)
        solved = self._ends.best_action(state, timer, self.clock)
        if solved is not None:
            return solved
        left = search.actions(state)[: self.width]
        seed = self._rng.getrandbits(32)
        first_quantile = self._rng.random()
        playouts = 0
        visits = 0  # of each action left
        rounds = max(1, (len(left) - 1).bit_length())
        for number in range(1, rounds + 1):
            share = number / rounds  # of the budget, spent after this round
            while True:
                if self._playouts:
                    if visits and playouts + len(left) > self._playouts * share:
                        break
                elif timer.share() > share:
                    break
                quantile = golden_sequence(first_quantile, visits)
                for action in left:
                    search.play(action, state, random.Random(seed + visits), quantile)
                playouts += len(left)
                visits += 1
            left.sort(key=lambda action: -action.mean(PRIOR_WEIGHT))
            left = left[: max(1, (len(left) + 1) // 2)]
        return left[0].action

    def _search_of(self, rules: Rules) -> TeamSearch:
        if self._search is None or self._search.rules is not rules:
            if not is_team(rules):
                raise BadBot(
                    f"bot {self.name} plays games of a team, such as mists:4, not {rules.spec}"
                )
            self._search = TeamSearch(
                Lookahead(rules, Evaluation(rules)),
                turns=self.turns,
                width=self.width,
                playout_width=self.playout_width,
                endgame_tiles=self.endgame_tiles,
            )
        return self._search
