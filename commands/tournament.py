"""The commands `tournament` and `leaderboard` of the program `carc`."""

import secrets
import shlex
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path

import click
from rich.console import Console

from carc.commands.options import BOTS, Numbers
from carc.tournaments import report
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.host import LEVELS
from carc.tournaments.ledger import FILE, Ledger
from carc.tournaments.log import logging_to
from carc.tournaments.pool import LocalPool, cores
from carc.tournaments.progress import progress
from carc.tournaments.ratings import Leaderboard, board_of
from carc.tournaments.runner import run
from carc.tournaments.schedule import (
    BadTournament,
    Configuration,
    configure,
    longest_game,
    schedule,
)
from carc.tournaments.tally import Tally

STOPPED = 130  # exit code of a program ended by Ctrl-C
VOIDED = 1
MOST_SKILLS = (
    50_000  # games that TrueSkill is computed of without being asked for; a second for 5000
)

MARGIN = 10.0  # seconds beside what the clock allows, for everything that is not a bot's


@click.command()
@click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts.")
@click.option(
    "--bots", type=BOTS, required=True, help="Bots by name, module:Class or folder, such as ./mine."
)
@click.option(
    "--tables",
    type=Numbers("table sizes", 1, 99),
    default="2",
    show_default=True,
    help="Table sizes.",
)
@click.option("--deals", default=10, show_default=True, help="Deals for each set of bots.")
@click.option(
    "--seed",
    type=int,
    help="Decides the deals and the bots' seeds: who knows it knows the deals.  [default: drawn in secret]",
)
@click.option(
    "--mirrored/--fresh",
    default=None,
    help=(
        "All bots play the same deals, which tells them apart in fewer games, but a bot that remembers one foretells the "
        "draws of the next; or a deal of its own for every game.  [default: fresh if any bot is isolated]"
    ),
)
@click.option(
    "--isolation",
    type=click.Choice(LEVELS),
    help="Of all bots.  [default: submitted bots the strongest this host has, others none]",
)
@click.option("--clock", default=str(Clock()), show_default=True, help="Seconds, of isolated bots.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
@click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds after which a game that does not end is void.  [default: 600, or what the clock allows]",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("runs/tournament"),
    show_default=True,
    help="Folder of the ledger; a tournament begun there goes on.",
)
def tournament(
    *,
    rules: str,
    bots: tuple[str, ...],
    tables: tuple[int, ...],
    deals: int,
    seed: int | None,
    mirrored: bool | None,
    isolation: str | None,
    clock: str,
    jobs: int | None,
    limit: float | None,
    out: Path,
) -> None:
    """Play a round robin of bots and print its leaderboard.

    All subsets of the bots play at tables of each size; each deal is played in all cyclic seatings. Run the same command
    again to go on after a stop.
    """
    if out == Path():
        raise BadTournament(
            "--out is the tournament's own folder, such as runs/first, not this one"
        )
    configuration = configure(
        rules,
        bots,
        tables,
        deals,
        _drawn(out) if seed is None else seed,
        clock=clock,
        isolation=isolation,
        mirrored=mirrored,
    )
    limit = _limit(limit, configuration)
    workers = jobs or cores()
    console = Console(stderr=True)
    total = configuration.games
    with Ledger.writing(out, configuration) as ledger, logging_to(out / "tournament.log") as log:
        held = ledger.played(configuration)
        if held:
            console.print(f"{held} of {total} games are in the ledger already.", soft_wrap=True)
        with (
            _stopping() as stop,
            LocalPool(workers, log, limit) as pool,
            progress(console, held, total) as advance,
        ):
            finished = run(
                [schedule(configuration)], ledger, pool, jobs=workers, stop=stop, advance=advance
            )
            if not finished:
                pool.kill()
        held = ledger.played(configuration)
        board = _board(ledger, None) if finished else None
    if board is None:
        console.print(f"Stopped after {held} of {total} games. To go on:", soft_wrap=True)
        console.print(
            _command(configuration, isolation, jobs, limit, out),
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
        raise SystemExit(STOPPED)
    _show(board)
    if board.voids:
        raise SystemExit(VOIDED)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--trueskill/--no-trueskill",
    default=None,
    help=f"Compute TrueSkill.  [default: up to {MOST_SKILLS} games]",
)
def leaderboard(folder: Path, trueskill: bool | None) -> None:
    """Print the leaderboard of the tournament in FOLDER, even while it runs."""
    with Ledger.reading(folder) as ledger:
        board = _board(ledger, trueskill)
    _show(board)


COMMANDS: list[click.Command] = [tournament, leaderboard]


def _board(ledger: Ledger, skills: bool | None) -> Leaderboard:
    games = len(ledger)
    wanted = games <= MOST_SKILLS if skills is None else skills
    with Console(stderr=True).status(f"rating {games} games"):  # seen on a terminal only
        return board_of(Tally(wanted, ledger.configuration.lacks).add_all(ledger.outcomes()))


def _show(board: Leaderboard) -> None:
    report.show(board, Console(markup=False, emoji=False))


def _limit(given: float | None, configuration: Configuration) -> float:
    """Seconds after which a game is void: more than its clock allows, or a bot could bring that about."""
    allowed = longest_game(configuration) * 1.1 + MARGIN
    if given is None:
        return max(600.0, allowed)
    if not isfinite(given):
        raise BadTournament(f"--limit is a number of seconds, not {given}")
    if given < allowed and longest_game(configuration):
        raise BadTournament(
            f"a game may take {allowed:.0f} s by --clock {configuration.clock}, and would be void after --limit {given:g}; "
            "give a longer limit or a shorter clock"
        )
    return given


def _drawn(out: Path) -> int:
    """The seed of the tournament begun in a folder, or one that no bot can guess."""
    if (out / FILE).is_file():
        with Ledger.reading(out) as ledger:
            return ledger.configuration.seed
    return secrets.randbits(128)


def _command(
    configuration: Configuration, isolation: str | None, jobs: int | None, limit: float, out: Path
) -> str:
    """The command that goes on with a tournament."""
    words = {
        "rules": configuration.rules,
        "bots": ",".join(bot.name for bot in configuration.bots),
        "tables": ",".join(map(str, configuration.tables)),
        "deals": configuration.deals,
        "seed": configuration.seed,
        "isolation": isolation,
        "clock": configuration.clock,
        "jobs": jobs,
        "limit": f"{limit:g}",
        "out": out,
    }
    options = (
        f"--{name} {shlex.quote(str(value))}" for name, value in words.items() if value is not None
    )
    deals = "--mirrored " if configuration.mirrored else "--fresh "
    return f"carc tournament {deals}" + " ".join(options)


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; nothing is interrupted in the middle."""
    stop = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: stop.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
