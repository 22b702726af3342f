"""A tournament from its configuration to its board: what the commands do, as functions."""

import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from carc.tournaments.isolation.resources import shortage
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.pairing import format_of, rounds
from carc.tournaments.rating.ratings import Leaderboard, board_of
from carc.tournaments.rating.tally import Tally
from carc.tournaments.running.log import Log, logging_to
from carc.tournaments.running.pool import LocalPool, cores
from carc.tournaments.running.runner import run
from carc.tournaments.schedule.configuration import BadTournament, Configuration, longest_game
from carc.tournaments.schedule.entrants import program

if TYPE_CHECKING:
    from carc.tournaments.running.cluster import DaskPool

MOST_SKILLS = 50_000  # games that TrueSkill is computed of without being asked for: a minute
MARGIN = 10.0  # seconds beside what the clock allows, for everything that is not a bot's

Watch = Callable[[Ledger, int], AbstractContextManager[Callable[[int], None]]]
"""Shows the progress of a ledger towards so many games at most.

Yields the function that is called with the number of further games.
"""


@attrs.frozen
class TournamentResult:
    """How far a tournament is."""

    finished: bool
    """Whether all games are played, void or given up; else it was stopped."""
    played: int
    total: int
    """The most games there can be."""


def run_tournament(
    configuration: Configuration,
    folder: Path | str,
    *,
    jobs: int | None = None,
    limit: float | None = None,
    executor: str = "local",
    part: tuple[int, int] = (1, 1),
    settings: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
    watch: Watch = lambda *_: nullcontext(lambda _: None),
) -> TournamentResult:
    """Play the games that the ledger in a folder does not hold, until `stop` is set.

    Args:
        configuration: What is played.
        folder: Where the ledger and the log are.
        jobs: How many processes play; by default one for each core.
        limit: Seconds after which a game is void; by default 600, or what the clock allows.
        executor: `local`, `dask` (a cluster made here) or `dask://HOST:PORT`.
        part: Which part of how many, to be merged with the others.
        settings: What the ledger is to remember beside the configuration.
        stop: Ends the tournament when it is set.
        watch: Shows progress; by default nothing does.

    Raises:
        CarcError: The tournament cannot be played, or its ledger cannot be written.
    """
    folder = Path(folder)
    seconds = limit_of(configuration, limit)
    jobs = jobs or cores()
    if executor == "local":
        _require_resources(configuration, jobs)
    form = format_of(configuration)
    total = form.total(configuration) // part[1]
    stop = stop or threading.Event()
    with (
        Ledger.writing(folder, configuration, settings) as ledger,
        logging_to(folder / "tournament.log") as log,
        _pool(executor, configuration, log, seconds, jobs) as pool,
        watch(ledger, total) as advance,
    ):
        games = rounds(configuration, ledger, part)
        finished = run(games, ledger, pool, stop=stop, advance=advance, settle=form.rounds)
        if not finished:
            pool.kill()
        return TournamentResult(finished, ledger.played(configuration), total)


def _require_resources(configuration: Configuration, jobs: int) -> None:
    """Raise `BadTournament` if the host has less than the bots of so many games may use."""
    isolated = [program(bot) for bot in configuration.bots if bot.isolation != "none"]
    isolated.sort(key=lambda each: each.folder is None)  # copies of folders take room
    seated = isolated[: configuration.tables[-1]]
    if why := shortage(seated, jobs):
        fewer = next((n for n in range(jobs - 1, 0, -1) if not shortage(seated, n)), 0)
        advice = f"; --jobs {fewer} can be had" if fewer else ""
        raise BadTournament(f"the bots of {jobs} games may use more than there is: {why}{advice}")


def _pool(
    executor: str, configuration: Configuration, log: Log, limit: float, jobs: int
) -> "LocalPool | DaskPool":
    if executor == "local":
        return LocalPool(jobs, log, limit)
    return dask_pool(executor, configuration, log, limit, jobs)


def dask_pool(
    executor: str, configuration: Configuration, log: Log, limit: float, jobs: int
) -> "DaskPool":
    """Return the pool of a Dask cluster.

    Args:
        executor: `dask` (a cluster made here) or `dask://HOST:PORT`.
        configuration: Of the games.
        log: Gets what the workers log.
        limit: Seconds that a game may take.
        jobs: How many processes a cluster has that is made here.

    Raises:
        BadTournament: It is not there, or cannot play.
    """
    try:
        from carc.tournaments.running.cluster import (  # noqa: PLC0415 (an extra)
            DaskPool,
            address_of,
        )
    except ModuleNotFoundError:
        raise BadTournament(
            f"--executor {executor} needs Dask: pip install 'carc[distributed]'"
        ) from None
    return DaskPool(address_of(executor), configuration, log, limit, jobs)


def board(
    folder: Path | str, tables: tuple[int, ...] = (), skills: bool | None = None
) -> Leaderboard:
    """Return the board of the tournament in a folder, even while it runs.

    Args:
        folder: The tournament's.
        tables: Count only games at tables of these sizes.
        skills: Compute TrueSkill, about a millisecond a game; by default if there are few
            games.

    Raises:
        BadLedger: There is no ledger that can be read.
    """
    with Ledger.reading(Path(folder)) as ledger:
        wanted = len(ledger) <= MOST_SKILLS if skills is None else skills
        outcomes = ledger.outcomes()
        some = (game for game in outcomes if not tables or len(game.seats) in tables)
        return board_of(Tally(wanted, ledger.configuration).add_all(some))


def limit_of(configuration: Configuration, given: float | None) -> float:
    """Return the seconds after which a game is void.

    They are more than its clock allows, or a bot could bring a void game about; `BadTournament` if
    fewer are given.
    """
    longest = longest_game(configuration)
    allowed = longest * 1.1 + MARGIN
    if given is None:
        return max(600.0, allowed)
    if not isfinite(given):
        raise BadTournament(f"--limit is a number of seconds, not {given}")
    if longest and given < allowed:
        raise BadTournament(
            f"a game may take {allowed:.0f} s by --clock {configuration.clock}, and would be void "
            f"after --limit {given:g}; give a longer limit or a shorter clock"
        )
    return given
