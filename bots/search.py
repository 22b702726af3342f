"""Search over the beats of a turn and chance: what `greedy` and `mcts` choose by. Compiled (`setup.py`).

Values are each player's chance to win as the evaluation sees it, 0 to 1, so that one search serves any number of players (max^n).
Everything is asked of a `State` as a stranger's bot asks it; no expansion is known.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from carc.base.actions import PASS, Claim, Place
from carc.base.evaluation import Evaluation
from carc.base.steps import CHANCE, TERMINAL

if TYPE_CHECKING:
    import random

    from carc.base.actions import Action
    from carc.base.catalogue import Catalogue
    from carc.base.rules import Rules
    from carc.base.state import State

_SCALE: Final = 4.0  # points of a lead that count at the end
_SCALE_DRAW: Final = 2.5  # and more by the root of the tiles to come
# What a player about to take a turn may expect more, measured in games of `greedy`: 2.1 to 2.8 points early and late, with two
# players and four. Without it positions looked into more deeply would seem better for whoever plays last there.
_TURN: Final = 2.4
_DEEPEST: Final = 4  # choices of one turn that are looked through for what it may bring


class Judge:
    """What positions are worth to each player, by an evaluation."""

    def __init__(self, rules: Rules, evaluation: Evaluation) -> None:
        self.rules: Final = rules
        self.evaluation: Final = evaluation
        self._alike: Final[dict[int, list[int]]] = {}

    def distinct(self, state: State, actions: list[Action]) -> list[Action]:
        """These actions in their order; of placements that look alike on the table the first only."""
        if state.hand < 0:
            return actions
        alike = self._alike_of(state.hand)
        found: list[Action] = []
        seen: set[int] = set()
        for action in actions:
            if isinstance(action, Place):
                look = action.cell * 4 + alike[action.rotation]
                if look in seen:
                    continue
                seen.add(look)
            found.append(action)
        return found

    def _alike_of(self, kind: int) -> list[int]:
        """By rotation of a kind of tile the first that looks the same on the table."""
        known = self._alike.get(kind)
        if known is None:
            looks = [_look_of(self.rules.catalogue, kind * 4 + r) for r in range(4)]
            known = self._alike[kind] = [looks.index(look) for look in looks]
        return known

    def values(self, state: State) -> list[float]:
        """Each player's chance to win, 0 to 1."""
        if state.current_player == TERMINAL:
            return self._ended(state)
        points = self.evaluation.players(state)
        if state.left and state.step.name == "draw":
            points[state.active] += _TURN
        chances = self._chances(state, points)
        for expansion in self.rules.prospects:
            chances = expansion.prospects(state, chances)
        return chances

    def _ended(self, state: State) -> list[float]:
        """Won or lost, and by a little how high."""
        by = self._chances(state, [float(result) for result in state.results()])
        return [
            0.95 * (0.5 + 0.5 * won) + 0.05 * lead
            for won, lead in zip(state.returns(), by, strict=True)
        ]

    def _chances(self, state: State, points: list[float]) -> list[float]:
        """From points to chances: by the lead on the best rival."""
        scale = _SCALE + _SCALE_DRAW * sqrt(state.left)
        n = len(points)
        if n == 1:
            return [1.0 / (1.0 + exp(-points[0] / 100.0))]
        best = max(points)
        at = points.index(best)
        second = max([each for player, each in enumerate(points) if player != at])
        found: list[float] = []
        for player in range(n):
            lead = points[player] - (second if player == at else best)
            found.append(1.0 / (1.0 + exp(-max(min(lead / scale, 30.0), -30.0))))
        return found

    def promise(self, state: State, player: int, deep: int = _DEEPEST) -> list[float]:
        """The values when a player goes on with the turn as well as one look sees."""
        if state.current_player == CHANCE and state.step.name != "draw" and deep:
            return self._thrown(state, player, deep)
        if state.current_player != player or state.step.name == "place" or not deep:
            return self.values(state)
        if state.step.name == "claim" and not self.rules.prospects:
            return self._best_claim(state, player)
        best: list[float] = []
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            found = self.promise(after, player, deep - 1)
            if not best or found[player] > best[player]:
                best = found
        return best

    def _thrown(self, state: State, player: int, deep: int) -> list[float]:
        """The same where the turn goes on with a die: what it brings on average."""
        sums = [0.0] * self.rules.players
        for outcome, chance in state.chance_outcomes():
            after = state.copy()
            after.apply(outcome)
            for at, each in enumerate(self.promise(after, player, deep - 1)):
                sums[at] += chance * each
        return sums

    def _best_claim(self, state: State, player: int) -> list[float]:
        """The same where the turn goes on with a claim: followers are weighed without being put."""
        evaluation = self.evaluation
        points = evaluation.players(state)
        claims: list[Claim] = []
        others: list[Action] = []
        for action in state.legal_actions():
            if isinstance(action, Claim):
                claims.append(action)
            elif action is not PASS:
                others.append(action)
        most = 0.0
        for gain in evaluation.claims(state, claims, player):
            most = max(most, gain)
        points[player] += most
        if state.left:
            points[(player + 1) % len(points)] += _TURN
        best = self._chances(state, points)
        for action in others[:_DEEPEST]:
            after = state.copy()
            after.apply(action)
            found = self.values(after)
            if found[player] > best[player]:
                best = found
        return best


class Node:
    """A position in the tree: who decides, what may be done, and what came of it. A position itself is played to, not kept."""

    def __init__(self) -> None:
        self.player: int = TERMINAL
        self.open: bool = False  # whether it was looked into
        self.actions: list[Action] = []
        self.chances: list[
            float
        ] = []  # of each action: chance's probability, or how likely it is tried
        self.promised: list[list[float]] = []  # of each action, before it is searched
        self.children: list[Node | None] = []
        self.visits: list[int] = []
        self.total: int = 0
        self.value: list[float] = []

    def size(self) -> int:
        """How many nodes hang on it, itself too."""
        count = 0
        waiting = [self]
        while waiting:
            node = waiting.pop()
            count += 1
            for child in node.children:
                if child is not None:
                    waiting.append(child)
        return count


class Search:
    """One tree, grown by `grow`. Seeded: what it finds in a number of iterations is the same each time."""

    def __init__(
        self,
        judge: Judge,
        rng: random.Random,
        *,
        width: int,
        explore: float,
        sharp: float,
        most_nodes: int,
    ) -> None:
        self.judge: Final = judge
        self.width: Final = width
        self.explore: Final = explore
        self.sharp: Final = sharp
        self.most_nodes: Final = most_nodes
        self.nodes: int = 0
        self._rng: Final = rng
        self._offsets: list[float] = []  # by outcome: where chance begins, alike at all nodes

    def root(self, state: State) -> Node:
        """A tree for a position: its root, looked into."""
        node = Node()
        self._look(node, state)
        return node

    def begin_anew(self, seed: int) -> None:
        """Other luck from here on: what chance is tried first."""
        self._rng.seed(f"{seed} {self._rng.random()}")
        self._offsets = []

    def grow(self, root: Node, state: State) -> None:
        """One iteration: down to a turn that was not looked into, and back with what it promises."""
        here = state.copy()
        node = root
        path: list[Node] = []
        taken: list[int] = []
        value: list[float] = root.value
        after_chance = False
        while True:
            if not node.open:
                self._look(node, here)
                if after_chance and node.player != CHANCE:
                    value = node.value
                    break
            if node.player == TERMINAL:
                value = node.value
                break
            after_chance = node.player == CHANCE
            index = self._next_chance(node) if after_chance else self._next(node)
            path.append(node)
            taken.append(index)
            here.apply(node.actions[index])
            child = node.children[index]
            if child is None:
                child = Node()
                if self.nodes < self.most_nodes:
                    node.children[index] = child
            node = child
        for at in range(len(path) - 1, -1, -1):
            node = path[at]
            index = taken[at]
            node.visits[index] += 1
            node.total += 1
            self._back(node, index, value)
            value = node.value

    def best(self, node: Node) -> int:
        """The index of the action to play: tried most, of equals the more promising."""
        best = 0
        for index in range(1, len(node.actions)):
            mine = (node.visits[index], self._worth(node, index))
            if mine > (node.visits[best], self._worth(node, best)):
                best = index
        return best

    # -- looking into a node ----------------------------------------------------------------------------------------

    def _look(self, node: Node, state: State) -> None:
        node.open = True
        node.player = state.current_player
        self.nodes += 1
        if node.player == TERMINAL:
            node.value = self.judge.values(state)
        elif node.player == CHANCE:
            for action, chance in state.chance_outcomes():
                node.actions.append(action)
                node.chances.append(chance)
        else:
            self._options(node, state)
        n = len(node.actions)
        node.children = [None] * n
        node.visits = [0] * n

    def _options(self, node: Node, state: State) -> None:
        """The most promising of what a player may do, best first."""
        player = node.player
        found = options(self.judge, state)
        found.sort(key=lambda option: -option.values[player])
        top = found[0].values[player]
        total = 0.0
        for option in found[: self.width]:
            node.actions.append(option.action)
            node.promised.append(option.values)
            weight = exp((option.values[player] - top) * self.sharp)
            node.chances.append(weight)
            total += weight
        node.chances = [weight / total for weight in node.chances]
        node.value = found[0].values

    # -- choosing what to try ---------------------------------------------------------------------------------------

    def _next_chance(self, node: Node) -> int:
        """The outcome that is most behind its probability; all nodes begin alike, so that what is compared met the same tiles."""
        n = len(node.actions)
        while len(self._offsets) < n:
            self._offsets.append(self._rng.random())
        best = 0
        least = 1e30
        for index in range(n):
            due = (node.visits[index] + self._offsets[index]) / node.chances[index]
            if due < least:
                best, least = index, due
        return best

    def _next(self, node: Node) -> int:
        """The action to try: promising by what is known, or tried less than its prospects deserve."""
        player = node.player
        shift = 0.0  # how what was searched differs from what was promised
        for index in range(len(node.actions)):
            child = node.children[index]
            if child is not None and node.visits[index]:
                shift += (child.value[player] - node.promised[index][player]) * node.visits[index]
        if node.total:
            shift /= node.total
        reach = self.explore * sqrt(1.0 + node.total)
        best = 0
        top = -1e30
        for index in range(len(node.actions)):
            visits = node.visits[index]
            child = node.children[index]
            if child is not None and visits:
                worth = child.value[player]
            else:
                worth = node.promised[index][player] + shift
            worth += reach * node.chances[index] / (1.0 + visits)
            if worth > top:
                best, top = index, worth
        return best

    def _worth(self, node: Node, index: int) -> float:
        child = node.children[index]
        if child is not None and node.visits[index]:
            return child.value[node.player]
        return node.promised[index][node.player]

    # -- what comes back --------------------------------------------------------------------------------------------

    def _back(self, node: Node, index: int, value: list[float]) -> None:
        """A node's value anew: what its children are worth, by probability or by how often they were tried."""
        if node.children[index] is None:  # the tree is full: what is beyond it is only averaged
            n = node.total
            node.value = [
                (old * (n - 1) + new) / n
                for old, new in zip(node.value or value, value, strict=True)
            ]
            return
        sums = [0.0] * len(value)
        total = 0.0
        for at in range(len(node.actions)):
            child = node.children[at]
            if child is None or not node.visits[at]:
                continue
            weight = node.chances[at] if node.player == CHANCE else float(node.visits[at])
            total += weight
            for player in range(len(sums)):
                sums[player] += weight * child.value[player]
        node.value = [each / total for each in sums]


class Option:
    """Something a player may do, and each player's value as it promises."""

    def __init__(self, action: Action, values: list[float]) -> None:
        self.action: Final = action
        self.values: Final = values


def options(judge: Judge, state: State) -> list[Option]:
    """What the player may do with what it promises; of placements that look alike on the table the first only."""
    player = state.current_player
    found: list[Option] = []
    for action in judge.distinct(state, state.legal_actions()):
        after = state.copy()
        after.apply(action)
        found.append(Option(action, judge.promise(after, player)))
    return found


def _look_of(tables: Catalogue, row: i64) -> list[int]:
    """What a tile turned so looks like on the table: rotations of a symmetric tile look the same."""
    number: dict[int, int] = {-1: -1}
    look: list[int] = []
    for at in range(row * 4, row * 4 + 4):
        look.append(tables.terrain[at])
        for table in (tables.main, tables.left, tables.right, tables.overlay):
            look.append(number.setdefault(table[at], len(number)))
    return look
