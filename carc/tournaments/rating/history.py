"""How strengths changed while a tournament was played."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import attrs
import numpy as np

from carc.tournaments.rating.strength import Choices, Group, choices

POINTS = 16


@attrs.frozen
class HistoryPoint:
    """The strengths after so many games; bots that have not played yet are left out."""

    games: int
    strengths: dict[str, float]


def strength_history(
    games: Iterable[tuple[Group, tuple[int, ...]]], bots: Sequence[str], points: int = POINTS
) -> list[HistoryPoint]:
    """Return strengths after equal portions of the games, up to all of them.

    Args:
        games: Seats and ranks of each game, in the order in which the games ended.
        bots: The bots to rate. Games of others are left out.
        points: The number of portions.
    """
    known = set(bots)
    rated = [(seats, ranks) for seats, ranks in games if len(seats) > 1 and known >= {*seats}]
    ends = sorted({round(len(rated) * n / points) for n in range(1, points + 1)} - {0})
    if not ends:
        return []
    index = {bot: at for at, bot in enumerate(bots)}
    made: dict[tuple[int, Group], float] = defaultdict(float)
    wins = np.zeros((len(ends), len(bots)))
    played = np.zeros((len(ends), len(bots)))
    for portion, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        for seats, ranks in rated[begin:end]:
            groups, firsts = choices(seats, ranks)
            for group, share in groups:
                made[portion, group] += share
            for bot, share in firsts:
                wins[portion, index[bot]] += share
            for bot in seats:
                played[portion, index[bot]] += 1
    so_far = np.tri(len(ends))  # each portion with those before it
    strengths = Choices.of(bots, made, wins).fit(so_far, np.zeros((len(ends), len(bots))))
    seen = so_far @ played > 0
    return [
        HistoryPoint(
            end,
            {bot: float(strengths[portion, at]) for bot, at in index.items() if seen[portion, at]},
        )
        for portion, end in enumerate(ends)
    ]
