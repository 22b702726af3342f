"""The standings of a ladder: one row for each bot, kept with every game that is rated.

So the board is always that of the games, and neither a game nor a restart reads others. Beside it
stands the history: the rating of a bot after each game of its.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple

from carc.tournaments.ledger.chain import content_digest
from carc.tournaments.ledger.file import BadLedger, has_table

PLAYS: Final = "plays"
RESTS: Final = "rests"  # a newer version plays
OUT: Final = "out"  # the organiser said so
PAUSED: Final = "paused"
"""The setting of a ladder that says since when no game may begin."""


class Standing(NamedTuple):
    """A bot in a ladder; another version is another bot."""

    bot: str
    author: str
    """Empty for what the organiser entered."""
    spec: str
    digest: str
    isolation: str
    since: str
    """When it was entered first; UTC, ISO 8601."""
    state: str
    """`plays`, `rests` or `out`."""
    why: str
    """Why it does not play."""
    mu: float
    sigma: float
    """TrueSkill, updated with each game."""
    games: int = 0
    wins: int = 0
    score: int = 0
    """Points in all its games."""
    faults: int = 0
    """Games in which it was at fault."""
    last: str = ""
    """When its last game ended."""

    @property
    def name(self) -> str:
        """Its name without the version."""
        return self.bot.partition("@")[0]

    @property
    def conservative(self) -> float:
        """The estimate that its true skill exceeds with near certainty."""
        return self.mu - 3 * self.sigma

    @property
    def identity(self) -> str:
        """Digest of what it is; the chain seals it."""
        return content_digest([self.bot, self.author, self.spec, self.digest, self.isolation])


_COLUMNS: Final = ", ".join(Standing._fields)
_KINDS: Final = list(Standing.__annotations__.values())
_SQL: Final = {float: "REAL", int: "INTEGER", str: "TEXT"}
_DEFINED: Final = [
    f"{name} {_SQL[kind]} NOT NULL"
    for name, kind in zip(Standing._fields, _KINDS, strict=True)
    if name != "bot"
]
TABLES: Final = (
    f"CREATE TABLE IF NOT EXISTS standings (bot TEXT PRIMARY KEY, {', '.join(_DEFINED)})",
    "CREATE TABLE IF NOT EXISTS history (bot TEXT NOT NULL, entry INTEGER NOT NULL, "
    "game TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL, PRIMARY KEY (bot, entry)) "
    "WITHOUT ROWID",
)
"""`history.entry` is the number of the entry in the chain."""


class Standings:
    """The standings in an open ledger; there are none if it is not a ladder's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def page(self, count: int, first: int = 0, state: str = "") -> list[Standing]:
        """Return so many places from the so-manieth on, best first, of bots in a state or all."""
        return list(
            self._where(
                "? IN (state, '') ORDER BY mu - 3 * sigma DESC, bot LIMIT ? OFFSET ?",
                state, count, first,
            )
        )  # fmt: skip

    def count(self, state: str, isolation: str = "") -> int:
        """Return how many bots are in a state; only those isolated so if that is given."""
        return self._number(
            "SELECT COUNT(*) FROM standings WHERE state = ? AND ? IN (isolation, '')",
            state,
            isolation,
        )

    def place(self, standing: Standing) -> int:
        """Return the place of a bot among those that play, from 1, as `page` orders them."""
        better = self._number(
            "SELECT COUNT(*) FROM standings WHERE state = ? AND "
            "(mu - 3 * sigma > ? OR mu - 3 * sigma = ? AND bot < ?)",
            PLAYS, standing.conservative, standing.conservative, standing.bot,
        )  # fmt: skip
        return better + 1

    def of_author(self, author: str) -> list[Standing]:
        """Return the bots of an author, the latest first."""
        return list(self._where("author = ? ORDER BY rowid DESC", author))

    def all(self) -> Iterator[Standing]:
        """Yield the standing of every bot, by name."""
        return self._where("1 ORDER BY bot")

    def entrants(self) -> list[dict[str, str]]:
        """Return the bots as a configuration has them, as plain data."""
        names = ("spec", "digest", "isolation")
        return [{"name": each.bot, **{n: getattr(each, n) for n in names}} for each in self.all()]

    def playing(self) -> Iterator[Standing]:
        """Yield the standings of the bots that play, by name."""
        return self._where("state = ? ORDER BY bot", PLAYS)

    def of(self, bot: str) -> Standing | None:
        """Return the standing of a bot; None if it was never entered."""
        return next(self._where("bot = ?", bot), None)

    def versions(self, name: str, state: str = PLAYS) -> list[Standing]:
        """Return the versions NAME@VERSION of a bot that are in a state, or all if it is empty."""
        last = f"{name}@\U0010ffff"
        return list(
            self._where(
                "bot BETWEEN ? AND ? AND ? IN (state, '') ORDER BY rowid",
                f"{name}@", last, state,
            )
        )  # fmt: skip

    def games(self) -> int:
        """Return how many games count, once for each seat."""
        return self._number("SELECT TOTAL(games) FROM standings")

    def faults(self) -> int:
        """Return how many faults there were in them."""
        return self._number("SELECT TOTAL(faults) FROM standings")

    def last(self) -> str:
        """Return when the last of them ended; empty before the first."""
        return max((each.last for each in self._where("1 ORDER BY last DESC LIMIT 1")), default="")

    def rating(self, bot: str, entry: int) -> tuple[float, float] | None:
        """Return the rating of a bot after an entry of the chain, if that changed it."""
        found: tuple[float, float] | None = self._connection.execute(
            "SELECT mu, sigma FROM history WHERE bot = ? AND entry = ?", [bot, entry]
        ).fetchone()
        return found

    def _number(self, asked: str, *values: object) -> int:
        if not has_table(self._connection, "standings"):
            return 0
        ((number,),) = self._connection.execute(asked, values)
        return int(number)

    def _where(self, condition: str, *values: object) -> Iterator[Standing]:
        """Yield standings; raise `BadLedger` if a cell is of another type."""
        if not has_table(self._connection, "standings"):
            return
        asked = f"SELECT {_COLUMNS} FROM standings WHERE {condition}"
        for row in self._connection.execute(asked, values):
            if [*map(type, row)] != _KINDS:
                raise BadLedger(f"a standing cannot be read: {row!r:.80}")
            yield Standing(*row)
