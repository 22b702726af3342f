"""The commands that play: `tournament` and `duel`."""

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

from carc.commands.options import BOTS, Numbers
from carc.commands.settings import read_settings, settled, told
from carc.tournaments import report
from carc.tournaments.contest import board, hold
from carc.tournaments.formats import FORMATS, counted
from carc.tournaments.formats.duel import BOUND, verdict
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.host import LEVELS
from carc.tournaments.ledger import FILE, Ledger
from carc.tournaments.progress import progress
from carc.tournaments.schedule import BadTournament, Configuration, configure

STOPPED = 130  # exit code of a program ended by Ctrl-C
VOIDED = 1
# Not remembered for the next time: where it is played, and what is a secret.
_HERE = frozenset({"out", "config", "jobs", "part", "seed", "executor", "one", "other"})

F = TypeVar("F", bound=Callable[..., object])

_OPTIONS = (
    click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts."),
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
            "All bots play the same deals, which tells them apart in fewer games, but a bot that remembers one foretells "
            "the draws of the next; or a deal of its own for every game.  [default: fresh if any bot is isolated]"
        ),
    ),
    click.option(
        "--isolation",
        type=click.Choice(LEVELS),
        help="Of all bots.  [default: submitted bots the strongest this host has, others none]",
    ),
    click.option(
        "--clock", default=str(Clock()), show_default=True, help="Seconds, of isolated bots."
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
)


def _common(command: F) -> F:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _out(default: str) -> Callable[[F], F]:
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(default),
        show_default=True,
        help="Folder of the ledger; a tournament begun there goes on.",
    )


@click.command()
@_common
@click.option("--bots", type=BOTS, help="Bots by name, module:Class or folder, such as ./mine.")
@click.option(
    "--tables",
    type=Numbers("table sizes", 1, 99),
    default="2",
    show_default=True,
    help="Table sizes.",
)
@click.option(
    "--deals", default=10, show_default=True, help="Deals for each set of bots, or rounds."
)
@click.option(
    "--format",
    type=click.Choice(list(FORMATS)),
    default="round-robin",
    show_default=True,
    help="Who plays whom.",
)
@click.option("--against", default="", help="The bot that a gauntlet tries against the others.")
@click.option(
    "--part",
    default="1/1",
    show_default=True,
    help="Play this part of it, such as 3/8, to be merged with the others (carc merge).",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A TOML file with any of these options as keys; the command line goes before it.",
)
@_out("runs/tournament")
@click.pass_context
def tournament(ctx: click.Context, /, **_: object) -> None:
    """Play a tournament of bots and print its leaderboard.

    Each deal is played in all cyclic seatings. What is not given is as it was when the tournament in --out was begun: --out alone
    goes on after a stop.
    """
    values = _values(ctx)
    part = _part(values["part"])
    if part[1] > 1 and values["seed"] is None:
        raise BadTournament("--part needs --seed, the same for all parts")
    if values["bots"] is None:
        raise click.UsageError("Missing option '--bots'.")
    configuration = configure(
        values["rules"],
        values["bots"],
        values["tables"],
        values["deals"],
        _seed(values),
        clock=values["clock"],
        isolation=values["isolation"],
        mirrored=values["mirrored"],
        format=values["format"],
        against=values["against"],
        title=values["title"],
    )
    _play(ctx, configuration, values, part)
    _show(values["out"])


@click.command()
@click.argument("one")
@click.argument("other")
@_common
@click.option(
    "--elo",
    default="0,50",
    show_default=True,
    help="The claims weighed: ONE is better by LOW or HIGH, in normalised Elo.",
)
@click.option("--deals", default=2000, show_default=True, help="Deals at most.")
@_out("runs/duel")
@click.pass_context
def duel(ctx: click.Context, /, **_: object) -> None:
    """Play ONE against OTHER until it is known whether ONE is better, and print how sure that is.

    A sequential test (SPRT) with errors of 5 %; each deal is played in both seatings.
    """
    values = _values(ctx)
    configuration = configure(
        values["rules"],
        [values["one"], values["other"]],
        [2],
        values["deals"],
        _seed(values),
        clock=values["clock"],
        isolation=values["isolation"],
        mirrored=values["mirrored"],
        format="duel",
        against=values["one"],
        elo=_bounds(values["elo"]),
        title=values["title"],
    )
    _play(ctx, configuration, values, (1, 1))
    with Ledger.reading(values["out"]) as ledger:
        found = verdict(configuration.elo, counted(configuration, ledger), configuration.against)
    _show(values["out"], *_said(configuration, found.llr, found.elo, found.error, found.pairs))


COMMANDS: list[click.Command] = [tournament, duel]


def _said(
    configuration: Configuration, llr: float, elo: float, error: float, pairs: int
) -> Iterator[str]:
    one = configuration.against
    (other,) = (bot.name for bot in configuration.bots if bot.name != one)
    low, high = configuration.elo
    yield ""
    yield f"{one} against {other}: normalised Elo {elo:+.0f} ± {error:.0f} after {pairs} deals in both seatings."
    known = {
        True: f"{one} is better by {high:g} rather than {low:g}",
        False: f"{one} is better by {low:g} rather than {high:g}"
        if low
        else f"{one} is not better by {high:g}",
    }
    claim = known[llr > 0] if abs(llr) >= BOUND else "not decided; more --deals go on"
    yield f"SPRT: {claim} (log likelihood ratio {llr:+.2f} of ±{BOUND:.2f})."


def _values(ctx: click.Context) -> dict[str, Any]:
    """The options: of the command line, else of the file, else as the tournament was begun. Those remembered are in `ctx.obj`."""
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
    return settled(ctx, given)


def _play(
    ctx: click.Context,
    configuration: Configuration,
    values: Mapping[str, Any],
    part: tuple[int, int],
) -> None:
    """Play what is not played; exits if it is stopped."""
    out = values["out"]
    console = Console(stderr=True)
    with _stopping() as stop:
        held = hold(
            configuration,
            out,
            jobs=values["jobs"],
            limit=values["limit"],
            executor=values["executor"],
            part=part,
            settings=ctx.obj,
            stop=stop,
            watch=lambda ledger, total: progress(
                console,
                ledger.played(configuration),
                total,
                lambda: report.standings(ledger.outcomes(), configuration.lacks, console.width),
            ),
        )
    if held.finished:
        return
    console.print(f"Stopped after {held.played} of {held.total} games. To go on:", soft_wrap=True)
    words = [ctx.info_name or "", *(values[name] for name in ("one", "other") if name in values)]
    for option, left_out in (("part", "1/1"), ("jobs", None), ("executor", "local"), ("out", None)):
        if values.get(option, left_out) != left_out:
            words += [f"--{option}", values[option]]
    if part[1] > 1:
        words += ["--seed", values["seed"]]
    again = " ".join(shlex.quote(str(word)) for word in words)
    console.print(f"carc {again}", soft_wrap=True, highlight=False, markup=False)
    raise SystemExit(STOPPED)


def _show(out: Path, *more: str) -> None:
    with Console(stderr=True).status("rating"):  # seen on a terminal only
        found = board(out)
        heading = report.heading(out)
    report.show(found, Console(markup=False, emoji=False), heading)
    for line in more:
        click.echo(line)
    if found.voids:
        raise SystemExit(VOIDED)


def _seed(values: Mapping[str, Any]) -> int:
    """The seed that is given, or of the tournament begun in the folder, or one that no bot can guess."""
    if values["seed"] is not None:
        return int(values["seed"])
    if (values["out"] / FILE).is_file():
        with Ledger.reading(values["out"]) as ledger:
            return ledger.configuration.seed
    return secrets.randbits(128)


def _part(text: str) -> tuple[int, int]:
    try:
        number, parts = map(int, text.split("/"))
        if not 1 <= number <= parts:
            raise ValueError
    except ValueError:
        raise BadTournament(f"--part is written such as 3/8, not {text!r}") from None
    return number, parts


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadTournament(f"--elo is two numbers such as 0,50, not {text!r}") from None
    return low, high


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
