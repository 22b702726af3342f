"""One look: what positions are worth, and what may be done promises. What `greedy` chooses by and searches build on. Compiled (`build_tools`).

Values are each player's chance to win as the evaluation sees it, 0 to 1, so that any number of players is served alike.
Everything is asked of a `State` as a stranger's bot asks it; no expansion is known.
"""

from __future__ import annotations

from math import exp, inf, sqrt
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.actions import PASS, Claim, Place
from carc.base.game.outcome import results
from carc.base.game.steps import CHANCE, TERMINAL

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.tiles.catalogue import Catalogue

_SCALE: Final = 4.0  # points of a lead that count at the end
_SCALE_DRAW: Final = 2.5  # and more by the root of the tiles to come
# What a player about to take a turn may expect more, measured in games of `greedy`: 2.1 to 2.8 points early and late, with two
# players and four. Without it positions looked into more deeply would seem better for whoever plays last there.
_TURN: Final = 2.4
_GOLDEN: Final = 0.6180339887498949  # its multiples, less what is whole, are spread evenly
_ALL_DIFFER: Final = [0, 1, 2, 3]
_DEEPEST: Final = 4  # choices of one turn that are looked through for what it may bring


class Judge:
    """What positions are worth to each player, by an evaluation."""

    def __init__(self, rules: Rules, evaluation: Evaluation) -> None:
        self.rules: Final = rules
        self.evaluation: Final = evaluation
        self._alike: Final[dict[int, list[int]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Judge, (self.rules, self.evaluation)

    def distinct(self, state: State, actions: list[Action]) -> list[Action]:
        """These actions in their order; of placements that look alike on the table the first only."""
        alike = self._alike_of(state.tile_in_hand) if state.tile_in_hand >= 0 else _ALL_DIFFER
        if alike == _ALL_DIFFER:
            return actions
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
        if state.tiles_left and state.step.name == "draw":
            points[state.active_player] += _TURN
        chances = self._chances(state, points)
        for expansion in self.rules.hooks.win_chances:
            chances = expansion.win_chances(state, chances)
        return chances

    def _ended(self, state: State) -> list[float]:
        """Won or lost, and by a little how high."""
        by = self._chances(state, [float(result) for result in results(state)])
        return [
            0.95 * (0.5 + 0.5 * won) + 0.05 * lead
            for won, lead in zip(state.returns(), by, strict=True)
        ]

    def _chances(self, state: State, points: list[float]) -> list[float]:
        """From points to chances: by the lead on the best rival."""
        scale = _SCALE + _SCALE_DRAW * sqrt(state.tiles_left)
        n = len(points)
        if n == 1:
            return [1.0 / (1.0 + exp(-points[0] / 100.0))]
        best = second = -inf
        for each in points:
            if each > best:
                best, second = each, best
            elif each > second:
                second = each
        found: list[float] = []
        for each in points:
            lead = each - (second if each == best else best)
            found.append(1.0 / (1.0 + exp(-max(min(lead / scale, 30.0), -30.0))))
        return found

    def promise(self, state: State, player: int, deep: int = _DEEPEST) -> list[float]:
        """The values when a player goes on with the turn as well as one look sees."""
        if state.current_player == CHANCE and state.step.name != "draw" and deep:
            return self._thrown(state, player, deep)
        if state.current_player != player or state.step.name == "place" or not deep:
            return self.values(state)
        if self.may_claim(state, player):
            return self.claim(state, player)[1]
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

    def may_claim(self, state: State, player: int) -> bool:
        """Whether a player decides on a claim, and points tell which is best: see `claim`."""
        return (
            state.current_player == player
            and state.step.name == "claim"
            and len(self.rules.hooks.win_chances) == 0
        )

    def claim(self, state: State, player: int) -> tuple[Action, list[float]]:
        """The same where the turn goes on with a claim, and which: followers are weighed without being put."""
        evaluation = self.evaluation
        points = evaluation.players(state)
        claims: list[Claim] = []
        others: list[Action] = []
        legal = state.legal_actions()
        for action in legal:
            if isinstance(action, Claim):
                claims.append(action)
            elif action is not PASS:
                others.append(action)
        chosen = legal[-1]  # to pass, or where one may not, something else that must be
        most = 0.0
        for at, gain in enumerate(evaluation.claims(state, claims, player, looked=True)):
            if gain > most:
                most = gain
                chosen = claims[at]
        points[player] += most
        if state.tiles_left:
            points[(player + 1) % len(points)] += _TURN
        best = self._chances(state, points) if claims or chosen is PASS else []
        for action in others[:_DEEPEST]:
            after = state.copy()
            after.apply(action)
            found = self.values(after)
            if not best or found[player] > best[player]:
                best = found
                chosen = action
        return chosen, best


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


def outcome_at(state: State, luck: float) -> Action:
    """What chance does, where its outcomes lie side by side from 0 to 1, each as wide as it is likely."""
    outcomes = state.chance_outcomes()
    for action, chance in outcomes:
        luck -= chance
        if luck < 0.0:
            return action
    return outcomes[-1][0]


def evenly(first: float, number: int) -> float:
    """The place of one of many, however many, that are spread evenly from 0 to 1; `first` is that of number 0."""
    return (first + number * _GOLDEN) % 1.0
