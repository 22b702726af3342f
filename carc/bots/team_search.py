"""`TeamSearch`: what a team can do, valued by a look ahead and by playouts.

All seats want the same. A position's value is the chance to win that the expansions of the rules
estimate (`Estimates.win_chances`), from 0 to 1, and to a small part the score. `team-mcts` chooses
by it. This module uses only the public methods of `State` and knows no expansion by name. Compiled
(`build_tools`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from carc.base.game.outcome import results
from carc.base.game.playout import random_action
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.bots.lookahead import outcome_at

if TYPE_CHECKING:
    import random

    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.bots.lookahead import Lookahead

# The share of the score in a position's value: it tells apart games that are equally won or lost.
_SCORE_SHARE: Final = 0.03


class RootAction:
    """An action of the decision at hand, and what its playouts were worth.

    Attributes:
        action: The action.
        prior: Its value before any playout.
        after: The position where its playouts begin; None before the first.
        total: The sum of the values of its playouts.
        visits: How many playouts it had.
    """

    def __init__(self, action: Action, prior: float) -> None:
        self.action: Final = action
        self.prior: float = prior
        self.after: State | None = None
        self.total: float = 0.0
        self.visits: int = 0

    def mean(self, prior_weight: float) -> float:
        """Return the mean value of the playouts, with the prior as some of them."""
        return (self.total + prior_weight * self.prior) / (self.visits + prior_weight)


class TeamSearch:
    """Values of a team's actions. It never changes a state it is given, except in `playout`."""

    def __init__(
        self,
        lookahead: Lookahead,
        *,
        turns: int,
        width: int,
        playout_width: int,
        endgame_tiles: int = 0,
        win_chances: Sequence[Callable[[State, list[float]], list[float]]] = (),
    ) -> None:
        """Prepare for the decisions of some rules.

        Args:
            lookahead: Tells distinct placements, and has the rules.
            turns: How many turns a playout lasts after the present one.
            width: How many placements are continued with the next decision: those that look best.
            playout_width: The same in playouts.
            endgame_tiles: With fewer tiles left, a playout goes on to the end.
            win_chances: Used in place of those of the rules' expansions.
        """
        self.rules: Final[Rules] = lookahead.rules
        self._lookahead: Final = lookahead
        self._win_chances: Final = list(win_chances) or [
            estimates.win_chances for estimates in lookahead.rules.estimates.win_chances
        ]
        self.turns: Final = turns
        self.endgame_tiles: Final = endgame_tiles
        self.width: Final = width
        self.playout_width: Final = playout_width

    def value(self, state: State) -> float:
        """Return the value of a position."""
        players = self.rules.players
        chance = 0.0
        if state.current_player == TERMINAL:
            for won in state.returns():
                chance += 0.5 + 0.5 * won
        else:
            chances = [0.5] * players
            for estimate in self._win_chances:
                chances = estimate(state, chances)
            for each in chances:
                chance += each
        points = 0.0
        for result in results(state):
            points += result
        points /= players
        return (1.0 - _SCORE_SHARE) * chance / players + _SCORE_SHARE * points / (100.0 + points)

    # -- looking ahead ----------------------------------------------------------------------------

    def actions(self, state: State) -> list[RootAction]:
        """Return the distinct actions, the one with the highest prior first."""
        return self._ranked(state, self.width)

    def best_action(self, state: State) -> Action:
        """Return the action that looks best without playouts."""
        if state.count_actions() == 1:
            return state.action_at(0)
        return self._ranked(state, self.playout_width)[0].action

    def _ranked(self, state: State, width: int) -> list[RootAction]:
        """Return the actions by prior; the best placements are continued with the next decision."""
        actions: list[RootAction] = []
        placing = state.step.name == "place"
        for action in self._lookahead.distinct(state, state.legal_actions()):
            after = state.copy()
            after.apply(action)
            if not placing:
                self._finish_turn(after)
            actions.append(RootAction(action, self.value(after)))
        actions = _by_prior(actions)
        if placing:
            for placement in actions[:width]:
                after = state.copy()
                after.apply(placement.action)
                placement.prior = self._value_after_decision(after)
            actions[:width] = _by_prior(actions[:width])
        return actions

    def _value_after_decision(self, state: State) -> float:
        """Return the value after the best next decision of the turn."""
        if not _is_mid_turn(state):
            return self.value(state)
        best = -1.0
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            self._finish_turn(after)
            best = max(best, self.value(after))
        return best

    def _finish_turn(self, state: State) -> None:
        """Play to the end of the turn; each decision maximises the value right after it."""
        while _is_mid_turn(state):
            if state.count_actions() == 1:
                state.apply(state.action_at(0))
                continue
            best = -1.0
            chosen = state.action_at(0)
            for action in state.legal_actions():
                after = state.copy()
                after.apply(action)
                value = self.value(after)
                if value > best:
                    chosen, best = action, value
            state.apply(chosen)

    # -- playouts ---------------------------------------------------------------------------------

    def play(self, action: RootAction, state: State, rng: random.Random, quantile: float) -> None:
        """Play a playout of an action and add its value; see `playout`."""
        if action.after is None:
            action.after = self._after_turn(state, action.action)
        action.total += self.playout(action.after.copy(), rng, quantile)
        action.visits += 1

    def playout(self, state: State, rng: random.Random, quantile: float) -> float:
        """Play some turns and return the value of the best use of the last tile drawn.

        Args:
            state: The state, which is changed.
            rng: Decides chance outcomes after the first draw.
            quantile: Decides the first draw (`outcome_at`).
        """
        turns_left = self.turns
        while state.current_player != TERMINAL:
            if state.current_player != CHANCE:
                state.apply(self.best_action(state))
                continue
            draws = state.step.name == "draw" and state.tiles_left >= self.endgame_tiles
            if draws and turns_left <= 0:
                break
            if draws and turns_left == self.turns:
                state.apply(outcome_at(state, quantile))
            else:
                state.apply(random_action(state, rng))
            if draws:
                turns_left -= 1
                if turns_left <= 0 and state.current_player >= 0:
                    return self._ranked(state, self.playout_width)[0].prior
        return self.value(state)

    def _after_turn(self, state: State, action: Action) -> State:
        """Return the position after an action and what looks best from there until chance acts."""
        after = state.copy()
        after.apply(action)
        while after.current_player >= 0:
            after.apply(self.best_action(after))
        return after


def _by_prior(actions: list[RootAction]) -> list[RootAction]:
    return sorted(actions, key=lambda action: -action.prior)


def _is_mid_turn(state: State) -> bool:
    """Return whether there is something to decide besides a placement."""
    return state.current_player >= 0 and state.step.name != "place"
