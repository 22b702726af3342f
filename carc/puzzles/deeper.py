"""Turns compared by deeper play: a bot plays on from each of them, on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Final

import attrs

from carc.analysis.outlook import lead
from carc.base.game.outcome import results
from carc.base.game.state import State
from carc.base.turn.scoring import Journal, Scored
from carc.bots import by_name
from carc.drawing.history import scored_for
from carc.match.runner import play
from carc.puzzles.turns import after_turn

NOW: Final = "now"
"""What the points that a turn scores at once are called."""


@attrs.frozen
class Ending:
    """How a game ended that was played on from a turn: the player's lead.

    `points` are by what they were for: the player's, and those of all others, from the turn on.
    """

    margin: float
    points: Mapping[str, tuple[int, int]]


@attrs.frozen
class Advantage:
    """How much better one turn is than another: the mean of the margin, and its error."""

    mean: float
    standard_error: float


class Contender:
    """A turn and the games played on from it."""

    def __init__(self, state: State, turn: Sequence[str]) -> None:
        """Play a turn from a position on."""
        self.turn = tuple(turn)
        self._player = state.current_player
        self._journal = Journal()
        self.after = after_turn(state, turn, self._journal)
        self.endings: list[Ending] = []  # by deal

    def play_on(self, bot: str, deals: Sequence[int]) -> None:
        """Let a bot play on for all players, once for each seed of a deal."""
        rules = self.after.rules
        own = rules.colours[self._player]
        for deal in deals:
            bots = [by_name(bot, deal + seat) for seat in range(rules.players)]
            match = play(rules, bots, deal, start=self.after)
            assert match.end is not None
            points: dict[str, tuple[int, int]] = {}
            for scored in self._journal.scorings:
                _add(points, NOW, scored, own)
            for scored in match.scored:
                _add(points, scored_for(scored), scored, own)
            self.endings.append(Ending(lead(results(match.end), self._player), points))

    def advantage(self, other: Contender) -> Advantage:
        """Return how much better this turn is than another one on the same deals."""
        pairs = zip(self.endings, other.endings, strict=True)
        differences = [mine.margin - others.margin for mine, others in pairs]
        if len(differences) < 2:
            return Advantage(fmean(differences), inf)
        return Advantage(fmean(differences), stdev(differences) / sqrt(len(differences)))

    def gains(self, other: Contender) -> dict[str, tuple[float, float]]:
        """Return what this turn gains on another one, by what the points are for.

        That is how many points more the player scores with this turn, and how many more all others
        score; kinds without a difference are left out.
        """
        kinds = {kind for each in (*self.endings, *other.endings) for kind in each.points}
        gains = {}
        for kind in kinds:
            (own, others), (own_there, others_there) = self._mean(kind), other._mean(kind)
            gains[kind] = round(own - own_there, 2), round(others - others_there, 2)
        ordered = sorted(gains.items(), key=lambda each: -max(map(abs, each[1])))
        return {kind: gain for kind, gain in ordered if any(gain)}

    def _mean(self, kind: str) -> tuple[float, float]:
        found = [each.points.get(kind, (0, 0)) for each in self.endings]
        return fmean(own for own, _ in found), fmean(others for _, others in found)


def _add(points: dict[str, tuple[int, int]], kind: str, scored: Scored, own: Sequence[int]) -> None:
    mine, others = points.get(kind, (0, 0))
    if scored.owner in own:
        points[kind] = mine + scored.points, others
    else:
        points[kind] = mine, others + scored.points
