"""`team-mcts`: the search of `mcts` for `mists:LEVEL`. Won or lost is what the rules give; until then what `careful` sees in a position."""

from math import exp

from carc import Rules, State
from carc.base.evaluation import Evaluation
from carc.bots.careful import Look
from carc.bots.mcts import MCTS
from carc.bots.search import Judge, Node

_SCALE = 15.0  # points of worth that make much of a difference


class TeamJudge(Judge):
    """A team's chance to win, alike for all its players: more the better a position is than the one that is decided in."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, Evaluation(rules))
        self._look: Look | None = None
        self._now = 0.0

    def begin(self, state: State) -> None:
        self._look = Look(state, "team-mcts")
        self._now = self._look.worth(state)

    def values(self, state: State) -> list[float]:
        if state.is_terminal:
            return [0.5 + 0.5 * won for won in state.returns()]
        assert self._look is not None
        better = (self._look.worth(state) - self._now) / _SCALE
        return [0.02 + 0.96 / (1.0 + exp(-max(-30.0, min(30.0, better))))] * self.rules.players

    def promise(self, state: State, player: int, deep: int = 0) -> list[float]:
        """What a placement is worth before anything is claimed: claims have nodes of their own."""
        return self.values(state)


class TeamMCTS(MCTS):
    """`mcts` for teams; at each decision a new tree. Raises `BadBot` at another game."""

    name = "team-mcts"
    parameter = "0.5s"

    def _judging(self, rules: Rules) -> Judge:
        return TeamJudge(rules)

    def _kept(self, state: State) -> Node | None:
        assert self._search is not None
        self._search.nodes = 0
        return None
