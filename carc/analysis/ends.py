"""`Ends`: exact outlooks when few tiles are left. Every way to play on is tried."""

from carc.analysis.outlook import Appraiser, Outlook, mean_outlook
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.steps import CHANCE
from carc.bots.endgame import Endgame, Solution

MOST_TILES = 2
"""With more tiles to draw, nothing is solved: it takes too long."""


class OutOfBudget(Exception):
    """The positions that a search may visit were not enough."""


class Ends:
    """Solves positions of some rules. All players play perfectly: to win, and then for the margin.

    Use a new object for each decision: what it remembers changes how much it can solve.
    """

    def __init__(self, appraiser: Appraiser, nodes: int) -> None:
        """Use an appraiser for the ends of games; so many positions may be visited in all calls."""
        self._appraiser = appraiser
        self._endgame = Endgame(appraiser.lookahead.rules, "win-then-margin")
        self._nodes = nodes

    def best_line(self, state: State) -> tuple[list[Action], State]:
        """Return the best rest of a turn, and the position after it, or raise `OutOfBudget`."""
        player = state.current_player
        actions: list[Action] = []
        after = state.copy()
        while after.current_player == player and (not actions or after.step.name != "place"):
            action = self._solution(after).action
            assert action is not None
            actions.append(action)
            after.apply(action)
        return actions, after

    def outlook(self, state: State) -> Outlook:
        """Return the outlook if all play perfectly from there on, or raise `OutOfBudget`."""
        if state.is_terminal:
            return self._appraiser.outlook(state)
        if state.current_player == CHANCE:
            return mean_outlook(
                [
                    (self.outlook(_after(state, outcome)), chance)
                    for outcome, chance in state.chance_outcomes()
                ]
            )
        action = self._solution(state).action
        assert action is not None
        return self.outlook(_after(state, action))

    def _solution(self, state: State) -> Solution:
        if self._nodes < 1:
            raise OutOfBudget
        solution = self._endgame.solve(state, nodes=self._nodes)
        if solution is None:
            self._nodes = 0
            raise OutOfBudget
        self._nodes -= solution.nodes
        return solution


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after
