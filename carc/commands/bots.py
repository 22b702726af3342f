"""The commands for bots: `new-bot`, `check`, `submit`, `bots`, `withdraw`, `log`."""

import os
import secrets
import sys
from importlib.resources import files
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table

from carc.bots import PARAMETERS, names
from carc.bots.ladder import ladder
from carc.commands.new_expansion import fill
from carc.commands.options import COUNT, FOLDER_PATH
from carc.errors import BadBot, CarcError
from carc.escape import escape_unprintable
from carc.match import Void
from carc.tournaments.isolation import host
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.submission.checking import GAMES, Step, check
from carc.tournaments.submission.content import Content, read
from carc.tournaments.submission.manifest import check_name
from carc.tournaments.submission.registry import Registry

_FAILED = 2

_folder = click.argument("folder", type=FOLDER_PATH)
_isolation = click.option(
    "--isolation",
    type=click.Choice(host.LEVELS[1:]),
    help="Isolation of the bot.  [default: the strongest this host supports]",
)
_clock = click.option("--clock", default=str(Clock()), help="Time of the bot, in seconds.")
_games = click.option(
    "--games", type=COUNT, default=GAMES, help="Games for each rules spec it plays."
)
_registry = click.option(
    "--registry",
    type=FOLDER_PATH,
    help="The folder of submitted bots.  [default: $CARC_REGISTRY or runs/registry]",
)


@click.command("new-bot")
@click.argument("name")
@click.option(
    "--lang", type=click.Choice(["python", "javascript"]), default="python", help="Language."
)
def new_bot(name: str, lang: str) -> None:
    """Create a folder NAME with a working bot: its code, bot.toml and a README."""
    folder = Path(name)
    check_name(folder.name)
    if folder.exists():
        raise BadBot(f"{name} exists already; choose another name or remove it")
    fill(files("carc.commands").joinpath("templates", lang), folder, folder.name)
    click.echo(f"Created {name}. Next: carc check {name}")


@click.command("check")
@_folder
@_isolation
@_clock
@_games
@click.option("--seed", type=int, help="Seed of a check to repeat.  [default: random]")
def check_command(
    *, folder: Path, isolation: str | None, clock: str, games: int, seed: int | None
) -> None:
    """Check that the bot in FOLDER starts and plays as a tournament requires."""
    if not _checked(read(folder), isolation, clock, games, seed):
        raise SystemExit(_FAILED)


@click.command()
@_folder
@_isolation
@_clock
@_registry
@click.option(
    "--author",
    default=lambda: os.environ.get("USER") or os.environ.get("LOGNAME") or "unknown",
    show_default=False,
    help="The author, to whom the name of the bot belongs.  [default: $USER]",
)
@_games
@click.option("--to", metavar="URL", help="An arena that checks and stores the bot, not this host.")
@click.option("--token", envvar="CARC_TOKEN", help="Yours in that arena.  [default: $CARC_TOKEN]")
@click.pass_context
def submit(
    context: click.Context,
    /,
    *,
    folder: Path,
    isolation: str | None,
    clock: str,
    registry: Path | None,
    author: str,
    games: int,
    to: str | None,
    token: str | None,
) -> None:
    """Check the bot in FOLDER and store a copy, which tournaments can enter by its name.

    With --to an arena does so, and the bot plays in its ladders.
    """
    if to is not None:
        _submit_to(to, token or "", folder, context)
        return
    content, where = read(folder), Registry(registry)
    held = where.known(content, author)
    if held is None:
        if not _checked(content, isolation, clock, games):
            click.echo("Not submitted.")
            raise SystemExit(_FAILED)
        held = where.add(content, author)
        click.echo(f"Submitted {held.spec}, digest {held.digest}")
        return
    state = f"withdrawn {held.withdrawn}" if held.withdrawn else f"submitted {held.submitted}"
    click.echo(f"The same content is already {held.spec}, {state}, digest {held.digest}.")


@click.command()
@_registry
@click.option("--all", "withdrawn", is_flag=True, help="Include withdrawn bots.")
def bots(registry: Path | None, withdrawn: bool) -> None:
    """List the shipped and the submitted bots."""
    click.echo(f"Shipped: {names()}")
    for name, what in PARAMETERS.items():
        click.echo(f"  {name} is told {what}")
    click.echo("Levels for people, as in carc play --level casual:")
    for number, level in enumerate(ladder(), 1):
        bots_of = f"{level.bot_among(2)}, in a team {level.team}"
        click.echo(f"  {number} {level.id}: {level.sentence} ({bots_of})")
    where = Registry(registry)
    submissions = [each for each in where.submissions() if withdrawn or not each.withdrawn]
    if not submissions:
        click.echo(f"No bots are submitted in {escape_unprintable(str(where.folder))}.")
        return
    table = Table("bot", "author", "submitted", "digest", *(["withdrawn"] if withdrawn else []))
    for each in submissions:
        row = [each.spec, each.author, each.submitted, each.digest[:12]]
        table.add_row(*map(escape_unprintable, row), *([each.withdrawn] if withdrawn else []))
    Console(width=None if sys.stdout.isatty() else 120, markup=False, emoji=False).print(table)


@click.command()
@click.argument("bot")
@_registry
def withdraw(bot: str, registry: Path | None) -> None:
    """Retire BOT: one version by NAME@VERSION, all by NAME. Its games stay in the ledgers."""
    retired = Registry(registry).withdraw(bot)
    click.echo(
        f"Withdrawn: {', '.join(each.spec for each in retired)}"
        if retired
        else f"{bot} has already been withdrawn."
    )


@click.command()
@click.argument("game")
@click.argument("bot")
@click.option(
    "--out", type=FOLDER_PATH, default=Path("runs/tournament"), help="The folder of the tournament."
)
def log(game: str, bot: str, out: Path) -> None:
    """Print what BOT wrote to stderr in GAME, and its verdict."""
    with Ledger.reading(out) as ledger:
        outcome = ledger.outcome(game)
    for seat, name in enumerate(outcome.seats):
        if bot in (name, name.partition("@")[0], str(seat)):
            break
    else:
        raise BadBot(f"{bot!r} did not play {outcome.id}; its seats: {', '.join(outcome.seats)}")
    verdict = outcome.verdicts[seat] if outcome.verdicts else outcome.verdict
    details = [fault["detail"] for fault in outcome.faults if fault["seat"] == seat]
    click.echo(
        escape_unprintable(f"{name}, seat {seat}: {': '.join([verdict, *details])}"), err=True
    )
    click.echo(
        escape_unprintable(outcome.stderr[seat] if outcome.stderr else "", keep="\n\t"), nl=False
    )


def _checked(
    content: Content, isolation: str | None, clock: str, games: int, seed: int | None = None
) -> bool:
    """Check a bot and print the steps. Return True if it passed all of them."""
    level = host.require(isolation) if isolation else host.strongest()
    seed = secrets.randbits(52) if seed is None else seed
    click.echo(f"isolation {level}, clock {clock}, seed {seed}")
    passed = True
    try:
        for step in check(content, level, Clock.named(clock), games, seed=seed):
            passed = step.passed
            _show(step)
    except Void as error:
        click.echo(f"void  {escape_unprintable(error)}; try again when the machine is less busy")
        return False
    return passed


def _show(step: Step) -> None:
    """Print a step of a check."""
    result = "pass" if step.passed else "FAIL"
    click.echo(escape_unprintable(f"{result}  {step.name}: {step.detail}"))
    if step.printed:
        click.echo("      the bot printed:")
        for line in step.printed.splitlines():
            click.echo("      | " + escape_unprintable(line, keep="\t"))


def _submit_to(url: str, token: str, folder: Path, context: click.Context) -> None:
    """Submit a bot to an arena, which may raise `CarcError`, and follow its check."""
    from carc.arena.address import Address  # noqa: PLC0415 (the other commands do without)
    from carc.arena.upload import submit as submit_to  # noqa: PLC0415

    for name in ("isolation", "clock", "registry", "author", "games"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise CarcError(f"with --to the arena checks and stores the bot: leave out --{name}")
    if not token:
        raise CarcError("--to needs the token that the organiser gave you: --token or CARC_TOKEN")
    upload = submit_to(Address(url, token), read(folder), _show)
    click.echo(escape_unprintable(upload.outcome))
    if not upload.bot:
        raise SystemExit(_FAILED)
