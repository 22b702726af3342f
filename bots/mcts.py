"""`mcts:N`, `mcts:Ts`: a tree over the beats of a turn and chance, by so many iterations or so many seconds a decision.

`bots/search.py` has the tree; here is how long it grows and what is kept of it between decisions.
"""

import json
import os
import random
import re
from time import perf_counter

from carc import Action, Place, Rules, State
from carc.base.actions import Draw
from carc.base.evaluation import Evaluation
from carc.bots.effort import effort
from carc.bots.sdk import Clock
from carc.bots.search import Judge, Node, Search

WIDTH = 12  # of what may be done at a node, so many are searched: the most promising
EXPLORE = 0.15  # how much trying what is promising counts beside what was found
SHARP = 25.0  # how much more often the promising is tried
MOST_NODES = 40_000  # of a tree; about 100 MB
_LOOKED = 200  # nodes among which the position is looked for in the tree that was kept


class MCTS:
    """Monte Carlo tree search whose leaves are valued by the evaluation; more than two players each maximise their own (max^n).

    `parameter`: iterations a decision, `200`, which always find the same; or seconds, `0.2s`, of the time on the wall; then, or
    alone, `jobs=2`: so many processes, each with a tree of its own. Raises `BadBot` at another parameter.
    """

    name = "mcts"
    parameter = "0.2s"
    width, explore, sharp = WIDTH, EXPLORE, SHARP

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        said, jobs = several(parameter)
        self._iterations, self._seconds = effort(said or self.parameter)
        self._jobs = jobs
        self._search: Search | None = None
        self._rules: Rules | None = None
        self._root: Node | None = None  # of what was played to last, with its position
        self._position: State | None = None
        self.clock: Clock | None = (
            None  # set where time is short: half of what is left is used at most
        )
        self.iterations = 0  # of the last decision, in all trees

    def choose(self, state: State) -> Action:
        end = perf_counter() + self._seconds
        if self.clock is not None:
            end = min(end, perf_counter() + self.clock.limit / 2)
        self.iterations = 0
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        search = self._searching(state.rules)
        root = self._kept(state) or search.root(state)
        if len(root.actions) > 1:
            helpers = [self._helper(job, root, state, end) for job in range(1, self._jobs)]
            self._grow(root, state, end)
            for process, pipe in helpers:
                self._gather(root, process, pipe)
        best = search.best(root)
        self._root = root.children[best]
        self._position = None
        if self._root is not None:
            self._position = state.copy()
            self._position.apply(root.actions[best])
        return root.actions[best]

    def expected(self, state: State) -> list[float]:
        """Each owner's expected final points, as a hint shows them."""
        return self._searching(state.rules).judge.evaluation.owners(state)

    def _grow(self, root: Node, state: State, end: float) -> None:
        search = self._search
        assert search is not None
        while True:  # at least once
            search.grow(root, state)
            self.iterations += 1
            enough = self.iterations >= self._iterations
            if enough if self._iterations else perf_counter() >= end:
                return

    def _helper(self, job: int, root: Node, state: State, end: float) -> tuple[int, int]:
        """Another process that grows the same tree with other luck: its id, and the pipe on which it tells how often what was tried."""
        near, far = os.pipe()
        process = os.fork()
        if process:
            os.close(far)
            return process, near
        try:
            assert self._search is not None
            self._search.begin_anew(job)
            before = root.visits.copy()
            self._grow(root, state, end)
            tried = [now - then for now, then in zip(root.visits, before, strict=True)]
            os.write(far, json.dumps(tried).encode())
        finally:
            os._exit(0)

    def _gather(self, root: Node, process: int, pipe: int) -> None:
        with os.fdopen(pipe, "rb") as told:
            tried = json.loads(told.read() or b"[]")
        os.waitpid(process, 0)
        for at, times in enumerate(tried):  # none, if it was killed
            root.visits[at] += times
            self.iterations += times

    def _searching(self, rules: Rules) -> Search:
        if self._search is None or self._rules is not rules:
            self._rules, self._root = rules, None
            self._search = Search(
                Judge(rules, Evaluation(rules)),
                self._rng,
                width=self.width,
                explore=self.explore,
                sharp=self.sharp,
                most_nodes=MOST_NODES,
            )
        return self._search

    def _kept(self, state: State) -> Node | None:
        """The node of a position in the tree that was kept, if it got there."""
        root, position = self._root, self._position
        search = self._search
        assert search is not None
        search.nodes = 0
        if root is None or position is None:
            return None
        waiting = [(root, position)]
        for _ in range(_LOOKED):
            if not waiting:
                return None
            node, here = waiting.pop()
            if here.tiles == state.tiles and here.hand == state.hand and here == state:
                if not node.open:
                    return None
                search.nodes = node.size()
                return node
            for action, child in zip(node.actions, node.children, strict=True):
                if child is not None and _may_lead(here, action, state):
                    after = here.copy()
                    after.apply(action)
                    waiting.append((child, after))
        return None


class Strong(MCTS):
    """`mcts` with a second a decision: the strongest there is. `strong:jobs=2` uses two cores."""

    name = "strong"
    parameter = "1s"


def several(parameter: str) -> tuple[str, int]:
    """What a parameter says besides the number of processes, and that."""
    said, _, jobs = parameter.rpartition("jobs=")
    if not _ or not re.fullmatch(r"[1-9]\d?", jobs) or (said and said[-1] != ":"):
        return parameter, 1
    return said.rstrip(":"), int(jobs)


def _may_lead(here: State, action: Action, wanted: State) -> bool:
    """Whether an action may lie on the way to a position, by the tiles it shows."""
    tile = here.tiles  # the number of the next
    if here.tiles > wanted.tiles:
        return False
    if isinstance(action, Draw):
        shown = wanted.kind_of_tile(tile) if tile < wanted.tiles else wanted.hand
        return shown == action.kind
    if isinstance(action, Place):
        return (
            tile < wanted.tiles
            and wanted.cell_of(tile) == action.cell
            and wanted.rotation_of(tile) == action.rotation
        )
    return True
