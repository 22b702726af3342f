"""What the commands that play tournaments share.

These are their options, and playing until all is played or somebody stops it.
"""

import re
import secrets
import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from carc.commands.settings import read_settings, settled, told
from carc.errors import CarcError
from carc.tournaments import report
from carc.tournaments.contest import run_tournament
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.host import LEVELS
from carc.tournaments.ledger import FILE, Ledger
from carc.tournaments.progress import progress
from carc.tournaments.schedule import BadTournament, Configuration

STOPPED = 130  # exit code of a program ended by Ctrl-C
VOIDED = 1
# Not remembered for the next time: where it is played, and what is a secret.
_HERE = frozenset({"out", "config", "jobs", "seed", "executor"})

F = TypeVar("F", bound=Callable[..., object])


class ClockText(click.ParamType[str]):
    """The clock of isolated bots."""

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the clock as its own text."""
        try:
            return str(Clock.named(str(value)))
        except CarcError as error:
            self.fail(str(error), param, ctx)


class Part(click.ParamType[str]):
    """Which part of how many, `3/8`."""

    name = "n/m"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the part as it is."""
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", str(value))
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            self.fail(f"it is written such as 3/8, the third of eight, not {value!r}", param, ctx)
        return str(value)


_OPTIONS = (
    click.option(
        "--seed",
        type=int,
        help=(
            "Decides the deals and the bots' seeds: who knows it knows the deals.  "
            "[default: drawn in secret]"
        ),
    ),
    click.option(
        "--mirrored/--fresh",
        default=None,
        help=(
            "All bots play the same deals, which tells them apart in fewer games, but a bot that "
            "remembers one foretells the draws of the next; or a deal of its own for every game.  "
            "[default: fresh if any bot is isolated]"
        ),
    ),
    click.option(
        "--isolation",
        type=click.Choice(LEVELS),
        help="Of all bots.  [default: submitted bots the strongest this host has, others none]",
    ),
    click.option(
        "--clock",
        type=ClockText(),
        default=str(Clock()),
        show_default=True,
        help="Seconds, of isolated bots.",
    ),
    click.option("--title", default="", help="What the board is headed with."),
    click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]"),
    click.option(
        "--executor",
        default="local",
        show_default=True,
        help="Where games are played: local, dask, or dask://HOST:PORT.",
    ),
    click.option(
        "--limit",
        type=click.FloatRange(min=0, min_open=True),
        help=(
            "Seconds after which a game that does not end is void.  "
            "[default: 600, or what the clock allows]"
        ),
    ),
    click.option(
        "--part",
        type=Part(),
        default="1/1",
        show_default=True,
        help="Play this part of it, such as 3/8, to be merged with the others (carc merge).",
    ),
    click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="A TOML file with any of these options as keys; the command line goes before it.",
    ),
)


def common(command: F) -> F:
    """Add the options that all of them have."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def out(default: str) -> Callable[[F], F]:
    """Return the option --out."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(default),
        show_default=True,
        help="Folder of the ledger; a tournament begun there goes on.",
    )


def values_of(ctx: click.Context, *needed: str) -> dict[str, Any]:
    """Return the options and arguments; those that are remembered are in `ctx.obj`.

    They are taken from the command line, else from the file, else as the tournament was begun.

    Raises:
        click.UsageError: One of `needed` is missing.
    """
    config: Path | None = ctx.params.get("config")
    file = {} if config is None else read_settings(config, ctx)
    out: Path = settled(ctx, file)["out"]
    if out == Path():
        raise BadTournament(
            "--out is the tournament's own folder, such as runs/first, not this one"
        )
    before: Mapping[str, str] = {}
    if (out / FILE).is_file():
        with Ledger.reading(out) as ledger:
            before = ledger.settings
    given = {**before, **file}
    ctx.obj = {
        **{name: value for name, value in given.items() if name not in _HERE},
        **told(ctx, _HERE),
    }
    values = settled(ctx, given)
    for param in ctx.command.params:
        if param.name in needed and values[param.name] is None:
            option = isinstance(param, click.Option)
            what = f"option '--{param.name}'" if option else f"argument '{param.name.upper()}'"
            raise click.UsageError(f"Missing {what}.")
    number, parts = map(int, values["part"].split("/"))
    values["part"] = (number, parts)
    if parts > 1 and values["seed"] is None and not before:
        raise BadTournament("--part needs --seed, the same for all parts")
    return values


def play(ctx: click.Context, configuration: Configuration, values: Mapping[str, Any]) -> None:
    """Play what is not played; exit if it is stopped."""
    out = values["out"]
    console = Console(stderr=True)
    with _stopping() as stop:
        held = run_tournament(
            configuration,
            out,
            jobs=values["jobs"],
            limit=values["limit"],
            executor=values["executor"],
            part=values["part"],
            settings=ctx.obj,
            stop=stop,
            watch=lambda ledger, total: progress(
                console,
                ledger.played(configuration),
                total,
                lambda: report.standings(ledger.outcomes(), configuration, console.width),
            ),
        )
    if held.finished:
        return
    console.print(f"Stopped after {held.played} of {held.total} games. To go on:", soft_wrap=True)
    words = [ctx.info_name or ""]
    for option, left_out in (("jobs", None), ("executor", "local"), ("out", None)):
        if values[option] != left_out:
            words += [f"--{option}", values[option]]
    again = " ".join(shlex.quote(str(word)) for word in words)
    console.print(f"carc {again}", soft_wrap=True, highlight=False, markup=False)
    raise SystemExit(STOPPED)


def seed_of(values: Mapping[str, Any]) -> int:
    """Return the given seed, or that of the tournament in the folder, or a secret one."""
    if values["seed"] is not None:
        return int(values["seed"])
    if (values["out"] / FILE).is_file():
        with Ledger.reading(values["out"]) as ledger:
            return ledger.configuration.seed
    return secrets.randbits(128)


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set; nothing is interrupted in the middle."""
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
