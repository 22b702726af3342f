"""`mcts:N`, `mcts:Ts`: a tree over the beats of a turn and chance, by so many iterations or so many seconds a decision.

`bots/search.py` has the tree; here is how long it grows and what is kept of it between decisions.
"""

import random
import re
from time import perf_counter

from carc import Action, Place, Rules, State
from carc.base.actions import Draw
from carc.base.evaluation import Evaluation
from carc.bots.sdk import Clock
from carc.bots.search import Judge, Node, Search
from carc.errors import BadBot

WIDTH = 12  # of what may be done at a node, so many are searched: the most promising
EXPLORE = 0.15  # how much trying what is promising counts beside what was found
SHARP = 25.0  # how much more often the promising is tried
MOST_NODES = 40_000  # of a tree; about 100 MB
_LOOKED = 200  # nodes among which the position is looked for in the tree that was kept


class MCTS:
    """Monte Carlo tree search whose leaves are valued by the evaluation; more than two players each maximise their own (max^n).

    `parameter`: iterations a decision, `200`, which always find the same; or seconds, `0.2s`, of the time on the wall.
    Raises `BadBot` at another parameter.
    """

    name = "mcts"
    parameter = "0.2s"
    width, explore, sharp = WIDTH, EXPLORE, SHARP

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        self._iterations, self._seconds = effort(parameter or self.parameter)
        self._search: Search | None = None
        self._rules: Rules | None = None
        self._root: Node | None = None  # of what was played to last, with its position
        self._position: State | None = None
        self.clock: Clock | None = (
            None  # set where time is short: half of what is left is used at most
        )
        self.iterations = 0  # of the last decision

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
            while self._more(root, end):
                search.grow(root, state)
                self.iterations += 1
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

    def _more(self, root: Node, end: float) -> bool:
        if self._iterations:
            return self.iterations < self._iterations
        return perf_counter() < end

    def _searching(self, rules: Rules) -> Search:
        if self._search is None or self._rules is not rules:
            self._rules, self._root = rules, None
            judge = Judge(rules, Evaluation(rules))
            self._search = Search(
                judge,
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
            if here.tiles == state.tiles and here.hand == state.hand and _same(here, state):
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
    """`mcts` with a second a decision: the strongest there is."""

    name = "strong"
    parameter = "1s"


def effort(parameter: str) -> tuple[int, float]:
    """Iterations and seconds that a parameter tells, one of them 0. Raises `BadBot`."""
    found = re.fullmatch(r"(\d{1,7})|(\d{1,4}(?:\.\d{1,4})?)s", parameter)
    iterations, seconds = (int(found[1] or 0), float(found[2] or 0)) if found else (0, 0.0)
    if not iterations and not seconds:
        raise BadBot(
            f"{parameter!r} is no effort; it is iterations a decision, such as 200, or seconds, such as 0.2s"
        )
    return iterations, seconds


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


def _same(one: State, other: State) -> bool:
    """Whether two positions are the same in all that is visible."""
    return (
        one.step is other.step
        and one.current_player == other.current_player
        and one.scores == other.scores
        and one.to_dict() == other.to_dict()
    )
