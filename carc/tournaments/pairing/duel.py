"""A duel: two bots play until it is known whether one is better, by a sequential test (SPRT).

The unit is the pair: one deal number in both seatings. Its result, from 0 to 1, has a mean and a
spread. Their quotient is the *normalised Elo*, which does not depend on how often games are tied.
The test weighs two claims about it, `elo[0]` and `elo[1]`, and stops when one is 19 times as likely
as the other (errors of 5 %).
"""

from collections.abc import Sequence
from itertools import groupby
from math import log, sqrt
from typing import Final

import attrs

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.tally import beaten
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.games import Game, rotation_set

ERROR: Final = 0.05  # of either kind
BOUND: Final = log((1 - ERROR) / ERROR)  # 2.94
ROUND: Final = 8  # pairs between two looks
PER_ELO: Final = log(10) / 800  # of mean over spread of a game, to one of normalised Elo
PRIOR: Final = 0.25  # pairs of each of the five results, so that a few equal ones are not certainty


@attrs.frozen
class Verdict:
    """What is known of one bot against the other."""

    pairs: int
    elo: float
    """Normalised."""
    error: float
    """Half of its 95 % interval."""
    llr: float
    """Logarithm of how much likelier the upper claim is than the lower.

    Beyond `BOUND` either way the test is over.
    """

    @property
    def decided(self) -> bool:
        """Whether there is no need to play on."""
        return abs(self.llr) >= BOUND


def verdict(elo: tuple[float, float], results: Sequence[Outcome], bot: str) -> Verdict:
    """Return the verdict on `bot` against the other, from games in any order.

    Pairs that are not complete do not count.
    """
    counts = dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), PRIOR)
    pairs = 0
    ordered = sorted(results, key=lambda game: game.rotation_set)
    for _, outcomes in groupby(ordered, key=lambda game: game.rotation_set):
        games = [game for game in outcomes if game.verdict == OK]
        if len(games) == 2:
            pairs += 1
            counts[sum(beaten(game.ranks)[game.seats.index(bot)] for game in games) / 2] += 1
    total = sum(counts.values())
    mean = sum(result * count for result, count in counts.items()) / total
    spread = sqrt(sum((result - mean) ** 2 * count for result, count in counts.items()) / total)
    ratio = (mean - 0.5) / spread
    low, high = (each * PER_ELO * sqrt(2) for each in elo)  # of a pair, which is two games
    # Of a normal distribution of this spread; that of the five results grows too slowly where one
    # bot wins nearly all.
    llr = pairs * (high - low) * (2 * ratio - low - high) / 2
    scale = PER_ELO * sqrt(2)
    return Verdict(pairs, ratio / scale, 1.96 * sqrt((1 + ratio**2 / 2) / total) / scale, llr)


def next_round(configuration: Configuration, results: Sequence[Outcome]) -> list[Game]:
    """Return some more pairs, unless the test is over."""
    tried = configuration.against or configuration.bots[0].name
    played = {game.id for game in results}
    for begin in range(0, configuration.deals, ROUND):
        deals = range(begin, min(begin + ROUND, configuration.deals))
        games = [
            game for deal in deals for game in rotation_set(configuration, deal, configuration.bots)
        ]
        if any(game.id not in played for game in games):
            so_far = [game for game in results if game.deal < begin]
            return [] if verdict(configuration.elo, so_far, tried).decided else games
    return []


def games(configuration: Configuration) -> int:
    """Return the most games there can be."""
    return 2 * configuration.deals
