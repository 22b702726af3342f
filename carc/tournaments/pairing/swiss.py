"""Swiss: as many rounds as deals.

Each round seats bots of similar results so far, if possible such as have not met.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.pairing.design import in_random_order
from carc.tournaments.rating.tally import beaten
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game, rotation_set


def next_round(configuration: Configuration, results: Sequence[Outcome]) -> list[Game]:
    """Return the first round that is not settled."""
    (size,) = configuration.tables
    by_id = {game.id: game for game in results}
    shares: dict[str, list[float]] = defaultdict(list)
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for number in range(configuration.deals):
        order = in_random_order(configuration, number)
        order.sort(key=lambda bot: -sum(results := shares[bot.name] or [0.5]) / len(results))
        tables = _tables(order, size, met, byes)
        games = [game for bots in tables for game in rotation_set(configuration, number, bots)]
        if any(game.id not in by_id for game in games):
            return games
        for game in games:
            played = by_id[game.id]
            if played.verdict != OK:
                continue  # given up: it tells nothing of its bots
            for bot, share in zip(played.seats, beaten(played.ranks), strict=True):
                shares[bot].append(share)
        for bots in tables:
            met.update(frozenset(pair) for pair in combinations((bot.name for bot in bots), 2))
        seated = {bot.name for bots in tables for bot in bots}
        byes.update(bot.name for bot in order if bot.name not in seated)
    return []


def games(configuration: Configuration) -> int:
    """Return how many games there are."""
    (size,) = configuration.tables
    return configuration.deals * (len(configuration.bots) // size) * size


def _tables(
    order: Sequence[Entrant], size: int, met: Counter[frozenset[str]], byes: Counter[str]
) -> list[tuple[Entrant, ...]]:
    """Return the tables of a round, from the top.

    Each bot sits with those below it that it has met least, the nearest first. Who is left over is
    one of the lowest of those who have sat out least.
    """
    lowest = list(reversed(order))
    lowest.sort(key=lambda bot: byes[bot.name])
    over = lowest[: len(order) % size]
    left = [bot for bot in order if bot not in over]
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < size:
            table.append(min(left, key=lambda bot: _meetings(bot, table, met)))
            left.remove(table[-1])
        tables.append(tuple(table))
    return tables


def _meetings(bot: Entrant, table: Iterable[Entrant], met: Counter[frozenset[str]]) -> int:
    return sum(met[frozenset((bot.name, other.name))] for other in table)
