"""The ledger of a tournament: one SQLite file, one row a game, written by one process.

The file is in WAL mode, and all games that ended between two looks are one transaction: a program
killed at any moment loses the games that were running and no other. Every row has a digest of
itself. The records of the games are whole, so that everything else can be made again from them;
they stand in a table of their own, which boards do not read. Where every game has a deal of its
own, the ledger has a chain as well (`carc.tournaments.ledger.chain`).
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import attrs

from carc.bounded import parse_json
from carc.tournaments.identifiers import digest_of
from carc.tournaments.ledger import chain, meta, parts, private
from carc.tournaments.ledger.chain import Chain, content_digest
from carc.tournaments.ledger.file import (
    FILE,
    BadLedger,
    has_table,
    locked,
    marks,
    readable,
    running,
    writable,
)
from carc.tournaments.ledger.standings import Standings
from carc.tournaments.outcomes.outcome import BULK, PLAIN, Outcome, Row, cells, known, outcome_of
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.schedule.configuration import ARENA, Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game

__all__ = ["FILE", "BadLedger", "Ledger", "running"]

_ROUND = "CREATE TABLE IF NOT EXISTS round (deal INTEGER NOT NULL, bots TEXT NOT NULL)"


class Ledger:
    """The games of one tournament. Open it with `Ledger.writing` or `Ledger.reading`."""

    lists_bots = True  # whether the configuration of a ladder has its bots

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.standings = Standings(connection)
        """The places in a ladder, kept with each game."""
        self._void: set[str] | None = None  # the games that are void, once that is asked
        self._chain: Chain | None = None
        self._attempts: dict[str, int] = {}  # of the games that are started
        self._following: dict[str, int] | None = None  # the next attempts, once that is asked

    @classmethod
    @contextmanager
    def writing(
        cls, folder: Path, configuration: Configuration, settings: Mapping[str, str] | None = None
    ) -> Iterator[Self]:
        """Open the ledger in a tournament's folder, made where there is none, for one process.

        A tournament may go on with other bots, tables, deals or another format; what a game is must
        stay as it was. Raises `BadLedger` if it is of another tournament, in use, or no ledger.
        """
        path = folder / FILE

        def claim(connection: sqlite3.Connection) -> None:
            meta.claim(connection, path, configuration, settings)

        with locked(folder), writable(path, claim) as connection:
            ledger = cls(connection, path)
            ledger._begin(configuration)
            yield ledger

    @classmethod
    @contextmanager
    def reading(cls, folder: Path) -> Iterator[Self]:
        """Open the ledger in a tournament's folder, whether it runs or not, or `BadLedger`."""
        path = folder / FILE
        with readable(path) as connection:
            connection.execute("BEGIN")  # all that is read is of one moment
            ledger = cls(connection, path)
            if not ledger._meta():
                raise BadLedger(f"there is no tournament in {folder} yet")
            yield ledger

    def _begin(self, configuration: Configuration) -> None:
        """Make ready to write."""
        if configuration.promise or not configuration.mirrored:
            self._begin_chain(configuration.promise or chain.commitment(configuration.seed))

    def _begin_chain(self, origin: str) -> None:
        """Open the chain; the games of a ledger of carc 0.1, which has none, are adopted."""
        with self._connection:
            fresh = not has_table(self._connection, "chain")
            self._connection.execute(chain.TABLE)
            self._chain = Chain(self._connection, origin)
            if fresh:
                rows = self._connection.execute("SELECT id, voids FROM games ORDER BY id")
                self._chain.append(
                    chain.ADOPTED,
                    [(id, voids, self.content_digest(id)) for id, voids in rows.fetchall()],
                )

    def require(self, configuration: Configuration) -> None:
        """Raise `BadLedger` if this is not part of a tournament of exactly that configuration."""
        meta.require(self._connection, self._path, configuration)

    def _meta(self) -> dict[str, Any]:
        return meta.read(self._connection, self._path)

    @property
    def version(self) -> str:
        """The version of carc that wrote it."""
        return str(self._meta().get("carc_version"))

    @property
    def configuration(self) -> Configuration:
        """The configuration of the tournament whose games these are.

        Raises `BadLedger` if it cannot be read, `BadTournament` if it cannot be played.
        """
        fields = attrs.fields_dict(Configuration)
        data = {key: value for key, value in self._meta().items() if key in fields}
        if data.get("format") == ARENA and self.lists_bots:
            data["bots"] = self.standings.entrants()
        try:
            return Configuration.from_dict(data)
        except ValueError as error:
            raise BadLedger(
                f"{self._path}: the configuration cannot be read: {error!s:.200}"
            ) from None

    @property
    def settings(self) -> dict[str, str]:
        """What else it remembers: options of the command that began it, or `BadLedger`."""
        settings = self._meta().get("settings", {})
        if not isinstance(settings, dict):
            raise BadLedger(f"{self._path}: the settings cannot be read: {settings!r:.80}")
        return {str(name): str(value) for name, value in settings.items()}

    def note_opened(self, values: Mapping[str, str], left: Iterable[Entrant]) -> Configuration:
        """Note what was opened before the first game of a contest; all that follows is made of it.

        The nonce of a bot that was withheld is empty; `left` are the bots that play. Raises
        `BadTournament` if they cannot play the contest.
        """
        assert self._chain is not None, "a contest has a chain"
        with self._connection:
            for stage, name, attempt, value in chain.opening(values):
                self._chain.append(stage, [(name, attempt, value)])
            configuration = attrs.evolve(self.configuration, bots=left, opened=self._chain.head)
            meta.write(self._connection, {**self._meta(), **configuration.to_dict()})
        return configuration

    def start(self, games: Iterable[Game]) -> None:
        """Spend the deals of games that are about to be played: each starts once, or `BadLedger`.

        Does nothing where deals are mirrored.
        """
        if self._chain is None:
            return
        if self._following is None:
            self._following = self.attempts()
        spent = [(game.id, game.attempt) for game in games]
        for id, attempt in spent:
            if attempt < self._following.get(id, 0):
                raise BadLedger(f"{self._path}: the deal of game {id!r} was spent before")
            self._following[id] = attempt + 1
        with self._connection:
            self._chain.append(chain.STARTED, [(id, attempt, "") for id, attempt in spent])
        self._attempts.update(spent)

    def begin_round(self, sets: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Note the rotation sets of the round that begins: the deal's number and the bots."""
        rows = {(deal, json.dumps(sorted(bots))) for deal, bots in sets}
        with self._connection:
            self._connection.execute(_ROUND)
            self._connection.execute("DELETE FROM round")
            self._connection.executemany("INSERT INTO round VALUES (?, ?)", sorted(rows))

    def open_round(self) -> list[tuple[int, list[str]]]:
        """Return the rotation sets of the round that began last."""
        if not has_table(self._connection, "round"):
            return []
        rows = self._connection.execute("SELECT deal, bots FROM round ORDER BY deal, bots")
        return [(deal, parse_json(bots)) for deal, bots in rows]

    def give_back(self, games: Iterable[Game]) -> None:
        """Note that games were started, but never handed to a worker.

        A contest does not: its organiser could say so of any game.
        """
        if self._chain is None or self.configuration.promise:
            return
        returned = [(game.id, game.attempt, "") for game in games]
        with self._connection:
            self._chain.append(chain.RETURNED, returned)
        self._following = None

    def add(self, rows: Iterable[Row]) -> None:
        """Write the outcomes of some games, all of them or none.

        A game takes the place of the same game void. Raises `sqlite3.IntegrityError` if a game is
        there otherwise; the schedule minus the ledger holds none twice.
        """
        rows = list(rows)
        if self._void is None:
            self._void = set(self.voids())
        again = self._void.intersection(row.id for row in rows)
        games = [cells(row.game) for row in rows]
        records = [cells(row.record) for row in rows]
        with self._connection:
            for table in ("records", "games") if again else ():
                self._connection.executemany(
                    f"DELETE FROM {table} WHERE id = ?", [(id,) for id in again]
                )
            for table, count, many in (
                ("games", len(PLAIN) + 1, games),
                ("records", len(BULK) + 2, records),
            ):
                self._connection.executemany(f"INSERT INTO {table} VALUES ({marks(count)})", many)
            if self._chain is not None:
                for row, game, record in zip(rows, games, records, strict=True):
                    entry = (row.id, self._attempts.pop(row.id, 0), content_digest(game, record))
                    self._chain.append(chain.VOID if row.void else chain.RATED, [entry])
                    self._sealed(game)
        self._void = self._void - again | {row.id for row in rows if row.void}

    def _sealed(self, game: Sequence[object]) -> None:
        """Do what else belongs to the outcome of a game, in its transaction."""

    def copy(self, other: Path) -> None:
        """Take over the rated games of another ledger that this one does not hold.

        Raises `BadLedger` if a game was played otherwise there.
        """
        parts.copy(self._connection, other, self._chain, self.content_digest)

    def content_digest(self, game: str, *, rated: bool = False) -> str:
        """Return the digest of the rows of a game as they are now, or were before it was voided."""
        row, record = (
            self._connection.execute(f"SELECT * FROM {table} WHERE id = ?", [game]).fetchone()
            for table in ("games", "records")
        )
        if rated:
            cells = {**dict(zip(PLAIN, row, strict=False)), "verdict": OK, "detail": ""}
            row = (*cells.values(), digest_of(cells.values()))
        return content_digest(row, record)

    def entries(self) -> Iterator[chain.Entry]:
        """Yield the entries of the chain in order; none if there is no chain."""
        return chain.entries_of(self._connection)

    def attempts(self) -> dict[str, int]:
        """Return how often each game was started before, where deals are spent."""
        return chain.attempts(self._connection)

    def __len__(self) -> int:
        ((count,),) = self._connection.execute("SELECT COUNT(*) FROM games").fetchall()
        return int(count)

    def lately(self) -> list[str]:
        """Return when the last hundred games ended, the latest first."""
        rows = self._connection.execute(
            "SELECT finished FROM games ORDER BY finished DESC LIMIT 100"
        )
        return [finished for (finished,) in rows]

    def played(self, configuration: Configuration) -> int:
        """Return how many games of a tournament it holds."""
        if configuration.is_arena:
            return self.standings.games() // configuration.tables[-1]
        rows = self._connection.execute(
            "SELECT seats, digests, deal, COUNT(*) FROM games WHERE verdict != ? AND deal < ? "
            "GROUP BY seats, digests",
            [VOID, configuration.deals],
        )
        return sum(
            count
            for seats, digests, deal, count in rows
            if not configuration.exclusion_reason(known(seats), known(digests), deal)
        )

    def ids(self) -> set[str]:
        """Return the ids of the games that are rated."""
        played = self._connection.execute("SELECT id FROM games WHERE verdict != ?", [VOID])
        return {id for (id,) in played}

    def voids(self) -> dict[str, int]:
        """Return the games that are void, and how often each was."""
        rows = self._connection.execute("SELECT id, voids + 1 FROM games WHERE verdict = ?", [VOID])
        return dict(rows.fetchall())

    def aside(self) -> dict[str, str]:
        """Return the bots that play no more, by `Entrant.key`, and why."""
        return dict(self._connection.execute("SELECT bot, why FROM aside").fetchall())

    def set_aside(self, bot: str, why: str) -> None:
        """Note that a bot plays no more."""
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO aside VALUES (?, ?)", [bot, why])

    def outcomes(self) -> Iterator[Outcome]:
        """Yield every game, without times, stderr and record; raise `BadLedger` of a damaged row.

        They come rotation set by rotation set, by id, not in the order in which they finished.
        Those of an arena come in the order in which they were rated.
        """
        order = "rowid" if self._meta().get("format") == ARENA else "rotation_set, id"
        rows = self._connection.execute(
            f"SELECT {', '.join(PLAIN)}, digest FROM games ORDER BY {order}"
        )
        for *values, digest in rows:
            self._check(str(values[0]), values, digest)
            yield self._outcome(values)

    def outcome(self, game: str) -> Outcome:
        """Return one game with all that is known of it, by its id or the beginning of that.

        Raises `BadLedger` if there is no such game, or more than one.
        """
        rows = self._connection.execute(
            f"SELECT {', '.join(PLAIN)}, digest FROM games WHERE id BETWEEN ? AND ? LIMIT 2",
            [game, f"{game}\U0010ffff"],
        ).fetchall()
        if len(rows) != 1:
            raise BadLedger(
                f"the ledger holds more than one game {game!r}: "
                f"{', '.join(str(row[0]) for row in rows)} and others; give more of it"
                if rows
                else f"the ledger holds no game {game!r}"
            )
        ((*values, digest),) = rows
        self._check(str(values[0]), values, digest)
        records = self._connection.execute(
            "SELECT * FROM records WHERE id = ?", values[:1]
        ).fetchall()
        if len(records) != 1:
            raise BadLedger(f"{self._path}: game {game!r:.32} has {len(records)} records, not one")
        ((_, *bulk, digest),) = records
        self._check(str(values[0]), bulk, digest)
        whole = self._outcome([*values, *bulk])
        printed = () if whole.stderr else private.printed(self._path.parent, whole.id)
        return whole._replace(stderr=printed) if printed else whole

    def _outcome(self, values: Sequence[Any]) -> Outcome:
        """Return the outcome in cells; who made the file may have sealed whatever they are."""
        try:
            return outcome_of(values)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise BadLedger(
                f"{self._path}: game {str(values[0])[:16]!r} cannot be read: {type(error).__name__}"
            ) from None

    def _check(self, game: str, values: Sequence[Any], digest: str) -> None:
        if digest_of(values) != digest:
            raise BadLedger(
                f"{self._path} is damaged: game {game!r} is not what was written; restore the "
                "file, or remove the game from its table 'games' and run the tournament again"
            )
