"""Games added up: one pass over them, in memory that does not grow with their number.

Statistics are over *units*: games of different units are independent of each other. All rotation
sets that share a deal are one unit, because a deal suits one bot more than another whoever else is
at the table; where every game has its own deal, each rotation set is one. A thousand units say how
sure the figures are, so from then on several go together.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from operator import add
from typing import Any

import attrs
import numpy as np
import trueskill

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.rating.strength import Choices, Floats, Group, choices
from carc.tournaments.schedule.configuration import Configuration

UNITS = 1000
ALIKE = 20_000  # kinds of games gathered before they are added up
VOIDS = 20  # void games that are kept to be told of
MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
DRAW_PROBABILITY = (
    0.02  # of ties between two; fixed, so that ratings of different tournaments compare
)


@lru_cache(maxsize=1 << 16)
def beaten(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """Return, by seat, the share of the others that it came in ahead of, ties half."""
    others = max(len(ranks) - 1, 1)
    return tuple(
        (sum((rank < other) + (rank == other) / 2 for other in ranks) - 0.5) / others
        for rank in ranks
    )


@lru_cache(maxsize=1 << 16)
def _pairs(seats: Group, ranks: tuple[int, ...]) -> Sequence[tuple[Group, float]]:
    """Return, for each two bots in the order of names, whether the first came in ahead.

    Ties count half.
    """
    placed = sorted(zip(seats, ranks, strict=True))
    return tuple(
        ((a, b), (mine < other) + (mine == other) / 2)
        for (a, mine), (b, other) in itertools.combinations(placed, 2)
    )


def against_level(game: Outcome) -> Outcome:
    """Return a game of a team of one bot as a game of two: the team against the level.

    A team at fault has lost.
    """
    won = bool(game.winners) and not game.faults
    return game._replace(
        seats=(f"{game.seats[0]} x {len(game.seats)}", game.rules),
        ranks=(0, 1) if won else (1, 0),
        winners=(0,) if won else (1,),
        scores=(min(game.scores),) * 2,
        verdicts=(next((one for one in game.verdicts if one != OK), OK), OK),
        faults=tuple({**fault, "seat": 0} for fault in game.faults),
        kinds=(),
        moves=(sum(game.moves), 0),
        wall=(sum(game.wall), 0.0),
        cpu=(sum(game.cpu), 0.0),
    )


def _true_skill(backend: str | None = None) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(
        mu=MU,
        sigma=SIGMA,
        beta=BETA,
        tau=0,
        draw_probability=DRAW_PROBABILITY,
        backend=backend,
    )


class Skills:
    """TrueSkill of every bot after some games in this order; games of one player do not count."""

    def __init__(self) -> None:
        self._usual = _true_skill()
        self.ratings: dict[str, trueskill.Rating] = defaultdict(self._usual.create_rating)

    def add(self, game: Outcome) -> None:
        """Add a game."""
        before = [self.ratings[bot] for bot in game.seats]
        if len(before) > 1:
            self.ratings.update(zip(game.seats, self.after(before, game.ranks), strict=True))

    def after(
        self, ratings: Sequence[trueskill.Rating], ranks: Sequence[int]
    ) -> list[trueskill.Rating]:
        """Return the ratings after a game, by seat."""
        teams = [(rating,) for rating in ratings]
        try:
            rated = self._usual.rate(teams, ranks=ranks)
        except FloatingPointError:  # an upset too huge for floats
            import mpmath  # noqa: PLC0415 (for this alone)

            with mpmath.workdps(50):
                rated = self._exact.rate(teams, ranks=ranks)
        return [rating for (rating,) in rated]

    @cached_property
    def _exact(self) -> trueskill.TrueSkill:
        return _true_skill("mpmath")

    def quality(self, bots: Iterable[str]) -> float:
        """Return how even a game of these bots would be, from 0 to 1."""
        return float(self._usual.quality([(self.ratings[bot],) for bot in bots]))


@attrs.define
class Played:
    """The sums of a bot's games."""

    games: int = 0
    wins: int = 0
    score: int = 0
    moves: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    verdicts: Counter[str] = attrs.field(factory=Counter)
    fault: str = ""
    """An example of its faults."""
    kinds: Counter[str] = attrs.field(factory=Counter)
    """Points by kind."""
    seats: dict[tuple[int, int], list[float]] = attrs.field(factory=dict)
    """By table size and seat: games, and the shares of the others it beat in them."""


@attrs.define
class Alike:
    """The sums of games of a unit with the same bots in the same seats and the same ranks.

    Lists are by seat.
    """

    scores: list[int]
    moves: list[int]
    wall: list[float]
    cpu: list[float]
    kinds: list[dict[str, int]]
    games: int = 0

    @classmethod
    def of(cls, seats: int) -> "Alike":
        """Return empty sums, for a table of so many."""
        return cls(
            [0] * seats, [0] * seats, [0.0] * seats, [0.0] * seats, [{} for _ in range(seats)]
        )

    def add(self, game: Outcome) -> None:
        """Add a game."""
        self.games += 1
        self.scores = [*map(add, self.scores, game.scores)]
        if game.moves:
            self.moves = [*map(add, self.moves, game.moves)]
            self.wall = [*map(add, self.wall, game.wall)]
            self.cpu = [*map(add, self.cpu, game.cpu)]
        for mine, theirs in zip(self.kinds, game.kinds, strict=False):
            for kind, points in theirs.items():
                mine[kind] = mine.get(kind, 0) + points


@lru_cache(maxsize=1 << 14)
def _varying(
    games: tuple[tuple[Group, tuple[int, ...]], ...],
) -> Sequence[tuple[str, float, float]]:
    """Return, for each bot of a rotation set, its mean result in it and the variance.

    They follow from the seats and ranks of the games.
    """
    results: dict[str, list[float]] = defaultdict(list)
    for seats, ranks in games:
        for bot, share in zip(seats, beaten(ranks), strict=True):
            results[bot].append(share)
    varying = []
    for bot, shares in results.items():
        mean = sum(shares) / len(shares)
        varying.append(
            (bot, mean, sum(share * share for share in shares) / len(shares) - mean * mean)
        )
    return tuple(varying)


class Tally:
    """The sums of complete rotation sets; games of others are only counted.

    If a configuration is given, games that are not of it are left out. In a campaign each game is
    one of two: the team against the level. In an arena each game is a set of its own.
    """

    def __init__(self, skills: bool = True, configuration: Configuration | None = None) -> None:
        self._configuration = configuration
        self._arena = bool(configuration and configuration.is_arena)
        self._exclusion_reason = (
            lru_cache(maxsize=1 << 14)(configuration.exclusion_reason)
            if configuration and not self._arena
            else None
        )
        self._teams = bool(configuration and configuration.levels)
        self.left_out: Counter[str] = Counter()
        """Games that are left out, by reason."""
        self.skills = Skills() if skills else None
        self.bots: dict[str, Played] = defaultdict(Played)
        self.games = self.sets = self.unfinished = self.voids = 0
        self.void: list[Outcome] = []
        self.shared = False
        """Whether games share deals."""
        self.apart = False
        """Whether any game without a fault told its players apart."""
        self._units: dict[object, int] = {}
        # By unit, seats, ranks, winners and verdicts: there are few of these beside games.
        self._alike: dict[Any, Alike] = {}
        self._made: dict[tuple[int, Group], float] = defaultdict(float)
        self._sums: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        self._met: dict[Group, dict[int, list[float]]] = defaultdict(
            lambda: defaultdict(lambda: [0.0, 0.0])
        )
        self._sets_of: dict[Group, dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(lambda: [0.0] * 4)
        )

    def add_all(self, outcomes: Iterable[Outcome]) -> "Tally":
        """Add games that come rotation set by rotation set."""
        for _, games in itertools.groupby(outcomes, key=lambda outcome: outcome.rotation_set):
            self._add([*games])
        self._settle()
        return self

    def _add(self, games: Sequence[Outcome]) -> None:
        first = games[0]
        made = self._configuration
        if made and self._exclusion_reason:
            deal = 0 if first.deal < made.deals else made.deals  # whichever: so many need no look
            if reason := self._exclusion_reason(first.seats, first.digests, deal):
                self.left_out[reason] += len(games)
                return
        played = [game for game in games if game.verdict == OK]
        void = [game for game in games if game.verdict == VOID]
        self.voids += len(void)
        self.void += void[: VOIDS - len(self.void)]
        if not played:
            return
        if self._teams:
            played = [against_level(game) for game in played]
        elif len(played) != len(played[0].seats) and not self._arena:
            self.unfinished += len(played)
            return
        self.sets += 1
        self.games += len(played)
        deals = {game.deal_seed for game in played}
        common = len(deals) == 1
        key: object = played[0].deal_seed if common else played[0].rotation_set
        self.shared = self.shared or (common and (len(played) > 1 or key in self._units))
        unit = self._units.setdefault(key, len(self._units)) % UNITS
        for game in played:
            self._add_game(game, unit)
        self._add_set(played)

    def _add_game(self, game: Outcome, unit: int) -> None:
        if self.skills is not None:
            self.skills.add(game)
        key = (unit, game.seats, game.ranks, game.winners, game.verdicts)
        alike = self._alike.get(key)
        if alike is None:
            if len(self._alike) == ALIKE:
                self._settle()
            alike = self._alike[key] = Alike.of(len(game.seats))
        alike.add(game)
        for fault in game.faults:
            self.bots[game.seats[fault["seat"]]].fault = str(fault["detail"])

    def _settle(self) -> None:
        """Add up the games that are alike."""
        for (unit, seats, ranks, winners, verdicts), alike in self._alike.items():
            self._add_alike(unit, seats, ranks, alike)
            for seat in winners:
                self.bots[seats[seat]].wins += alike.games
            faults = [
                (bot, verdict)
                for bot, verdict in zip(seats, verdicts, strict=True)
                if verdict != OK
            ]
            for bot, verdict in faults:
                self.bots[bot].verdicts[verdict] += alike.games
            self.apart = self.apart or (not faults and len(set(ranks)) > 1)
        self._alike.clear()

    def _add_alike(self, unit: int, seats: Group, ranks: tuple[int, ...], alike: Alike) -> None:
        made, wins = choices(seats, ranks)
        for group, share in made:
            self._made[unit, group] += share * alike.games
        for bot, share in wins:
            self._sums[bot, unit][0] += share * alike.games
        for pair, ahead in _pairs(seats, ranks):
            totals = self._met[pair][unit]
            totals[0] += ahead * alike.games
            totals[1] += alike.games
        shares = beaten(ranks)
        for seat, bot in enumerate(seats):
            sums = self._sums[bot, unit]
            sums[1] += alike.scores[seat]
            sums[2] += alike.games
            played = self.bots[bot]
            played.games += alike.games
            played.score += alike.scores[seat]
            played.moves += alike.moves[seat]
            played.wall += alike.wall[seat]
            played.cpu += alike.cpu[seat]
            played.kinds.update(alike.kinds[seat])
            if not self._teams:
                there = played.seats.setdefault((len(seats), seat), [0, 0.0])
                there[0] += alike.games
                there[1] += shares[seat] * alike.games

    def _add_set(self, games: Sequence[Outcome]) -> None:
        """Add what rotating gained.

        That is, for each bot at a table of the same bots, how its mean result varies from set to
        set, and its results within them.
        """
        if len(games) < 2:
            return
        table = self._sets_of[tuple(sorted(games[0].seats))]
        for bot, mean, within in _varying(tuple([(game.seats, game.ranks) for game in games])):
            sums = table[bot]
            sums[0] += 1
            sums[1] += mean
            sums[2] += mean * mean
            sums[3] += within

    @property
    def units(self) -> int:
        """How many units there are, before several go together."""
        return len(self._units)

    def arrays(self, bots: Sequence[str]) -> tuple[Choices, Floats, Floats]:
        """Return choices, points and games (units x bots) of these bots."""
        number = {bot: at for at, bot in enumerate(bots)}
        wins, points, played = np.zeros((3, min(self.units, UNITS), len(bots)))
        for (bot, unit), sums in self._sums.items():
            wins[unit, number[bot]], points[unit, number[bot]], played[unit, number[bot]] = sums
        return Choices.of(bots, self._made, wins), points, played

    def meetings(self) -> dict[Group, Floats]:
        """Return how often each two bots met, and how often the first came in ahead.

        Both are by unit; ties count half.
        """
        return {pair: np.array(list(by_unit.values())) for pair, by_unit in self._met.items()}

    def gains(self) -> dict[int, float]:
        """Return, by table size, the gain of rotating seats.

        It is the variance of a bot's mean result over a rotation set, over that over as many
        independent games, measured between the sets of the same bots: it takes two of them at
        least.
        """
        between: dict[int, float] = defaultdict(float)
        whole: dict[int, float] = defaultdict(float)
        for bots, by_bot in self._sets_of.items():
            for count, total, squares, within in by_bot.values():
                if count > 1:
                    means = max(0.0, (squares - total * total / count) / (count - 1))
                    between[len(bots)] += len(bots) * means
                    whole[len(bots)] += means + within / count
        return {size: between[size] / whole[size] for size in sorted(whole) if whole[size] > 1e-12}
