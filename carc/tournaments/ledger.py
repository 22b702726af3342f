"""What became of the games: one SQLite file, one row a game, written by one process.

The file is in WAL mode and all games that ended between two looks are one transaction: a program killed at any moment loses the
games that were running and no other. Every row has a digest of itself. The records of the games are whole, so that
everything else can be made again from them; they stand in a table of their own, which boards do not read.
"""

import json
import os
import shutil
import sqlite3
import struct
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fcntl import F_GETLK, F_UNLCK, F_WRLCK, LOCK_EX, LOCK_NB, fcntl, lockf
from pathlib import Path
from typing import Any

import attrs

import carc
from carc.errors import CarcError
from carc.tournaments.keys import digest_of
from carc.tournaments.outcome import BULK, PLAIN, Outcome, Row, cells, known, outcome_of
from carc.tournaments.schedule import Configuration
from carc.tournaments.verdicts import VOID

FORMAT = 4
FILE = "ledger.sqlite"
PAGE = 1 << 14  # bytes; several games to each
# What a tournament may go on with changed: which games there are to play, not what a game is.
CHANGEABLE = {"title", "bots", "tables", "deals", "format", "against", "elo", "settings"}


class BadLedger(CarcError):
    """A ledger that is missing, in use, unreadable, or of another tournament; the message says which."""


_TYPES = {"deal": "INTEGER", "deal_seed": "INTEGER", "voids": "INTEGER", "seconds": "REAL"}


def _columns(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {_TYPES.get(name, 'TEXT')} NOT NULL" for name in names)


_SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE aside (bot TEXT PRIMARY KEY, why TEXT NOT NULL)",
    f"CREATE TABLE games ({_columns(PLAIN)}, digest TEXT NOT NULL, PRIMARY KEY (id))",
    f"CREATE TABLE records (id TEXT PRIMARY KEY, {_columns(BULK)}, digest TEXT NOT NULL)",
)


class Ledger:
    """The games of one tournament. Open it with `Ledger.writing` or `Ledger.reading`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._void: set[str] | None = None  # the games that are void, once that is asked

    @classmethod
    @contextmanager
    def writing(
        cls, folder: Path, configuration: Configuration, settings: Mapping[str, str] | None = None
    ) -> Iterator["Ledger"]:
        """The ledger of a tournament in its folder, made where there is none, for one process at a time. It remembers
        `settings`, if any are given.

        A tournament may go on with other bots, tables, deals or another format; what a game is must stay as it was. Raises
        `BadLedger`.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / "lock").open("w")
        except OSError as error:
            raise BadLedger(f"{folder} cannot be written: {error.strerror}") from None
        with lock:
            try:  # POSIX locks: gone when the process is, however it ends, and not inherited by its workers
                lockf(lock, LOCK_EX | LOCK_NB)
            except OSError:
                raise BadLedger(f"another tournament is running in {folder}") from None
            path = folder / FILE
            with _told(path):
                if not path.exists():
                    _make(path)
                _refuse_empty(path)
                with _open(path, "rwc") as connection:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = NORMAL")
                    ledger = cls(connection, path)
                    ledger._claim(configuration, settings)
                    yield ledger

    @classmethod
    @contextmanager
    def reading(cls, folder: Path) -> Iterator["Ledger"]:
        """The ledger in a tournament's folder, whether the tournament runs or not, also where nothing may be written.
        Raises `BadLedger`."""
        path = folder / FILE
        try:
            found = path.is_file()
        except OSError as error:
            raise BadLedger(f"{path} cannot be read: {error.strerror}") from None
        if not found:
            raise BadLedger(f"there is no tournament in {folder}: {FILE} is missing")
        if not os.access(path, os.R_OK):
            raise BadLedger(f"{path} cannot be read: Permission denied")
        _refuse_empty(path)
        with _told(path), _readable(path) as place, _open(place, "ro") as connection:
            ledger = cls(connection, path)
            if not ledger._meta():
                raise BadLedger(f"there is no tournament in {folder} yet")
            yield ledger

    def _claim(self, configuration: Configuration, settings: Mapping[str, str] | None) -> None:
        ours: dict[str, Any] = {
            "format_version": FORMAT,
            "carc_version": carc.__version__,
            **configuration.to_dict(),
        }
        ours = json.loads(json.dumps(ours))
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            theirs = self._meta() or ours
            ours["settings"] = theirs.get("settings", {}) if settings is None else dict(settings)
            self._compare(
                theirs,
                ours,
                CHANGEABLE,
                "games are not mixed; give the same again, or another --out",
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                [
                    *((key, json.dumps(value)) for key, value in ours.items()),
                    ("digest", digest_of(sorted(ours.items()))),
                ],
            )

    def require(self, configuration: Configuration) -> None:
        """Raises `BadLedger` if this is not a part of a tournament of that configuration, to the letter."""
        ours = {"carc_version": carc.__version__, **configuration.to_dict()}
        self._compare(
            self._meta(),
            json.loads(json.dumps(ours)),
            {"title"},
            "that is no part of the same tournament",
        )

    def _compare(
        self, theirs: dict[str, Any], ours: dict[str, Any], may: set[str], so: str
    ) -> None:
        for key, mine in ours.items():
            if theirs.get(key) != mine and key not in may:
                raise BadLedger(
                    f"{self._path} was written with {_words(key, theirs.get(key))}, "
                    f"not {_words(key, mine)}: {so}"
                )

    def _meta(self) -> dict[str, Any]:
        rows = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
        if not rows:
            return {}
        digest = rows.pop("digest", None)
        version = rows.get("format_version", rows.get("format"))
        if digest is None or version != str(FORMAT):
            raise BadLedger(f"{self._path} is not a tournament's ledger of format {FORMAT}")
        with suppress(ValueError, TypeError):
            found = {key: json.loads(value) for key, value in rows.items()}
            if digest == digest_of(sorted(found.items())):
                return found
        raise BadLedger(
            f"{self._path} is damaged: its configuration is not the one that was written"
        )

    @property
    def configuration(self) -> Configuration:
        """Of the tournament whose games these are."""
        fields = attrs.fields_dict(Configuration)
        return Configuration.from_dict(
            {key: value for key, value in self._meta().items() if key in fields}
        )

    @property
    def settings(self) -> dict[str, str]:
        """What else it was to remember."""
        return dict(self._meta().get("settings", {}))

    def add(self, rows: Iterable[Row]) -> None:
        """Write what became of some games, all of them or none.

        A game takes the place of the same game void. Raises `sqlite3.IntegrityError` if it is there otherwise: the schedule
        minus the ledger holds none twice.
        """
        rows = list(rows)
        if self._void is None:
            self._void = set(self.voids())
        again = self._void.intersection(row.id for row in rows)
        with self._connection:
            for table in ("records", "games") if again else ():
                self._connection.executemany(
                    f"DELETE FROM {table} WHERE id = ?", [(id,) for id in again]
                )
            for table, count, packed in (
                ("games", len(PLAIN) + 1, [row.game for row in rows]),
                ("records", len(BULK) + 2, [row.record for row in rows]),
            ):
                self._connection.executemany(
                    f"INSERT INTO {table} VALUES ({', '.join('?' * count)})", map(cells, packed)
                )
        self._void = self._void - again | {row.id for row in rows if row.void}

    def copy(self, other: Path) -> None:
        """Take over the games of another ledger that this one does not hold."""
        self._connection.execute("ATTACH ? AS other", [str(other)])
        try:
            with self._connection:
                for table in ("records", "games"):
                    self._connection.execute(
                        f"INSERT INTO {table} SELECT * FROM other.{table} WHERE id IN "
                        "(SELECT id FROM other.games WHERE verdict != ? "
                        "AND id NOT IN (SELECT id FROM games))",
                        [VOID],
                    )
        finally:
            self._connection.execute("DETACH other")

    def __len__(self) -> int:
        """How many games it holds."""
        ((count,),) = self._connection.execute("SELECT COUNT(*) FROM games").fetchall()
        return int(count)

    def lately(self) -> list[str]:
        """When the last hundred games ended, the latest first."""
        found = self._connection.execute(
            "SELECT finished FROM games ORDER BY finished DESC LIMIT 100"
        )
        return [finished for (finished,) in found]

    def played(self, configuration: Configuration) -> int:
        """How many games of a tournament it holds."""
        found = self._connection.execute(
            "SELECT seats, digests, deal, COUNT(*) FROM games WHERE verdict != ? AND deal < ? "
            "GROUP BY seats, digests",
            [VOID, configuration.deals],
        )
        return sum(
            count
            for seats, digests, deal, count in found
            if not configuration.lacks(known(seats), known(digests), deal)
        )

    def ids(self) -> set[str]:
        """Of the games that are played."""
        played = self._connection.execute("SELECT id FROM games WHERE verdict != ?", [VOID])
        return {id for (id,) in played}

    def voids(self) -> dict[str, int]:
        """The games that are void, to be played again, and how often each was."""
        found = self._connection.execute(
            "SELECT id, voids + 1 FROM games WHERE verdict = ?", [VOID]
        )
        return dict(found.fetchall())

    def aside(self) -> dict[str, str]:
        """Bots that are not to play any more, by `Entrant.key`, and why."""
        return dict(self._connection.execute("SELECT bot, why FROM aside").fetchall())

    def set_aside(self, bot: str, why: str) -> None:
        """Let a bot not play any more."""
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO aside VALUES (?, ?)", [bot, why])

    def outcomes(self) -> Iterator[Outcome]:
        """Every game, without times, stderr and record; rotation set by rotation set and in the order of ids, which is not
        the order in which they finished. Raises `BadLedger` at a row that is not what was written."""
        rows = self._connection.execute(
            f"SELECT {', '.join(PLAIN)}, digest FROM games ORDER BY rotation_set, id"
        )
        for *values, digest in rows:
            self._check(str(values[0]), values, digest)
            yield outcome_of(values)

    def outcome(self, game: str) -> Outcome:
        """What became of one game, with all that is known, by its id or the beginning of it. Raises `BadLedger`."""
        rows = self._connection.execute(
            f"SELECT {', '.join(PLAIN)}, digest FROM games WHERE substr(id, 1, ?) = ? LIMIT 2",
            [len(game), game],
        ).fetchall()
        if len(rows) != 1:
            raise BadLedger(
                f"the ledger holds more than one game {game!r}: {', '.join(str(row[0]) for row in rows)} and others; give more of it"
                if rows
                else f"the ledger holds no game {game!r}"
            )
        ((*values, digest),) = rows
        self._check(str(values[0]), values, digest)
        ((_, *bulk, digest),) = self._connection.execute(
            "SELECT * FROM records WHERE id = ?", values[:1]
        ).fetchall()
        self._check(str(values[0]), bulk, digest)
        return outcome_of([*values, *bulk])

    def _check(self, game: str, values: Sequence[Any], digest: str) -> None:
        if digest_of(values) != digest:
            raise BadLedger(
                f"{self._path} is damaged: game {game!r} is not what was written; restore the file, or remove "
                "the game from its table 'games' and run the tournament again"
            )


def running(folder: Path) -> bool:
    """Whether another process plays a tournament in a folder. Known on Linux."""
    if sys.platform != "linux":
        return False
    try:
        with (folder / "lock").open() as lock:
            # Asks who holds it, without taking it for a moment: a tournament that is about to begin would be refused.
            asked = struct.pack("hhqqi", F_WRLCK, 0, 0, 0, 0)
            held, *_ = struct.unpack("hhqqi", fcntl(lock, F_GETLK, asked))
    except OSError:
        return False
    return bool(held != F_UNLCK)


def _make(path: Path) -> None:
    """An empty ledger, there whole or not at all."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with _open(new, "rwc") as connection, connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        for statement in _SCHEMA:
            connection.execute(statement)
    new.rename(path)


def _refuse_empty(path: Path) -> None:
    if not path.stat().st_size:
        raise BadLedger(f"{path} is empty: its games are lost; remove it to begin anew")


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    """A file that SQLite can read: the ledger, or a copy if its folder may not be written, as WAL mode demands."""
    if os.access(path.parent, os.W_OK):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="carc-ledger-") as room:
        for file in (path, path.with_name(path.name + "-wal")):
            if file.exists():
                shutil.copyfile(file, Path(room) / file.name)
        yield Path(room) / path.name


@contextmanager
def _open(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level="IMMEDIATE")
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Says in one sentence that a file is none that SQLite can read or write."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise BadLedger(f"{path} cannot be used as a ledger: {error}") from error


def _words(key: str, value: Any) -> str:
    """A part of the configuration in words."""
    if key == "mirrored":
        return "mirrored deals" if value else "a deal of its own for every game"
    if key == "bots" and value:
        return "bots " + ", ".join(f"{bot['name']} ({bot['digest'][:8]})" for bot in value)
    return f"{key.replace('_', ' ')} {value}"
