"""`EndSolver`: solves the last positions of a game in a part of a bot's search budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.bots.endgame import SAME, Endgame

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.bots.search_budget import SearchTimer
    from carc.bots.session import Clock

# The budgets of a search that solving a position may take: with several tiles to draw, where it
# takes long, and with one or none. The former happens once or twice a game.
SOLVING_SEVERAL, SOLVING_LAST = 3.0, 0.5


class EndSolver:
    """Solves positions with few tiles left by `Endgame`, to win."""

    def __init__(self, nodes: int, seconds: float, most_tiles: int) -> None:
        """Set the budget of a search; one of its two numbers is 0.

        Args:
            nodes: How many positions can be visited in the time of a search.
            seconds: The CPU time of a search.
            most_tiles: With more tiles to draw, nothing is solved.
        """
        self._nodes = nodes
        self._seconds = seconds
        self._most_tiles = most_tiles
        self._endgame: Endgame | None = None

    def best_action(self, state: State, timer: SearchTimer, clock: Clock | None) -> Action | None:
        """Return the best action, or None if the part of the budget is not enough to find it.

        Where all is lost, every action is as good: then there is none, either.

        Args:
            state: The position.
            timer: That of the search, which has its whole time if there is none.
            clock: The bot's clock; a quarter of its limit is used at most.
        """
        if state.tiles_left > self._most_tiles:
            return None
        if self._endgame is None or self._endgame.rules is not state.rules:
            self._endgame = Endgame(state.rules, "win")
        share = SOLVING_SEVERAL if state.tiles_left > 1 else SOLVING_LAST
        seconds = self._seconds * share
        if clock is not None and seconds:
            seconds = min(seconds, clock.limit / 4)
        solution = self._endgame.solve(state, seconds, int(self._nodes * share))
        if solution is None or solution.values[state.current_player] <= self._endgame.lowest + SAME:
            timer.continue_from(0.0)
            return None
        return solution.action
