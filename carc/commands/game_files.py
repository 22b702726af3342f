"""Games that a user names: files in any form that carc reads, folders of them, tournaments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carc.bounded import read_text
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.formats import FORMATS, Imported, import_games

if TYPE_CHECKING:
    from carc.tournaments.ledger.ledger import Ledger

_ENDINGS = {ending for form in FORMATS for ending in form.ENDINGS}


def read_games(places: Sequence[Path]) -> Iterator[tuple[str, Imported]]:
    """Yield the games in files, folders of files and tournaments, each with a name of its own.

    What cannot be read is named on stderr and left out.
    """
    for place in places:
        for name, text in _texts(place):
            try:
                games = import_games(text(), name)
            except (CarcError, OSError, ValueError) as error:
                why = error if isinstance(error, CarcError) else f"{name}: cannot be read"
                click.echo(escape_unprintable(f"left out: {why}"), err=True)
                continue
            for number, game in enumerate(games, start=1):
                yield (f"{name}:{number}" if len(games) > 1 else name), game


def _texts(place: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the names of the files or games in a place, and what reads each."""
    if not place.is_dir():
        yield place.name, partial(read_text, place)
        return
    from carc.tournaments.ledger.ledger import FILE, Ledger  # noqa: PLC0415 (a file needs none)

    if not (place / FILE).exists():
        for path in sorted(place.iterdir()):
            if path.suffix.lower() in _ENDINGS:
                yield path.name, partial(read_text, path)
        return
    with Ledger.reading(place) as ledger:
        for game in sorted(ledger.ids()):
            yield game, partial(_record, ledger, game)


def _record(ledger: Ledger, game: str) -> str:
    return ledger.outcome(game).record
