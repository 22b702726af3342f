"""The commands that read tournaments: `leaderboard`, `games`, `export`, `report`, `merge`."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from carc.commands.dataset import export_dataset
from carc.commands.import_game import export_jcz, export_lab
from carc.commands.options import ANY_PATH, FILE_PATH, FOLDER_PATH, numbers
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.files import refuse_sources, write_anew, write_file
from carc.tournaments.ledger.ledger import FILE, Ledger
from carc.tournaments.outcomes import verdicts
from carc.tournaments.pairing import format_of
from carc.tournaments.reports import board_table, exports, html_page
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.tournament import MOST_SKILLS, board

_FOLDER = click.argument("folder", type=FOLDER_PATH)


@click.command()
@_FOLDER
@click.option(
    "--tables",
    type=numbers("table sizes", 1, 99),
    default=None,
    help="Only games at tables of these sizes.",
)
@click.option("--details", is_flag=True, help="Also by table size, by seat and by kind of feature.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV.")
@click.option(
    "--trueskill/--no-trueskill",
    default=None,
    help=f"Compute TrueSkill.  [default: up to {MOST_SKILLS} games]",
)
def leaderboard(
    *,
    folder: Path,
    tables: tuple[int, ...] | None,
    details: bool,
    as_json: bool,
    as_csv: bool,
    trueskill: bool | None,
) -> None:
    """Print the leaderboard of the tournament in FOLDER. It may still be running."""
    if as_json and as_csv:
        raise CarcError("--json and --csv exclude each other; give one of them")
    if tables:
        with Ledger.reading(folder) as ledger:
            there = ledger.configuration.tables
        if not set(tables) & set(there):
            raise CarcError(
                f"this tournament has no tables of {_listed(tables)}; it has tables of"
                f" {_listed(there)}"
            )
    with Console(stderr=True).status("rating"):
        standings = board(folder, tables or (), trueskill)
        heading = board_table.heading(folder)
    if as_json:
        click.echo(exports.board_json(standings, heading))
    elif as_csv:
        click.echo(exports.board_csv(standings), nl=False)
    else:
        console = Console(markup=False, emoji=False)
        board_table.show(standings, console, heading)
        if details:
            board_table.show_details(standings, console)


@click.command()
@_FOLDER
@click.option("--bot", help="Only games with this bot.")
@click.option(
    "--verdict",
    type=click.Choice(verdicts.ALL),
    help="Only games in which a bot, or that of --bot, has this verdict.",
)
@click.option("--widest", is_flag=True, help="Sort by margin, widest first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
def games(
    *, folder: Path, bot: str | None, verdict: str | None, widest: bool, as_json: bool
) -> None:
    """List the games of the tournament in FOLDER: ids, seats, scores, faults."""
    with Ledger.reading(folder) as ledger:
        playing = [entrant.name for entrant in ledger.configuration.bots]
        outcomes = exports.listed(ledger.outcomes(), bot, verdict)
        known = bot is None or bot in playing
        for outcome in sorted(outcomes, key=exports.margin, reverse=True) if widest else outcomes:
            if as_json:
                click.echo(json.dumps(exports.game_data(outcome)))
            else:
                click.echo(escape_unprintable(exports.line(outcome)))
            known = True
        if not known:
            raise CarcError(f"no {bot!r} plays in {folder}; its bots are {', '.join(playing)}")


@click.command()
@click.argument("source", metavar="SOURCE", type=ANY_PATH)
@click.option(
    "--out",
    type=FILE_PATH,
    required=True,
    help="FILE.jsonl, FILE.csv or FILE.parquet; with --jcz FILE.jcz, with --dataset FILE.npz; -"
    " prints.",
)
@click.option("--jcz", is_flag=True, help="SOURCE is a record; write a game of JCloisterZone.")
@click.option("--lab", is_flag=True, help="SOURCE is a record; write a link of CarcassonneLab.")
@click.option("--dataset", is_flag=True, help="SOURCE has games; write them for learners.")
def export(*, source: Path, out: Path, jcz: bool, lab: bool, dataset: bool) -> None:
    """Write the games of a tournament as a table, one row for each seat.

    SOURCE is the folder of the tournament. With --jcz or --lab, SOURCE is the record of a match,
    which is written as a saved game of JCloisterZone or as a link of CarcassonneLab. With
    --dataset, SOURCE is a tournament, a game that carc reads, or a folder of such files; each
    decision in its games is written as what was seen, what was chosen and how the game ended.
    """
    if jcz + lab + dataset > 1:
        raise CarcError("--jcz, --lab and --dataset exclude each other; give one of them")
    if jcz or lab or dataset:
        (export_jcz if jcz else export_lab if lab else export_dataset)(source, out)
        return
    refuse_sources([out], [source / FILE])
    if source.is_file():
        raise CarcError(
            f"{source} is no folder of a tournament; a record is exported with --jcz or --lab"
        )
    with Ledger.reading(source) as ledger:
        rows = (row for outcome in ledger.outcomes() for row in exports.rows(outcome))
        if str(out) == "-":
            exports.write_lines(rows, sys.stdout)
        else:
            exports.export(rows, out)


@click.command("report")
@_FOLDER
@click.option("--out", type=FILE_PATH, help="The file to write.  [default: report.html in FOLDER]")
def report_command(*, folder: Path, out: Path | None) -> None:
    """Write an HTML report of the tournament in FOLDER."""
    refuse_sources([out], [folder / FILE])
    with Console(stderr=True).status("rating"):
        text = html_page.page(folder)
    place = out or folder / "report.html"
    if out is None:
        write_anew(place, text)  # the folder may be a stranger's
    else:
        write_file(place, text)
    click.echo(place)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=FOLDER_PATH)
@click.option(
    "--out", type=FOLDER_PATH, required=True, help="The folder for the merged tournament."
)
def merge(*, folders: tuple[Path, ...], out: Path) -> None:
    """Merge the parts of one tournament, played in FOLDERS with --part."""
    with Ledger.reading(folders[0]) as first:
        configuration, settings = first.configuration, first.settings
    if configuration.promise or configuration.is_arena:
        what = "a ladder" if configuration.is_arena else "a contest"
        raise CarcError(f"{folders[0]} is {what}: it is one chain, and is not merged")
    settings.pop("part", None)  # the whole has no part
    for folder in folders[1:]:
        with Ledger.reading(folder) as other:
            other.require(configuration)
    with Ledger.writing(out, configuration, settings) as ledger:
        for folder in folders:
            with Ledger.reading(folder) as part:
                for _ in part.outcomes():
                    pass  # a damaged game raises before anything is copied
            if folder.resolve() != out.resolve():
                ledger.copy(folder / FILE)
        played = ledger.played(configuration)
    click.echo(f"{out} has {played} games" + _missing(configuration, played))


def _listed(sizes: Iterable[int]) -> str:
    return ", ".join(map(str, sizes))


def _missing(configuration: Configuration, played: int) -> str:
    total = format_of(configuration).total(configuration)
    return "" if played >= total else f" of at most {total}"
