"""`uct`, `mcts-rave`: plain Monte Carlo tree search, the yardstick of publications.

Games are played at random to the end, without an evaluation. Chance is drawn anew in each
iteration, and each player maximises their share of all points (max^n). Compiled (`build_tools`).
"""

from __future__ import annotations

import random
from math import log, sqrt
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.game.outcome import results
from carc.base.game.playout import playout, random_action
from carc.base.turn.actions import Action, Place
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.bots.search_budget import SearchTimer, parse_budget

if TYPE_CHECKING:
    from carc.base.game.state import State

EXPLORATION: Final = 0.05  # of UCB1, for shares of the points
EQUIVALENCE: Final = 200.0  # visits at which an action's own results weigh as much as RAVE's


class Node:
    """A decision in the tree.

    Attributes:
        player: Who decides.
        actions: The legal actions; what else is kept of them has the same order.
        untried: The indices of actions to try first, from the end.
        visits: How often each action was tried.
        sums: The sum of the results after each action.
        children: The nodes below, by the text of an action and of the chance outcomes after it.
        total: The number of visits of the node.
        indices: With RAVE, the index of each action by its key (`_key`).
        later_visits: With RAVE, how often each action was played here or later in an iteration.
        later_sums: The sum of the results of these iterations.
    """

    def __init__(self, player: int, actions: list[Action], untried: list[int]) -> None:
        self.player: Final = player
        self.actions: Final = actions
        self.untried: Final = untried
        self.visits: Final = [0] * len(actions)
        self.sums: Final = [0.0] * len(actions)
        self.children: Final[dict[str, Node]] = {}
        self.total: int = 0
        self.indices: Final[dict[int, int]] = {}
        self.later_visits: Final = [0] * len(actions)
        self.later_sums: Final = [0.0] * len(actions)

    def update(self, index: int, value: float) -> None:
        """Add the result of an iteration that took this action."""
        self.visits[index] += 1
        self.sums[index] += value
        self.total += 1

    def update_later(self, played: list[int], players: list[int], first: int, value: float) -> None:
        """Add the result to every action that the same player played from here on (RAVE)."""
        for at in range(first, len(played)):
            index = self.indices.get(played[at], -1) if players[at] == self.player else -1
            if index >= 0:
                self.later_visits[index] += 1
                self.later_sums[index] += value


class UCT:
    """UCB1 over random games; `iterations` counts those of the last decision."""

    name: ClassVar[str] = "uct"
    parameter: ClassVar[str] = "0.2s"
    rave: ClassVar[bool] = False

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set the budget.

        The parameter is iterations per decision, `500`, or seconds of CPU time, `0.2s`. Raises
        `BadBot` if it is not allowed.
        """
        self._rng = random.Random(seed)
        self._max_iterations, self._seconds = parse_budget(parameter or self.parameter)
        self.iterations: int = 0

    def choose(self, state: State) -> Action:
        """Return the action with the most visits."""
        timer = SearchTimer(self._seconds)
        self.iterations = 0
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        root = self._node(state)
        while (
            self.iterations < self._max_iterations if self._max_iterations else timer.share() < 1.0
        ):
            self._iterate(root, state)
            self.iterations += 1
        best = 0
        for index in range(len(legal)):
            if root.visits[index] > root.visits[best]:
                best = index
        return legal[best]

    def _node(self, state: State) -> Node:
        actions = state.legal_actions()
        untried = list(range(len(actions)))
        self._rng.shuffle(untried)
        node = Node(state.current_player, actions, untried)
        if self.rave:
            for index, action in enumerate(actions):
                node.indices[_key(state, action)] = index
        return node

    def _iterate(self, root: Node, state: State) -> None:
        """Descend, add a node, play at random to the end, and update the nodes on the path."""
        here = state.copy()
        node = root
        path: list[Node] = []
        taken: list[int] = []
        depths: list[int] = []  # for each node, how many actions were played before it
        played: list[int] = []  # with RAVE: the keys of all actions from the root on
        players: list[int] = []  # and who played them
        while True:
            index = self._select(node)
            path.append(node)
            taken.append(index)
            depths.append(len(played))
            action = node.actions[index]
            if self.rave:
                played.append(_key(here, action))
                players.append(node.player)
            here.apply(action)
            branch = action.text
            while here.current_player == CHANCE:
                action = random_action(here, self._rng)
                branch += action.text
                here.apply(action)
            if here.current_player == TERMINAL:
                break
            child = node.children.get(branch)
            if child is None:
                node.children[branch] = self._node(here)
                break
            node = child
        self._play_out(here, played, players)
        values = _shares(here)
        for at in range(len(path)):
            path[at].update(taken[at], values[path[at].player])
            if self.rave:
                path[at].update_later(played, players, depths[at], values[path[at].player])

    def _select(self, node: Node) -> int:
        """Return the index of the action to try: an untried one, else the best by UCB1.

        With RAVE only the first one is tried blindly.
        """
        if node.untried and not (self.rave and node.total):
            return node.untried.pop()
        best = 0
        best_bound = -1.0
        log_total = log(1.0 + node.total)
        for index in range(len(node.actions)):
            visits = node.visits[index]
            bound = 2.0 if not visits else node.sums[index] / visits
            if self.rave and node.later_visits[index]:
                later = node.later_sums[index] / node.later_visits[index]
                weight = sqrt(EQUIVALENCE / (3.0 * visits + EQUIVALENCE))
                bound = weight * later + (1.0 - weight) * (bound if visits else later)
            bound += EXPLORATION * sqrt(log_total / (visits + 1))
            if bound > best_bound:
                best, best_bound = index, bound
        return best

    def _play_out(self, state: State, played: list[int], players: list[int]) -> None:
        """Play at random to the end; with RAVE, note what is played."""
        if not self.rave:
            playout(state, self._rng)
            return
        while state.current_player != TERMINAL:
            action = random_action(state, self._rng)
            if state.current_player != CHANCE:
                played.append(_key(state, action))
                players.append(state.current_player)
            state.apply(action)


class RAVE(UCT):
    """`uct` with rapid action value estimation: all moves as first."""

    name: ClassVar[str] = "mcts-rave"
    rave: ClassVar[bool] = True


def _shares(state: State) -> list[float]:
    """Return each player's share of all points; where players win together, 1 if they won."""
    if len(state.rules.hooks.returns):
        return [0.5 + 0.5 * utility for utility in state.returns()]
    points = [float(max(result, 0)) for result in results(state)]
    total = sum(points)
    return [each / total if total else 1.0 / len(points) for each in points]


def _key(state: State, action: Action) -> int:
    """Return what identifies an action: a placement with its tile; others with the last tile."""
    if isinstance(action, Place):
        return ((state.tile_in_hand << 20 | action.cell) << 2 | action.rotation) << 1
    return hash((action.text, state.board.kind_of_tile(state.board.last_tile))) << 1 | 1
