"""A ladder: every bot plays as many rotation sets as there are deals, new ones first.

A bot is placed by games against bots from all over the ladder. From then on it plays those with
whom a game is most even, by TrueSkill's quality of a match. A bot that is entered later plays its
own sets; those who have theirs play only as its opponents.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.tally import Skills
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game, rotation_set

PLACEMENT: Final = 3  # rotation sets


def next_round(configuration: Configuration, results: Sequence[Outcome]) -> list[Game]:
    """Return a table for each bot that has not yet played its sets.

    A bot waits if all possible opponents sit at other tables.
    """
    (size,) = configuration.tables
    skills, played, met = _history(results)
    names = [bot.name for bot in configuration.bots]
    wanting = [name for name in names if played[name] < configuration.deals]
    wanting.sort(key=lambda name: (played[name], -skills.ratings[name].sigma, name))
    by_name: dict[str, Entrant] = {bot.name: bot for bot in configuration.bots}
    free = set(names)
    games: list[Game] = []
    for name in wanting:
        if name not in free or len(free) < size:
            continue
        free.remove(name)
        table = [name]
        others = sorted(free, key=lambda other: (skills.ratings[other].mu, other))
        for seat in range(1, size):
            if played[name] < PLACEMENT:
                # From all over the ladder: other heights at each seat of each placement game.
                step = (played[name] * (size - 1) + seat) / (PLACEMENT * (size - 1) + 1)
                chosen = others[min(int(step * len(others)), len(others) - 1)]
            else:
                chosen = max(others, key=lambda other: (skills.quality([*table, other]), other))
            others.remove(chosen)
            free.remove(chosen)
            table.append(chosen)
        group = tuple(sorted(table))
        games += rotation_set(configuration, met[group], tuple(by_name[bot] for bot in group))
        met[group] += 1
    return games


def games(configuration: Configuration) -> int:
    """Return the most games there can be: a bot's set counts for its opponents, too."""
    return configuration.deals * len(configuration.bots) * configuration.tables[-1]


def _history(
    results: Sequence[Outcome],
) -> tuple[Skills, Counter[str], Counter[tuple[str, ...]]]:
    """Return ratings, and rotation sets by bot and by table."""
    skills = Skills()
    played: Counter[str] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    ordered = sorted(results, key=lambda game: (game.rotation_set, game.id))
    for _, outcomes in groupby(ordered, key=lambda game: game.rotation_set):
        games = list(outcomes)
        if len(games) == len(games[0].seats):
            played.update(games[0].seats)
            met[tuple(sorted(games[0].seats))] += 1
            for game in games:
                if game.verdict == OK:  # others were given up
                    skills.add(game)
    return skills, played, met
