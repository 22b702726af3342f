"""What a ladder keeps to itself: the secrets of deals to come, and what bots printed.

Anybody may have a copy of a ladder's ledger at any time, so that neither is in it. This file lies
beside it, and nobody else may read it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from carc.bounded import parse_json
from carc.tournaments.ledger.file import readable, writable

FILE: Final = "private.sqlite"
_SCHEMA: Final = (
    "CREATE TABLE secrets (epoch INTEGER PRIMARY KEY, secret TEXT NOT NULL)",
    "CREATE TABLE printed (game TEXT PRIMARY KEY, stderr TEXT NOT NULL)",
)


class Private:
    """The file while a ladder is written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def writing(cls, folder: Path) -> Iterator[Private]:
        """Open the file in a ladder's folder, made where there is none, or raise `BadLedger`."""
        with writable(folder / FILE, schema=_SCHEMA) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            yield cls(connection)

    def secrets(self) -> dict[int, str]:
        """Return the secrets that were not forgotten, by epoch."""
        return dict(self._connection.execute("SELECT epoch, secret FROM secrets").fetchall())

    def keep(self, epoch: int, secret: str) -> None:
        """Keep the secret of an epoch."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO secrets VALUES (?, ?)", [epoch, secret]
            )

    def forget(self, epochs: Iterable[int]) -> None:
        """Forget secrets that everybody knows."""
        with self._connection:
            self._connection.executemany(
                "DELETE FROM secrets WHERE epoch = ?", [(epoch,) for epoch in epochs]
            )

    def print(self, games: Iterable[tuple[str, str]]) -> None:
        """Keep what was printed in games, by seat, as JSON."""
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO printed VALUES (?, ?)", games)


def printed(folder: Path, game: str) -> tuple[str, ...]:
    """Return what the bots of a game printed, by seat; nothing where that is not kept."""
    path = folder / FILE
    if not os.access(path, os.R_OK):
        return ()
    with readable(path) as connection:
        found = connection.execute("SELECT stderr FROM printed WHERE game = ?", [game]).fetchone()
    return tuple(map(str, parse_json(str(found[0])))) if found else ()
