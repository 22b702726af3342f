"""The command `carc import`, and the reverse: a record becomes a game of another program."""

from pathlib import Path

import click

from carc.base.game.rules import Rules
from carc.bounded import read_named
from carc.commands.options import FILE_PATH, tile_files_option
from carc.errors import BadRecord
from carc.escape import escape_unprintable
from carc.files import refuse_sources, write_file
from carc.match.match import Match
from carc.match.record import read_saved_game, read_text_file, replay

_LONGEST_NAME = 255  # of a file


@click.command("import")
@click.argument("game")
@click.option(
    "--out", type=FILE_PATH, help="The record to write.  [default: GAME with .jsonl as its ending]"
)
@tile_files_option
def import_command(*, game: str, out: Path | None, tile_files: tuple[Path, ...]) -> None:
    """Make a record of GAME, a game of another program.

    GAME is a saved game of JCloisterZone (.jcz), a log of BoardGameArena (.json), a link of
    CarcassonneLab in quotes, or a file with such a link in each line. The record can be replayed
    and shown like any other. A game that was saved before its end becomes a record without a
    result. If a game uses something that carc does not have, carc names it and writes nothing.
    """
    from carc.formats import import_games  # noqa: PLC0415 (only this command needs it)

    file = None if _is_link(game) else Path(game)
    text, source = (game, "link") if file is None else (read_named(file, BadRecord), game)
    games = import_games(text, source, tile_files)
    name = Path("game.jsonl") if file is None else file.with_suffix(".jsonl")
    places = _numbered(out or name, len(games))
    for place in places:
        if out is None and place.exists():
            raise BadRecord(f"{place} exists already; give another file with --out")
    for place, imported in zip(places, games, strict=True):
        write_file(place, imported.to_text(), [] if file is None else [file])
        end = "to its end" if imported.is_finished else "saved before its end"
        _say_what_was_written(place, imported.match, end)
        for remark in imported.remarks:
            click.echo(escape_unprintable(f"{place}: {remark}"), err=True)


def _is_link(game: str) -> bool:
    """Return True if this is a link and not the name of a file."""
    from carc.formats import carcassonnelab  # noqa: PLC0415 (only this command needs it)

    if Path(game[:_LONGEST_NAME]).exists():
        return False
    return "://" in game or carcassonnelab.recognises(game)


def _numbered(place: Path, count: int) -> list[Path]:
    """Return the files of so many games: the one named, or several with numbers."""
    if count == 1:
        return [place]
    width = len(str(count))
    return [
        place.with_name(f"{place.stem}-{number:0{width}}{place.suffix}")
        for number in range(1, count + 1)
    ]


def export_lab(record: Path, out: Path) -> None:
    """Write a record as a link of CarcassonneLab; `-` prints it.

    Raises `CarcError` if it is no record, or no game of the base game for two.
    """
    from carc.formats import carcassonnelab  # noqa: PLC0415 (only `carc export --lab` needs it)

    match, _ = _read_match(record, out)
    _write_export(out, f"{carcassonnelab.export_game(match, str(record))}\n")


def export_jcz(record: Path, out: Path) -> None:
    """Write a record as a saved game of JCloisterZone; `-` prints it.

    Raises `CarcError` if it is no record, or if JCloisterZone does not have its rules.
    """
    from carc.formats import jcz  # noqa: PLC0415 (only `carc export --jcz` needs it)

    match, is_finished = _read_match(record, out)
    text = jcz.export_game(match, Rules.from_spec(match.rules, match.players))
    _write_export(out, text)
    end = "to its end" if is_finished else "saved before its end or cut off: it has no result"
    _say_what_was_written(out, match, end)


def _read_match(record: Path, out: Path) -> tuple[Match, bool]:
    """Return the match in a record, and whether it is finished; then every action is legal."""
    refuse_sources([out], [record])
    match, is_finished = read_saved_game(read_text_file(record), str(record))
    if is_finished:
        replay(match, Rules.from_spec(match.rules, match.players), str(record), verify=False)
    return match, is_finished


def _write_export(out: Path, text: str) -> None:
    if str(out) == "-":
        click.echo(text, nl=False)
    else:
        write_file(out, text)


def _say_what_was_written(out: Path, match: Match, end: str) -> None:
    """Print what is in a file, on stderr if the file itself is printed."""
    line = f"{out}: {match.rules}, {len(match.moves)} actions, {end}"
    click.echo(escape_unprintable(line), err=str(out) == "-")
