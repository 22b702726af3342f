"""`mcts:N`, `mcts:Ts`: the lines of a turn compared by playouts.

The playouts are in `mcts_playouts.py`. They are shared out by sequential halving (Karnin, Koren,
Somekh 2013).
"""

import json
import os
import random
from time import perf_counter
from typing import Any

from carc import Action, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.bots.lookahead import Lookahead
from carc.bots.mcts_playouts import Line, Playouts
from carc.bots.sdk import Clock
from carc.bots.search_budget import parse_budget, split_jobs


class MCTS:
    """Monte Carlo search by playouts that are cut short and valued by the evaluation (max^n).

    Attributes:
        clock: Set where time is short; at most half of what is left is used.
        tried: The lines of the last decision.
        iterations: How many playouts the last decision took, in all processes.
    """

    name = "mcts"
    parameter = "0.2s"
    # See `Playouts`.
    width, max_lines, turns, max_placements, prior_weight = 12, 24, 4, 12, 8.0

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set the budget.

        Args:
            seed: The seed.
            parameter: Playouts per decision, `200`, which are always the same ones; or seconds of
                wall time, `0.2s`. Then, or alone, `jobs=2`: so many processes, each with playouts
                of its own.

        Raises:
            BadBot: The parameter is not allowed.
        """
        self._rng = random.Random(seed)
        budget, self._jobs = split_jobs(parameter)
        self._iterations, self._seconds = parse_budget(budget or self.parameter)
        self._playouts: Playouts | None = None
        self.clock: Clock | None = None
        self.tried: list[Line] = []
        self.iterations = 0

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what belongs to one decision or can be made again."""
        return {**self.__dict__, "_playouts": None, "tried": []}

    def choose(self, state: State) -> Action:
        """Return the first action of the line with the most playouts."""
        start = perf_counter()
        seconds = self._seconds
        if self.clock is not None:
            seconds = min(seconds or self.clock.limit, self.clock.limit / 2)
        self.iterations = 0
        if state.count_actions() == 1:
            return state.action_at(0)
        playouts = self._playouts_of(state.rules)
        lines = self.tried = playouts.start(state, self._rng.getrandbits(32))
        if self._iterations:
            del lines[self._iterations :]
        if len({str(line.actions[0]) for line in lines}) > 1:
            seeds = [self._rng.getrandbits(32) for _ in range(1, self._jobs)]
            helpers = [self._start_helper(seed, lines, start, seconds) for seed in seeds]
            self._search(lines, start, seconds)
            for process, pipe in helpers:
                self._collect(lines, process, pipe)
        return max(lines, key=lambda line: (line.visits, line.mean())).actions[0]

    def expected(self, state: State) -> list[float]:
        """Return the expected final points of each owner, for hints."""
        return self._playouts_of(state.rules).lookahead.evaluation.owners(state)

    def _search(self, lines: list[Line], start: float, seconds: float) -> None:
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
                        spent = (perf_counter() - start) / seconds
                    if spent >= 1.0:
                        break
            left.sort(key=lambda line: -line.mean())
            del left[(len(left) + 1) // 2 :]

    def _start_helper(
        self, seed: int, lines: list[Line], start: float, seconds: float
    ) -> tuple[int, int]:
        """Fork a process that searches the same lines with other random numbers.

        Returns:
            Its process id, and the pipe on which it sends its results.
        """
        reader, writer = os.pipe()
        process = os.fork()
        if process:
            os.close(writer)
            return process, reader
        try:
            assert self._playouts is not None
            self._playouts.reseed(seed)
            self._search(lines, start, seconds)
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
            self._playouts = Playouts(
                Lookahead(rules, Evaluation(rules)),
                width=self.width,
                max_lines=self.max_lines,
                turns=self.turns,
                max_placements=self.max_placements,
                prior_weight=self.prior_weight,
            )
        return self._playouts


class Strong(MCTS):
    """`mcts` with a second per decision, more lines and more placements: the strongest bot.

    `strong:jobs=2` uses two cores.
    """

    name = "strong"
    parameter = "1s"
    width, max_lines, max_placements = 24, 48, 32
