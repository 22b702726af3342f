"""`Appraiser`: each player's chance to win and expected final margin, without a search."""

from __future__ import annotations

from typing import NamedTuple

from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.outcome import results
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.bots.lookahead import Lookahead


class Outlook(NamedTuple):
    """What a position promises.

    Attributes:
        chances: Each player's chance to win.
        margins: Each player's expected final margin.
    """

    chances: tuple[float, ...]
    margins: tuple[float, ...]


class Appraiser:
    """Outlooks of positions under some rules.

    Attributes:
        lookahead: Values positions.
        is_team: Whether all players win or lose together.
    """

    def __init__(self, rules: Rules) -> None:
        """Prepare for the positions of some rules."""
        self.lookahead = Lookahead(rules, Evaluation(rules))
        self.is_team = len(rules.hooks.win_chances) > 0
        self._goal = float(rules.start().to_dict().get("goal", 0)) if self.is_team else 0.0

    def outlook(self, state: State) -> Outlook:
        """Return the outlook of a position: certain at the end of a game, else estimated."""
        if state.is_terminal:
            winners = state.winners
            share = 1.0 if self.is_team else 1.0 / max(1, len(winners))
            chances = [
                share if player in winners else 0.0 for player in range(len(state.returns()))
            ]
        else:
            chances = self.lookahead.values(state)
            if len(chances) > 1 and not self.is_team:
                total = sum(chances)
                chances = [chance / total for chance in chances]
        if self.is_team:
            margins = [result - self._goal for result in results(state)]
        else:
            points = self.lookahead.expected_points(state)
            margins = [_margin(points, player) for player in range(len(points))]
        return Outlook(tuple(chances), tuple(margins))


def mean_outlook(outlooks: list[tuple[Outlook, float]]) -> Outlook:
    """Return the mean of outlooks with weights that add up to 1."""
    players = range(len(outlooks[0][0].chances))
    return Outlook(
        tuple(sum(weight * each.chances[p] for each, weight in outlooks) for p in players),
        tuple(sum(weight * each.margins[p] for each, weight in outlooks) for p in players),
    )


def _margin(points: list[float], player: int) -> float:
    others = [each for other, each in enumerate(points) if other != player]
    return points[player] - (max(others) if others else 0.0)
