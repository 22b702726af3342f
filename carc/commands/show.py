"""The command `carc show`: a match in words, or one of its positions as a picture."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import click

from carc import Rules, State
from carc.base.game.rules import COLOURS
from carc.base.position.position import Position
from carc.base.position.text import FIELDS
from carc.base.tiles.tile import Tile
from carc.commands.options import ANY_PATH, folder_of_game_option, tile_files_option
from carc.drawing import board_svg, board_text, score_plot
from carc.drawing.history import MatchHistory, capitalized, read_history
from carc.drawing.pieces import Data
from carc.errors import BadRecord, CarcError
from carc.escape import escape_unprintable
from carc.files import refuse_sources, write_file
from carc.match.record import read_text_file


@attrs.frozen
class _Output:
    """Where a position goes: to files, or without any to the terminal."""

    svg: Path | None
    png: Path | None
    size: int
    theme: str


@click.command("show")
@click.argument("game")
@folder_of_game_option
@click.option("--move", type=int, help="The position after so many actions.  [default: the last]")
@click.option("--svg", "svg_file", type=ANY_PATH, help="Write the board here.")
@click.option("--png", "png_file", type=ANY_PATH, help="Write the board here.")
@click.option("--size", default=60, type=click.IntRange(10, 400), help="Pixels a tile.")
@click.option(
    "--theme",
    default="light",
    type=click.Choice(["light", "dark", "auto"]),
    help="Theme of the picture.",
)
@tile_files_option
def show_command(
    *,
    game: str,
    folder: Path,
    move: int | None,
    svg_file: Path | None,
    png_file: Path | None,
    size: int,
    theme: str,
    tile_files: tuple[Path, ...],
) -> None:
    """Print the moves, points and scores over time of GAME.

    GAME is the file of a record, or the id of a game or its beginning. With --move, --svg or
    --png, show one of its positions. GAME may also be a position, a line of text (State.to_text).
    """
    output = _Output(svg_file, png_file, size, theme)
    is_position = _is_position(game)
    refuse_sources([svg_file, png_file], [None if is_position else Path(game), *tile_files])
    if is_position:
        if move is not None:
            raise CarcError("--move needs a game; this is a single position")
        named = Position.parse(game)
        rules = Rules.from_spec(named.rules, named.players, tiles=tile_files)
        state = State.from_text(game, rules)
        tiles = {tile.name: tile for tile in state.rules.catalogue.tiles}
        _show(state.to_dict(), tiles, (), "", output)
        return
    history = find_game(game, folder, tile_files)
    if move is None and svg_file is None and png_file is None:
        for line in match_report(history):
            click.echo(escape_unprintable(line))
        return
    number = len(history.plies) if move is None else move
    if not 0 <= number <= len(history.plies):
        raise CarcError(f"move {number}: {game} has the positions 0 to {len(history.plies)}")
    title = headline(history, number)
    _show(history.positions[number], history.tiles, history.names, title, output)


def _is_position(game: str) -> bool:
    """Return True if this is meant to be a position, even one with a wrong number of fields."""
    words, short = len(game.split()), len(game) < 255  # as names of files are
    return words > len(FIELDS) // 2 and not (short and Path(game).exists())


def _show(
    data: Data,
    tiles: Mapping[str, Tile],
    names: Sequence[str],
    title: str,
    output: _Output,
) -> None:
    """Write or print a position."""
    caption = f"{title}. {board_text.caption(data, names)}" if title else ""
    picture = board_svg.board(data, tiles, caption=caption, size=output.size, theme=output.theme)
    if output.svg is not None:
        write_file(output.svg, picture)
    if output.png is not None:
        write_file(output.png, _png(picture, output.theme))
    if output.svg is None and output.png is None:
        board, below = board_text.board_with_caption(data, tiles, names)
        if title:
            click.echo(escape_unprintable(title))
        click.echo(board.plain())
        click.echo()
        for line in below.splitlines():
            click.echo(escape_unprintable(line))


def find_game(game: str, folder: Path, tile_files: tuple[Path, ...] = ()) -> MatchHistory:
    """Return the history in a record's file, or of a game in the ledger of a folder.

    Raises:
        CarcError: There is no such file or game, or it has no record.
    """
    record = find_record(game, folder)
    return read_history(record.text, record.source, tile_files, record.times)


@attrs.frozen
class GameRecord:
    """The record of a game that a user named.

    Attributes:
        text: The record.
        source: What error messages call it.
        times: For each seat wall and CPU seconds of each of its moves, if they are known.
        is_of_tournament: Whether it is a game of a tournament; `source` is its id.
    """

    text: str
    source: str
    times: Sequence[Sequence[tuple[float, float]]] = ()
    is_of_tournament: bool = False


def find_record(game: str, folder: Path) -> GameRecord:
    """Return a record from its file, or of a game in a folder's ledger, or raise `CarcError`."""
    if Path(game).is_file() or "." in game or "/" in game:
        return GameRecord(read_text_file(Path(game)), game)
    if not folder.is_dir():
        raise CarcError(
            f"{game!r} is not a file or a position, and not the id of a game either:"
            f" there is no tournament in {folder} (--out)"
        )
    from carc.tournaments.ledger.ledger import Ledger  # noqa: PLC0415 (a file needs no ledger)

    with Ledger.reading(folder) as ledger:
        outcome = ledger.outcome(game)
    if not outcome.record:
        raise BadRecord(f"game {outcome.id} has no record: {outcome.verdict}")
    return GameRecord(outcome.record, outcome.id, outcome.times, is_of_tournament=True)


def headline(history: MatchHistory, number: int) -> str:
    """Return the number of a position and what led to it."""
    sentence = history.sentence(number)
    return f"{number}. {sentence}" if number else sentence


def match_report(history: MatchHistory) -> Iterator[str]:
    """Yield a match in lines: turns, scores over time, points by kind, the result."""
    for number, turn in enumerate(history.turns, start=1):
        yield turn_line(history, number, turn)
        for at in turn:
            for scored in history.plies[at].scored:
                yield f"      {COLOURS[scored.owner]} scores {scored.text}"
    final = history.result.final if history.result else ()
    for scored in final:
        yield f"final scoring: {COLOURS[scored.owner]} scores {scored.text}"
    yield ""
    yield "Scores over time"
    yield from score_plot.as_text(history.scores()).splitlines()
    yield ""
    yield from _points_by_kind(history)
    yield ""
    yield "Largest scorings"
    for ply, scored in history.largest_scorings():
        when = "final" if ply is None else f"move {ply + 1}"
        yield f"  {scored.points:4}  {when:10}  {COLOURS[scored.owner]}: {scored.text}"
    yield ""
    yield from _result(history)


def turn_line(history: MatchHistory, number: int, turn: list[int]) -> str:
    """Return a turn in a line, with the time its player thought."""
    plies = [history.plies[at] for at in turn]
    player = history.turn_player(turn)
    words = ", ".join(ply.words for ply in plies)
    spent = [ply.seconds for ply in plies if ply.seconds is not None]
    clock = f"  [{sum(spent):.2f} s]" if spent else ""
    return f"{number:3}. {capitalized(player)} {words}{clock}  (move {turn[-1] + 1})"


def _points_by_kind(history: MatchHistory) -> Iterator[str]:
    headings = [COLOURS[owner] for owner in range(len(history.names))]
    yield f"{'Points for':24}" + "".join(f"{name:>10}" for name in headings)
    for kind, points in history.points_by_kind().items():
        yield f"{kind:24}" + "".join(f"{point:10}" for point in points)
    totals = history.positions[-1]["scores"]
    yield f"{'score':24}" + "".join(f"{total:10}" for total in totals)


def _result(history: MatchHistory) -> Iterator[str]:
    if history.result is None:
        yield f"Saved before its end, after {len(history.plies)} actions."
        return
    for fault in history.result.faults:
        yield (
            f"seat {fault.seat} ({history.seats[fault.seat]}) was at fault"
            f" at move {fault.action + 1}, {fault.verdict}: {fault.detail}"
        )
    winners = ", ".join(history.player_name(seat) for seat in history.result.winners)
    yield f"Won by {winners}." if winners else "Nobody wins."


def _png(picture: str, theme: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 (only pictures need it)
    except ImportError:
        raise CarcError("--png needs a renderer: pip install 'carc[png]', or use --svg") from None
    background = "#16181d" if theme == "dark" else "#ffffff"
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, background=background))
