"""The command `carc import`, and the reverse: a record becomes a game of another program."""

from __future__ import annotations

from pathlib import Path

import click

from carc.base.game.rules import Rules
from carc.bounded import read_text
from carc.errors import BadRecord
from carc.escape import escape_unprintable
from carc.files import refuse_sources, write_file
from carc.match.match import Match
from carc.match.record import read_saved_game, read_text_file, replay


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The record to write.  [default: FILE with .jsonl in place of .jcz]",
)
def import_command(*, file: Path, out: Path | None) -> None:
    """Make a record of FILE, a saved game of JCloisterZone (.jcz).

    The record can be replayed and shown like any other. A game that was saved before its end
    becomes a record without a result. If a game uses something that carc does not have, carc names
    it and writes nothing.
    """
    from carc.formats import jcz  # noqa: PLC0415 (only this command needs it)

    imported = jcz.import_game(_read(file), str(file))
    place = out or file.with_suffix(".jsonl")
    if out is None and place.exists():
        raise BadRecord(f"{place} exists already; give another file with --out")
    write_file(place, imported.to_text(), [file])
    end = "to its end" if imported.is_finished else "saved before its end"
    _say_what_was_written(place, imported.match, end)


def export_jcz(record: Path, out: Path) -> None:
    """Write a record as a saved game of JCloisterZone; `-` prints it.

    Raises:
        CarcError: It is no record, or JCloisterZone does not have its rules.
    """
    from carc.formats import jcz  # noqa: PLC0415 (only `carc export --jcz` needs it)

    refuse_sources([out], [record])
    match, is_finished = read_saved_game(read_text_file(record), str(record))
    rules = Rules.from_spec(match.rules, match.players)
    if is_finished:
        replay(match, rules, str(record), verify=False)
    text = jcz.export_game(match, rules)
    if str(out) == "-":
        click.echo(text, nl=False)
    else:
        write_file(out, text)
    end = "to its end" if is_finished else "saved before its end or cut off: it has no result"
    _say_what_was_written(out, match, end)


def _read(file: Path) -> str:
    try:
        return read_text(file)
    except OSError as error:
        raise BadRecord(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadRecord(f"{file}: no saved game of JCloisterZone: too large or not text") from None


def _say_what_was_written(out: Path, match: Match, end: str) -> None:
    """Print what is in a file, on stderr if the file itself is printed."""
    line = f"{out}: {match.rules}, {len(match.moves)} actions, {end}"
    click.echo(escape_unprintable(line), err=str(out) == "-")


COMMANDS: list[click.Command] = [import_command]
