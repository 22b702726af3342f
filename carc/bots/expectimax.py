"""`expectimax:D`: everything that can happen in D turns, weighed by its probability.

Star2.5 with probing (Ballard 1983; Hauk, Buro and Schaeffer 2004; for this game Heyden 2009).
Values are the bot's own chance to win; all other players are assumed to minimise it (paranoid).
After a placement, only the two most promising claims are searched, except in the last turn.
Compiled (`build_tools`).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.evaluation.evaluation import Evaluation
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.bots.lookahead import ActionValues, Lookahead
from carc.errors import BadBot

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.actions import Action

MAX_PROBES: Final = 5  # replies that a probe tries
MAX_CLAIMS: Final = 2
MAX_TURNS: Final = 4


class Expectimax:
    """A Star2.5 search; `evaluations` counts the positions evaluated for the last decision."""

    name: ClassVar[str] = "expectimax"

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        """Set the depth.

        Args:
            seed: The seed.
            parameter: How many turns to search, the bot's own included; 2 by default.

        Raises:
            BadBot: The parameter is not allowed.
        """
        self._rng = random.Random(seed)
        if parameter and parameter not in [str(n) for n in range(1, MAX_TURNS + 1)]:
            raise BadBot(f"{parameter!r} is not a number of turns; allowed are 1 to {MAX_TURNS}")
        self._turns: int = int(parameter or "2")
        self._lookahead: Lookahead | None = None
        self._me: int = 0
        # By kind of tile: the reply that was best the last time.
        self._best_replies: dict[int, Action] = {}
        self.evaluations: int = 0

    def choose(self, state: State) -> Action:
        """Return an action with the highest value."""
        legal = state.legal_actions()
        self.evaluations = 0
        if len(legal) == 1:
            return legal[0]
        if self._lookahead is None or self._lookahead.rules is not state.rules:
            self._lookahead = Lookahead(state.rules, Evaluation(state.rules))
        self._me = state.current_player
        best: list[Action] = []
        best_value = -1.0
        for choice in self._ordered(state):
            after = state.copy()
            after.apply(choice.action)
            value = self.value(after, self._turns - 1, max(best_value, 0.0), 1.0)
            if value > best_value:
                best, best_value = [choice.action], value
        self._best_replies = {}
        return self._rng.choice(best)

    def value(self, state: State, turns: int, low: float, high: float) -> float:
        """Return the bot's chance to win.

        Args:
            state: The state.
            turns: How many turns to search.
            low: The lower bound of the values that matter.
            high: The upper bound.

        Returns:
            The exact value if it lies between the bounds; otherwise a bound that is beyond them.
        """
        if state.current_player == TERMINAL:
            return self._static_value(state)
        if state.current_player != CHANCE:
            return self._decision_value(state, turns, low, high)
        if state.step.name != "draw":
            return self._die_value(state, turns)
        return self._draw_value(state, turns - 1, low, high) if turns else self._static_value(state)

    def _static_value(self, state: State) -> float:
        assert self._lookahead is not None
        self.evaluations += 1
        return self._lookahead.values(state)[self._me]

    def _ordered(self, state: State) -> list[ActionValues]:
        """Return the actions, the one that looks best for who plays it first."""
        assert self._lookahead is not None
        player = state.current_player
        choices = self._lookahead.action_values(state)
        self.evaluations += len(choices)
        choices.sort(key=lambda choice: -choice.values[player])
        return choices if state.step.name != "claim" else choices[:MAX_CLAIMS]

    def _decision_value(
        self, state: State, turns: int, low: float, high: float, max_actions: int = 1 << 30
    ) -> float:
        """Return the value where a player decides, trying at most so many actions."""
        if turns == 0:
            return self._last_decision_value(state, low, high, max_actions)
        maximizing = state.current_player == self._me
        best = -1.0 if maximizing else 2.0
        for choice in self._ordered(state)[:max_actions]:
            after = state.copy()
            after.apply(choice.action)
            value = self.value(after, turns, low, high)
            if maximizing:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best

    def _last_decision_value(
        self, state: State, low: float, high: float, max_actions: int
    ) -> float:
        """Return the value in the last turn searched, which is played by looking one turn ahead."""
        lookahead = self._lookahead
        assert lookahead is not None
        player = state.current_player
        maximizing = player == self._me
        best = -1.0 if maximizing else 2.0
        kind: int = state.tile_in_hand
        actions = state.legal_actions()
        first = self._best_replies.get(kind)
        if first is not None and first in actions:
            actions.remove(first)
            actions.insert(0, first)
        for action in lookahead.distinct(state, actions)[:max_actions]:
            after = state.copy()
            after.apply(action)
            self.evaluations += 1
            value = lookahead.turn_values(after, player)[self._me]
            if (value > best) if maximizing else (value < best):
                best = value
                self._best_replies[kind] = action
            if (best >= high) if maximizing else (best <= low):
                break
        return best

    def _die_value(self, state: State, turns: int) -> float:
        """Return the value where chance decides something other than a draw."""
        total = 0.0
        for outcome, chance in state.chance_outcomes():
            after = state.copy()
            after.apply(outcome)
            total += chance * self.value(after, turns, 0.0, 1.0)
        return total

    def _draw_value(self, state: State, turns: int, low: float, high: float) -> float:
        """Return the value where a tile is drawn.

        Probes first bound the value of each tile. With every bound, less has to be searched for
        the other tiles.
        """
        outcomes = state.chance_outcomes()
        after: list[State] = []
        lows: list[float] = []
        highs: list[float] = []
        lowest, highest = 0.0, 1.0  # the bounds of the whole value
        for outcome, chance in outcomes:
            drawn = state.copy()
            drawn.apply(outcome)
            after.append(drawn)
            lows.append(0.0)
            highs.append(1.0)
            if drawn.current_player < 0:  # the tile cannot be placed
                continue
            at = len(lows) - 1
            if drawn.current_player == self._me:
                needed = min((high - lowest) / chance, 1.0)
                lows[at] = self._decision_value(drawn, turns, 0.0, needed, MAX_PROBES)
                lowest += chance * lows[at]
                if lowest >= high:
                    return lowest
            else:
                needed = max((low - highest) / chance + 1.0, 0.0)
                highs[at] = self._decision_value(drawn, turns, needed, 1.0, MAX_PROBES)
                highest -= chance * (1.0 - highs[at])
                if highest <= low:
                    return highest
        for at in range(len(outcomes)):
            chance = outcomes[at][1]
            lowest -= chance * lows[at]
            highest -= chance * highs[at]
            tile_low = max((low - highest) / chance, 0.0)
            tile_high = min((high - lowest) / chance, 1.0)
            value = self.value(after[at], turns, tile_low, tile_high)
            lowest += chance * value
            highest += chance * value
            if lowest >= high or highest <= low:
                return lowest if lowest >= high else highest
        return lowest
