"""What became of the games: one SQLite file, one row a game, written by one process.

The file is in WAL mode and every batch of games is one transaction: a program killed at any moment loses the games that
were running and no other. The records of the games are whole, so that everything else can be made again from them.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, lockf
from pathlib import Path
from typing import Any

import attrs

import carc
from carc.errors import CarcError
from carc.tournaments.schedule import Configuration
from carc.tournaments.verdicts import VOID

FORMAT = 2
FILE = "ledger.sqlite"


class BadLedger(CarcError):
    """A ledger that is missing, in use, unreadable, or of another tournament; the message says which."""


@attrs.frozen
class Outcome:
    """What became of one game. Tuples are by seat."""

    id: str
    rotation_set: str
    deal: int
    deal_seed: int
    seats: tuple[str, ...]
    """Names of the entrants."""
    digests: tuple[str, ...]
    isolation: tuple[str, ...]
    verdict: str
    """`ok`, or `void`: the machine's fault, not rated and to be played again."""
    detail: str = ""
    """Why it is void."""
    voids: int = 0
    """How often it was void before."""
    ranks: tuple[int, ...] = ()
    """0 is best, equal is tied."""
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    """Seats."""
    verdicts: tuple[str, ...] = ()
    """`ok`, or what went wrong with the seat's bot."""
    faults: tuple[dict[str, Any], ...] = ()
    """As in the record (`docs/records.md`)."""
    wall: tuple[float, ...] = ()
    """Seconds the bots thought."""
    cpu: tuple[float, ...] = ()
    """Seconds of CPU time meanwhile; far below `wall` where the machine was busy with something else."""
    seconds: float = 0.0
    """How long the game took."""
    finished: str = ""
    """UTC, ISO 8601."""
    times: tuple[Sequence[tuple[float, float]], ...] = ()
    """Wall and CPU seconds of each move of each seat."""
    stderr: tuple[str, ...] = ()
    """What each seat's bot wrote there, cut; of bots in processes of their own."""
    record: str = ""
    """The match as JSON lines; this and the two before are empty where they were not asked for."""


_COLUMNS = [field.name for field in attrs.fields(Outcome)]
# Come last, so that reading the rest does not read them.
_BULK = ("times", "stderr", "record")
# Written as JSON.
_LISTS = [field.name for field in attrs.fields(Outcome) if str(field.type).startswith("tuple")]
_TYPES = {"deal": "INTEGER", "deal_seed": "INTEGER", "voids": "INTEGER", "seconds": "REAL"}
_SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE aside (bot TEXT PRIMARY KEY, why TEXT NOT NULL)",
    "CREATE TABLE games (\n  "
    + ",\n  ".join(
        f"{name} {_TYPES.get(name, 'TEXT')} " + ("PRIMARY KEY" if name == "id" else "NOT NULL")
        for name in _COLUMNS
    )
    + "\n)",
)


Row = tuple[str | int | float, ...]


def row(outcome: Outcome) -> Row:
    """An outcome as the ledger's columns hold it. Made where the game was played: the one process that writes the ledger
    has all the others to serve."""
    return tuple(
        json.dumps(value) if name in _LISTS else value
        for name, value in zip(_COLUMNS, attrs.astuple(outcome, recurse=False), strict=True)
    )


def is_void(row: Row) -> bool:
    """Whether the game is void."""
    return row[_COLUMNS.index("verdict")] == VOID


def seconds_of(row: Row) -> float:
    """How long the game took."""
    return float(row[_COLUMNS.index("seconds")])


class Ledger:
    """The games of one tournament. Open it with `Ledger.writing` or `Ledger.reading`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def writing(cls, folder: Path, configuration: Configuration) -> Iterator["Ledger"]:
        """The ledger of a tournament in its folder, made where there is none, for one process at a time.

        A tournament may go on with more deals than before and with nothing else changed. Raises `BadLedger`.
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
            with _told(path), _open(f"{path.absolute().as_uri()}?mode=rwc") as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                ledger = cls(connection)
                ledger._claim(path, configuration)
                yield ledger

    @classmethod
    @contextmanager
    def reading(cls, folder: Path) -> Iterator["Ledger"]:
        """The ledger in a tournament's folder, whether the tournament runs or not. Raises `BadLedger`."""
        path = folder / FILE
        if not path.is_file():
            raise BadLedger(f"there is no tournament in {folder}: {FILE} is missing")
        with _told(path), _open(f"{path.absolute().as_uri()}?mode=ro") as connection:
            ledger = cls(connection)
            if ledger._meta().get("format") != FORMAT:
                raise BadLedger(f"{path} is not a tournament's ledger of format {FORMAT}")
            yield ledger

    def _claim(self, path: Path, configuration: Configuration) -> None:
        ours = {
            "format": FORMAT,
            "carc_version": carc.__version__,
            **configuration.to_dict(),
        }
        ours = json.loads(json.dumps(ours))
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in _SCHEMA:
                    self._connection.execute(statement)
                theirs = ours
            else:
                theirs = self._meta()
            for key, mine in ours.items():
                if theirs.get(key) != mine and not (key == "deals" and theirs[key] < mine):
                    raise BadLedger(
                        f"{path} was written with {_words(key, theirs.get(key))}, "
                        f"not {_words(key, mine, theirs.get(key))}: "
                        "games are not mixed; give the same again, or another --out"
                    )
            self._connection.executemany(
                "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                [(key, json.dumps(value)) for key, value in ours.items()],
            )

    def _meta(self) -> dict[str, Any]:
        rows = self._connection.execute("SELECT key, value FROM meta")
        return {key: json.loads(value) for key, value in rows}

    @property
    def configuration(self) -> Configuration:
        """Of the tournament whose games these are."""
        fields = {field.name for field in attrs.fields(Configuration)}
        return Configuration.from_dict(
            {key: value for key, value in self._meta().items() if key in fields}
        )

    def add(self, rows: Iterable[Row]) -> None:
        """Write what became of some games, all of them or none.

        A game takes the place of the same game void. Raises `sqlite3.IntegrityError` if it is there otherwise: the schedule
        minus the ledger holds none twice.
        """
        marks = ", ".join("?" * len(_COLUMNS))
        rows = list(rows)
        with self._connection:
            self._connection.executemany(
                "DELETE FROM games WHERE id = ? AND verdict = ?", [(row[0], VOID) for row in rows]
            )
            self._connection.executemany(f"INSERT INTO games VALUES ({marks})", rows)

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

    def outcomes(self, records: bool = False) -> list[Outcome]:
        """Every game in the order of ids, which is not the order in which they finished."""
        columns = [name for name in _COLUMNS if records or name not in _BULK]
        rows = self._connection.execute(f"SELECT {', '.join(columns)} FROM games ORDER BY id")
        return [_outcome(dict(zip(columns, row, strict=True))) for row in rows]

    def outcome(self, game: str) -> Outcome:
        """What became of one game, with all that is known, by its id or the beginning of it. Raises `BadLedger`."""
        rows = self._connection.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM games WHERE substr(id, 1, ?) = ? LIMIT 2",
            [len(game), game],
        ).fetchall()
        if len(rows) != 1:
            raise BadLedger(f"the ledger holds {'more than one' if rows else 'no'} game {game!r}")
        return _outcome(dict(zip(_COLUMNS, rows[0], strict=True)))

    def record(self, game: str) -> str:
        """The record of a game, by its id. Raises `BadLedger` if there is none."""
        row = self._connection.execute("SELECT record FROM games WHERE id = ?", [game]).fetchone()
        if row is None or not row[0]:
            raise BadLedger(f"the ledger holds no record of a game {game!r}")
        return str(row[0])


def _outcome(row: dict[str, Any]) -> Outcome:
    for name in _LISTS:
        if name in row:
            row[name] = tuple(json.loads(row[name]))
    return Outcome(**row)


@contextmanager
def _open(uri: str) -> Iterator[sqlite3.Connection]:
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
    except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.IntegrityError):
            raise
        raise BadLedger(f"{path} cannot be used as a ledger: {error}") from error


def _words(key: str, value: Any, other: Any = None) -> str:
    """A part of the configuration in words; of bots, those that the other side has not."""
    if key == "bots" and isinstance(value, list):
        if other is None:
            value = ", ".join(bot["name"] for bot in value)
        else:
            known = {bot["name"]: bot for bot in other}
            value = ", ".join(
                f"{bot['name']} (changed)"
                if bot["name"] in known and bot != known[bot["name"]]
                else bot["name"]
                for bot in value
            )
    elif key == "mirrored":
        return "mirrored deals" if value else "a deal of its own for every game"
    elif isinstance(value, list):
        value = ",".join(map(str, value))
    return f"{key.replace('_', ' ')} {value}"
