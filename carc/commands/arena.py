"""The commands `carc arena ...`, for whoever runs an arena."""

import os
import secrets
from functools import partial
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from carc.arena.authors import Authors
from carc.arena.backup import back_up
from carc.arena.matching import Matching
from carc.arena.orders import REASONED, Order, give
from carc.arena.reading import LadderReader
from carc.arena.service import Arena
from carc.arena.settings import LOG, LadderSettings, read_settings
from carc.commands.options import FILE_PATH, FOLDER_PATH
from carc.commands.serve import HOSTS, address, listen, server, server_options
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.tournaments.contest.publication import REGISTRY
from carc.tournaments.ledger.ledger import FILE, running
from carc.tournaments.ledger.standings import PAUSED, PLAYS
from carc.tournaments.reports import board_table
from carc.tournaments.submission.registry import VARIABLE

_RUN = "run"
TOP = 20  # bots of a ladder that `status` prints

_DIR = click.argument("folder", metavar="DIR", type=FOLDER_PATH)


class _Arena(click.Group):
    """`arena DIR` runs an arena; `arena COMMAND ...` gives an order to it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Call the command `run`, which is not listed, where none is named."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            if len(args) > 1 and not Path(args[0]).is_dir() and not args[0].startswith("-"):
                names = ", ".join(self.list_commands(ctx))
                raise CarcError(f"{args[0]!r} is neither an arena nor one of the commands {names}")
            args = [_RUN, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which they are needed."""
        return [name for name in self.commands if name != _RUN]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of `run`, and the commands."""
        click.Command.format_options(self.commands[_RUN], ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(cls=_Arena, subcommand_metavar="DIR | COMMAND [ARGS]...")
def arena() -> None:
    """Run the arena in DIR, or give orders to it.

    An arena has ladders that never close, in which bots come and go. It is described by
    DIR/arena.toml. Once stopped it waits for the games under way; stopped again it interrupts them.
    After any end the same command continues.
    """


@arena.command(_RUN)
@_DIR
@server_options
@click.option(
    "--executor",
    default="",
    show_default=False,
    help="Where games are played, in place of that of arena.toml, as for carc tournament.",
)
def run_command(
    *, folder: Path, host: str, port: int, names: tuple[str, ...], executor: str
) -> None:
    """Play the ladders of DIR/arena.toml, and serve their pages, until it is stopped."""
    try:
        from carc.web.app import make_app  # noqa: PLC0415 (the extra may be missing)
        from carc.web.remote_bots import SERVER  # noqa: PLC0415
    except ImportError as error:
        raise CarcError(f"carc arena needs {error.name}: pip install 'carc[web]'") from None
    _use_registry(folder)
    service = Arena(folder, lambda seats: Matching(seats, secrets.randbits(64)), executor=executor)
    app = make_app(folder, hosts=[*HOSTS, host, *names], author=service.author, arena=service)
    # uvicorn's own configuration of logs would close that to which the workers write.
    pages = server(app, log_config=None, **SERVER)
    pages.handle_exit = lambda *_: _stop(service)  # type: ignore[method-assign]
    with listen(host, port) as place:
        service.start(ended=lambda: setattr(pages, "should_exit", True))
        click.echo(f"carc runs the arena {folder} at {address(place, host)}", err=True)
        try:
            pages.run(sockets=[place])
        finally:
            service.close()
    if not pages.started:
        raise CarcError(f"the pages could not be served; {folder / LOG} says why")


@arena.group()
def author() -> None:
    """Say who may take part."""


@author.command("add")
@_DIR
@click.argument("name")
def add_author(*, folder: Path, name: str) -> None:
    """Let the author NAME take part in the arena in DIR, and print the author's token."""
    read_settings(folder)
    token = Authors(folder).add(name)
    click.echo(f"{name}'s token, which is kept nowhere: {token}")


# Of each order what it is given beside DIR, and what it does.
_ORDERS = {
    "enter": (
        "LADDER BOT",
        "Let BOT play in LADDER: a shipped bot, or NAME@VERSION that was submitted.",
    ),
    "remove": (
        "LADDER BOT REASON",
        "Take BOT out of LADDER until it is entered again. The REASON is published.",
    ),
    "void": (
        "LADDER GAME REASON",
        "Take GAME of LADDER back, so that it does not count. The REASON is published.",
    ),
    "pause": (
        "[LADDER]",
        "Let no game begin in LADDER, or in any, until it is resumed. Games under way end.",
    ),
    "resume": ("[LADDER]", "Let games begin again in LADDER, or in all."),
    "ban": (
        "AUTHOR REASON",
        "Let AUTHOR take part no more: bots rest, connections end. The REASON is published.",
    ),
    "unban": ("AUTHOR", "Let AUTHOR take part again."),
}
_FIELDS = {"LADDER": "ladder", "[LADDER]": "ladder", "REASON": "why"}  # of an order; else "what"


def _give(
    verb: str, /, *, folder: Path, ladder: str | None = None, what: str = "", why: str = ""
) -> None:
    """Have an order carried out, and print what came of it."""
    if verb in REASONED and not (why.strip() and escape_unprintable(why) == why):
        raise CarcError(f"a reason is a line of text that people can read, not {why!r:.60}")
    _use_registry(folder)
    click.echo(escape_unprintable(give(folder, Order(verb, ladder or "", what, why))))


def _order(verb: str, names: str, told: str) -> click.Command:
    """Return the command that gives an order."""
    command = _DIR(click.Command(verb, callback=partial(_give, verb), help=told))
    command.params += [
        click.Argument([_FIELDS.get(name, "what")], metavar=name, required=name[0] != "[")
        for name in names.split()
    ]
    return command


for _verb, _about in _ORDERS.items():
    arena.add_command(_order(_verb, *_about))


@arena.command("backup")
@_DIR
@click.argument("file", type=FILE_PATH)
def backup_command(*, folder: Path, file: Path) -> None:
    """Copy the arena in DIR, which may run, into FILE, a tar archive that holds its secrets."""
    _use_registry(folder)
    back_up(folder, file)


@arena.command("status")
@_DIR
def status_command(*, folder: Path) -> None:
    """Print how the arena in DIR stands: its ladders and their best bots."""
    settings = read_settings(folder)
    console = board_table.wide(Console(markup=False, emoji=False, highlight=False))
    state = "runs" if running(folder) else "does not run"
    console.print(f"The arena {escape_unprintable(folder)} {state}.", soft_wrap=True)
    for name, known in Authors(folder).all().items():
        if known.banned:
            console.print(f"{name} is banned: {known.banned}", soft_wrap=True)
    for each in settings.ladders:
        _print(folder / each.name, each, console)


def _use_registry(folder: Path) -> None:
    """Have submitted bots looked for in the arena's folder, unless another place is named."""
    os.environ.setdefault(VARIABLE, str((folder / REGISTRY).absolute()))


def _stop(service: Arena) -> None:
    """Stop when the games under way have ended; at once if this is said again.

    Until then the pages are served, by which remote bots play.
    """
    if not service.is_stopping:
        click.echo("carc: the games under way end first", err=True)
    service.stop(at_once=service.is_stopping)


def _print(folder: Path, settings: LadderSettings, console: Console) -> None:
    """Print how a ladder stands."""
    rules, (seats,) = settings.configuration.rules, settings.configuration.tables
    console.print(f"\n{settings.name}: {rules}, tables of {seats}", soft_wrap=True)
    if not (folder / FILE).is_file():
        console.print("Nobody was entered yet.")
        return
    with LadderReader.reading(folder) as ledger:
        playing, games = ledger.standings.count(PLAYS), ledger.played(settings.configuration)
        best = ledger.standings.page(TOP)
        head, _ = ledger.head()
        if since := ledger.settings.get(PAUSED):
            console.print(f"It is paused since {since}.")
    if not best:
        return
    console.print(f"{playing} bots play; {games} games are rated. The chain ends with {head}.")
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("#", "bot", "author", "where", "state", "games", "TrueSkill", "faults"):
        table.add_column(name, justify="left" if name in ("bot", "author") else "right")
    for place, each in enumerate(best, start=1):
        rating = f"{each.conservative:.1f} ({each.mu:.1f} ± {3 * each.sigma:.1f})"
        cells = (each.bot, each.author, each.isolation, each.state, str(each.games), rating)
        table.add_row(str(place), *map(escape_unprintable, cells), str(each.faults))
    console.print(table)
