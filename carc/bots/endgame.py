"""`Endgame`: the exact value of a position when few tiles are left.

Everything that can be drawn is weighed by its probability, and every action is tried. For two
rivals and for a team, where one number says what all can expect, the search is Star2 (Ballard 1983;
Hauk, Buro and Schaeffer 2004): probes of one reply give bounds, and bounds cut off what cannot
matter. For others it is max^n, without bounds. Positions that come about in several ways are
searched once. This module uses only the public methods of `State` and knows no expansion by name.
Compiled (`build_tools`).
"""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING, Any, Final

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.outcome import is_team, results
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.bots.lookahead import Lookahead
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action

OBJECTIVES: Final = ("margin", "win", "win-then-margin")
MOST_POINTS: Final = 1e5  # no margin is larger
WIN_POINTS: Final = 1e6  # what a win counts before the margin: more than margins can outweigh
MAX_POSITIONS: Final = 300_000  # remembered at once
TILES_REMEMBERED: Final = 2  # with fewer to draw, a key costs more than to search again
KILLERS: Final = 6  # replies remembered for each kind of tile
NODES_PER_LOOK: Final = 128  # positions between two looks at the clock
SAME: Final = 1e-9  # differences up to this are rounding


class OutOfBudget(Exception):
    """The budget of a search was not enough. Only for use inside this module."""


class Solution:
    """The solution of a position.

    Attributes:
        values: What each player can expect, by the objective, if all play perfectly.
        action: The best action; None where chance is to decide or the game is over.
        nodes: How many positions the search visited.
    """

    def __init__(self, values: list[float], action: Action | None, nodes: int) -> None:
        self.values: Final = values
        self.action: Final = action
        self.nodes: Final = nodes

    def __repr__(self) -> str:
        values = [round(value, 3) for value in self.values]
        return f"Solution(values={values}, action={self.action}, nodes={self.nodes})"


class Bounds:
    """What is known of the value of a position: it lies between these."""

    def __init__(self, low: float, high: float) -> None:
        self.low: float = low
        self.high: float = high


class Endgame:
    """Solves positions of some rules exactly. It never changes a state it is given.

    Each player maximises the expectation of their own value. By the objective "margin" this is the
    final score minus the best score of the others; for two players, the final margin. By "win" it
    is what the searching bots maximise: 0.95 for a win and up to 0.05 for the lead. By
    "win-then-margin" it is the chance to win, and of equal chances the expected margin. Where
    players win together, it is `State.returns()`, whatever the objective.

    With three or more players, the value can depend on how ties are broken: of actions that are
    equally good for whoever chooses, the first legal one is played.

    Keep one object for the positions of a game: it remembers what it has solved.

    Attributes:
        rules: The rules.
        objective: The objective.
        lowest: No value is lower.
    """

    def __init__(self, rules: Rules, objective: str = "margin") -> None:
        if objective not in OBJECTIVES:
            known = ", ".join(map(repr, OBJECTIVES))
            raise CarcError(f"an objective is one of {known}; not {objective!r}")
        self.rules: Final = rules
        self.objective: Final = objective
        self._lookahead: Final = Lookahead(rules, Evaluation(rules))
        self._is_team: Final = is_team(rules)
        # What two rivals share.
        self._total: Final = {"margin": 0.0, "win": 1.0}.get(objective, WIN_POINTS)
        self.lowest: float = 0.0 if objective == "win" else -MOST_POINTS
        self._highest: float = 1.0 if objective == "win" else self._total + MOST_POINTS
        if self._is_team:
            self.lowest, self._highest = -1.0, 1.0 - SAME  # a certain win may be rounded
        self._bounds: dict[bytes, Bounds] = {}
        self._values: dict[bytes, list[float]] = {}
        # By kind of tile and player: the placements that were best lately, the last one first.
        self._killers: dict[int, list[Action]] = {}
        self._nodes: int = 0
        self._max_nodes: int = 0
        self._end: float = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without what is remembered."""
        return Endgame, (self.rules, self.objective)

    def solve(self, state: State, seconds: float = 0.0, nodes: int = 0) -> Solution | None:
        """Return the solution of a position, or None if the budget is not enough.

        Args:
            state: The position.
            seconds: The CPU time the search may take; 0 for any.
            nodes: How many positions it may visit; 0 for any.

        Raises:
            CarcError: The state has other rules.
        """
        if state.rules is not self.rules and state.rules != self.rules:
            raise CarcError(f"the position has the rules {state.rules}, not {self.rules}")
        self._nodes = 0
        self._max_nodes = nodes
        self._end = thread_time() + seconds if seconds else 0.0
        if len(self._bounds) + len(self._values) > MAX_POSITIONS:
            self._bounds.clear()
            self._values.clear()
        try:
            if self._is_team or self.rules.players == 2:
                return self._best_by_bounds(state)
            return self._best_of_many(state)
        except OutOfBudget:
            return None

    def _count_node(self) -> None:
        self._nodes += 1
        if self._nodes % NODES_PER_LOOK == 0 and self._end and thread_time() > self._end:
            raise OutOfBudget
        if self._max_nodes and self._nodes > self._max_nodes:
            raise OutOfBudget

    def _final_values(self, state: State) -> list[float]:
        """Return each player's value at the end of the game."""
        if self._is_team:
            return state.returns()
        if self.objective == "win":
            return self._lookahead.values(state)
        points = results(state)
        best = max(points)
        winners = points.count(best)
        if winners > 1:
            margins = [float(each - best) for each in points]
        else:
            second = max([each for each in points if each != best])
            margins = [float(each - (second if each == best else best)) for each in points]
        if self.objective == "margin":
            return margins
        share = WIN_POINTS / winners
        return [margin + (share if margin >= 0 else 0.0) for margin in margins]

    # -- two rivals, a team: values of player 0 ---------------------------------------------------

    def _maximizes(self, player: int) -> bool:
        """Return whether a player wants player 0 to have much."""
        return player == 0 or (self._is_team and player > 0)

    def _best_by_bounds(self, state: State) -> Solution:
        best: Action | None = None
        low, high = self.lowest, self._highest
        if state.current_player >= 0:
            legal = self._lookahead.distinct(state, state.legal_actions())
            maximizing = self._maximizes(state.current_player)
            for action in self._ordered(state, legal, []):
                after = state.copy()
                after.apply(action)
                each = self._value(after, low, high)
                if best is None or (each > low + SAME if maximizing else each < high - SAME):
                    best = action
                    if maximizing:
                        low = each
                    else:
                        high = each
                    if low >= high:
                        break
            value = low if maximizing else high
        else:
            value = self._value(state.copy(), low, high)
        others = value if self._is_team else self._total - value
        return Solution([value] + [others] * (self.rules.players - 1), best, self._nodes)

    def _value(self, state: State, low: float, high: float) -> float:
        """Return the value of a position, which may be changed.

        Args:
            state: The position.
            low: The lower bound of the values that matter.
            high: The upper bound.

        Returns:
            The exact value if it lies between the bounds; otherwise a bound that is beyond them.
        """
        self._count_node()
        if state.current_player == TERMINAL:
            return self._final_values(state)[0]
        if state.current_player != CHANCE:
            return self._decision_value(state, low, high, False)
        if state.tiles_left < TILES_REMEMBERED:
            return self._chance_value(state, low, high)
        key = state.key()
        known = self._bounds.get(key)
        if known is None:
            known = Bounds(self.lowest, self._highest)
        if known.low >= high or known.low == known.high:
            return known.low
        if known.high <= low:
            return known.high
        value = self._chance_value(state, max(low, known.low), min(high, known.high))
        if value > low:
            known.low = max(known.low, value)
        if value < high:
            known.high = min(known.high, value)
        self._bounds[key] = known
        return value

    def _decision_value(self, state: State, low: float, high: float, only_one: bool) -> float:
        """Return the value where a player decides.

        Args:
            state: The position.
            low: As in `_value`.
            high: As in `_value`.
            only_one: Try one action only. The value then bounds that of the position.
        """
        maximizing = self._maximizes(state.current_player)
        is_place = state.step.name == "place"
        key: int = state.tile_in_hand * self.rules.players + state.current_player
        legal = self._lookahead.distinct(state, state.legal_actions())
        killers = self._legal_killers(key, legal) if is_place else []
        best = self.lowest if maximizing else self._highest
        for others in (False, True):
            for action in self._ordered(state, legal, killers) if others else killers:
                after = state.copy()
                after.apply(action)
                value = self._value(after, low, high)
                if (value > best) if maximizing else (value < best):
                    best = value
                    if is_place:
                        self._note_killer(key, action)
                if maximizing:
                    low = max(low, best)
                else:
                    high = min(high, best)
                if low >= high or only_one:
                    return best
        return best

    def _legal_killers(self, key: int, legal: list[Action]) -> list[Action]:
        killers = self._killers.get(key)
        return [] if killers is None else [action for action in killers if action in legal]

    def _note_killer(self, key: int, action: Action) -> None:
        killers = self._killers.setdefault(key, [])
        if action in killers:
            killers.remove(action)
        killers.insert(0, action)
        del killers[KILLERS:]

    def _ordered(self, state: State, legal: list[Action], without: list[Action]) -> list[Action]:
        """Return the actions without some, the best-looking one first.

        With one tile or none to draw, looking takes as long as trying.
        """
        actions = [action for action in legal if action not in without] if without else legal
        if state.tiles_left < 2:
            return actions
        lookahead = self._lookahead
        player = state.current_player
        ranked: list[tuple[float, int]] = []
        for at, action in enumerate(actions):
            after = state.copy()
            after.apply(action)
            if lookahead.can_estimate_claims(after, player):
                value = lookahead.best_claim(after, player)[1][player]
            else:
                value = lookahead.values(after)[player]
            ranked.append((0.0 - value, at))
        ranked.sort()
        return [actions[at] for _, at in ranked]

    def _chance_value(self, state: State, low: float, high: float) -> float:
        """Return the value where chance decides, as `_value` does.

        `lows` and `highs` bound the value after each outcome, `lowest` and `highest` the mean.
        """
        outcomes = state.chance_outcomes()
        outcomes.sort(key=lambda outcome: -outcome[1])
        after: list[State] = []
        for outcome, _ in outcomes:
            following = state.copy()
            following.apply(outcome)
            after.append(following)
        if len(after) == 1:
            return self._value(after[0], low, high)
        lows = [self.lowest] * len(after)
        highs = [self._highest] * len(after)
        lowest, highest = self.lowest, self._highest
        for at, following in enumerate(after):
            chance = outcomes[at][1]
            if following.current_player < 0:
                continue
            if self._maximizes(following.current_player):
                needed = min((high - lowest) / chance + self.lowest, self._highest)
                lows[at] = self._decision_value(following, self.lowest, needed, True)
                lowest += chance * (lows[at] - self.lowest)
                if lowest >= high:
                    return lowest
            else:
                needed = max((low - highest) / chance + self._highest, self.lowest)
                highs[at] = self._decision_value(following, needed, self._highest, True)
                highest -= chance * (self._highest - highs[at])
                if highest <= low:
                    return highest
        for at, following in enumerate(after):
            chance = outcomes[at][1]
            lowest -= chance * lows[at]
            highest -= chance * highs[at]
            from_low = max((low - highest) / chance, self.lowest)
            to_high = min((high - lowest) / chance, self._highest)
            value = lows[at]
            if value < highs[at]:
                value = self._value(following, from_low, to_high)
            lowest += chance * value
            highest += chance * value
            if value <= from_low and from_low > self.lowest:
                return min(highest, low)
            if value >= to_high and to_high < self._highest:
                return max(lowest, high)
        return lowest

    # -- three or more rivals: values of every player ---------------------------------------------

    def _best_of_many(self, state: State) -> Solution:
        if state.current_player < 0:
            return Solution(self._values_of(state.copy()), None, self._nodes)
        best, values = self._best_action(state)
        return Solution(values, best, self._nodes)

    def _best_action(self, state: State) -> tuple[Action, list[float]]:
        """Return the first of the actions that are best for whoever decides, and its values."""
        player = state.current_player
        legal = self._lookahead.distinct(state, state.legal_actions())
        best = legal[0]
        best_values: list[float] = []
        for action in legal:
            after = state.copy()
            after.apply(action)
            values = self._values_of(after)
            if not best_values or values[player] > best_values[player] + SAME:
                best, best_values = action, values
        return best, best_values

    def _values_of(self, state: State) -> list[float]:
        """Return the values of a position."""
        self._count_node()
        if state.current_player == TERMINAL:
            return self._final_values(state)
        if state.current_player != CHANCE:
            return self._best_action(state)[1]
        remembers = state.tiles_left >= TILES_REMEMBERED
        key = state.key() if remembers else b""
        known = self._values.get(key)
        if known is not None:
            return known
        means = [0.0] * self.rules.players
        for outcome, chance in state.chance_outcomes():
            after = state.copy()
            after.apply(outcome)
            for player, value in enumerate(self._values_of(after)):
                means[player] += chance * value
        if remembers:
            self._values[key] = means
        return means
