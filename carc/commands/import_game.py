"""The command `carc import`, and the reverse: a record becomes a game of another program."""

from __future__ import annotations

from pathlib import Path

import click

from carc.base.game.rules import Rules
from carc.bounded import read_text
from carc.errors import BadRecord
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
    from carc import jcz  # noqa: PLC0415 (only this command needs it)

    imported = jcz.import_game(_read(file), str(file))
    place = out or file.with_suffix(".jsonl")
    if out is None and place.exists():
        raise BadRecord(f"{place} exists already; give another file with --out")
    _write(place, imported.to_text())
    end = "to its end" if imported.is_finished else "saved before its end"
    moves = len(imported.match.moves)
    click.echo(f"{place}: {imported.match.rules}, {moves} actions, {end}")


def export_jcz(record: Path, out: Path) -> None:
    """Write a record as a saved game of JCloisterZone; `-` prints it.

    Raises:
        CarcError: It is no record, or JCloisterZone does not have its rules.
    """
    from carc import jcz  # noqa: PLC0415 (only `carc export --jcz` needs it)

    match, is_finished = read_saved_game(read_text_file(record), str(record))
    rules = Rules.from_spec(match.rules, match.players)
    if is_finished:
        replay(match, rules, str(record), verify=False)
    text = jcz.export_game(match, rules)
    if str(out) == "-":
        click.echo(text, nl=False)
    else:
        _write(out, text)


def _read(file: Path) -> str:
    try:
        return read_text(file)
    except OSError as error:
        raise BadRecord(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadRecord(f"{file}: no saved game of JCloisterZone: too large or not text") from None


def _write(place: Path, text: str) -> None:
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRecord(f"{place} cannot be written: {error.strerror}") from None


COMMANDS: list[click.Command] = [import_command]
