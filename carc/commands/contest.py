"""The commands for contests of strangers' bots: `contest` and `verify`."""

import os
import shlex
from pathlib import Path
from typing import Any

import click

from carc.arena.verification import verify as verify_ladder
from carc.commands.options import COUNT, FOLDER_PATH
from carc.commands.tournament_options import (
    out_option,
    resolve_seed,
    resolve_values,
    run,
    schedule_options,
    settings_of,
    show_board,
    tournament_options,
)
from carc.escape import escape_unprintable
from carc.match import Void
from carc.tournaments.contest import holding, promise
from carc.tournaments.contest.admission import Decision, admit, as_data, decisions
from carc.tournaments.contest.publication import REGISTRY
from carc.tournaments.contest.verification import verify as verify_contest
from carc.tournaments.isolation import host
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.ledger.ledger import FILE, Ledger
from carc.tournaments.pairing import format_of
from carc.tournaments.schedule.configuration import BadTournament, Configuration, configure
from carc.tournaments.submission.manifest import read_manifest
from carc.tournaments.submission.registry import VARIABLE, Registry
from carc.tournaments.tournament import board

SETTINGS = "contest.toml"
FAILED = 2


@click.command()
@click.argument("folder", required=False, type=FOLDER_PATH)
@tournament_options
@schedule_options
@click.option(
    "--games", type=COUNT, default=2, help="Games of the check that each submission has to pass."
)  # fmt: skip
@click.option(
    "--beacon",
    default="",
    show_default=False,
    help="A public beacon and its moment, whose value goes into the deals, such as "
    "'drand quicknet 22000000, randomness'.",
)
@click.option(
    "--open", default="", show_default=False,
    help="What goes into the deals before the first game: NAME@VERSION=NONCE for each bot with a "
    "nonce in its bot.toml, or =late to leave it out; beacon=VALUE.",
)  # fmt: skip
@out_option("runs/contest")
@click.pass_context
def contest(ctx: click.Context, /, **_: object) -> None:
    """Hold a contest of the bots in FOLDER, one in each folder of it, and publish its board.

    Every submission is checked and plays in isolation. The hash of all that is promised is
    printed before the first game, to be published; `carc verify` checks everything against it.
    FOLDER/contest.toml may hold the settings. After a stop, the same command or --out alone
    continues.
    """
    folder: Path | None = ctx.params.get("folder")
    if folder is not None and ctx.params["config"] is None and (folder / SETTINGS).is_file():
        ctx.params["config"] = folder / SETTINGS
    values = resolve_values(ctx, "folder")
    place: Path = values["out"]
    _refuse(values)
    place.mkdir(parents=True, exist_ok=True)
    os.environ[VARIABLE] = str((place / REGISTRY).absolute())
    asked = _configuration(values, _admitted(values))
    format_of(asked)  # what cannot be played is not promised
    promised = _promise(asked, values)
    configuration = holding.begin(place, asked, promised, ctx.obj)
    for said in promise.of_one_author(promised):
        click.echo(escape_unprintable(said))
    click.echo(f"the promise, to be published before the first game: {configuration.promise}")
    if values["open"]:
        given = _opened(values["open"])
        configuration = holding.open_values(place, configuration, promised, given)
    if not holding.is_ready(promised, configuration):
        _ask(place, promised)
        return
    if not holding.is_over(place):
        run(ctx, configuration, values)
        holding.end(place)
    show_board(board(place), place, f"Anybody can check it: carc verify {place}")


@click.command()
@click.argument("folder", type=FOLDER_PATH)
@click.option(
    "--promise",
    "--commitment",
    "published",
    default="",
    show_default=False,
    help="The line that was published before the first game.",
)
@click.option(
    "--head",
    "heads",
    multiple=True,
    help="A link of the chain, as published by anybody. Can be given several times.",
)
def verify(*, folder: Path, published: str, heads: tuple[str, ...]) -> None:
    """Verify the contest or ladder in FOLDER: promise, deals, records, chain and ratings."""
    with Ledger.reading(folder) as ledger:
        check = verify_ladder if ledger.configuration.is_arena else verify_contest
    found = check(folder, published, *heads)
    click.echo(escape_unprintable(found.origin))
    for note in found.notes:
        click.echo(escape_unprintable(f"note: {note}"))
    for problem in found.problems:
        click.echo(escape_unprintable(f"WRONG: {problem}"))
    click.echo(f"to be compared with the line published before the first game: {found.promise}")
    if found.head:
        click.echo(f"the chain ends with: {found.head}")
    if found.problems:
        count = len(found.problems)
        click.echo(f"{count} things do not agree; {found.games} games replayed.")
        raise SystemExit(FAILED)
    if found.over:
        click.echo(f"All agrees: {found.games} games replayed.")
    else:
        click.echo(f"Not over; all agrees so far: {found.games} games replayed.")


def _admitted(values: dict[str, Any]) -> list[str]:
    """Return the bots that play; what was decided before stays so."""
    place: Path = values["out"]
    if (place / FILE).is_file():
        decided = list(decisions(place).values())
    else:
        level = values["isolation"] or host.strongest()
        clock = Clock.named(values["clock"])
        decided = []
        try:
            for decision in admit(
                values["folder"],
                place,
                Registry(),
                level=level,
                clock=clock,
                games=values["games"],
            ):
                decided.append(decision)
                click.echo(escape_unprintable(_decision_text(decision)))
        except Void as failure:
            raise BadTournament(f"this host does not let bots be checked: {failure}") from None
    return [decision.spec for decision in decided if decision.spec]


def _decision_text(decision: Decision) -> str:
    if decision.spec:
        return f"plays     {decision.spec} ({decision.folder})"
    return f"left out  {decision.folder}: {decision.reason}"


def _configuration(values: dict[str, Any], bots: list[str]) -> Configuration:
    least = max(2, values["tables"][-1])
    if len(bots) < least:
        raise BadTournament(
            f"a contest at tables of {least} needs {least} submissions that pass their check, "
            f"not {len(bots)}"
        )
    if values["format"] == "duel" and len(bots) != 2:
        raise BadTournament(f"a duel is between two submissions, not {len(bots)}")
    against = values["against"]
    full = [bot for bot in bots if against and against in (bot, bot.partition("@")[0])]
    return configure(
        values["rules"],
        bots,
        values["tables"],
        values["deals"],
        resolve_seed(values, promise.LEAST_SECRET),
        against=full[0] if full else against,
        **settings_of(values, "format"),
    )


def _refuse(values: dict[str, Any]) -> None:
    """Raise `BadTournament` for options that a contest does not take."""
    if values["part"] != (1, 1):
        raise BadTournament(
            "a contest is one chain and has no parts; --executor dask plays it on several machines"
        )
    for name in ("title", "beacon"):
        if escape_unprintable(values[name]) != values[name]:
            raise BadTournament(
                f"--{name} has characters that cannot be seen: "
                f"{escape_unprintable(values[name])!r:.80}"
            )
    if values["seed"] is not None and values["seed"] < promise.LEAST_SECRET:
        raise BadTournament(
            f"--seed {values['seed']} can be guessed, and with it all deals; leave it out, or give "
            "a secret of 2**100 or more"
        )


def _promise(configuration: Configuration, values: dict[str, Any]) -> promise.Promise:
    """Return what a contest of this configuration promises."""
    registry = Registry()
    return promise.promise(
        configuration,
        {bot.name: read_manifest(registry.content(bot.digest)) for bot in configuration.bots},
        admission=as_data(decisions(values["out"])),
        games=values["games"],
        beacon=values["beacon"],
    )


def _opened(text: str) -> dict[str, str]:
    """Return the values that --open gives, by name; a withheld one is empty."""
    values = {}
    for part in text.split(","):
        name, is_given, value = map(str.strip, part.partition("="))
        if not is_given or not value or name in values:
            raise BadTournament(
                f"--open takes NAME@VERSION=NONCE or beacon=VALUE, each once, with commas between "
                f"them, not {part!r:.80}"
            )
        values[name] = "" if value == promise.LATE else value
    return values


def _ask(place: Path, promised: promise.Promise) -> None:
    """Say what has to be opened before the first game."""
    awaited = promise.awaited(promised)
    for name, what in awaited.items():
        told = f"value of {what}" if name == promise.BEACON else f"nonce of SHA-256 {what}"
        click.echo(escape_unprintable(f"to be opened before the first game: {name}, {told}"))
    line = ",".join(f"{name}=..." for name in awaited)
    words = shlex.join(["--out", str(place), "--open", line])
    click.echo(f"Publish the promise first. Then go on: carc contest {words}")
