"""Who is better, and how sure that is: from the ledger alone, in whatever order games finished.

Two ratings stand side by side. *TrueSkill*, the usual one, is a filter: it depends on the order of
the games, so they are taken in the order of their rotation sets and ids, with tau = 0. *Strength*
(`carc.tournaments.rating.strength`) does not depend on the order; the board is sorted by it.
Rotation sets that are not complete are not rated.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt

import attrs
import numpy as np

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.rating.strength import RIDGE, Floats, Group
from carc.tournaments.rating.tally import UNITS, Played, Tally
from carc.tournaments.schedule.configuration import MOST_BOTS, BadTournament

SAMPLES = 1000  # of the bootstrap
INTERVAL = (2.5, 97.5)  # per cent
Z = 1.96  # of the normal distribution, for intervals of 95 %


@attrs.frozen
class Range:
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.value, self.low, self.high))


@attrs.frozen
class Standing:
    """A bot's line on the board."""

    rank: int
    """From 1; bots that cannot be told apart share it."""
    bot: str
    games: int
    wins: int
    """Games it won, alone or with others."""
    score: Range
    """Mean points per game."""
    mu: float | None
    sigma: float | None
    """TrueSkill; `mu - 3 sigma` is the conservative estimate. None where it was not computed."""
    strength: Range
    """Natural logarithm of its odds, over the mean of all bots.

    A bot with 0.69 more comes in ahead twice as often as not.
    """
    behind: Range | None
    """By how much the bot above is better, in what the board is sorted by; None at the top."""
    ranks: tuple[int, int]
    """95 % interval of its rank."""
    verdicts: dict[str, int]
    """Faults by verdict."""
    fault: str
    """An example of its faults."""
    wall: float
    """Mean seconds per move."""
    cpu: float
    """Mean seconds of CPU time per move."""
    kinds: dict[str, float]
    """Mean points per game, by kind."""
    seats: dict[tuple[int, int], float]
    """By table size and seat: the mean share of the others it came in ahead of."""

    @property
    def faults(self) -> int:
        """How many faults it had."""
        return sum(self.verdicts.values())

    @property
    def conservative(self) -> float | None:
        """TrueSkill's estimate that the true skill exceeds with near certainty."""
        return None if self.mu is None or self.sigma is None else self.mu - 3 * self.sigma


@attrs.frozen
class Leaderboard:
    """The board of the games of a ledger."""

    standings: tuple[Standing, ...]
    better: dict[str, dict[str, float]]
    """`better[a][b]`: probability that a is better than b."""
    difference: dict[str, dict[str, Range]]
    """`difference[a][b]`: by how much a is better than b, in what the board is sorted by."""
    ahead: dict[str, dict[str, Range]]
    """`ahead[a][b]`: share of their common games in which a came in ahead of b, ties half.

    Bots that never met are left out.
    """
    by_score: bool
    """Whether it is sorted by mean score instead of strength.

    So it is if no game told its players apart, as in co-operative rules.
    """
    games: int
    sets: int
    """Rotation sets that are rated; `games` counts their games."""
    units: int
    """Units of the statistics: deals where they are mirrored, else rotation sets."""
    mirrored: bool
    """Whether games share deals; else each had its own."""
    unfinished: int
    """Games not rated because their rotation set is not complete."""
    voids: int
    """Games that could not be played."""
    void: tuple[Outcome, ...]
    """Some of them."""
    left_out: dict[str, int]
    """Games of the ledger that are not of the tournament as it is now, by reason."""
    gains: dict[int, float]
    """By table size: the measured gain of rotating seats.

    That is the variance of a bot's mean result over that of as many independent games.
    """
    first_seats: dict[int, tuple[float, ...]]
    """By table size and seat: the mean share of the others it came in ahead of."""


def wilson(rate: float, n: float) -> Range:
    """Return Wilson's 95 % interval of a share in `n` independent trials."""
    middle = rate + Z * Z / (2 * n)
    half = Z * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return Range(rate, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))


def head_to_head(meetings: Mapping[Group, Floats]) -> dict[str, dict[str, Range]]:
    """Return, for each two bots, the share of games in which the first came in ahead, ties half.

    The interval is Wilson's, of as many independent games as would vary as much as the units do.
    """
    ahead: dict[str, dict[str, Range]] = defaultdict(dict)
    for (a, b), sums in sorted(meetings.items()):
        won, met = sums[:, 0], sums[:, 1]
        rate = float(won.sum() / met.sum())
        off = won - rate * met
        spread = 0.0
        if len(sums) > 1:
            spread = float(off @ off) / float(met.sum()) ** 2 * len(sums) / (len(sums) - 1)
        n = rate * (1 - rate) / spread if spread else float(len(sums))
        ahead[a][b] = wilson(rate, n)
        ahead[b][a] = wilson(1 - rate, n)
    return dict(ahead)


def leaderboard(outcomes: Iterable[Outcome], skills: bool = True) -> Leaderboard:
    """Return the board of these games, in whatever order; with TrueSkill if `skills`."""
    return board_of(
        Tally(skills).add_all(sorted(outcomes, key=lambda game: (game.rotation_set, game.id)))
    )


def board_of(tally: Tally, samples: int = SAMPLES) -> Leaderboard:
    """Return the board of games that were added up, with intervals from so many samples.

    Raises `BadTournament` if there are too many bots to compare each with each.
    """
    if len(tally.bots) > MOST_BOTS:
        raise BadTournament(
            f"a board compares {MOST_BOTS:,} bots at most, and {len(tally.bots):,} played; "
            "carc arena status prints the standings of a ladder"
        )
    by_score = bool(tally.games) and not tally.apart
    standings, better, difference = (
        _standings(tally, by_score, samples) if tally.games else ((), {}, {})
    )
    return Leaderboard(
        standings=standings,
        better=better,
        difference=difference,
        ahead=head_to_head(tally.meetings()),
        by_score=by_score,
        games=tally.games,
        sets=tally.sets,
        units=tally.units,
        mirrored=tally.shared,
        unfinished=tally.unfinished,
        voids=tally.voids,
        void=tuple(tally.void),
        left_out=dict(sorted(tally.left_out.items())),
        gains=tally.gains(),
        first_seats=_first_seats(tally.bots.values()),
    )


def _first_seats(bots: Iterable[Played]) -> dict[int, tuple[float, ...]]:
    totals: dict[int, list[list[float]]] = {}
    for played in bots:
        for (size, seat), (games, share) in played.seats.items():
            there = totals.setdefault(size, [[0, 0.0] for _ in range(size)])[seat]
            there[0] += games
            there[1] += share
    return {
        size: tuple(share / games if games else 0.0 for games, share in seats)
        for size, seats in sorted(totals.items())
        if size > 1
    }


def _standings(
    tally: Tally, by_score: bool, samples: int
) -> tuple[tuple[Standing, ...], dict[str, dict[str, float]], dict[str, dict[str, Range]]]:
    """Return the lines of the board, best first, and what `better` and `difference` hold."""
    bots = sorted(tally.bots)
    strengths, scores = _samples(tally, bots, samples)
    figures = scores if by_score else strengths  # what the board is sorted by
    order = np.argsort(-figures[0], kind="stable")
    ranks = np.array([(figures[1:] > figures[1:, [at]]).sum(axis=1) + 1 for at in range(len(bots))])
    standings: list[Standing] = []
    for place, at in enumerate(order):
        above = order[place - 1] if place else None
        level = above is not None and figures[0, at] == figures[0, above]
        low, high = np.percentile(ranks[at], INTERVAL, method="nearest")
        played = tally.bots[bots[at]]
        skill = None if tally.skills is None else tally.skills.ratings[bots[at]]
        standings.append(
            Standing(
                rank=standings[-1].rank if level else place + 1,
                bot=bots[at],
                games=played.games,
                wins=played.wins,
                score=ranged(scores[:, at]),
                mu=None if skill is None else skill.mu,
                sigma=None if skill is None else skill.sigma,
                strength=ranged(strengths[:, at]),
                behind=None if above is None else ranged(figures[:, above] - figures[:, at]),
                ranks=(int(low), int(high)),
                verdicts=dict(sorted(played.verdicts.items())),
                fault=played.fault,
                wall=played.wall / max(played.moves, 1),
                cpu=played.cpu / max(played.moves, 1),
                kinds={
                    kind: points / played.games for kind, points in sorted(played.kinds.items())
                },
                seats={
                    where: share / games for where, (games, share) in sorted(played.seats.items())
                },
            )
        )
    better = {bots[a]: {bots[b]: _better(figures[1:], a, b) for b in order} for a in order}
    difference = {bots[a]: _differences(figures, a, bots) for a in order}
    return tuple(standings), better, difference


def _samples(tally: Tally, bots: Sequence[str], count: int) -> tuple[Floats, Floats]:
    """Return strengths and mean scores, (1 + count) x bots.

    The first row is of the games as they are, the others are of bootstrap samples. A sample draws
    as many units with replacement. It draws the prior's centre as well, so that bots that won
    everything are not sure of their strength to the last digit. Few units vary less among
    themselves than among all there could be: the samples are spread as Student's distribution is
    wider than the normal.
    """
    random = np.random.default_rng(0)
    data, points, played = tally.arrays(bots)
    units = len(points)
    best = data.fit(np.ones((1, units)), np.zeros((1, len(bots))))
    repeats, prior = np.ones((1 + count, units)), np.zeros((1 + count, len(bots)))
    for sample in range(1, 1 + count):
        repeats[sample] = np.bincount(random.integers(units, size=units), minlength=units)
        prior[sample] = random.normal(0, RIDGE**-0.5, len(bots))
    strengths = np.concatenate([best, data.fit(repeats[1:], prior[1:], start=best[0])])
    scores = (repeats @ points) / np.maximum(repeats @ played, 1)
    wide = student(units)
    return _spread(strengths, wide), _spread(scores, wide)


def student(units: int) -> float:
    """Return how much wider a 95 % interval is than the bootstrap of so many units says."""
    if units >= UNITS:
        return 1.0
    freedom = max(units - 1, 1)
    # The quantile of Student's distribution by its usual expansion around the normal one.
    t = (
        Z
        + (Z**3 + Z) / (4 * freedom)
        + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
        + (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * freedom**3)
    )
    # The bootstrap finds too little variance, and figures fitted to these units lean towards them.
    return t / Z * (freedom + 1) / freedom


def _spread(samples: Floats, wide: float) -> Floats:
    """Return the samples, `wide` times as far from the first, which is no sample."""
    spread: Floats = samples[0] + wide * (samples - samples[0])
    return spread


def ranged(samples: Floats) -> Range:
    """Return the first of the samples with the interval of the others.

    Between the ends lie so many of the n + 1 parts that n samples make.
    """
    low, high = np.percentile(samples[1:], INTERVAL, method="weibull")
    return Range(float(samples[0]), float(low), float(high))


def _differences(samples: Floats, a: int, bots: Sequence[str]) -> dict[str, Range]:
    """Return by how much a bot is better than each other."""
    apart = samples[:, [a]] - samples
    low, high = np.percentile(apart[1:], INTERVAL, axis=0, method="weibull")
    return {
        bot: Range(float(apart[0, b]), float(low[b]), float(high[b]))
        for b, bot in enumerate(bots)
        if b != a
    }


def _better(samples: Floats, a: int, b: int) -> float:
    """Return the share of the samples in which a is better than b; equal counts half."""
    difference = samples[:, a] - samples[:, b]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)
