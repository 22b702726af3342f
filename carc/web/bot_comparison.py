"""Two bots, or two versions of one, side by side."""

from collections.abc import Sequence

import attrs

from carc.tournaments.rating.ratings import Range
from carc.web.board_cache import Board, GameRow
from carc.web.bot_summary import (
    OpponentResults,
    SeatResults,
    results_by_opponent,
    results_by_seat,
)

LEAST_LEAD = 0.005
"""A smaller difference of two bots is shown as 0.00."""


@attrs.frozen
class Opponent:
    """An opponent that two bots met, and the shares of games in which each ranked ahead of it."""

    bot: str
    shares: tuple[Range, Range]

    @property
    def difference(self) -> float:
        """By how much the first has the larger share."""
        return self.shares[0].value - self.shares[1].value


@attrs.frozen
class Comparison:
    """How two bots differ.

    Attributes:
        difference: By how much the first is better, in what the board is ordered by; None if
            they were not rated together.
        better: The probability that the first is better.
        direct: The results of the first against the second; None if they never met.
        opponents: Opponents of both, the largest difference first.
        seats: The results of each by seat.
    """

    difference: Range | None
    better: float
    direct: OpponentResults | None
    opponents: tuple[Opponent, ...]
    seats: tuple[list[SeatResults], list[SeatResults]]

    @property
    def leads(self) -> bool:
        """Whether the first is ahead."""
        return self.difference is None or self.difference.value >= 0

    @property
    def lead(self) -> Range:
        """By how much the bot that is ahead is better."""
        value, low, high = self.difference or Range(0.0, 0.0, 0.0)
        return Range(value, low, high) if self.leads else Range(-value, -high, -low)

    @property
    def is_level(self) -> bool:
        """Whether neither is ahead by a figure that is shown."""
        return self.difference is not None and abs(self.difference.value) < LEAST_LEAD

    @property
    def confidence(self) -> float:
        """The probability that the bot that is ahead is better."""
        return self.better if self.leads else 1 - self.better

    @property
    def is_sure(self) -> bool:
        """Whether the interval of the lead leaves no doubt who is better."""
        return self.lead.low > 0


def compare(first: str, second: str, board: Board, games: Sequence[GameRow]) -> Comparison:
    """Return how two bots differ by the leaderboard and the games of a tournament."""
    ours, theirs = board.ahead.get(first, {}), board.ahead.get(second, {})
    opponents = [Opponent(bot, (ours[bot], theirs[bot])) for bot in ours if bot in theirs]
    opponents.sort(key=lambda each: (-abs(each.difference), each.bot))
    return Comparison(
        difference=board.difference.get(first, {}).get(second),
        better=board.better.get(first, {}).get(second, 0.5),
        direct=results_by_opponent(first, games).get(second),
        opponents=tuple(opponents),
        seats=(results_by_seat(first, games), results_by_seat(second, games)),
    )
