"""Planning for a team: every seat wants the same. What `team-mcts` chooses by. Compiled (`build_tools`).

A position's value is the chance to win that the rules' expansions see in it (`Expansion.prospects`), 0 to 1, and by a little the
score. Everything is asked of a `State` as a stranger's bot asks it; no expansion is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from carc.base.game.outcome import results
from carc.base.game.playout import random_action
from carc.base.game.steps import CHANCE, TERMINAL
from carc.bots.judge import outcome_at

if TYPE_CHECKING:
    import random

    from carc.base.game.actions import Action
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.bots.judge import Judge

_PROGRESS: Final = 0.03  # of a position's value, what tells apart games that are won or lost alike


class Option:
    """Something a seat may do, with what it promises the team."""

    def __init__(self, action: Action, value: float) -> None:
        self.action: Final = action
        self.value: float = value
        self.after: State | None = None  # the position playouts go on from, once there is one
        self.total: float = 0.0  # of the playouts that began with it
        self.visits: int = 0

    def worth(self, trust: float) -> float:
        """The mean of its playouts, among which what it promises counts as so many."""
        return (self.total + trust * self.value) / (self.visits + trust)


class Planner:
    """Weighs a decision by playouts of some turns in which every seat plays for the team, valued where they stop.

    `turns`: how many turns a playout goes on after the one at hand; with fewer than `ending` tiles left it goes on to the end.
    `width`: so many placements are looked into with what may be done after them, the most promising; `narrow`: the same in
    playouts. `prospects`: in place of those of the rules.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        turns: int,
        width: int,
        narrow: int,
        ending: int = 0,
        prospects: Sequence[Callable[[State, list[float]], list[float]]] = (),
    ) -> None:
        self.rules: Final[Rules] = judge.rules
        self._judge: Final = judge
        self._prospects: Final = list(prospects) or [
            expansion.win_chances for expansion in judge.rules.hooks.win_chances
        ]
        self.turns: Final = turns
        self.ending: Final = ending
        self.width: Final = width
        self.narrow: Final = narrow

    def value(self, state: State) -> float:
        """How likely the team wins, 0 to 1, and by a little how far it has come."""
        players = self.rules.players
        chance = 0.0
        if state.current_player == TERMINAL:
            for won in state.returns():
                chance += 0.5 + 0.5 * won
        else:
            chances = [0.5] * players
            for told in self._prospects:
                chances = told(state, chances)
            for one in chances:
                chance += one
        points = 0.0
        for result in results(state):
            points += result
        points /= players
        return (1.0 - _PROGRESS) * chance / players + _PROGRESS * points / (100.0 + points)

    # -- one look ---------------------------------------------------------------------------------

    def options(self, state: State) -> list[Option]:
        """What may be done with what it promises, best first; of placements that look alike on the table the first only."""
        return self._looked_into(state, self.width)

    def decide(self, state: State) -> Action:
        """What one look sees as best."""
        if state.count_actions() == 1:
            return state.action_at(0)
        return self._looked_into(state, self.narrow)[0].action

    def _looked_into(self, state: State, width: int) -> list[Option]:
        """The same; of placements, the most promising by what may be done after them."""
        found: list[Option] = []
        placing = state.step.name == "place"
        for action in self._judge.distinct(state, state.legal_actions()):
            after = state.copy()
            after.apply(action)
            if not placing:
                self._finish(after)
            found.append(Option(action, self.value(after)))
        found = _by_value(found)
        if placing:
            for option in found[:width]:
                after = state.copy()
                after.apply(option.action)
                option.value = self._next_best(after)
            found[:width] = _by_value(found[:width])
        return found

    def _next_best(self, state: State) -> float:
        """A position's value when the next decision of its turn is made as well as one look sees."""
        if not _goes_on(state):
            return self.value(state)
        best = -1.0
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            self._finish(after)
            best = max(best, self.value(after))
        return best

    def _finish(self, state: State) -> None:
        """Go on to the end of the turn, each decision as the position right after it looks best."""
        while _goes_on(state):
            if state.count_actions() == 1:
                state.apply(state.action_at(0))
                continue
            top = -1.0
            chosen = state.action_at(0)
            for action in state.legal_actions():
                after = state.copy()
                after.apply(action)
                value = self.value(after)
                if value > top:
                    chosen, top = action, value
            state.apply(chosen)

    # -- playouts ---------------------------------------------------------------------------------

    def playout(self, state: State, rng: random.Random, at: float) -> float:
        """The value of a position some turns later, as the best use of the last tile drawn promises; changes the state given.

        The first tile is the one `at` this place, 0 to 1, of what may be drawn; from then on chance throws with `rng`.
        """
        turns = self.turns
        while state.current_player != TERMINAL:
            if state.current_player != CHANCE:
                state.apply(self.decide(state))
                continue
            draws = state.step.name == "draw" and state.tiles_left >= self.ending
            if draws and turns <= 0:
                break
            if draws and turns == self.turns:
                state.apply(outcome_at(state, at))
            else:
                state.apply(random_action(state, rng))
            if draws:
                turns -= 1
                if turns <= 0 and state.current_player >= 0:
                    return self._looked_into(state, self.narrow)[0].value
        return self.value(state)

    def try_out(self, state: State, option: Option, rng: random.Random, at: float) -> None:
        """One more playout that begins with an option; `at`: see `playout`."""
        if option.after is None:
            option.after = self._decided(state, option.action)
        option.total += self.playout(option.after.copy(), rng, at)
        option.visits += 1

    def _decided(self, state: State, action: Action) -> State:
        """The position after an action and what one look sees as best from there on, up to where chance acts."""
        after = state.copy()
        after.apply(action)
        while after.current_player >= 0:
            after.apply(self.decide(after))
        return after


def _by_value(options: list[Option]) -> list[Option]:
    return sorted(options, key=lambda option: -option.value)


def _goes_on(state: State) -> bool:
    """Whether the turn is not over: there is something to decide besides placing a tile."""
    return state.current_player >= 0 and state.step.name != "place"
