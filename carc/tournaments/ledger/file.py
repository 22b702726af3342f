"""The file of a ledger: making it, opening it, and saying in one sentence what is wrong with it."""

import os
import re
import shutil
import sqlite3
import stat
import struct
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from carc.bounded import open_plain
from carc.errors import CarcError
from carc.tournaments.outcomes.outcome import BULK, PLAIN

with suppress(ImportError):  # as on Windows, where there are no tournaments
    from fcntl import F_GETLK, F_UNLCK, F_WRLCK, LOCK_EX, LOCK_NB, fcntl, lockf

FILE: Final = "ledger.sqlite"
MOST_BYTES: Final = 64 << 20  # of a row; a stranger may have written it
PAGE: Final = 1 << 14  # bytes; several games to each


class BadLedger(CarcError):
    """A ledger that is missing, in use, unreadable, or of another tournament."""


_TYPES = {"deal": "INTEGER", "deal_seed": "INTEGER", "voids": "INTEGER", "seconds": "REAL"}


def _columns(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {_TYPES.get(name, 'TEXT')} NOT NULL" for name in names)


_SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE aside (bot TEXT PRIMARY KEY, why TEXT NOT NULL)",
    f"CREATE TABLE games ({_columns(PLAIN)}, digest TEXT NOT NULL, PRIMARY KEY (id))",
    f"CREATE TABLE records (id TEXT PRIMARY KEY, {_columns(BULK)}, digest TEXT NOT NULL)",
)

_COLUMN: Final = r"\w+(?: TEXT| INTEGER| REAL)?(?: NOT NULL| PRIMARY KEY)?"
_TABLE: Final = re.compile(
    rf"CREATE TABLE \w+\s*\(\s*{_COLUMN}(?:,\s*{_COLUMN})*(?:, PRIMARY KEY \(\w+(?:, \w+)?\))?"
    r"\s*\)(?: WITHOUT ROWID)?"
)


_held: Final[set[Path]] = set()
"""The folders that this process holds; to look at such a lock would give it up."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a tournament's folder, made if it is not there, for this process alone.

    Raises `BadLedger` if it cannot be written, or if another process holds it.
    """
    if sys.platform == "win32":
        raise BadLedger("tournaments need Linux or macOS; on Windows, WSL 2 is a Linux")
    place = folder.resolve()
    if place in _held:
        raise BadLedger(f"another tournament is running in {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The folder may be a stranger's: no link is followed, and nothing is emptied.
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        lock = os.open(folder / "lock", flags, 0o644)
    except OSError as error:
        raise BadLedger(f"{folder} cannot be written: {error.strerror}") from None
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise BadLedger(f"{folder / 'lock'} is no plain file")
        try:  # POSIX locks: gone when the process is, however it ends; workers do not inherit them
            lockf(lock, LOCK_EX | LOCK_NB)
        except OSError:
            raise BadLedger(f"another tournament is running in {folder}") from None
        _held.add(place)
        yield
    finally:
        _held.discard(place)
        os.close(lock)


@contextmanager
def writable(
    path: Path,
    claim: Callable[[sqlite3.Connection], None] = lambda _: None,
    schema: Sequence[str] = _SCHEMA,
) -> Iterator[sqlite3.Connection]:
    """Open a ledger to write, made if it is not there.

    Args:
        path: Of the file.
        claim: Says what the ledger is of, or refuses to; a new one has its name when it is said.
        schema: Makes the tables of a new one.

    Raises:
        BadLedger: The file is no ledger.
    """
    with _explained(path):
        if not path.exists():
            _make(path, claim, schema)
        _refuse_empty(path)
        with _open(path, "rwc") as connection:
            _refuse_code(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            claim(connection)
            yield connection


@contextmanager
def readable(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a ledger to read, also where nothing may be written, or raise `BadLedger`."""
    try:
        is_file = path.is_file()
    except OSError as error:
        raise BadLedger(f"{path} cannot be read: {error.strerror}") from None
    if not is_file:
        raise BadLedger(f"there is no tournament in {path.parent}: {FILE} is missing")
    if not os.access(path, os.R_OK):
        raise BadLedger(f"{path} cannot be read: Permission denied")
    _refuse_empty(path)
    with _explained(path), _readable_copy(path) as place, _open(place, "ro") as connection:
        _refuse_code(connection, path)
        yield connection


def running(folder: Path) -> bool:
    """Return whether a process plays a tournament in a folder. Known on Linux."""
    if folder.resolve() in _held:
        return True
    if sys.platform != "linux":
        return False
    try:
        with open_plain(folder / "lock") as lock:
            # Asks who holds it, without taking it: a tournament about to begin would be refused.
            asked = struct.pack("hhqqi", F_WRLCK, 0, 0, 0, 0)
            held, *_ = struct.unpack("hhqqi", fcntl(lock, F_GETLK, asked))
    except OSError:
        return False
    return bool(held != F_UNLCK)


def _make(path: Path, claim: Callable[[sqlite3.Connection], None], schema: Sequence[str]) -> None:
    """Make a ledger without games, there whole or not at all.

    It holds the secret of all deals to come, so that nobody else may read it.
    """
    new = path.with_suffix(".new")
    try:
        new.unlink(missing_ok=True)
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with _open(new, "rwc") as connection:
            connection.execute(f"PRAGMA page_size = {PAGE}")
            with connection:
                for statement in schema:
                    connection.execute(statement)
                claim(connection)
        new.rename(path)
    except OSError as error:
        raise BadLedger(f"{path} cannot be written: {error.strerror}") from None


def marks(count: int) -> str:
    """Return so many placeholders of a statement."""
    return ", ".join("?" * count)


def has_table(connection: sqlite3.Connection, name: str, schema: str = "main") -> bool:
    """Return whether an open ledger, or one attached to it, has a table."""
    asked = f"SELECT 1 FROM {schema}.sqlite_master WHERE type = 'table' AND name = ?"
    return connection.execute(asked, [name]).fetchone() is not None


def _refuse_code(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file in which reading or writing a table would run what somebody put there.

    Tables have plain columns: an expression in a definition (of a generated column, a check, an
    index) runs whenever a row is read or written, for as long as its author likes.
    """
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if not (kind == "table" and _TABLE.fullmatch(str(sql))) and not (
            kind == "index" and sql is None  # of a primary key
        ):
            raise BadLedger(
                f"{path} cannot be used as a ledger: it has a {kind} {name!r:.50} that is no table "
                "of plain columns"
            )


def _refuse_empty(path: Path) -> None:
    """Refuse a ledger that is empty or a link, and files beside it that are not plain."""
    if path.is_symlink():
        raise BadLedger(f"{path} is a link: a ledger is a file in the tournament's folder")
    for suffix in ("-wal", "-shm", "-journal"):  # SQLite opens them if they are there
        beside = path.with_name(path.name + suffix)
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(beside.lstat().st_mode):
                raise BadLedger(f"{beside} is no plain file")
    if not path.stat().st_size:
        raise BadLedger(f"{path} is empty: its games are lost; remove it to begin anew")


@contextmanager
def _readable_copy(path: Path) -> Iterator[Path]:
    """Yield the ledger, or a copy if its folder may not be written, as WAL mode demands."""
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
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say in one sentence that a file is none that SQLite can read or write."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise BadLedger(f"{path} cannot be used as a ledger: {error}") from error
