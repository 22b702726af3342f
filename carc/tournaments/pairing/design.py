"""Formats that do not look at results.

They go deal by deal, so that a part of a tournament is a smaller tournament, and set by set.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, Final

from carc.tournaments.identifiers import seed_from
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game, rotation_set, team_game

MOST: Final = 100_000  # games a deal that anybody could want


def round_robin(configuration: Configuration, _: Sequence[Any]) -> Iterator[Game]:
    """Yield the games of all subsets of the bots."""
    for deal in range(configuration.deals):
        for size in configuration.tables:
            for bots in combinations(configuration.bots, size):
                yield from rotation_set(configuration, deal, bots)


def all_games(configuration: Configuration) -> int:
    """Return how many games a round robin has."""
    return configuration.deals * sum(
        size * comb(len(configuration.bots), size) for size in configuration.tables
    )


def gauntlet(configuration: Configuration, _: Sequence[Any]) -> Iterator[Game]:
    """Yield the games of all subsets with the bot that is tried."""
    (tried,) = (bot for bot in configuration.bots if bot.name == configuration.against)
    others = [bot for bot in configuration.bots if bot != tried]
    for deal in range(configuration.deals):
        for size in configuration.tables:
            for bots in combinations(others, size - 1):
                yield from rotation_set(configuration, deal, (tried, *bots))


def gauntlet_games(configuration: Configuration) -> int:
    """Return how many games a gauntlet has."""
    return configuration.deals * sum(
        size * comb(len(configuration.bots) - 1, size - 1) for size in configuration.tables
    )


def random_tables(configuration: Configuration, _: Sequence[Any]) -> Iterator[Game]:
    """Yield the games of the bots in a random order, cut into tables.

    Those who have sat least fill the last table.
    """
    sat: Counter[tuple[int, str]] = Counter()
    for deal in range(configuration.deals):
        for size in configuration.tables:
            order = in_random_order(configuration, deal, size)
            fill = sorted(order, key=lambda bot: sat[size, bot.name])[: -len(order) % size]
            order = [*fill, *(bot for bot in order if bot not in fill), *fill]  # first and last
            sat.update((size, bot.name) for bot in order)
            for at in range(0, len(order), size):
                yield from rotation_set(configuration, deal, tuple(order[at : at + size]))


def random_games(configuration: Configuration) -> int:
    """Return how many games a random design has."""
    bots = len(configuration.bots)
    return configuration.deals * sum(-(-bots // size) * size for size in configuration.tables)


def campaign(configuration: Configuration, _: Sequence[Any]) -> Iterator[Game]:
    """Yield the games of every bot in teams of every size at every level."""
    for deal in range(configuration.deals):
        for level in configuration.levels:
            for size in configuration.tables:
                for bot in configuration.bots:
                    yield team_game(configuration, level, deal, (bot,) * size)


def campaign_games(configuration: Configuration) -> int:
    """Return how many games a campaign has."""
    return (
        configuration.deals
        * len(configuration.levels)
        * len(configuration.tables)
        * len(configuration.bots)
    )


def in_random_order(configuration: Configuration, *what: object) -> list[Entrant]:
    """Return the bots in an order that the seed and `what` decide."""
    return sorted(
        configuration.bots,
        key=lambda bot: seed_from(configuration.key, "order", *what, bot.name),
    )
