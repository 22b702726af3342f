"""The commands `carc arena ...`, for whoever runs an arena."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from carc.arena.authors import Authors
from carc.arena.matching import Matching
from carc.arena.orders import Order, give
from carc.arena.service import LOG, Arena
from carc.arena.settings import LadderSettings, read_settings
from carc.commands.serve import HOSTS, address, listen, server
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.tournaments.contest.publication import REGISTRY
from carc.tournaments.ledger.ledger import FILE, Ledger, running
from carc.tournaments.reports import board_table
from carc.tournaments.submission.registry import VARIABLE

TOP = 20  # bots of a ladder that `status` prints

_DIR = click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
_LADDER = click.argument("ladder", metavar="LADDER")


@click.group()
def arena() -> None:
    """Run an arena: ladders that never close, with bots that come and go."""


@arena.command("run")
@_DIR
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--name", "names", multiple=True, help="A host name of the server; may be given repeatedly."
)
def run_command(*, folder: Path, host: str, port: int, names: tuple[str, ...]) -> None:
    """Play the ladders of DIR/arena.toml, and serve their pages, until it is stopped.

    Once stopped it waits for the games under way; stopped again it interrupts them. After any end
    the same command continues.
    """
    try:
        from carc.web.app import make_app  # noqa: PLC0415 (the extra may be missing)
        from carc.web.remote_bots import SERVER  # noqa: PLC0415
    except ImportError as error:
        raise CarcError(f"carc arena run needs {error.name}: pip install 'carc[web]'") from None
    _use_registry(folder)
    service = Arena(folder, lambda seats: Matching(seats, secrets.randbits(64)))
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


@arena.command("enter")
@_DIR
@_LADDER
@click.argument("bot")
def enter_command(*, folder: Path, ladder: str, bot: str) -> None:
    """Let BOT play in LADDER: a shipped bot, or NAME@VERSION that was submitted."""
    _give(folder, Order("enter", ladder, bot))


@arena.command("rest")
@_DIR
@_LADDER
@click.argument("bot")
@click.argument("reason")
def rest_command(*, folder: Path, ladder: str, bot: str, reason: str) -> None:
    """Take BOT out of LADDER until it is entered again. The REASON is published."""
    _give(folder, Order("rest", ladder, bot, reason))


@arena.command("void")
@_DIR
@_LADDER
@click.argument("game")
@click.argument("reason")
def void_command(*, folder: Path, ladder: str, game: str, reason: str) -> None:
    """Take GAME of LADDER back, so that it does not count. The REASON is published."""
    _give(folder, Order("void", ladder, game, reason))


@arena.command("status")
@_DIR
def status_command(*, folder: Path) -> None:
    """Print how the arena in DIR stands: its ladders and their best bots."""
    settings = read_settings(folder)
    console = board_table.wide(Console(markup=False, emoji=False, highlight=False))
    state = "runs" if running(folder) else "does not run"
    console.print(f"The arena {escape_unprintable(folder)} {state}.", soft_wrap=True)
    for each in settings.ladders:
        _print(folder / each.name, each, console)


COMMANDS: list[click.Command] = [arena]


def _give(folder: Path, order: Order) -> None:
    if order.verb != "enter" and (
        not order.why.strip() or escape_unprintable(order.why) != order.why
    ):
        raise CarcError(f"a reason is a line of text that people can read, not {order.why!r:.60}")
    _use_registry(folder)
    click.echo(escape_unprintable(give(folder, order)))


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
        console.print("It was not played yet.")
        return
    with Ledger.reading(folder) as ledger:
        many = sum(1 for _ in ledger.standings.playing())
        games = ledger.standings.games() // seats
        best = ledger.standings.page(TOP)
        head = ledger.standings.head()
    console.print(f"{many} bots play; {games} games are rated. The chain ends with {head}.")
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("#", "bot", "author", "where", "state", "games", "TrueSkill", "faults"):
        table.add_column(name, justify="left" if name in ("bot", "author") else "right")
    for place, each in enumerate(best, start=1):
        rating = f"{each.conservative:.1f} ({each.mu:.1f} ± {3 * each.sigma:.1f})"
        cells = (each.bot, each.author, each.isolation, each.state, str(each.games), rating)
        table.add_row(str(place), *map(escape_unprintable, cells), str(each.faults))
    console.print(table)
