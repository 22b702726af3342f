"""What commands that play tournaments share: their options, and playing until the end or a stop."""

import re
import secrets
import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from carc.commands.options import (
    FILE_PATH,
    FOLDER_PATH,
    F,
    Kind,
    jobs_option,
    numbers,
    rules_option,
    with_options,
)
from carc.commands.settings import explicit_settings, read_settings, resolve
from carc.errors import CarcError
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.host import LEVELS
from carc.tournaments.ledger.ledger import FILE, Ledger
from carc.tournaments.pairing import FORMATS
from carc.tournaments.rating.ratings import Leaderboard
from carc.tournaments.reports import board_table
from carc.tournaments.reports.progress import progress
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.tournament import run_tournament

STOPPED = 130
"""Exit status after Ctrl-C."""
VOIDED = 1
"""Exit status if games are void."""
# Not remembered for the next time: where a tournament is played, and the secret seed.
_NOT_REMEMBERED = frozenset({"out", "config", "jobs", "seed", "executor", "open"})


def _part(text: str) -> str:
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise CarcError(f"a part is written like 3/8, the third of eight, not {text!r}")
    return text


tournament_options = with_options(
    click.option(
        "--seed",
        type=int,
        help=(
            "Seed of the deals and the bots. Whoever knows it knows the deals.  "
            "[default: random and secret]"
        ),
    ),
    click.option(
        "--mirrored/--fresh",
        default=None,
        help=(
            "All bots play the same deals, so fewer games are needed, but a bot that remembers a "
            "deal foresees its draws; or every game has its own deal.  "
            "[default: fresh if any bot is isolated]"
        ),
    ),
    click.option(
        "--isolation",
        type=click.Choice(LEVELS),
        help="Isolation of all bots.  [default: submitted bots strongest here, others none]",
    ),
    click.option(
        "--clock",
        type=Kind("text", lambda text: str(Clock.named(text))),
        default=str(Clock()),
        help="Time of isolated bots, in seconds.",
    ),
    click.option("--title", default="", show_default=False, help="The title of the leaderboard."),
    jobs_option,
    click.option(
        "--executor",
        default="local",
        help="Where games are played: local, dask, or dask://HOST:PORT.",
    ),
    click.option(
        "--limit",
        type=click.FloatRange(min=0, min_open=True),
        help=(
            "Seconds after which an unfinished game is void.  "
            "[default: 600, or what the clock allows]"
        ),
    ),
    click.option(
        "--part",
        type=Kind("n/m", _part),
        default="1/1",
        help="Play only this part, such as 3/8. `carc merge` merges the parts.",
    ),
    click.option(
        "--config",
        type=FILE_PATH,
        help="A TOML file with any of these options as keys. The command line takes precedence.",
    ),
)
"""What all commands have that play tournaments."""
schedule_options = with_options(
    rules_option,
    click.option("--tables", type=numbers("table sizes", 1, 99), default="2", help="Table sizes."),
    click.option("--deals", default=10, help="Deals for each set of bots, or rounds."),
    click.option(
        "--format",
        type=click.Choice([name for name in FORMATS if name != "campaign"]),
        default="round-robin",
        help="Who plays whom.",
    ),
    click.option(
        "--against",
        default="",
        show_default=False,
        help="The bot that plays all others in a gauntlet.",
    ),
)
"""Who plays whom by which rules, where the command does not say it."""


def out_option(default: str) -> Callable[[F], F]:
    """Return a decorator that adds the option --out."""
    return click.option(
        "--out",
        type=FOLDER_PATH,
        default=Path(default),
        help="Folder of the tournament. One that was begun there continues.",
    )


def resolve_values(ctx: click.Context, *needed: str) -> dict[str, Any]:
    """Return the values of options and arguments, and store those to remember in `ctx.obj`.

    The command line takes precedence over the file of --config, and that over the values with which
    the tournament was begun. Raises `click.UsageError` if one that is needed is missing,
    `BadTournament` if --out or --part is wrong.
    """
    config: Path | None = ctx.params.get("config")
    file = {} if config is None else read_settings(config, ctx)
    out: Path = resolve(ctx, file)["out"]
    if out == Path():
        raise BadTournament(
            "--out must be a folder of its own, such as runs/first, not the current one"
        )
    before: Mapping[str, str] = {}
    if (out / FILE).is_file():
        with Ledger.reading(out) as ledger:
            before = ledger.settings
    given = {**before, **file}
    ctx.obj = {
        **{name: value for name, value in given.items() if name not in _NOT_REMEMBERED},
        **explicit_settings(ctx, _NOT_REMEMBERED),
    }
    values = resolve(ctx, given)
    for param in ctx.command.params:
        if param.name in needed and values[param.name] is None:
            option = isinstance(param, click.Option)
            what = f"option '--{param.name}'" if option else f"argument '{param.name.upper()}'"
            raise click.UsageError(f"Missing {what}.")
    number, parts = map(int, values["part"].split("/"))
    values["part"] = (number, parts)
    if parts > 1 and values["seed"] is None and not before:
        raise BadTournament("--part needs --seed, with the same value for all parts")
    return values


def run(ctx: click.Context, configuration: Configuration, values: Mapping[str, Any]) -> None:
    """Play the games that have not been played, and exit if it is stopped."""
    out = values["out"]
    console = Console(stderr=True)
    with _stopping() as stop:
        result = run_tournament(
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
                lambda: board_table.standings(ledger.outcomes(), configuration, console.width),
            ),
        )
    if result.finished:
        return
    console.print(
        f"Stopped after {result.played} of {result.total} games. To continue:", soft_wrap=True
    )
    words = [ctx.info_name or ""]
    for option, left_out in (("jobs", None), ("executor", "local"), ("out", None)):
        if values[option] != left_out:
            words += [f"--{option}", values[option]]
    again = " ".join(shlex.quote(str(word)) for word in words)
    console.print(f"carc {again}", soft_wrap=True, highlight=False, markup=False)
    raise SystemExit(STOPPED)


def resolve_seed(values: Mapping[str, Any], least: int = 0) -> int:
    """Return the seed given, or that of the tournament in the folder, or a random one."""
    if values["seed"] is not None:
        return int(values["seed"])
    if (values["out"] / FILE).is_file():
        with Ledger.reading(values["out"]) as ledger:
            return ledger.configuration.seed
    return least + secrets.randbits(128)


def settings_of(values: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """Return the values of options that all tournaments have, and of some more, by name."""
    names = ("clock", "isolation", "mirrored", "title", *more)
    return {name: values[name] for name in names}


def show_board(results: Leaderboard, out: Path, *more: str) -> None:
    """Print a board and lines below it, and exit with `VOIDED` if games are void."""
    board_table.show(results, Console(markup=False, emoji=False), board_table.heading(out))
    for line in more:
        click.echo(line)
    if results.voids:
        raise SystemExit(VOIDED)


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set. No game is interrupted."""
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
