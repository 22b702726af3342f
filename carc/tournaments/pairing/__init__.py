"""Who plays whom: the formats of tournaments, which choose the games to play now.

Every format is a pure function from the configuration and the results to games. A format that does
not look at results gives all its games at once, as a stream. One that does gives a round, whose
games may be played in any order, and the next when all of it is settled: rated, or given up after
it was void `MOST_VOIDS` times. What it is given is in no particular order, so the same results lead
to the same games wherever and however often it is asked. So every format ends, whatever its bots
and the host do.

Called by: commands, contest, reports, tournament.
Imports: ledger, outcomes, rating, schedule.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import attrs

from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import MOST_VOIDS
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.pairing import design, duel, ladder, swiss
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.schedule.games import Game, rotation_set


@attrs.frozen
class Format:
    """A way to choose games."""

    says: str
    """A description in a few words."""
    next_games: Callable[[Configuration, Sequence[Outcome]], Iterable[Game]]
    """The games to play now, some perhaps played already; none when it is over.

    It is given the games that are settled; those with the verdict `void` were given up."""
    total: Callable[[Configuration], int]
    """The most games there can be."""
    rounds: bool = False
    """Whether it looks at results."""


FORMATS = {
    "round-robin": Format("all subsets of the bots", design.round_robin, design.all_games),
    "random": Format(
        "each deal seats every bot at a random table", design.random_tables, design.random_games
    ),
    "gauntlet": Format("one bot against all others", design.gauntlet, design.gauntlet_games),
    "swiss": Format(
        "each round seats bots of like results", swiss.next_round, swiss.games, rounds=True
    ),
    "ladder": Format(
        "new bots are placed, then play those near them",
        ladder.next_round,
        ladder.games,
        rounds=True,
    ),
    "campaign": Format("teams of one bot at every level", design.campaign, design.campaign_games),
    "duel": Format(
        "two bots until one is known to be better", duel.next_round, duel.games, rounds=True
    ),
}


def format_of(configuration: Configuration) -> Format:
    """Return the format of a configuration; raise `BadTournament` if it does not suit that."""
    name, bots, size = configuration.format, len(configuration.bots), configuration.tables[-1]
    if name not in FORMATS:
        raise BadTournament(f"there is no format {name!r}; formats are {', '.join(FORMATS)}")
    names = [bot.name for bot in configuration.bots]
    if name == "gauntlet" and configuration.against not in names:
        raise BadTournament(
            "a gauntlet is one bot against the field; name it with --against, one of "
            f"{', '.join(names)}"
        )
    if (name == "campaign") != bool(configuration.levels):
        raise BadTournament("a campaign, and nothing else, has levels: carc levels plays one")
    if name == "duel" and (bots, configuration.tables) != (2, (2,)):
        raise BadTournament("a duel is between two bots at tables of 2")
    if name in ("swiss", "ladder") and len(configuration.tables) > 1:
        raise BadTournament(f"format {name} has tables of one size, such as --tables {size}")
    if (
        name == "round-robin"
        and design.all_games(configuration) > design.MOST * configuration.deals
    ):
        raise BadTournament(
            f"all subsets of {bots} bots are "
            f"{design.all_games(configuration) // configuration.deals} games a deal; "
            "--format random seats each bot once a deal instead"
        )
    return FORMATS[name]


def rounds(
    configuration: Configuration, ledger: Ledger, part: tuple[int, int] = (1, 1)
) -> Iterator[Iterable[Game]]:
    """Yield the games to play, round by round; each is chosen when those before are settled.

    Args:
        configuration: Of the tournament.
        ledger: With the results.
        part: Which part of how many, whole rotation sets in turn; only of formats without
            rounds.

    Raises:
        BadTournament: The configuration does not suit its format.
    """
    form = format_of(configuration)
    number, parts = part
    if not form.rounds:
        yield _part(form.next_games(configuration, ()), number, parts)
        return
    if parts > 1:
        raise BadTournament(
            f"format {configuration.format} looks at results and is not played in parts"
        )
    if games := _open_round(configuration, ledger):
        yield games
    while games := list(form.next_games(configuration, _settled(configuration, ledger))):
        ledger.begin_round((game.deal, [bot.name for bot in game.seats]) for game in games)
        yield games


def counted(configuration: Configuration, ledger: Ledger) -> list[Outcome]:
    """Return the rated games of the tournament as it is now."""
    return [game for game in _of(configuration, ledger) if game.verdict == OK]


def _settled(configuration: Configuration, ledger: Ledger) -> list[Outcome]:
    """Return the games that a format with rounds need not wait for: rated, or given up as void."""
    return [
        game
        for game in _of(configuration, ledger)
        if game.verdict == OK or game.voids + 1 >= MOST_VOIDS
    ]


def _open_round(configuration: Configuration, ledger: Ledger) -> list[Game]:
    """Return the games of the round that was under way when the tournament was stopped.

    Its results are not all there, so what a format made of them would be another round.
    """
    bots = {bot.name: bot for bot in configuration.bots}
    games: list[Game] = []
    for deal, names in ledger.open_round():
        if not bots.keys() >= set(names):
            return []  # the field has changed since
        games += rotation_set(configuration, deal, tuple(bots[name] for name in names))
    settled = {game.id for game in _settled(configuration, ledger)}
    return games if any(game.id not in settled for game in games) else []


def _of(configuration: Configuration, ledger: Ledger) -> Iterator[Outcome]:
    for game in ledger.outcomes():
        if not configuration.exclusion_reason(game.seats, game.digests, game.deal):
            yield game


def _part(games: Iterable[Game], number: int, parts: int) -> Iterator[Game]:
    """Yield the games of every so-manieth rotation set; games of a set come in sequence."""
    if parts == 1:
        yield from games
        return
    for at, (_, whole) in enumerate(groupby(games, key=lambda game: game.rotation_set)):
        if at % parts == number - 1:
            yield from whole
