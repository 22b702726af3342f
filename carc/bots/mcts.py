"""`mcts:N`, `mcts:Ts`: what may be done in a turn weighed by playouts, the better half kept each round.

`carc/bots/playouts.py` has the playouts; here is how they are shared out (sequential halving: Karnin, Koren, Somekh 2013).
"""

import json
import os
import random
import re
from time import perf_counter
from typing import Any

from carc import Action, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.bots.effort import effort
from carc.bots.judge import Judge
from carc.bots.playouts import Line, Playouts
from carc.bots.sdk import Clock
from carc.errors import BadBot

WIDTH = 12  # of what may be done at a decision, so many are looked into further: the most promising
LINES = 24  # of a turn, so many are tried
TURNS = 4  # that a playout goes on after the one at hand
NARROW = 12  # placements of a kind of tile that playouts look at, besides new ones
TRUST = 8.0  # as so many playouts counts what a line promises by one look


class MCTS:
    """Monte Carlo search by playouts that are cut off and valued by the evaluation; whoever plays maximises their own chance.

    `parameter`: playouts a decision, `200`, which always find the same; or seconds, `0.2s`, of the time on the wall; then, or
    alone, `jobs=2`: so many processes, each with playouts of its own. Raises `BadBot` at another parameter.
    """

    name = "mcts"
    parameter = "0.2s"
    width, lines, turns, narrow, trust = WIDTH, LINES, TURNS, NARROW, TRUST

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        said, jobs = several(parameter)
        self._iterations, self._seconds = effort(said or self.parameter)
        self._jobs = jobs
        self._playouts: Playouts | None = None
        self.clock: Clock | None = (
            None  # set where time is short: half of what is left is used at most
        )
        # Of the last decision: what was tried, and how many playouts that took, in all processes.
        self.tried: list[Line] = []
        self.iterations = 0

    def __getstate__(self) -> dict[str, Any]:
        """All but what is of one decision, or made anew."""
        return {**self.__dict__, "_playouts": None, "tried": []}

    def choose(self, state: State) -> Action:
        start = perf_counter()
        seconds = self._seconds
        if self.clock is not None:
            seconds = min(seconds or self.clock.limit, self.clock.limit / 2)
        self.iterations = 0
        if state.count_actions() == 1:
            return state.action_at(0)
        playouts = self._playing(state.rules)
        lines = self.tried = playouts.begin(state, self._rng.getrandbits(32))
        if self._iterations:
            del lines[self._iterations :]
        if len({str(line.actions[0]) for line in lines}) > 1:
            luck = [self._rng.getrandbits(32) for _ in range(1, self._jobs)]
            helpers = [self._helper(seed, lines, start, seconds) for seed in luck]
            self._try_out(lines, start, seconds)
            for process, pipe in helpers:
                self._gather(lines, process, pipe)
        return max(lines, key=lambda line: (line.visits, line.worth())).actions[0]

    def expected(self, state: State) -> list[float]:
        """Each owner's expected final points, as a hint shows them."""
        return self._playing(state.rules).judge.evaluation.owners(state)

    def _try_out(self, lines: list[Line], start: float, seconds: float) -> None:
        """All of the effort, in rounds of equal shares; after each the better half goes on."""
        playouts = self._playouts
        assert playouts is not None
        left = lines.copy()
        rounds = (len(left) - 1).bit_length()
        spent = 0.0
        for number in range(1, rounds + 1):
            while spent < number / rounds:
                for line in left:
                    playouts.try_out(line)
                    self.iterations += 1
                    if self._iterations:
                        spent = self.iterations / self._iterations
                    else:
                        spent = (perf_counter() - start) / seconds
                    if spent >= 1.0:
                        break
            left.sort(key=lambda line: -line.worth())
            del left[(len(left) + 1) // 2 :]

    def _helper(
        self, seed: int, lines: list[Line], start: float, seconds: float
    ) -> tuple[int, int]:
        """Another process that tries the same with other luck: its id, and the pipe on which it tells what came of it."""
        near, far = os.pipe()
        process = os.fork()
        if process:
            os.close(far)
            return process, near
        try:
            assert self._playouts is not None
            self._playouts.begin_anew(seed)
            self._try_out(lines, start, seconds)
            os.write(far, json.dumps([(line.visits, line.total) for line in lines]).encode())
        finally:
            os._exit(0)

    def _gather(self, lines: list[Line], process: int, pipe: int) -> None:
        with os.fdopen(pipe, "rb") as told:
            tried = json.loads(told.read() or b"[]")
        os.waitpid(process, 0)
        for line, (visits, total) in zip(lines, tried, strict=False):  # none, if it was killed
            line.visits += visits
            line.total += total
            self.iterations += visits

    def _playing(self, rules: Rules) -> Playouts:
        if self._playouts is None or self._playouts.judge.rules is not rules:
            self._playouts = Playouts(
                Judge(rules, Evaluation(rules)),
                width=self.width,
                lines=self.lines,
                turns=self.turns,
                narrow=self.narrow,
                trust=self.trust,
            )
        return self._playouts


class Strong(MCTS):
    """`mcts` with a second a decision, which goes into more lines and placements: the strongest there is. `strong:jobs=2` uses two cores."""

    name = "strong"
    parameter = "1s"
    width, lines, narrow = 24, 48, 32


def several(parameter: str) -> tuple[str, int]:
    """What a parameter says besides the number of processes, and that. Raises `BadBot`."""
    if "jobs" not in parameter:
        return parameter, 1
    found = re.fullmatch(r"(?:([^:]+):)?jobs=([1-9][0-9]?)", parameter)
    if found is None:
        raise BadBot(
            f"{parameter!r} names no number of processes; it comes last, 1 to 99, such as jobs=2 or 0.5s:jobs=2"
        )
    return found[1] or "", int(found[2])
