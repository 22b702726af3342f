"""Who is better, and how sure that is; from the ledger alone, and whatever the order in which games finished.

Two ratings stand side by side. *TrueSkill*, the usual one, is a filter: it depends on the order of the games, so they are
taken in the order of their ids, with tau = 0. *Strength* is the maximum-likelihood fit of the Plackett-Luce model (a ranking
is made by drawing the first, then the second, ... each with odds exp(strength) among those left) and knows no order. The
board is sorted by it.

The unit of the statistics is the rotation set: the same bots in all seatings. Sets that are not played whole are not rated.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import comb, sqrt

import attrs
import mpmath
import numpy as np
import trueskill
from numpy.typing import NDArray

from carc.tournaments.ledger import Outcome
from carc.tournaments.verdicts import OK, VOID

Floats = NDArray[np.float64]

MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
DRAW_PROBABILITY = (
    0.02  # of ties between two; fixed, so that ratings of different tournaments compare
)
RIDGE = 0.1  # precision of the prior of strengths: keeps those finite that win or lose everything
SAMPLES = 1000  # of the bootstrap
INTERVAL = (2.5, 97.5)  # per cent
Z = 1.96  # of the normal distribution, for intervals of 95 %


@attrs.frozen
class Range:
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@attrs.frozen
class Standing:
    """A bot's line on the board."""

    rank: int
    """From 1; bots that nothing tells apart share it."""
    bot: str
    games: int
    wins: int
    """Games it was a winner of, alone or with others."""
    score: Range
    """Mean points a game."""
    mu: float
    sigma: float
    """TrueSkill; `mu - 3 sigma` is the conservative estimate."""
    strength: Range
    """Natural logarithm of its odds, over the mean of all: one of 0.69 more comes in ahead twice as often as not."""
    behind: Range | None
    """By how much the bot above is better, in what the board is sorted by; None at the top."""
    ranks: tuple[int, int]
    """95 % interval of its rank."""
    verdicts: dict[str, int]
    """Faults by verdict."""

    @property
    def conservative(self) -> float:
        """TrueSkill's estimate that the true skill exceeds with near certainty."""
        return self.mu - 3 * self.sigma


@attrs.frozen
class Leaderboard:
    """What the games of a ledger say."""

    standings: tuple[Standing, ...]
    better: dict[str, dict[str, float]]
    """`better[a][b]`: probability that a is better than b."""
    ahead: dict[str, dict[str, Range]]
    """`ahead[a][b]`: share of the games of both in which a came in ahead of b, ties half; without those that never met."""
    by_score: bool
    """Sorted by mean score instead of strength: no game told its players apart, as in co-operative rules."""
    games: int
    sets: int
    """Rated, in this many rotation sets."""
    mirrored: bool
    """Whether games share deals; else each had its own."""
    unfinished: int
    """Games not rated, since their rotation set is not whole."""
    void: tuple[Outcome, ...]
    """Games that could not be played."""
    gains: dict[int, float]
    """By table size: variance of a bot's mean result over that of as many independent games, as measured here."""


def rated(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The games of whole rotation sets, in the order of ids."""
    played = [outcome for outcome in outcomes if outcome.verdict == OK]
    sizes = Counter(outcome.rotation_set for outcome in played)
    whole = [outcome for outcome in played if sizes[outcome.rotation_set] == len(outcome.seats)]
    return sorted(whole, key=lambda outcome: outcome.id)


def trueskill_ratings(games: Iterable[Outcome]) -> dict[str, trueskill.Rating]:
    """TrueSkill of every bot after these games in this order. Games of one player say nothing."""

    def environment(backend: str | None) -> trueskill.TrueSkill:
        return trueskill.TrueSkill(
            mu=MU,
            sigma=SIGMA,
            beta=BETA,
            tau=0,
            draw_probability=DRAW_PROBABILITY,
            backend=backend,
        )

    usual, exact = environment(None), environment("mpmath")
    ratings: dict[str, trueskill.Rating] = defaultdict(usual.create_rating)
    for game in games:
        teams = [(ratings[bot],) for bot in game.seats]
        if len(teams) < 2:
            continue
        try:
            after = usual.rate(teams, ranks=game.ranks)
        except FloatingPointError:  # an upset too huge for floats
            with mpmath.workdps(50):
                after = exact.rate(teams, ranks=game.ranks)
        for bot, (rating,) in zip(game.seats, after, strict=True):
            ratings[bot] = rating
    return ratings


@attrs.frozen(eq=False)
class Choices:
    """Games as the Plackett-Luce model sees them: of every set of bots, the one that came in first.

    A tie counts as the average of all orders it leaves open. `n` bots, `s` rotation sets, `u` different sets of bots, `c`
    choices.
    """

    members: Floats
    """u x n: 1 where the bot is in the set."""
    wins: Floats
    """s x n: how often the bot came in first, by rotation set."""
    where: NDArray[np.intp]
    """c: rotation set of the choice."""
    among: NDArray[np.intp]
    """c: the set of bots it was made from."""
    weights: Floats
    """c: how often."""

    def fit(self, repeats: Floats, prior: Floats, start: Floats | None = None) -> Floats:
        """Strengths, of sum 0, that maximise the likelihood of the rotation sets, each taken `repeats` times (s), times the
        prior N(prior, 1 / RIDGE)."""
        wins = repeats @ self.wins
        counts = np.bincount(
            self.among, weights=self.weights * repeats[self.where], minlength=len(self.members)
        )

        def likelihood(strengths: Floats) -> float:
            odds = self.members @ np.exp(strengths)
            off = strengths - prior
            return float(wins @ strengths - counts @ np.log(odds) - RIDGE / 2 * off @ off)

        strengths = np.zeros(len(prior)) if start is None else start
        for _ in range(100):  # Newton's method; the function is concave
            shares = self.members * np.exp(strengths)
            shares /= shares.sum(axis=1, keepdims=True)
            expected = counts @ shares
            slope = wins - expected - RIDGE * (strengths - prior)
            curvature = np.diag(expected + RIDGE) - (shares.T * counts) @ shares
            step = np.linalg.solve(curvature, slope)
            if np.abs(step).max() < 1e-9:
                centred: Floats = strengths - strengths.mean()
                return centred
            before = likelihood(strengths)
            while likelihood(strengths + step) < before - 1e-9 * abs(before):
                step = step / 2
            strengths = strengths + step
        raise ArithmeticError("the fit of strengths did not converge")


def choices(games: Sequence[Outcome], bots: Sequence[str], sets: Sequence[str]) -> Choices:
    """What the games say of these bots, by rotation set."""
    number = {bot: at for at, bot in enumerate(bots)}
    place = {name: at for at, name in enumerate(sets)}
    wins = np.zeros((len(sets), len(bots)))
    counts: dict[tuple[int, frozenset[int]], float] = defaultdict(float)
    for game in games:
        at = place[game.rotation_set]
        tied: dict[int, list[int]] = defaultdict(list)
        for bot, rank in zip(game.seats, game.ranks, strict=True):
            tied[rank].append(number[bot])
        below: frozenset[int] = frozenset()
        for rank in sorted(tied, reverse=True):
            level = tied[rank]
            # Over all orders of the tied, what is left of them is any subset of a size equally often.
            for size in range(1, len(level) + 1):
                share = 1 / comb(len(level), size)
                for left in itertools.combinations(level, size):
                    if size + len(below) > 1:
                        counts[at, below.union(left)] += share
                        wins[at, list(left)] += share / size
            below = below.union(level)
    kinds = sorted({group for _, group in counts}, key=sorted)
    index = {group: at for at, group in enumerate(kinds)}
    members = np.zeros((len(kinds), len(bots)))
    for row, group in enumerate(kinds):
        members[row, list(group)] = 1
    return Choices(
        members=members,
        wins=wins,
        where=np.array([at for at, _ in counts], dtype=np.intp),
        among=np.array([index[group] for _, group in counts], dtype=np.intp),
        weights=np.array(list(counts.values()), dtype=np.float64),
    )


def wilson(rate: float, n: float) -> Range:
    """Wilson's 95 % interval of a share found in `n` independent trials."""
    middle = rate + Z * Z / (2 * n)
    half = Z * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return Range(rate, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))


def head_to_head(games: Iterable[Outcome]) -> dict[str, dict[str, Range]]:
    """For each two bots the share of games in which the first came in ahead, ties half.

    The interval is Wilson's, of as many independent games as would vary as much as the rotation sets do.
    """
    found: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for game in games:
        placed = list(zip(game.seats, game.ranks, strict=True))
        for (a, mine), (b, other) in itertools.permutations(placed, 2):
            found[a, b][game.rotation_set].append((mine < other) + (mine == other) / 2)
    ahead: dict[str, dict[str, Range]] = defaultdict(dict)
    for (a, b), by_set in found.items():
        means = np.array([np.mean(results) for results in by_set.values()])
        rate = float(means.mean())
        spread = float(means.var(ddof=1)) / len(means) if len(means) > 1 else 0.0
        ahead[a][b] = wilson(rate, rate * (1 - rate) / spread if spread else len(means))
    return dict(ahead)


def rotation_gains(games: Iterable[Outcome]) -> dict[int, float]:
    """By table size, the variance of a bot's mean result over a rotation set, over that over as many independent games.

    Measured between the deals of the same bots, so it takes two deals at least. A result is the share of the others that
    the bot beat.
    """
    results: dict[tuple[str, ...], dict[str, dict[str, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for game in games:
        others = len(game.seats) - 1
        for bot, rank in zip(game.seats, game.ranks, strict=True):
            beaten = sum((rank < other) + (rank == other) / 2 for other in game.ranks) - 0.5
            if others:
                results[tuple(sorted(game.seats))][bot][game.rotation_set].append(beaten / others)
    between: dict[int, float] = defaultdict(float)
    whole: dict[int, float] = defaultdict(float)
    for bots, by_bot in results.items():
        for by_set in by_bot.values():
            table = np.array(list(by_set.values()))  # deals x seats
            if len(table) > 1:
                means = float(table.mean(axis=1).var(ddof=1))
                between[len(bots)] += len(bots) * means
                whole[len(bots)] += means + float(table.var(axis=1).mean())
    return {size: between[size] / whole[size] for size in sorted(whole) if whole[size]}


def leaderboard(outcomes: Sequence[Outcome]) -> Leaderboard:
    """The board of these games."""
    games = rated(outcomes)
    clean = [game for game in games if not game.faults]
    by_score = bool(clean) and all(len(set(game.ranks)) == 1 for game in clean)
    standings, better = _standings(games, by_score) if games else ((), {})
    return Leaderboard(
        standings=standings,
        better=better,
        ahead=head_to_head(games),
        by_score=by_score,
        games=len(games),
        sets=len({game.rotation_set for game in games}),
        mirrored=len({game.deal_seed for game in games}) < len(games),
        unfinished=sum(outcome.verdict == OK for outcome in outcomes) - len(games),
        void=tuple(outcome for outcome in outcomes if outcome.verdict == VOID),
        gains=rotation_gains(games),
    )


def _standings(
    games: Sequence[Outcome], by_score: bool
) -> tuple[tuple[Standing, ...], dict[str, dict[str, float]]]:
    """The lines of the board, best first, and who is better with what probability."""
    bots = sorted({bot for game in games for bot in game.seats})
    skills = trueskill_ratings(games)
    strengths, scores = _samples(games, bots)
    figures = scores if by_score else strengths  # what the board is sorted by
    order = np.argsort(-figures[0], kind="stable")
    ranks = (figures[1:, None, :] > figures[1:, :, None]).sum(axis=2) + 1
    totals = Counter(bot for game in games for bot in game.seats)
    wins = Counter(game.seats[seat] for game in games for seat in game.winners)
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        for bot, verdict in zip(game.seats, game.verdicts, strict=True):
            if verdict != OK:
                verdicts[bot][verdict] += 1
    standings: list[Standing] = []
    for place, at in enumerate(order):
        above = order[place - 1] if place else None
        level = above is not None and figures[0, at] == figures[0, above]
        low, high = np.percentile(ranks[:, at], INTERVAL, method="nearest")
        skill = skills[bots[at]]
        standings.append(
            Standing(
                rank=standings[-1].rank if level else place + 1,
                bot=bots[at],
                games=totals[bots[at]],
                wins=wins[bots[at]],
                score=_range(scores[:, at]),
                mu=skill.mu,
                sigma=skill.sigma,
                strength=_range(strengths[:, at]),
                behind=None if above is None else _range(figures[:, above] - figures[:, at]),
                ranks=(int(low), int(high)),
                verdicts=dict(sorted(verdicts[bots[at]].items())),
            )
        )
    better = {bots[a]: {bots[b]: _better(figures[1:], a, b) for b in order} for a in order}
    return tuple(standings), better


def _samples(games: Sequence[Outcome], bots: Sequence[str]) -> tuple[Floats, Floats]:
    """Strengths and mean scores, (1 + SAMPLES) x bots: of the games as they are, then of the bootstrap's samples.

    A sample draws as many rotation sets with replacement. It draws the prior's centre as well, so that bots that won
    everything are not sure of their strength to the last digit.
    """
    random = np.random.default_rng(0)
    sets = sorted({game.rotation_set for game in games})
    data = choices(games, bots, sets)
    points = np.zeros((len(sets), len(bots)))
    played = np.zeros((len(sets), len(bots)))
    number = {bot: at for at, bot in enumerate(bots)}
    place = {name: at for at, name in enumerate(sets)}
    for game in games:
        for bot, score in zip(game.seats, game.scores, strict=True):
            points[place[game.rotation_set], number[bot]] += score
            played[place[game.rotation_set], number[bot]] += 1

    def means(repeats: Floats) -> Floats:
        return (repeats @ points) / np.maximum(repeats @ played, 1)

    every = np.ones(len(sets))
    best = data.fit(every, np.zeros(len(bots)))
    strengths, scores = [best], [means(every)]
    for _ in range(SAMPLES):
        drawn = random.integers(len(sets), size=len(sets))
        repeats = np.bincount(drawn, minlength=len(sets)).astype(np.float64)
        prior = random.normal(0, RIDGE**-0.5, len(bots))
        strengths.append(data.fit(repeats, prior, start=best))
        scores.append(means(repeats))
    return np.array(strengths), np.array(scores)


def _range(samples: Floats) -> Range:
    """The first of the samples with the interval of the others."""
    low, high = np.percentile(samples[1:], INTERVAL)
    return Range(float(samples[0]), float(low), float(high))


def _better(samples: Floats, a: int, b: int) -> float:
    """Share of the samples in which a is better than b; equal counts half."""
    difference = samples[:, a] - samples[:, b]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)
