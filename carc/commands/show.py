"""The command `carc show`: a game told, or one of its positions as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from carc import Rules, State
from carc.base.game.position_text import FIELDS, rules_of
from carc.base.game.rules import COLOURS
from carc.base.tiles.tile import Tile
from carc.commands.options import tile_files_option
from carc.drawing import plot, svg, text
from carc.drawing.position import Data
from carc.drawing.story import Story, read, tell
from carc.errors import BadRecord, CarcError
from carc.escape import escape_unprintable


def _is_position(game: str) -> bool:
    """Whether this is meant to be a position's text, though perhaps with fields too few or too many."""
    words, short = len(game.split()), len(game) < 255  # as names of files are
    return words > len(FIELDS) // 2 and not (short and Path(game).exists())


@click.command("show")
@click.argument("game")
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs/tournament"),
    show_default=True,
    help="Folder of the tournament that GAME is of.",
)
@click.option("--move", type=int, help="The position after so many actions.  [default: the last]")
@click.option("--svg", "svg_file", type=click.Path(path_type=Path), help="Write the board here.")
@click.option("--png", "png_file", type=click.Path(path_type=Path), help="Write the board here.")
@click.option(
    "--size", default=60, show_default=True, type=click.IntRange(10, 400), help="Pixels a tile."
)
@click.option(
    "--theme", default="light", show_default=True, type=click.Choice(["light", "dark", "auto"]),
    help="Of the picture.",
)  # fmt: skip
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
    """Tell GAME, a record's file or a game's id or its beginning: moves, points, scores over time.

    With --move, --svg or --png: one of its positions. GAME may be a position itself, a line of text (State.to_text).
    """
    if _is_position(game):
        if move is not None:
            raise CarcError("--move is for games; this is one position")
        named = rules_of(game)
        state = State.from_text(game, Rules.named(named.spec, named.players, tiles=tile_files))
        tiles = {tile.name: tile for tile in state.rules.catalogue.tiles}
        _show(state.to_dict(), tiles, (), "", files=(svg_file, png_file), size=size, theme=theme)
        return
    story = find(game, folder, tile_files)
    if move is None and svg_file is None and png_file is None:
        for line in told(story):
            click.echo(escape_unprintable(line))
        return
    number = len(story.plies) if move is None else move
    if not 0 <= number <= len(story.plies):
        raise CarcError(f"move {number}: {game} has the positions 0 to {len(story.plies)}")
    said = headline(story, number)
    files = (svg_file, png_file)
    _show(
        story.positions[number],
        story.tiles,
        list(story.names),
        said,
        files=files,
        size=size,
        theme=theme,
    )


def _show(
    data: Data,
    tiles: Mapping[str, Tile],
    names: Sequence[str],
    said: str,
    *,
    files: tuple[Path | None, Path | None],
    size: int,
    theme: str,
) -> None:
    """One position: into the files, of SVG and PNG, or else on the terminal. `said`: what led to it."""
    svg_file, png_file = files
    caption = f"{said}. {text.caption(data, names)}" if said else ""
    picture = svg.board(data, tiles, caption=caption, size=size, theme=theme)
    if svg_file is not None:
        _write(svg_file, picture.encode())
    if png_file is not None:
        _write(png_file, _png(picture, theme))
    if svg_file is None and png_file is None:
        board, below = text.page(data, tiles, names)
        if said:
            click.echo(escape_unprintable(said))
        click.echo(board.plain())
        click.echo()
        for line in below.splitlines():
            click.echo(escape_unprintable(line))


def find(game: str, folder: Path, tile_files: tuple[Path, ...] = ()) -> Story:
    """The story of a record's file, or of a game in the ledger of a folder. Raises `CarcError`."""
    if Path(game).is_file() or "." in game or "/" in game:
        return tell(read(Path(game)), game, tile_files)
    if not folder.is_dir():
        raise CarcError(
            f"{game!r} is no file of a record and no position's text, nor a game's id: there is no tournament in {folder} (--out)"
        )
    from carc.tournaments.ledger import Ledger  # noqa: PLC0415 (a file needs no ledger)

    with Ledger.reading(folder) as ledger:
        outcome = ledger.outcome(game)
    if not outcome.record:
        raise BadRecord(f"game {outcome.id} has no record: {outcome.verdict}")
    return tell(outcome.record, outcome.id, tile_files, outcome.times)


def headline(story: Story, number: int) -> str:
    """What the last of so many actions was."""
    if number == 0:
        return "the start"
    ply = story.plies[number - 1]
    who = story.who(ply.player) if ply.player >= 0 else "chance"
    return f"{number}. {who} {ply.words}"


def told(story: Story) -> Iterator[str]:
    """The game in lines: turns, scores over time, points by kind, the biggest scorings, the end."""
    for number, turn in enumerate(story.turns, start=1):
        yield turn_line(story, number, turn)
        for at in turn:
            for scored in story.plies[at].scored:
                yield f"      {COLOURS[scored.owner]} scores {scored.text}"
    final = story.result.final if story.result else ()
    for scored in final:
        yield f"at the end {COLOURS[scored.owner]} scores {scored.text}"
    yield ""
    yield "Scores over time"
    yield from plot.as_text(story.scores()).splitlines()
    yield ""
    yield from _by_kind(story)
    yield ""
    yield "Most points at once"
    for ply, scored in story.swings():
        when = "at the end" if ply is None else f"move {ply + 1}"
        yield f"  {scored.points:4}  {when:10}  {COLOURS[scored.owner]}: {scored.text}"
    yield ""
    yield from _end(story)


def turn_line(story: Story, number: int, turn: list[int]) -> str:
    """A turn in a line, with the time its player thought."""
    plies = [story.plies[at] for at in turn]
    who = next((story.who(ply.player) for ply in plies if ply.player >= 0), "")
    said = ", ".join(ply.words for ply in plies)
    spent = [ply.seconds for ply in plies if ply.seconds is not None]
    clock = f"  [{sum(spent):.2f} s]" if spent else ""
    return f"{number:3}. {f'{who} ' if who else ''}{said}{clock}  (move {turn[-1] + 1})"


def _by_kind(story: Story) -> Iterator[str]:
    headings = [COLOURS[owner] for owner in range(len(story.names))]
    yield f"{'Points for':24}" + "".join(f"{name:>10}" for name in headings)
    for kind, points in story.by_kind().items():
        yield f"{kind:24}" + "".join(f"{one:10}" for one in points)
    totals = story.positions[-1]["scores"]
    yield f"{'score':24}" + "".join(f"{one:10}" for one in totals)


def _end(story: Story) -> Iterator[str]:
    if story.result is None:
        yield f"Saved before its end, after {len(story.plies)} actions."
        return
    for fault in story.result.faults:
        yield (
            f"seat {fault.seat} ({story.seats[fault.seat]}) was at fault at move {fault.action + 1}, "
            f"{fault.verdict}: {fault.detail}"
        )
    winners = ", ".join(story.who(seat) for seat in story.result.winners)
    yield f"Won by {winners}." if winners else "Nobody wins."


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise CarcError(f"{path} cannot be written: {error.strerror}") from None


def _png(picture: str, theme: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 (only pictures need it)
    except ImportError:
        raise CarcError("--png needs a renderer: pip install 'carc[png]', or take --svg") from None
    ground = "#16181d" if theme == "dark" else "#ffffff"
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, background=ground))


COMMANDS: list[click.Command] = [show_command]
