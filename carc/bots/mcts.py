"""`mcts:N`, `mcts:Ts`: the lines of a turn compared by playouts.

The playouts are in `mcts_playouts.py`. They are shared out by sequential halving (Karnin, Koren,
Somekh 2013).
"""

import json
import os
import random
from collections.abc import Callable
from typing import Any

from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.learned_weights import best_evaluation
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.bots.end_solver import EndSolver
from carc.bots.lookahead import Lookahead
from carc.bots.mcts_playouts import Line, Playouts
from carc.bots.search_budget import SearchTimer, parse_budget, split_jobs
from carc.bots.session import Clock

NODES_PER_PLAYOUT = 100  # positions that a search for the solution visits in the time of a playout


class MCTS:
    """Monte Carlo search by playouts that are cut short and valued by the evaluation (max^n).

    Attributes:
        clock: Set where time is short; at most half of what is left is used.
        tried: The lines of the last search.
        iterations: How many playouts the last decision took, in all processes.
        searches_once: Whether a search decides all that its player does up to the next draw.
        solved_tiles: With so many tiles left to draw or fewer, it tries to solve the position.
        make_evaluation: Makes the evaluation that playouts go by, from the rules.
        make_playouts: Makes the playouts, `Playouts` or a subclass.
    """

    name = "mcts"
    parameter = "0.2s"
    # See `Playouts`.
    width, max_lines, turns, max_placements, prior_weight = 12, 24, 4, 12, 8.0
    searches_once, solved_tiles = True, 3
    make_evaluation: Callable[[Rules], Evaluation] = staticmethod(best_evaluation)
    make_playouts: type[Playouts] = Playouts

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set the budget.

        Args:
            seed: The seed.
            parameter: Playouts per search, `200`, which are always the same ones; or seconds of
                CPU time, `0.2s`. Then, or alone, `jobs=2`: so many processes, each with playouts
                and CPU time of its own.

        Raises:
            BadBot: The parameter is not allowed.
        """
        self._rng = random.Random(seed)
        budget, self._jobs = split_jobs(parameter)
        self._iterations, self._seconds = parse_budget(budget or self.parameter)
        self._playouts: Playouts | None = None
        self._ends = EndSolver(
            self._iterations * NODES_PER_PLAYOUT, self._seconds, self.solved_tiles
        )
        # What the last search decided for the rest of the turn: the key of the position expected
        # next, and the actions from there on.
        self._plan: tuple[bytes, list[Action]] = (b"", [])
        self.clock: Clock | None = None
        self.tried: list[Line] = []
        self.iterations = 0

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what belongs to one decision or can be made again."""
        return {**self.__dict__, "_playouts": None, "tried": []}

    def choose(self, state: State) -> Action:
        """Return the next action of the line with the most playouts.

        A line is searched for once: its later actions are played without another search.
        """
        timer = SearchTimer(self._seconds, self.clock)
        self.iterations = 0
        if state.count_actions() == 1:
            return state.action_at(0)
        if self.searches_once and self._plan[1] and self._plan[0] == state.key():
            return self._follow(state, self._plan[1])
        solved = self._ends.best_action(state, timer, self.clock)
        if solved is not None:
            return solved
        playouts = self._playouts_of(state.rules)
        lines = self.tried = playouts.start(state, self._rng.getrandbits(32))
        if self._iterations:
            del lines[self._iterations :]
        if len({str(line.actions[0]) for line in lines}) > 1:
            seeds = [self._rng.getrandbits(32) for _ in range(1, self._jobs)]
            helpers = [self._start_helper(seed, lines, timer) for seed in seeds]
            self._search(lines, timer)
            for process, pipe in helpers:
                self._collect(lines, process, pipe)
        best = max(lines, key=lambda line: (line.visits, line.mean()))
        return self._follow(state, best.actions)

    def _follow(self, state: State, actions: list[Action]) -> Action:
        """Return the first of these actions and remember the others."""
        self._plan = (b"", [])
        if len(actions) > 1:
            after = state.copy()
            after.apply(actions[0])
            self._plan = (after.key(), actions[1:])
        return actions[0]

    def expected(self, state: State) -> list[float]:
        """Return the expected final points of each owner, for hints."""
        return self._playouts_of(state.rules).lookahead.evaluation.owners(state)

    def _search(self, lines: list[Line], timer: SearchTimer) -> None:
        """Spend the budget in rounds of equal shares; after each, the better half goes on."""
        playouts = self._playouts
        assert playouts is not None
        left = lines.copy()
        rounds = (len(left) - 1).bit_length()
        spent = 0.0
        for number in range(1, rounds + 1):
            while spent < number / rounds:
                for line in left:
                    playouts.play(line)
                    self.iterations += 1
                    if self._iterations:
                        spent = self.iterations / self._iterations
                    else:
                        spent = timer.share()
                    if spent >= 1.0:
                        break
            left.sort(key=lambda line: -line.mean())
            del left[(len(left) + 1) // 2 :]

    def _start_helper(self, seed: int, lines: list[Line], timer: SearchTimer) -> tuple[int, int]:
        """Fork a process that searches the same lines with other random numbers.

        Returns:
            Its process id, and the pipe on which it sends its results.
        """
        reader, writer = os.pipe()
        used = timer.cpu
        process = os.fork()
        if process:
            os.close(writer)
            return process, reader
        try:
            assert self._playouts is not None
            self._playouts.reseed(seed)
            timer.continue_from(used)
            self._search(lines, timer)
            os.write(writer, json.dumps([(line.visits, line.total) for line in lines]).encode())
        finally:
            os._exit(0)

    def _collect(self, lines: list[Line], process: int, pipe: int) -> None:
        """Add the results of a helper; a helper that was killed has none."""
        with os.fdopen(pipe, "rb") as stream:
            results = json.loads(stream.read() or b"[]")
        os.waitpid(process, 0)
        for line, (visits, total) in zip(lines, results, strict=False):
            line.visits += visits
            line.total += total
            self.iterations += visits

    def _playouts_of(self, rules: Rules) -> Playouts:
        if self._playouts is None or self._playouts.lookahead.rules is not rules:
            self._playouts = self.make_playouts(
                Lookahead(rules, self.make_evaluation(rules)),
                width=self.width,
                max_lines=self.max_lines,
                turns=self.turns,
                max_placements=self.max_placements,
                prior_weight=self.prior_weight,
            )
        return self._playouts


class Strong(MCTS):
    """`mcts` with a second per turn, more lines and more placements: the strongest bot.

    `strong:jobs=2` uses two cores.
    """

    name = "strong"
    parameter = "1s"
    width, max_lines, max_placements = 24, 48, 32


class Strong1(Strong):
    """`strong` as it was first: hand-made weights, a search for each decision up to the end."""

    name = "strong-1"
    searches_once, solved_tiles = False, -1
    make_evaluation = Evaluation
