"""The chain of a ledger: what happened to each game, in order, each entry sealed by the next.

A deal is spent with the entry `started`, which is in the ledger before the first tile is shown; no
deal is spent twice, but in a contest, where a game keeps its deal and every start counts. The
entries `rated` and `void` hold a digest of the row and the record that were written. Whoever keeps
one link can tell later whether anything before it was changed.

The chain of a contest follows from its promise, and begins with what was opened. A ledger of a
tournament with mirrored deals, which are repeated anyway, has no chain.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from carc.tournaments.ledger.file import BadLedger, has_table

STARTED: Final = "started"
RETURNED: Final = "returned"  # never handed to a worker, so no bot saw its deal
RATED: Final = "rated"
VOID: Final = "void"
ADOPTED: Final = "adopted"  # from a ledger that had no chain
OPENED: Final = "opened"  # before the first game: the value of a nonce or a beacon
WITHHELD: Final = "withheld"  # before the first game: a nonce, so its bot does not play
BEFORE_GAMES: Final = (OPENED, WITHHELD)
# Of a ladder (`carc.arena`), where bots come and go and a secret lasts for an epoch of games.
ENTERED: Final = "entered"
RESTED: Final = "rested"
COMMITTED: Final = "committed"
REVEALED: Final = "revealed"
VOIDED: Final = "voided"  # by the organiser, after it was rated

TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS chain (number INTEGER PRIMARY KEY, stage TEXT NOT NULL, "
    "game TEXT NOT NULL, attempt INTEGER NOT NULL, digest TEXT NOT NULL, link TEXT NOT NULL)"
)


class Entry(NamedTuple):
    """One entry of a chain."""

    number: int
    """From 1."""
    stage: str
    game: str
    """Its id; before the games, what was opened. Of a ladder also a bot or an epoch."""
    attempt: int
    """How often the game was started before; of a ladder the game's number."""
    digest: str
    """Of what was written with it, empty if nothing was; before the games, the value.

    Of an epoch the commitment to its secret, then the secret."""
    link: str
    """SHA-256 of the link before and of this entry."""


_TYPES = (int, str, str, int, str, str)  # a cell of SQLite holds a value of any type


def commitment(secret: object) -> str:
    """Return what may be published of a tournament's secret before it begins: its SHA-256.

    It is also the link before the first of the chain, unless a contest has a promise.
    """
    return hashlib.sha256(f"carc deals {json.dumps(secret)}".encode()).hexdigest()


def link(before: str, stage: str, game: str, attempt: int, digest: str) -> str:
    """Return the link that follows another one."""
    text = "\x1f".join([before, stage, game, str(attempt), digest])
    return hashlib.sha256(text.encode()).hexdigest()


def opening(values: Mapping[str, str]) -> list[tuple[str, str, int, str]]:
    """Return the entries for what was opened: stage, name, 0 and value of each.

    There is one way to write them, for the deals are made from the last link of it.
    """
    return [
        (OPENED if value else WITHHELD, name, 0, value) for name, value in sorted(values.items())
    ]


def content_digest(*tables: Iterable[object]) -> str:
    """Return the SHA-256 of the cells of a game's rows."""
    text = "\x1e".join("\x1f".join(map(str, cells)) for cells in tables)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


class Chain:
    """The chain in an open ledger; its table is there."""

    def __init__(self, connection: sqlite3.Connection, origin: str) -> None:
        self._connection = connection
        last = connection.execute(
            "SELECT number, link FROM chain ORDER BY number DESC LIMIT 1"
        ).fetchone()
        self.number: int = last[0] if last else 0
        """Of the last entry."""
        self.head: str = last[1] if last else origin

    def append(self, stage: str, entries: Iterable[tuple[str, int, str]]) -> None:
        """Add entries of a stage: game, attempt and digest of each. Call it in a transaction."""
        rows = []
        for game, attempt, digest in entries:
            self.number += 1
            self.head = link(self.head, stage, game, attempt, digest)
            rows.append((self.number, stage, game, attempt, digest, self.head))
        self._connection.executemany("INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", rows)


def entries_of(connection: sqlite3.Connection) -> Iterator[Entry]:
    """Yield the entries of a chain in order, if the ledger has one, or raise `BadLedger`."""
    if has_table(connection, "chain"):
        for cells in connection.execute("SELECT * FROM chain ORDER BY number"):
            if tuple(map(type, cells)) != _TYPES:
                raise BadLedger(f"an entry of the chain cannot be read: {cells!r:.80}")
            yield Entry(*cells)


def followed(entries: Iterable[Entry], origin: str) -> Iterator[Entry]:
    """Yield entries while each follows from those before; `origin` is the link before the first.

    Raises `BadLedger` if one does not.
    """
    before = origin
    for number, entry in enumerate(entries, start=1):
        if entry.number != number:
            raise BadLedger(f"entry {number} of the chain is missing")
        if entry.link != link(before, entry.stage, entry.game, entry.attempt, entry.digest):
            raise BadLedger(f"entry {number} of the chain does not follow from those before")
        before = entry.link
        yield entry


def attempts(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the number of the next attempt of each game that was started before."""
    following: dict[str, int] = {}
    for entry in entries_of(connection):
        if entry.stage in BEFORE_GAMES:
            continue
        if entry.stage != RETURNED:
            following[entry.game] = max(following.get(entry.game, 0), entry.attempt + 1)
        elif following.get(entry.game) == entry.attempt + 1:
            following[entry.game] = entry.attempt
    return following
