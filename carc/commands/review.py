"""The command `carc review`: how somebody played in many games."""

import json
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from carc.analysis import GameAnalysis, analyse_game, read_analysis
from carc.analysis.reading import parse_analysis
from carc.analysis.report import KINDS, AnalysedGame, PlayerReport, report_player
from carc.analysis.saved import save_analysis, saved_analysis_text
from carc.base.game.rules import Rules
from carc.commands.analyse import analysis_options, playouts_of, show_progress
from carc.commands.game_files import read_games
from carc.commands.options import ANY_PATH, EXISTING_PATH
from carc.drawing.history import read_history
from carc.drawing.report_page import report_page
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.files import write_file
from carc.formats import Imported
from carc.match.match import Match
from carc.tournaments.running.pool import cores


@click.command("review")
@click.argument("folder", type=EXISTING_PATH)
@click.option("--player", required=True, help="The name of the player.")
@analysis_options
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--html", type=ANY_PATH, help="Write the report as a page.")
def review_command(
    *,
    folder: Path,
    player: str,
    quick: bool,
    playouts: int | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    html: Path | None,
) -> None:
    """Report how --player played in the games in FOLDER.

    The games are records, or in any form that `carc import` reads: files that end in .jsonl,
    .json, .jcz or .txt. A file that cannot be read is named and left out. The analyses are kept in
    the folder "analyses" beside the games, so that the next report is there at once.
    """
    budget = playouts_of(quick, playouts)
    found = list(read_games([folder]))
    own = [(name, game) for name, game in found if player in game.match.seats]
    if not own:
        raise CarcError(_nobody(player, found, folder))
    games = []
    for name, game in own:
        analysis = _kept(folder, name, game.match, budget, seed)
        if analysis is None:
            with show_progress(name) as progress:
                made = analyse_game(
                    game.match,
                    playouts=budget,
                    seed=seed,
                    jobs=jobs or cores(),
                    source=name,
                    progress=progress,
                )
            with suppress(CarcError):  # a folder that cannot be written: then it is not kept
                save_analysis(_home(folder), _file_name(name), made)
            analysis = parse_analysis(json.dumps(made.to_dict()))  # rounded, as the next time
        games.append(AnalysedGame(name, game.match, analysis))
    report = report_player(player, games)
    if html is not None:
        histories = {name: read_history(game.to_text(), name) for name, game in own}
        write_file(html, report_page(report, histories, KINDS))
    if as_json:
        click.echo(json.dumps(report.to_dict()))
    else:
        _print(report)


def _kept(folder: Path, name: str, match: Match, playouts: int, seed: int) -> GameAnalysis | None:
    """Return the analysis that an earlier report kept, if it is of this match, budget and seed."""
    text = saved_analysis_text(_home(folder), _file_name(name))
    try:
        rules = Rules.from_spec(match.rules, match.players)
        analysis = read_analysis(text, match, rules, name)
    except CarcError:
        return None
    is_same = (analysis.playouts_per_move, analysis.seed) == (playouts, seed)
    return analysis if is_same else None


def _home(folder: Path) -> Path:
    return folder if folder.is_dir() else folder.parent


def _file_name(name: str) -> str:
    """Return what the file of an analysis is called; no system forbids it."""
    return name.replace(":", "-")


def _nobody(player: str, found: list[tuple[str, Imported]], folder: Path) -> str:
    """Return why there is nothing to report."""
    if not found:
        return f"{folder}: there is no game in it"
    names = sorted({name for _, game in found for name in game.match.seats})
    shown = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
    return f"{player!r} plays in none of the {len(found)} games; there play {shown}"


def _print(report: PlayerReport) -> None:
    console = Console(markup=False, emoji=False)
    games = len(report.games)
    console.print(
        escape_unprintable(
            f"{report.player}: {games} game{'' if games == 1 else 's'}, accuracy"
            f" {report.accuracy:.0f}, lost {report.points_lost / games:.1f} points a game,"
            f" luck {report.luck.margin / games:+.1f} points a game"
        )
    )
    table = Table("points lost", "moves", "a game", "a move", box=None)
    for name, part in (*report.kinds.items(), *report.phases.items()):
        a_move = f"{part.points_lost / part.moves:.2f}" if part.moves else ""
        table.add_row(name, str(part.moves), f"{part.points_lost / games:.1f}", a_move)
    console.print(table)
    for number, each in enumerate(report.positions, start=1):
        move = each.move
        console.print(
            escape_unprintable(
                f"{number:2}. {each.game}, move {move.last_action} ({each.kind}):"
                f" {' '.join(move.played)}; better {' '.join(move.best)};"
                f" lost {move.chance_lost_text}, {move.points_lost_text} points"
            ),
            soft_wrap=True,
        )
