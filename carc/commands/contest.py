"""The commands for contests of strangers' bots: `contest` and `verify`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from carc.commands.options import Numbers
from carc.commands.tournament_options import (
    VOIDED,
    out_option,
    resolve_seed,
    resolve_values,
    run,
    tournament_options,
)
from carc.escape import escape_unprintable
from carc.match import Void
from carc.tournaments.contest.admission import Decision, admit, decisions
from carc.tournaments.contest.publication import (
    BOARD,
    COMMITMENT,
    SECRET,
    board_data,
    publish,
    statement,
    write,
)
from carc.tournaments.contest.verification import REGISTRY
from carc.tournaments.contest.verification import verify as verify_folder
from carc.tournaments.isolation import host
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.ledger.ledger import FILE, Ledger
from carc.tournaments.reports import board_table, html_page
from carc.tournaments.schedule.configuration import BadTournament, Configuration, configure
from carc.tournaments.submission.registry import VARIABLE, Registry
from carc.tournaments.tournament import board

FORMATS = ("round-robin", "random", "gauntlet", "swiss", "ladder", "duel")
SETTINGS = "contest.toml"
FAILED = 2


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@tournament_options
@click.option("--rules", default="base", show_default=True, help="Rules, such as base+ghosts.")
@click.option(
    "--tables", type=Numbers("table sizes", 1, 99), default="2", show_default=True,
    help="Table sizes.",
)  # fmt: skip
@click.option(
    "--deals", default=10, show_default=True, help="Deals for each set of bots, or rounds."
)
@click.option(
    "--format", type=click.Choice(FORMATS), default="round-robin", show_default=True,
    help="Who plays whom.",
)  # fmt: skip
@click.option("--against", default="", help="The submission that plays all others in a gauntlet.")
@click.option(
    "--games", type=click.IntRange(min=1), default=2, show_default=True,
    help="Games of the check that each submission has to pass.",
)  # fmt: skip
@out_option("runs/contest")
@click.pass_context
def contest(ctx: click.Context, /, **_: object) -> None:
    """Hold a contest of the bots in FOLDER, one in each folder of it, and publish its board.

    Every submission is checked and plays in isolation. The hash of the contest's secret is
    published before the first game, the secret after the last: `carc verify` checks it all.
    FOLDER/contest.toml may hold the settings. After a stop, the same command or --out alone
    continues.
    """
    folder: Path | None = ctx.params.get("folder")
    if folder is not None and ctx.params["config"] is None and (folder / SETTINGS).is_file():
        ctx.params["config"] = folder / SETTINGS
    values = resolve_values(ctx, "folder")
    place: Path = values["out"]
    place.mkdir(parents=True, exist_ok=True)
    os.environ[VARIABLE] = str((place / REGISTRY).absolute())
    configuration = _configuration(values, _admitted(values))
    if (place / SECRET).exists():
        _refuse_more(place, configuration)
    else:
        with Ledger.writing(place, configuration, ctx.obj):
            publish(place, COMMITMENT, statement(configuration))
        click.echo(
            f"the secret's hash, before the first game: {statement(configuration)['commitment']}"
        )
        run(ctx, configuration, values)
        _publish(place)
    _show(place)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--commitment", default="", help="The secret's hash, as published before.")
@click.option("--head", default="", help="A link of the chain, as published by anybody.")
def verify(*, folder: Path, commitment: str, head: str) -> None:
    """Verify the contest in FOLDER: deals, records, chain, schedule and ratings."""
    verification = verify_folder(folder, commitment, head)
    for note in verification.notes:
        click.echo(escape_unprintable(f"note: {note}"))
    for problem in verification.problems:
        click.echo(escape_unprintable(f"WRONG: {problem}"))
    click.echo(f"the secret's hash: {verification.commitment}")
    if verification.head:
        click.echo(f"the chain ends with: {verification.head}")
    if verification.problems:
        count = len(verification.problems)
        click.echo(f"{count} things do not agree; {verification.games} games replayed.")
        raise SystemExit(FAILED)
    click.echo(f"All agrees: {verification.games} games replayed.")


COMMANDS: list[click.Command] = [contest, verify]


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
        resolve_seed(values),
        clock=values["clock"],
        isolation=values["isolation"],
        mirrored=values["mirrored"],
        format=values["format"],
        against=full[0] if full else against,
        title=values["title"],
    )


def _refuse_more(place: Path, configuration: Configuration) -> None:
    """Refuse games of which everybody who has read the secret could compute the deals.

    Raises:
        BadTournament: The contest is over, and more is asked for.
    """
    with Ledger.reading(place) as ledger:
        if ledger.configuration != configuration:
            raise BadTournament(
                f"the contest in {place} is over and its secret is published; hold another with "
                "another --out"
            )


def _publish(place: Path) -> None:
    """Write what everybody may see once the contest is over.

    The secret stays one while games are void, for they may be played again.
    """
    results = board(place)
    publish(place, BOARD, board_data(results))
    write(place / "report.html", html_page.page(place))
    if not results.voids:
        with Ledger.reading(place) as ledger:
            links = [entry.link for entry in ledger.entries()]
            secret = {"secret": ledger.configuration.seed, "head": links[-1] if links else ""}
        publish(place, SECRET, secret)


def _show(place: Path) -> None:
    results = board(place)
    board_table.show(results, Console(markup=False, emoji=False), board_table.heading(place))
    click.echo(f"Anybody can check it: carc verify {place}")
    if results.voids:
        raise SystemExit(VOIDED)
