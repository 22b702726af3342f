"""`expectimax:D`: all that may come in D turns, weighed by its probability; Star2.5 with probing (Ballard 1983; Hauk, Buro and
Schaeffer 2004; for this game Heyden 2009). Compiled (`build_tools`).

Values are the bot's own chance to win; whoever else plays lessens it (paranoid). Of the claims after a placement that is not the last looked
at, the two that promise most.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.steps import CHANCE, TERMINAL
from carc.bots.judge import Judge, Option, options
from carc.errors import BadBot

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.state import State

PROBED: Final = 5  # replies that a probe looks at
CLAIMS: Final = 2
DEEPEST: Final = 4


class Expectimax:
    """Star2.5. `parameter`: how many turns it looks at, its own the first; 2 unless it is said. Raises `BadBot` at another."""

    name: ClassVar[str] = "expectimax"

    def __init__(self, seed: int = 0, parameter: str = "") -> None:
        self._rng = random.Random(seed)
        if parameter and parameter not in [str(n) for n in range(1, DEEPEST + 1)]:
            raise BadBot(f"{parameter!r} is no number of turns; it is one from 1 to {DEEPEST}")
        self._turns: int = int(parameter or "2")
        self._judge: Judge | None = None
        self._me: int = 0
        self._first: dict[int, Action] = {}  # by kind of tile: what was the best reply last time
        self.looked: int = 0  # positions evaluated for the last decision

    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        self.looked = 0
        if len(legal) == 1:
            return legal[0]
        if self._judge is None or self._judge.rules is not state.rules:
            self._judge = Judge(state.rules, Evaluation(state.rules))
        self._me = state.current_player
        best: list[Action] = []
        top = -1.0
        for option in self._ordered(state):
            after = state.copy()
            after.apply(option.action)
            found = self.value(after, self._turns - 1, max(top, 0.0), 1.0)
            if found > top:
                best, top = [option.action], found
        self._first = {}
        return self._rng.choice(best)

    def value(self, state: State, turns: int, low: float, high: float) -> float:
        """The bot's chance to win, looking so many turns on; exact if it lies between the bounds, else one beyond them."""
        if state.current_player == TERMINAL:
            return self._static(state)
        if state.current_player != CHANCE:
            return self._decided(state, turns, low, high)
        if state.step.name != "draw":
            return self._thrown(state, turns)
        return self._drawn(state, turns - 1, low, high) if turns else self._static(state)

    def _static(self, state: State) -> float:
        assert self._judge is not None
        self.looked += 1
        return self._judge.values(state)[self._me]

    def _ordered(self, state: State) -> list[Option]:
        """What may be done, the most promising for who does it first."""
        assert self._judge is not None
        player = state.current_player
        found = options(self._judge, state)
        self.looked += len(found)
        found.sort(key=lambda option: -option.values[player])
        return found if state.step.name != "claim" else found[:CLAIMS]

    def _decided(
        self, state: State, turns: int, low: float, high: float, most: int = 1 << 30
    ) -> float:
        """Where a player decides: at most so many actions are looked at."""
        if turns == 0:
            return self._replied(state, low, high, most)
        mine = state.current_player == self._me
        best = -1.0 if mine else 2.0
        for option in self._ordered(state)[:most]:
            after = state.copy()
            after.apply(option.action)
            found = self.value(after, turns, low, high)
            if mine:
                best = max(best, found)
                low = max(low, best)
            else:
                best = min(best, found)
                high = min(high, best)
            if low >= high:
                break
        return best

    def _replied(self, state: State, low: float, high: float, most: int) -> float:
        """The same in the last turn looked at, where what promises most for who decides is what is done."""
        judge = self._judge
        assert judge is not None
        player = state.current_player
        mine = player == self._me
        best = -1.0 if mine else 2.0
        kind: int = state.tile_in_hand
        actions = state.legal_actions()
        first = self._first.get(kind)
        if first is not None and first in actions:
            actions.remove(first)
            actions.insert(0, first)
        for action in judge.distinct(state, actions)[:most]:
            after = state.copy()
            after.apply(action)
            self.looked += 1
            found = judge.promise(after, player)[self._me]
            if (found > best) if mine else (found < best):
                best = found
                self._first[kind] = action
            if (best >= high) if mine else (best <= low):
                break
        return best

    def _thrown(self, state: State, turns: int) -> float:
        """Where chance throws something else than a tile."""
        total = 0.0
        for outcome, chance in state.chance_outcomes():
            after = state.copy()
            after.apply(outcome)
            total += chance * self.value(after, turns, 0.0, 1.0)
        return total

    def _drawn(self, state: State, turns: int, low: float, high: float) -> float:
        """Where a tile is drawn: probes bound what each may lead to, and each bound leaves the others less to look for."""
        outcomes = state.chance_outcomes()
        after: list[State] = []
        lows: list[float] = []
        highs: list[float] = []
        least, most = 0.0, 1.0  # what the whole lies between
        for outcome, chance in outcomes:
            drawn = state.copy()
            drawn.apply(outcome)
            after.append(drawn)
            lows.append(0.0)
            highs.append(1.0)
            if drawn.current_player < 0:  # the tile fits nowhere
                continue
            at = len(lows) - 1
            if drawn.current_player == self._me:
                needed = min((high - least) / chance, 1.0)
                lows[at] = self._decided(drawn, turns, 0.0, needed, PROBED)
                least += chance * lows[at]
                if least >= high:
                    return least
            else:
                needed = max((low - most) / chance + 1.0, 0.0)
                highs[at] = self._decided(drawn, turns, needed, 1.0, PROBED)
                most -= chance * (1.0 - highs[at])
                if most <= low:
                    return most
        for at in range(len(outcomes)):
            chance = outcomes[at][1]
            least -= chance * lows[at]
            most -= chance * highs[at]
            under = max((low - most) / chance, 0.0)
            over = min((high - least) / chance, 1.0)
            found = self.value(after[at], turns, under, over)
            least += chance * found
            most += chance * found
            if least >= high or most <= low:
                return least if least >= high else most
        return least
