"""The command `carc analyse`: where a game was won and lost."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from carc.analysis import GameAnalysis, MoveAnalysis, analyse_game
from carc.analysis.game import PLAYOUTS, QUICK_PLAYOUTS
from carc.analysis.saved import save_analysis
from carc.base.game.rules import COLOURS, Rules
from carc.commands.options import (
    ANY_PATH,
    COUNT,
    folder_of_game_option,
    jobs_option,
    tile_files_option,
    with_options,
)
from carc.commands.replay import write_page
from carc.commands.show import find_record
from carc.drawing.history import read_history
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.files import refuse_sources
from carc.match import read_saved_game
from carc.match.match import Result
from carc.tournaments.running.pool import cores

_STYLES = {"blunder": "bold red", "mistake": "yellow", "inaccuracy": "cyan", "": ""}


analysis_options = with_options(
    click.option("--quick", is_flag=True, help=f"Only {QUICK_PLAYOUTS} playouts for each move."),
    click.option("--playouts", type=COUNT, help=f"Playouts for each move.  [default: {PLAYOUTS}]"),
    click.option("--seed", default=0, help="Seed of the playouts."),
    jobs_option,
)
"""How much a command looks at each move of a game; `playouts_of` tells."""


def playouts_of(quick: bool, playouts: int | None) -> int:
    """Return the playouts for each move that --quick and --playouts ask for."""
    if quick and playouts is not None:
        raise CarcError("--quick and --playouts exclude each other; give one of them")
    return QUICK_PLAYOUTS if quick else playouts or PLAYOUTS


@click.command("analyse")
@click.argument("game")
@folder_of_game_option
@analysis_options
@click.option("--marked", is_flag=True, help="List only the moves that lost much.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--html", type=ANY_PATH, help="Write a replay with the analysis.")
@click.option("--save", is_flag=True, help="Save it in --out, where `carc serve` shows it.")
@tile_files_option
def analyse_command(
    *,
    game: str,
    folder: Path,
    quick: bool,
    playouts: int | None,
    seed: int,
    jobs: int | None,
    marked: bool,
    as_json: bool,
    html: Path | None,
    save: bool,
    tile_files: tuple[Path, ...],
) -> None:
    """Compare every move of GAME with the best one, and show what the draws brought.

    GAME is the file of a record or a saved game, or the id of a game or its beginning. A game
    of another program is read by `carc import` first.
    """
    budget = playouts_of(quick, playouts)
    if as_json and marked:
        raise CarcError("--json lists all moves; leave out --marked")
    found = find_record(game, folder)
    refuse_sources([html], [Path(game), *tile_files])
    if save and not found.is_of_tournament:
        raise CarcError(f"--save needs the id of a game of a tournament; {game} is a file")
    match, _ = read_saved_game(found.text, found.source)
    rules = Rules.from_spec(match.rules, match.players, tiles=tile_files)
    with show_progress() as progress:
        analysis = analyse_game(
            match,
            rules,
            playouts=budget,
            seed=seed,
            jobs=jobs or cores(),
            source=found.source,
            progress=progress,
        )
    if html is not None:
        write_page(read_history(found.text, found.source, tile_files, found.times), html, analysis)
    if save:
        save_analysis(folder, found.source, analysis)
    if as_json:
        click.echo(json.dumps(analysis.to_dict()))
    else:
        _print(analysis, match.result, marked)


def _print(analysis: GameAnalysis, result: Result, marked: bool) -> None:
    """Print the tables of moves and players, why the game was won, and what the numbers mean."""
    console = Console(markup=False, emoji=False, highlight=False)
    console.print(_moves(analysis, marked))
    console.print(_players(analysis))
    names = [_name(analysis, player.player) for player in analysis.players]
    colours = Rules.cached(analysis.rules, len(names)).colours
    scores = [sum(result.scores[owner] for owner in own) for own in colours if result.scores]
    if reason := analysis.reason(result.ranks, scores, names):
        console.print(escape_unprintable(reason), soft_wrap=True)
    for line in _explanation(analysis):
        console.print(line, soft_wrap=True)


@contextmanager
def show_progress(label: str = "moves") -> Iterator[Callable[[int, int], None] | None]:
    """Yield what to call after each move: it draws a bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1, label=escape_unprintable(label), file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show


def _moves(analysis: GameAnalysis, marked: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("move", "player"):
        table.add_column(heading)
    table.add_column("played", overflow="fold")
    for heading in ("luck", "chance", "margin", "lost"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("better", overflow="fold")
    for move in analysis.moves:
        if move.mark or not marked:
            table.add_row(*_cells(analysis, move), style=_STYLES[move.mark])
    return table


def _cells(analysis: GameAnalysis, move: MoveAnalysis) -> Iterator[Text]:
    lost = move.chance_lost > 0 or move.points_lost > 0
    for text in (
        str(move.last_action),
        _name(analysis, move.player),
        " ".join(move.played),
        f"{move.luck.margin:+.1f}",
        f"{_percent(move.chance_before)} → {_percent(move.chance_after)}"
        + (" exact" if move.exact else ""),
        f"{move.margin_before:+.1f} → {move.margin_after:+.1f}",
        f"{move.mark} {move.chance_lost_text}, {move.points_lost_text}".strip() if lost else "",
        " ".join(move.best) if lost else "",
    ):
        yield Text(escape_unprintable(text))


def _percent(share: float, sign: bool = False) -> str:
    percent = round(100 * share)
    return f"{percent:+} %" if sign else f"{percent} %"


def _name(analysis: GameAnalysis, player: int) -> str:
    """Return the first colour of a player, and the player's name."""
    owner = Rules.cached(analysis.rules, len(analysis.seats)).colours[player][0]
    return f"{COLOURS[owner]} {analysis.seats[player]}"


def _players(analysis: GameAnalysis) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("player")
    for heading in ("accuracy", "inaccuracies", "mistakes", "blunders", "points lost", "luck"):
        table.add_column(heading, justify="right")
    for player in analysis.players:
        luck = f"{player.luck.margin:+.1f} points, {_percent(player.luck.chance, sign=True)}"
        table.add_row(
            Text(escape_unprintable(_name(analysis, player.player))),
            f"{player.accuracy:.0f}",
            str(player.inaccuracies),
            str(player.mistakes),
            str(player.blunders),
            f"{player.points_lost:.1f}",
            luck,
        )
    return table


def _explanation(analysis: GameAnalysis) -> Iterator[str]:
    """Yield what a reader must know of the numbers."""
    margin = "the points of the team less its goal" if analysis.team else "the lead at the end"
    yield (
        f"chance: to win, with the best move → with the move played; margin: {margin}, in the same"
        " way; lost: of both, ± half of the 95 % interval."
    )
    if any(move.exact for move in analysis.moves):
        yield "exact: every way to play on was tried."
    yield (
        f"{analysis.playouts_per_move} playouts for each move, seed {analysis.seed}."
        " Up to as many pairs of longer ones confirmed each loss."
    )
    if not analysis.finished:
        yield "The game was saved before its end."
