"""The searches behind an analysis: that of `strong`, and for a team that of `team-mcts`."""

import random
from typing import Protocol

from carc.analysis.outlook import Appraiser, Outlook
from carc.base.game.playout import random_action
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.steps import CHANCE
from carc.bots.lookahead import golden_sequence, outcome_at
from carc.bots.mcts import Strong
from carc.bots.mcts_playouts import Playouts
from carc.bots.team_mcts import PRIOR_WEIGHT, TeamMCTS
from carc.bots.team_search import TeamSearch

_ALL = 1000  # lines: more than a turn has


class Candidate:
    """A line of play, and what its playouts were worth.

    Attributes:
        actions: The actions.
        after: The position after them.
        prior: The outlook of that position.
        outlooks: The outlooks of the positions in which its playouts ended.
        exact: The exact outlook after the line; None if it is not known.
    """

    def __init__(self, actions: list[Action], after: State, prior: Outlook) -> None:
        self.actions = actions
        self.after = after
        self.prior = prior
        self.outlooks: list[Outlook] = []
        self.exact = prior if after.is_terminal else None

    def mean(self, player: int, prior_weight: float = 0.0) -> tuple[float, float]:
        """Return a player's chance and margin: exact, or the mean of playouts and priors."""
        if self.exact is not None:
            return self.exact.chances[player], self.exact.margins[player]
        if not self.outlooks:
            return self.prior.chances[player], self.prior.margins[player]
        weight = len(self.outlooks) + prior_weight
        chance = sum(each.chances[player] for each in self.outlooks)
        margin = sum(each.margins[player] for each in self.outlooks)
        return (
            (chance + prior_weight * self.prior.chances[player]) / weight,
            (margin + prior_weight * self.prior.margins[player]) / weight,
        )


class Engine(Protocol):
    """Lines of a turn and their playouts. The same number of a playout draws the same tiles.

    The outlook of a line counts as `prior_weight` playouts when lines are chosen.
    """

    prior_weight: float

    def lines(self, state: State, seed: int) -> list[tuple[list[Action], State]]:
        """Start a decision and return the lines that look best, with the position after each."""

    def begin(self, state: State, seed: int) -> None:
        """Start playouts from a position and those that follow it."""

    def end_of_playout(self, state: State, index: int) -> State:
        """Return the position in which a playout ends."""

    def settle(self, state: State) -> State:
        """Return the position before the next draw, if all play what looks best."""


def engine_for(appraiser: Appraiser, turns: int = Strong.turns) -> Engine:
    """Return the engine for the rules of an appraiser; its playouts last so many turns.

    Those of a team always end as in `team-mcts`.
    """
    return _TeamEngine(appraiser) if appraiser.is_team else _RivalEngine(appraiser, turns)


def is_same_turn(state: State, player: int) -> bool:
    """Return whether a player goes on with a move that has begun."""
    return state.current_player == player and state.step.name != "place"


class _RivalEngine:
    """The lines and playouts of `strong`."""

    def __init__(self, appraiser: Appraiser, turns: int) -> None:
        self.prior_weight = Strong.prior_weight
        self._playouts = self._make(appraiser, turns, Strong.width, Strong.max_lines)
        self._replies = self._make(appraiser, 0, 1, 1)
        self._all = self._make(appraiser, 0, _ALL, _ALL)

    def _make(self, appraiser: Appraiser, turns: int, width: int, max_lines: int) -> Playouts:
        return Playouts(
            appraiser.lookahead,
            width=width,
            max_lines=max_lines,
            turns=turns,
            max_placements=Strong.max_placements,
            prior_weight=Strong.prior_weight,
        )

    def lines(self, state: State, seed: int) -> list[tuple[list[Action], State]]:
        self._playouts.begin(state, seed)
        # The last move of a game is looked at completely.
        source = self._playouts if state.tiles_left else self._all
        return [(line.actions, line.after) for line in source.start(state, seed)]

    def begin(self, state: State, seed: int) -> None:
        self._playouts.begin(state, seed)

    def end_of_playout(self, state: State, index: int) -> State:
        return self._playouts.end_of_playout(state, index)

    def settle(self, state: State) -> State:
        self._replies.begin(state, 0)
        return self._replies.end_of_playout(state, 0)


class _TeamEngine:
    """The options and playouts of `team-mcts`."""

    def __init__(self, appraiser: Appraiser) -> None:
        self.prior_weight = PRIOR_WEIGHT
        self._search = TeamSearch(
            appraiser.lookahead,
            turns=TeamMCTS.turns,
            width=TeamMCTS.width,
            playout_width=TeamMCTS.playout_width,
            endgame_tiles=TeamMCTS.endgame_tiles,
        )
        self._seed = 0
        self._first_quantile = 0.0

    def lines(self, state: State, seed: int) -> list[tuple[list[Action], State]]:
        self.begin(state, seed)
        options = self._search.actions(state)[: TeamMCTS.width]
        return [self._rest(state, option.action) for option in options]

    def _rest(self, state: State, action: Action) -> tuple[list[Action], State]:
        """Return an action with what looks best after it in the same move."""
        player = state.current_player
        actions = [action]
        after = state.copy()
        after.apply(action)
        while is_same_turn(after, player):
            actions.append(self._search.best_action(after))
            after.apply(actions[-1])
        return actions, after

    def begin(self, state: State, seed: int) -> None:
        self._seed = seed
        self._first_quantile = random.Random(seed).random()

    def end_of_playout(self, state: State, index: int) -> State:
        rng = random.Random(self._seed + index)
        quantile = golden_sequence(self._first_quantile, index)
        return self._play_on(state.copy(), TeamMCTS.turns, rng, quantile)

    def settle(self, state: State) -> State:
        return self._play_on(state.copy(), 0, random.Random(0), -1.0)

    def _play_on(self, state: State, turns: int, rng: random.Random, quantile: float) -> State:
        """Play some turns in place; the quantile decides the first draw (`outcome_at`)."""
        while not state.is_terminal:
            if state.current_player != CHANCE:
                state.apply(self._search.best_action(state))
                continue
            if state.step.name == "draw":
                if turns == 0:
                    break
                turns -= 1
            if quantile >= 0.0:
                state.apply(outcome_at(state, quantile))
                quantile = -1.0
            else:
                state.apply(random_action(state, rng))
        return state
