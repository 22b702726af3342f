"""Plain Monte Carlo tree search: random games to the end, no evaluation. What `uct` and `mcts-rave` choose by; the yardstick of papers.

Compiled (`build_tools`). Chance is drawn anew in each iteration; each player maximises the own result (max^n).
"""

from __future__ import annotations

import random
from math import log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.actions import Action, Place
from carc.base.game.playout import playout, random_action
from carc.base.game.steps import CHANCE, TERMINAL
from carc.bots.effort import effort
from carc.bots.judge import Judge

if TYPE_CHECKING:
    from carc.base.game.state import State

EXPLORE: Final = 0.35  # of UCB1, for results from 0 to 1
EQUAL: Final = (
    200.0  # visits at which what came of an action counts as much as what came of it later (RAVE)
)


class Branch:
    """A decision in the tree: what may be done, how often it was tried, what came of it."""

    def __init__(self, player: int, actions: list[Action], order: list[int]) -> None:
        self.player: Final = player
        self.actions: Final = actions
        self.order: Final = order  # in which they are tried first; from the end
        self.visits: Final = [0] * len(actions)
        self.sums: Final = [0.0] * len(actions)
        self.children: Final[dict[str, Branch]] = {}
        self.total: int = 0
        # Of RAVE: which action has a key, how often it was done later in a game, what came of that.
        self.keys: Final[dict[int, int]] = {}
        self.later: Final = [0] * len(actions)
        self.later_sums: Final = [0.0] * len(actions)

    def enter(self, index: int, value: float) -> None:
        """What came of an action."""
        self.visits[index] += 1
        self.sums[index] += value
        self.total += 1

    def enter_later(self, done: list[int], who: list[int], first: int, value: float) -> None:
        """What came of all that the same player did, from here on."""
        for at in range(first, len(done)):
            index = self.keys.get(done[at], -1) if who[at] == self.player else -1
            if index >= 0:
                self.later[index] += 1
                self.later_sums[index] += value


class UCT:
    """UCB1 over random games. `parameter`: iterations a decision, `500`, or seconds, `0.2s`. Raises `BadBot` at another."""

    name: ClassVar[str] = "uct"
    parameter: ClassVar[str] = "0.2s"
    rave: ClassVar[bool] = False

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        self._most, self._seconds = effort(parameter or self.parameter)
        self._judge: Judge | None = None
        self.iterations: int = 0  # of the last decision

    def choose(self, state: State) -> Action:
        end = perf_counter() + self._seconds
        self.iterations = 0
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if self._judge is None or self._judge.rules is not state.rules:
            self._judge = Judge(state.rules, Evaluation(state.rules))
        root = self._branch(state)
        while self.iterations < self._most if self._most else perf_counter() < end:
            self._iterate(root, state)
            self.iterations += 1
        most = 0
        for index in range(len(legal)):
            if root.visits[index] > root.visits[most]:
                most = index
        return legal[most]

    def _branch(self, state: State) -> Branch:
        actions = state.legal_actions()
        order = list(range(len(actions)))
        self._rng.shuffle(order)
        branch = Branch(state.current_player, actions, order)
        if self.rave:
            for index, action in enumerate(actions):
                branch.keys[_key(state, action)] = index
        return branch

    def _iterate(self, root: Branch, state: State) -> None:
        """Down the tree, a decision added to it, at random to the end, and back."""
        here = state.copy()
        branch = root
        path: list[Branch] = []
        taken: list[int] = []
        depths: list[int] = []  # how much was done before
        done: list[int] = []  # of RAVE: all that was done from the root on
        who: list[int] = []  # and by whom
        while True:
            index = self._next(branch)
            path.append(branch)
            taken.append(index)
            depths.append(len(done))
            action = branch.actions[index]
            if self.rave:
                done.append(_key(here, action))
                who.append(branch.player)
            here.apply(action)
            came = action.text  # what was done, and what chance made of it
            while here.current_player == CHANCE:
                action = random_action(here, self._rng)
                came += action.text
                here.apply(action)
            if here.current_player == TERMINAL:
                break
            child = branch.children.get(came)
            if child is None:
                branch.children[came] = self._branch(here)
                break
            branch = child
        self._play(here, done, who)
        assert self._judge is not None
        values = self._judge.values(here)
        for at in range(len(path)):
            path[at].enter(taken[at], values[path[at].player])
            if self.rave:
                path[at].enter_later(done, who, depths[at], values[path[at].player])

    def _next(self, branch: Branch) -> int:
        """The action to try: each once, then by UCB1; with RAVE, after the first, by what came of it wherever it was done."""
        if branch.order and not (self.rave and branch.total):
            return branch.order.pop()
        best = 0
        top = -1.0
        spread = log(1.0 + branch.total)
        for index in range(len(branch.actions)):
            visits = branch.visits[index]
            worth = 2.0 if not visits else branch.sums[index] / visits
            if self.rave and branch.later[index]:
                later = branch.later_sums[index] / branch.later[index]
                weight = sqrt(EQUAL / (3.0 * visits + EQUAL))
                worth = weight * later + (1.0 - weight) * (worth if visits else later)
            worth += EXPLORE * sqrt(spread / (visits + 1))
            if worth > top:
                best, top = index, worth
        return best

    def _play(self, state: State, done: list[int], who: list[int]) -> None:
        """At random to the end; with RAVE noted."""
        if not self.rave:
            playout(state, self._rng)
            return
        while state.current_player != TERMINAL:
            action = random_action(state, self._rng)
            if state.current_player != CHANCE:
                done.append(_key(state, action))
                who.append(state.current_player)
            state.apply(action)


class RAVE(UCT):
    """`uct` that takes what came of an action later in a game for a hint of what would come of it now (all moves as first)."""

    name: ClassVar[str] = "mcts-rave"
    rave: ClassVar[bool] = True


def _key(state: State, action: Action) -> int:
    """What counts as the same action: of a placement the tile, too, of others the tile laid last."""
    if isinstance(action, Place):
        return ((state.tile_in_hand << 20 | action.cell) << 2 | action.rotation) << 1
    return hash((action.text, state.board.kind_of_tile(state.board.last_tile))) << 1 | 1
