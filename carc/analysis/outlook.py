"""`Appraiser`: each player's chance to win and expected final margin, without a search."""

from collections.abc import Sequence
from typing import NamedTuple

from carc.analysis.chances import SPREADS, TURN_POINTS, chances, kind
from carc.base.evaluation.learned_weights import best_evaluation
from carc.base.game.outcome import is_team, results
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.bots.lookahead import Lookahead


class Outlook(NamedTuple):
    """What a position promises each player: the chance to win, the expected final margin."""

    chances: tuple[float, ...]
    margins: tuple[float, ...]


class Appraiser:
    """Outlooks of positions under some rules; `is_team`: all players win or lose together."""

    def __init__(self, rules: Rules) -> None:
        self.lookahead = Lookahead(rules, best_evaluation(rules))
        self.is_team = is_team(rules)
        self._spread = SPREADS[kind(rules)]
        self._goal = float(rules.start().to_dict().get("goal", 0)) if self.is_team else 0.0

    def outlook(self, state: State) -> Outlook:
        """Return the outlook of a position: certain at the end of a game, else estimated."""
        if self.is_team:
            return self._team_outlook(state)
        points = self._points(state)
        margins = [lead(points, player) for player in range(len(points))]
        if not state.is_terminal:
            return Outlook(tuple(chances(points, state.tiles_left, self._spread)), tuple(margins))
        winners = state.winners
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(len(points))]
        return Outlook(tuple(shares), tuple(margins))

    def _points(self, state: State) -> list[float]:
        """Return each player's expected final points; having the move counts."""
        points = self.lookahead.evaluation.players(state)
        if state.step.name == "draw" and not state.is_terminal:
            points[state.active_player] += TURN_POINTS
        return points

    def _team_outlook(self, state: State) -> Outlook:
        won = self.lookahead.values(state)
        if state.is_terminal:
            won = [1.0 if seat in state.winners else 0.0 for seat in range(len(won))]
        return Outlook(tuple(won), tuple(result - self._goal for result in results(state)))


def mean_outlook(outlooks: list[tuple[Outlook, float]]) -> Outlook:
    """Return the mean of outlooks with weights that add up to 1."""
    players = range(len(outlooks[0][0].chances))
    return Outlook(
        tuple(sum(weight * each.chances[p] for each, weight in outlooks) for p in players),
        tuple(sum(weight * each.margins[p] for each, weight in outlooks) for p in players),
    )


def lead(points: Sequence[float], player: int) -> float:
    """Return by how many points a player is ahead of the best of the others."""
    others = [each for other, each in enumerate(points) if other != player]
    return points[player] - (max(others) if others else 0.0)
