"""Contests tampered with: what a forger changes, and seals again as far as can be."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from carc.tournaments.identifiers import digest_of
from carc.tournaments.ledger import chain
from carc.tournaments.outcomes.outcome import BULK, PLAIN


class Forger:
    """Changes a ledger, and seals what it changed as far as anybody can without the chain."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = sqlite3.connect(folder / "ledger.sqlite")
        self.games = [id for (id,) in self.rows("id", "games ORDER BY id")]

    def set(self, column: str, change: Callable[[Any], Any], game: int | None = None) -> None:
        """Change a column of a game, by default the first in which that makes a difference."""
        table = "records" if column in BULK else "games"
        columns = ("id", *BULK) if table == "records" else PLAIN
        for id in self.games if game is None else [self.games[game]]:
            found = self.database.execute(f"SELECT * FROM {table} WHERE id = ?", [id]).fetchone()
            row = dict(zip(columns, found, strict=False))
            old = row[column]
            row[column] = change(old)
            if row[column] != old:
                break
        else:
            raise AssertionError("nothing was changed")
        sealed = [value for name, value in row.items() if table == "games" or name != "id"]
        self.database.execute(
            f"UPDATE {table} SET {column} = ?, digest = ? WHERE id = ?",
            [row[column], digest_of(sealed), id],
        )

    def meta(self, key: str, change: Callable[[Any], Any]) -> None:
        rows = self.rows("key, value", "meta WHERE key != 'digest'")
        data = {name: json.loads(value) for name, value in rows}
        data[key] = change(data.get(key))
        rows = [(key, json.dumps(data[key])), ("digest", digest_of(sorted(data.items())))]
        self.database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def rechain(self) -> None:
        """Compute the chain anew, from the secret and the rows as they are."""
        rows = self.rows("key, value", "meta WHERE key != 'digest'")
        meta = {key: json.loads(value) for key, value in rows}
        before = meta.get("promise", chain.commitment(meta["seed"]))
        entries = self.rows("stage, game, attempt, digest", "chain ORDER BY number")
        self.sql("DELETE FROM chain")
        for number, (stage, game, attempt, told) in enumerate(entries, start=1):
            digest = told
            if stage == chain.RATED:
                cells = [
                    self.database.execute(f"SELECT * FROM {table} WHERE id = ?", [game]).fetchone()
                    for table in ("games", "records")
                ]
                digest = chain.content_digest(*(each or () for each in cells))
            before = chain.link(before, stage, game, attempt, digest)
            row = (number, stage, game, attempt, digest, before)
            self.sql("INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", *row)
        with suppress(FileNotFoundError):
            secret = json.loads((self.folder / "secret.json").read_text())
            forged = {**secret, "secret": meta["seed"], "head": before}
            (self.folder / "secret.json").write_text(json.dumps(forged))

    def rows(self, columns: str, of: str) -> list[tuple[Any, ...]]:
        return self.database.execute(f"SELECT {columns} FROM {of}").fetchall()

    def enter(self, stage: str, game: str, attempt: int) -> None:
        """Add an entry to the chain."""
        self.sql(
            "INSERT INTO chain SELECT COUNT(*) + 1, ?, ?, ?, '', '' FROM chain",
            stage,
            game,
            attempt,
        )

    def sql(self, statement: str, *values: object) -> None:
        self.database.execute(statement, values)


@contextmanager
def forging(folder: Path) -> Iterator[Forger]:
    """Change a contest's ledger, and close it."""
    forger = Forger(folder)
    with closing(forger.database), forger.database:
        yield forger


def swapped(text: str) -> str:
    return json.dumps(json.loads(text)[::-1])


def first_claim(instead: Callable[[list[str], int], str]) -> Callable[[str], str]:
    """The first claim of a record is another move."""

    def change(record: str) -> str:
        lines = record.splitlines()
        words = json.loads(lines[1])
        moves = words["moves"].split(" ")
        at = next(n for n, word in enumerate(moves) if word.startswith("claim:"))
        moves[at] = instead(moves, at)
        text = json.dumps({**words, "moves": " ".join(moves)})
        return "\n".join([lines[0], text, *lines[2:], ""])

    return change


def file(name: str, change: Callable[[Any], Any]) -> Callable[[Forger], None]:
    def tamper(forger: Forger) -> None:
        place = forger.folder / name
        place.write_text(json.dumps(change(json.loads(place.read_text()))))

    return tamper


def content(forger: Forger) -> None:
    bot = next((forger.folder / "registry").glob("*/bot.py"))
    bot.write_text(bot.read_text() + "# better\n")


def page_with(*changes: tuple[str, str]) -> Callable[[Forger], None]:
    def tamper(forger: Forger) -> None:
        place = forger.folder / "report.html"
        text = place.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        place.write_text(text)

    return tamper


def drop_last(forger: Forger) -> None:
    """The last game never was."""
    rated = forger.rows("game", "chain WHERE stage = 'rated' ORDER BY number DESC LIMIT 1")
    for table, key in (("games", "id"), ("records", "id"), ("chain", "game")):
        for (last,) in rated:
            forger.sql(f"DELETE FROM {table} WHERE {key} = ?", last)


ADDED = "f" * 16  # the id of a game that is in no schedule


def added(forger: Forger) -> None:
    for table in ("games", "records"):
        row = list(forger.database.execute(f"SELECT * FROM {table}").fetchone())
        row[0] = ADDED
        row[-1] = digest_of(row[:-1] if table == "games" else row[1:-1])
        marks = ", ".join("?" * len(row))
        forger.sql(f"INSERT INTO {table} VALUES ({marks})", *row)


def reordered(forger: Forger, one: int = 3) -> None:
    """An entry and the next change places."""
    for old, new in ((one, -1), (one + 1, one), (-1, one + 1)):
        forger.sql("UPDATE chain SET number = ? WHERE number = ?", new, old)


def exchanged_records(forger: Forger) -> None:
    (one,), (other,), *_ = forger.rows("record", "records ORDER BY id")
    forger.set("record", lambda _: other, 0)
    forger.set("record", lambda _: one, 1)


def sealed(column: str, change: Callable[[Any], Any]) -> Callable[[Forger], None]:
    """A cell changed, and the whole chain computed anew: the records have to tell."""

    def tamper(forger: Forger) -> None:
        forger.set(column, change)
        forger.rechain()

    return tamper


def cell(column: str, change: Callable[[Any], Any]) -> Callable[[Forger], None]:
    return lambda forger: forger.set(column, change)


def again(stage: str, attempt: int) -> Callable[[Forger], None]:
    """One more entry for the game that was rated last, and all sealed again."""

    def tamper(forger: Forger) -> None:
        ((game,),) = forger.rows("game", "chain ORDER BY number DESC LIMIT 1")
        forger.enter(stage, game, attempt)
        forger.rechain()

    return tamper


def of_first(statement: str) -> Callable[[Forger], None]:
    return lambda forger: forger.sql(statement, forger.games[0])


def replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


def begun_again(forger: Forger) -> None:
    """The first game was begun five times, and all sealed again."""
    ((game,),) = forger.rows("game", "chain WHERE number = 1")
    forger.sql("UPDATE chain SET number = number + 1000")
    forger.sql("UPDATE chain SET attempt = 4 WHERE game = ?", game)
    for attempt in range(4):
        row = (attempt + 1, chain.STARTED, game, attempt, "", "")
        forger.sql("INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", *row)
    forger.rechain()


def without_start(forger: Forger) -> None:
    """The first entry is gone, and all sealed again."""
    forger.sql("DELETE FROM chain WHERE number = 1")
    forger.rechain()


CRASH = '[{"seat": 0, "action": 1, "verdict": "crash", "detail": ""}]'
KINDS: dict[str, Callable[[Forger], None]] = {
    "ranks": cell("ranks", swapped),
    "ranks, sealed": sealed("ranks", swapped),
    "scores": sealed("scores", lambda text: json.dumps([999, *json.loads(text)[1:]])),
    "winners": sealed("winners", lambda text: "[0, 1]"),
    "verdicts": sealed("verdicts", lambda text: '["ok", "crash"]'),
    "faults": sealed("faults", lambda text: CRASH),
    "points by kind": sealed("kinds", lambda text: "[{}, {}]"),
    "a void game": sealed("verdict", lambda text: "void"),
    "a move": sealed("record", first_claim(lambda moves, at: "place:0,0,0")),
    "a claim left out": sealed("record", first_claim(lambda moves, at: "pass")),
    "a deal": sealed("deal_seed", lambda seed: seed + 1),
    "a deal that is given": sealed("record", replaced('"seed": ', '"deal": "given", "seed": ')),
    "another attempt": lambda forger: (
        forger.sql("UPDATE chain SET attempt = attempt + 1 WHERE game = ?", forger.games[0]),
        forger.rechain(),
    )[0],
    "a clock": sealed("wall", lambda text: json.dumps([9.5, *json.loads(text)[1:]])),
    "times of moves": sealed("times", replaced("[[", "[[[9.0, 9.0], ")),
    "the times alone": cell("seconds", lambda seconds: seconds + 1),
    "seats": sealed("seats", swapped),
    "digests": sealed("digests", swapped),
    "isolation": sealed("isolation", lambda text: '["none", "none"]'),
    "stderr": cell("stderr", lambda text: '["no errors", ""]'),
    "a missing game": of_first("DELETE FROM games WHERE id = ?"),
    "a missing record": of_first("DELETE FROM records WHERE id = ?"),
    "an added game": added,
    "a reordered ledger": reordered,
    "an entry left out": lambda forger: forger.sql("DELETE FROM chain WHERE number = 5"),
    "no chain": lambda forger: forger.sql("DELETE FROM chain"),
    "a link": lambda forger: forger.sql("UPDATE chain SET link = ? WHERE number = 2", "0" * 64),
    "records exchanged": lambda forger: (exchanged_records(forger), forger.rechain())[0],
    "the secret": lambda forger: (forger.meta("seed", lambda seed: seed + 1), forger.rechain())[0],
    "the number of deals": lambda forger: forger.meta("deals", lambda deals: 2),
    "a bot's digest": lambda forger: forger.meta(
        "bots", lambda bots: [{**bots[0], "digest": "0" * 64}, *bots[1:]]
    ),
    "a bot's content": content,
    "the promise": file("promise.json", lambda data: {**data, "secret": "0" * 64}),
    "what was admitted": file("admission.json", lambda data: {**data, "dan": data["ann"]}),
    "no promise": lambda forger: (forger.folder / "promise.json").unlink(),
    "no admission": lambda forger: (forger.folder / "admission.json").unlink(),
    "no programs": lambda forger: shutil.rmtree(forger.folder / "registry"),
    "names on the page": page_with(("ann@1", "?"), ("bob@1", "ann@1"), ("?", "bob@1")),
    "a figure on the page": page_with((".00", ".10")),
    "adopted": again(chain.ADOPTED, 1),
    "a stage of its own": again("lost", 1),
    "opened late": again(chain.OPENED, 0),
    "begun again too often": begun_again,
    "a rating": file(
        "board.json",
        lambda data: {
            **data,
            "standings": [{**data["standings"][0], "mu": 40.0}, *data["standings"][1:]],
        },
    ),
    "the secret that is published": file("secret.json", lambda data: {**data, "secret": 1}),
    "the end of the chain": file("secret.json", lambda data: {**data, "head": "0" * 64}),
    "a place": file("board.json", lambda data: {**data, "standings": data["standings"][::-1]}),
    "started again": again(chain.STARTED, 1),
    "given back again": again(chain.RETURNED, 0),
    "no start": without_start,
    "times of one seat": sealed("times", lambda text: json.dumps(json.loads(text)[:1])),
}
# What is said of each, whatever else is said: so each guard is needed.
SENTENCES = {
    "ranks": "is not what the chain says was written",
    "ranks, sealed": "its ranks are not those of its record",
    "scores": "its scores are not those of its record",
    "winners": "its winners are not those of its record",
    "verdicts": "its verdicts are not those of its record",
    "faults": "its faults are not those of its record",
    "points by kind": "its points are not those of its record",
    "a void game": "is void in the chain or in its row, and not in both",
    "a move": "is not legal now",
    "a claim left out": "game ",
    "a deal": "its deal_seed is not the one of the schedule",
    "a deal that is given": "its deal are not those of its record",
    "another attempt": "attempt 1 does not follow the one before",
    "a clock": "the clock of seat 0 is not the sum of its moves",
    "times of moves": "seat 0 has not as many times as moves",
    "the times alone": "is not what the chain says was written",
    "seats": "its seats is not the one of the schedule",
    "digests": "its digests is not the one of the schedule",
    "isolation": "its isolation is not the one of the schedule",
    "stderr": "is not what the chain says was written",
    "a missing game": "is in the chain, and its row is missing",
    "a missing record": "has 0 records, not one",
    "an added game": "is not in the schedule",
    "a reordered ledger": "entry 3 of the chain does not follow",
    "an entry left out": "entry 5 of the chain is missing",
    "no chain": "the chain is missing",
    "a link": "entry 2 of the chain does not follow",
    "records exchanged": "its scores are not those of its record",
    "the secret": "promise.json promises another contest or another secret",
    "the number of deals": "promise.json promises another contest or another secret",
    "a bot's digest": "promise.json promises another contest or another secret",
    "a bot's content": "the content of",
    "the promise": "promise.json is not the promise that the ledger follows from",
    "what was admitted": "admission.json is not the one that was promised",
    "no promise": "promise.json is missing",
    "no admission": "admission.json is missing",
    "no programs": "the program of ann@1 is missing",
    "names on the page": "report.html is not the page of these games",
    "a figure on the page": "report.html is not the page of these games",
    "adopted": "was 'adopted', which happens to no game here",
    "a stage of its own": "was 'lost', which happens to no game here",
    "opened late": "something was opened after the first game",
    "begun again too often": "1 games were begun again, 4 times in all; of these ",
    "a rating": "the ratings in board.json are not those of the games",
    "the secret that is published": "secret.json names another secret",
    "the end of the chain": "secret.json names another secret",
    "a place": "the ratings in board.json are not those of the games",
    "started again": "was started after it was rated",
    "given back again": "was 'returned', which happens to no game here",
    "no start": "has an outcome without a start",
    "times of one seat": "its moves and their times are not those of each seat",
}
