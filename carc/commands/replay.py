"""The command `carc replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from carc import Rules, replay
from carc.commands.options import ANY_PATH, tile_files_option
from carc.commands.show import headline
from carc.drawing import board_text
from carc.drawing.history import MatchHistory, read_history
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.files import refuse_sources, write_file
from carc.match.record import read_saved_game, read_text_file

if TYPE_CHECKING:
    from carc.analysis import GameAnalysis

_KEYS = "Enter next, b back, a number to jump, q to quit"


@click.command("replay")
@click.argument("file", type=ANY_PATH)
@click.option(
    "--verify", is_flag=True, help="Check every line, not only that the actions are legal."
)
@click.option("--step", is_flag=True, help="Step through the moves.")
@click.option("--html", type=ANY_PATH, help="Write a self-contained page.")
@click.option("--svg", type=ANY_PATH, help="Write an animated picture.")
@click.option("--embed", is_flag=True, help="With --html: write a part of a page.")
@click.option(
    "--analysis",
    "analysis_file",
    type=ANY_PATH,
    help="With --html: show what `carc analyse --json` wrote to this file.",
)
@tile_files_option
def replay_command(
    *,
    file: Path,
    verify: bool,
    step: bool,
    html: Path | None,
    svg: Path | None,
    embed: bool,
    analysis_file: Path | None,
    tile_files: tuple[Path, ...],
) -> None:
    """Replay a recorded match."""
    record = read_text_file(file)
    refuse_sources([html, svg], [file, analysis_file, *tile_files])
    if embed and html is None:
        raise CarcError("--embed changes what --html writes; give --html FILE too")
    if analysis_file is not None and html is None:
        raise CarcError("--analysis is shown by a page; give --html FILE too")
    if verify:
        match, is_finished = read_saved_game(record, str(file))
        rules = Rules.from_spec(match.rules, match.players, tiles=tile_files)
        replay(match, rules, str(file), is_finished=is_finished)
        end = "" if is_finished else "; the game was saved before its end"
        click.echo(f"{file}: {len(match.moves)} actions verified{end}")
    history = read_history(record, str(file), tile_files)
    if html is not None:
        analysis = None
        if analysis_file is not None:
            from carc.analysis import read_analysis  # noqa: PLC0415 (the rest does not analyse)

            match, _ = read_saved_game(record, str(file))
            text = read_text_file(analysis_file)
            analysis = read_analysis(text, match, history.rules, str(analysis_file))
        write_page(history, html, analysis, embed=embed)
    if svg is not None:
        from carc.drawing.animation import animation  # noqa: PLC0415 (only --svg needs it)

        write_file(svg, animation(history))
    if html or svg:
        return
    if step:
        _step(history)
    else:
        _show(history, len(history.plies))


def write_page(
    history: MatchHistory, path: Path, analysis: GameAnalysis | None = None, *, embed: bool = False
) -> None:
    """Write the page of a replay.

    Raises:
        CarcError: The file cannot be written.
    """
    from carc.drawing.replay_page import replay_page  # noqa: PLC0415 (only --html needs it)

    write_file(path, replay_page(history, analysis, embed=embed))


def _show(history: MatchHistory, number: int) -> None:
    """Print the position after so many actions."""
    position = history.positions[number]
    board, below = board_text.board_with_caption(position, history.tiles, history.names)
    click.echo(board.coloured())
    click.echo()
    for line in below.splitlines():
        click.echo(escape_unprintable(line))


def _step(history: MatchHistory) -> None:
    """Print positions from the start on, and ask for a key after each."""
    number = 0
    while True:
        _show(history, number)
        click.echo()
        click.echo(escape_unprintable(headline(history, number)))
        for scored in history.plies[number - 1].scored if number else ():
            click.echo(escape_unprintable(f"    {scored.text}"))
        click.echo(f"[{number}/{len(history.plies)}] {_KEYS}: ", nl=False)
        try:
            key = input().strip()
        except EOFError:
            click.echo()
            return
        if key == "q":
            return
        if key.isdecimal():
            number = int(key)
        else:
            number += -1 if key == "b" else 1
        number = min(max(number, 0), len(history.plies))
