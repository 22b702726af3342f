"""A contest from a folder of submissions, and its verification by somebody who trusts nobody."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from support import warm
from support.playing import requires
from support.warm import PYTHONPATH

from carc import Rules, read_record, replay
from carc.errors import CarcError
from carc.tournaments.contest import verification
from carc.tournaments.contest.admission import submissions
from carc.tournaments.contest.verification import verify
from carc.tournaments.identifiers import digest_of
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.file import BadLedger, locked, running, writable
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import BULK, PLAIN
from carc.tournaments.reports.html_page import page
from carc.tournaments.tournament import board

BOT = """
import random
class Bot:
    def __init__(self, seed): self.rng = random.Random(seed)
    def choose(self, state): return self.rng.choice(state.legal_actions())
"""
# It voids what it can: no name of its is a text, and it leaves before the end.
HOSTILE = """
import ctypes, os
ctypes.CDLL(None).prctl(15, b"\\xff", 0, 0, 0)
class Bot:
    moves = 0
    def choose(self, state):
        self.moves += 1
        if self.moves > 20: os.close(0)
        return state.legal_actions()[0]
"""
MANIFEST = 'name = "{name}"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'

pytestmark = requires("confined")


def submit(folder: Path, *names: str, code: str = BOT) -> None:
    for name in names:
        place = folder / name
        place.mkdir(parents=True)
        (place / "bot.toml").write_text(MANIFEST.format(name=name))
        (place / "bot.py").write_text(code)


def call(folder: Path, *words: str) -> warm.Done:
    return warm.run(words, folder)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with submissions, and a contest of them in `c`."""
    folder = tmp_path_factory.mktemp("contest")
    submit(folder / "subs", "ann", "bob", "cleo")
    submit(folder / "subs", "none", code="import nosuch")
    (folder / "subs" / "contest.toml").write_text('title = "Cup"\ndeals = 1\n')
    done = call(folder, "contest", "subs", "--out", "c", "--games", "1")
    assert done.returncode == 0, done.stderr
    assert "left out  none: starts and answers hello" in done.stdout
    return folder


@pytest.fixture
def copied(held: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(held / "c", tmp_path / "c"))


def test_a_stranger_verifies_a_contest(held: Path) -> None:
    done = call(held, "verify", "c")
    assert done.returncode == 0, done.stdout
    assert "All agrees: 6 games replayed." in done.stdout
    secret = json.loads((held / "c" / "secret.json").read_text())
    promised = json.loads((held / "c" / "promise.json").read_text())
    assert chain.commitment(secret["secret"]) == promised["secret"]
    canonical = json.dumps(promised, sort_keys=True, separators=(",", ":"))
    line = hashlib.sha256(canonical.encode()).hexdigest()
    assert f"before the first game: {line}\n" in done.stdout
    as_published = ("verify", "c", "--promise", line, "--head", secret["head"], "--head", line)
    assert call(held, *as_published).returncode == 0
    for published in ({"published": "0" * 64}, {"published": line, "head": "0" * 64}):
        assert verify(held / "c", *published.values()).problems
    with Ledger.reading(held / "c") as ledger:
        assert ledger.configuration.title == "Cup"


def test_it_costs_at_most_twice_the_replay(held: Path) -> None:
    """Both in CPU time, the least of three; the board is computed again besides."""
    with Ledger.reading(held / "c") as ledger:
        records = [ledger.outcome(game.id).record for game in ledger.outcomes()]

    def replayed() -> None:
        for record in records:
            match = read_record(record)
            replay(match, Rules.from_spec(match.rules, match.players))

    def seconds(work: Callable[[], Any]) -> float:
        begun = process_time()
        work()
        return process_time() - begun

    verify(held / "c")
    assert (
        min(seconds(lambda: verify(held / "c")) for _ in range(3))
        < 2 * min(seconds(replayed) for _ in range(3)) + 0.3
    ), "beside a third of a second for the intervals of 6 games' ratings"


# -- tampering ----------------------------------------------------------------------------------


class Forger:
    """Changes a ledger, and seals what it changed as far as anybody can without the chain."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = sqlite3.connect(folder / "ledger.sqlite")
        self.games = [id for (id,) in self.database.execute("SELECT id FROM games ORDER BY id")]

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
        rows = dict(self.database.execute("SELECT key, value FROM meta"))
        rows.pop("digest")
        data = {name: json.loads(value) for name, value in rows.items()}
        data[key] = change(data[key])
        self.database.execute(
            "UPDATE meta SET value = ? WHERE key = ?", [json.dumps(data[key]), key]
        )
        self.database.execute(
            "UPDATE meta SET value = ? WHERE key = 'digest'", [digest_of(sorted(data.items()))]
        )

    def rechain(self) -> None:
        """Compute the chain anew, from the secret and the rows as they are."""
        meta = dict(self.database.execute("SELECT key, value FROM meta"))
        seed, before = meta["seed"], json.loads(meta["promise"])
        for number, stage, game, attempt in self.database.execute(
            "SELECT number, stage, game, attempt FROM chain ORDER BY number"
        ).fetchall():
            digest = ""
            if stage == "rated":
                rows = [
                    self.database.execute(f"SELECT * FROM {table} WHERE id = ?", [game]).fetchone()
                    for table in ("games", "records")
                ]
                digest = chain.content_digest(*(row or () for row in rows))
            before = chain.link(before, stage, game, attempt, digest)
            self.database.execute(
                "UPDATE chain SET digest = ?, link = ? WHERE number = ?", [digest, before, number]
            )
        (self.folder / "secret.json").write_text(
            json.dumps({"secret": json.loads(seed), "head": before})
        )

    def sql(self, statement: str, *values: object) -> None:
        self.database.execute(statement, values)


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
    """The last game never was; all is sealed again."""
    (last,) = forger.database.execute(
        "SELECT game FROM chain WHERE stage = 'rated' ORDER BY number DESC LIMIT 1"
    ).fetchone()
    for table, key in (("games", "id"), ("records", "id"), ("chain", "game")):
        forger.sql(f"DELETE FROM {table} WHERE {key} = ?", last)
    numbers = [n for (n,) in forger.database.execute("SELECT number FROM chain ORDER BY number")]
    for new, old in enumerate(numbers, start=1):
        forger.sql("UPDATE chain SET number = ? WHERE number = ?", new, old)
    forger.rechain()


ADDED = "f" * 16  # the id of a game that is in no schedule


def added(forger: Forger) -> None:
    for table in ("games", "records"):
        row = list(forger.database.execute(f"SELECT * FROM {table}").fetchone())
        row[0] = ADDED
        row[-1] = digest_of(row[:-1] if table == "games" else row[1:-1])
        marks = ", ".join("?" * len(row))
        forger.sql(f"INSERT INTO {table} VALUES ({marks})", *row)


def reordered(forger: Forger) -> None:
    forger.sql("UPDATE chain SET number = -3 WHERE number = 3")
    forger.sql("UPDATE chain SET number = 3 WHERE number = 4")
    forger.sql("UPDATE chain SET number = 4 WHERE number = -3")


def exchanged_records(forger: Forger) -> None:
    records = [
        forger.database.execute("SELECT record FROM records WHERE id = ?", [id]).fetchone()[0]
        for id in forger.games[:2]
    ]
    forger.set("record", lambda _: records[1], 0)
    forger.set("record", lambda _: records[0], 1)
    forger.rechain()


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
        number, game = forger.database.execute(
            "SELECT number, game FROM chain ORDER BY number DESC LIMIT 1"
        ).fetchone()
        forger.sql(
            "INSERT INTO chain VALUES (?, ?, ?, ?, '', '')", number + 1, stage, game, attempt
        )
        forger.rechain()

    return tamper


def begun_again(forger: Forger) -> None:
    """The first game was begun five times, and all sealed again."""
    game = forger.database.execute("SELECT game FROM chain WHERE number = 1").fetchone()[0]
    forger.sql("UPDATE chain SET number = -number")
    forger.sql("UPDATE chain SET number = 4 - number")
    forger.sql("UPDATE chain SET attempt = 4 WHERE game = ?", game)
    for attempt in range(4):
        row = (attempt + 1, chain.STARTED, game, attempt, "", "")
        forger.sql("INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", *row)
    forger.rechain()


def without_start(forger: Forger) -> None:
    """The first entry is gone, and all sealed again."""
    forger.sql("DELETE FROM chain WHERE number = 1")
    forger.sql("UPDATE chain SET number = 1 - number")
    forger.sql("UPDATE chain SET number = -number")
    forger.rechain()


KINDS: dict[str, Callable[[Forger], None]] = {
    "ranks": cell("ranks", swapped),
    "ranks, sealed": sealed("ranks", swapped),
    "scores": sealed("scores", lambda text: json.dumps([999, *json.loads(text)[1:]])),
    "winners": sealed("winners", lambda text: "[0, 1]"),
    "verdicts": sealed("verdicts", lambda text: '["ok", "crash"]'),
    "faults": sealed(
        "faults",
        lambda text: '[{"seat": 0, "action": 1, "verdict": "crash", "detail": ""}]',
    ),
    "points by kind": sealed("kinds", lambda text: "[{}, {}]"),
    "a void game": sealed("verdict", lambda text: "void"),
    "a move": sealed("record", first_claim(lambda moves, at: "place:0,0,0")),
    "a claim left out": sealed("record", first_claim(lambda moves, at: "pass")),
    "a deal": sealed("deal_seed", lambda seed: seed + 1),
    "a deal that is given": sealed(
        "record", lambda text: text.replace('"seed": ', '"deal": "given", "seed": ', 1)
    ),
    "another attempt": lambda forger: (
        forger.sql("UPDATE chain SET attempt = attempt + 1 WHERE game = ?", forger.games[0]),
        forger.rechain(),
    )[0],
    "a clock": sealed("wall", lambda text: json.dumps([9.5, *json.loads(text)[1:]])),
    "times of moves": sealed("times", lambda text: text.replace("[[", "[[[9.0, 9.0], ", 1)),
    "the times alone": cell("seconds", lambda seconds: seconds + 1),
    "seats": sealed("seats", swapped),
    "digests": sealed("digests", swapped),
    "isolation": sealed("isolation", lambda text: '["none", "none"]'),
    "stderr": cell("stderr", lambda text: '["no errors", ""]'),
    "a missing game": lambda forger: forger.sql("DELETE FROM games WHERE id = ?", forger.games[0]),
    "a missing record": lambda forger: forger.sql(
        "DELETE FROM records WHERE id = ?", forger.games[0]
    ),
    "an added game": added,
    "a reordered ledger": reordered,
    "an entry left out": lambda forger: forger.sql("DELETE FROM chain WHERE number = 5"),
    "no chain": lambda forger: forger.sql("DELETE FROM chain"),
    "a link": lambda forger: forger.sql("UPDATE chain SET link = ? WHERE number = 2", "0" * 64),
    "records exchanged": exchanged_records,
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
    "a claim left out": "game ",  # later moves, points or the end tell, as the game went on
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


@pytest.mark.parametrize("kind", KINDS)
def test_tampering_is_found(copied: Path, kind: str) -> None:
    forger = Forger(copied)
    with forger.database:
        KINDS[kind](forger)
    forger.database.close()
    problems = verify(copied).problems
    assert any(SENTENCES[kind] in problem for problem in problems), (kind, problems)


def test_a_game_that_was_rated_is_not_made_void_afterwards(copied: Path) -> None:
    """Not even by who computes the ratings and the chain anew; the stages tell it."""
    forger = Forger(copied)
    with forger.database:
        KINDS["a void game"](forger)
    forger.database.close()
    (copied / "board.json").unlink()
    (copied / "report.html").unlink()
    (problem,) = verify(copied).problems
    assert "is void in the chain or in its row, and not in both" in problem


def test_a_game_that_never_was_is_missing(copied: Path) -> None:
    """It is of the schedule that was promised; a link that was published tells it, too."""
    head = json.loads((copied / "secret.json").read_text())["head"]
    (copied / "board.json").unlink()
    (copied / "report.html").unlink()
    forger = Forger(copied)
    with forger.database:
        drop_last(forger)
    forger.database.close()
    (problem,) = verify(copied).problems
    assert problem.startswith("1 games are not played")
    assert verify(copied, "", head).problems == (
        "the chain does not contain the published link",
        problem,
    )
    (copied / "secret.json").unlink()
    assert not verify(copied).over


# -- hostile folders ----------------------------------------------------------------------------


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail if this takes longer, as opening a pipe does to which nobody writes."""

    def late(*_: object) -> None:
        raise AssertionError(f"it takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("kind", ["pipe", "link", "damaged", "missing"])
@pytest.mark.parametrize("name", ["promise.json", "board.json", "report.html", "secret.json"])
def test_what_is_published_is_read_from_plain_files(copied: Path, name: str, kind: str) -> None:
    (copied / name).unlink()
    if kind == "pipe":
        os.mkfifo(copied / name)
    elif kind == "link":
        (copied / name).symlink_to("/dev/zero")
    elif kind == "damaged":
        (copied / name).write_bytes(b"{\xff")
    with within(60):
        report = verify(copied)
    if kind == "missing" and name != "promise.json":
        assert f"there is no {name}" in " ".join(report.notes)
        assert report.problems == ()
    elif kind == "missing":
        assert report.problems == ("promise.json is missing",)
    else:
        (problem,) = report.problems
        assert f"{name} cannot be read" in problem


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_files_beside_a_ledger_are_plain(copied: Path, suffix: str, kind: str) -> None:
    """SQLite opens them by name: a pipe would keep it waiting, a link lead it elsewhere."""
    place = copied / f"ledger.sqlite{suffix}"
    place.unlink(missing_ok=True)
    victim = copied / "victim"
    victim.write_text("precious")
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(victim)
    with within(60), pytest.raises(BadLedger, match=f"ledger.sqlite{suffix} is no plain file"):
        verify(copied)
    with (
        within(60),
        pytest.raises(BadLedger, match="is no plain file"),
        writable(copied / "ledger.sqlite"),
    ):
        pass
    assert victim.read_text() == "precious"


def test_a_lock_that_is_a_pipe(copied: Path) -> None:
    (copied / "lock").unlink()
    os.mkfifo(copied / "lock")
    with within(60):
        assert not running(copied)
        with pytest.raises(BadLedger, match="lock is no plain file"), locked(copied):
            pass


@pytest.mark.parametrize(
    "key, value, sentence",
    [
        ("deals", "many", "the configuration cannot be read"),
        ("seed", 1.5, "the configuration cannot be read"),
        ("elo", [0, "x"], "the configuration cannot be read"),
        ("tables", ["2"], "the configuration cannot be read"),
        ("bots", [{"name": "a"}], "the configuration cannot be read"),
        ("bots", {"a": 1}, "the configuration cannot be read"),
        ("bots", [{"name": [], "spec": "", "digest": ""}] * 2, "the configuration cannot be read"),
        ("title", {"a": 1}, "the configuration cannot be read"),
        ("levels", [1], "the configuration cannot be read"),
        ("tables", [2, 100], "a table seats at most 99 bots"),
    ],
)
def test_a_configuration_that_is_none(copied: Path, key: str, value: Any, sentence: str) -> None:
    forger = Forger(copied)
    with forger.database:
        forger.meta(key, lambda _: value)
    forger.database.close()
    with pytest.raises(CarcError, match=sentence):
        verify(copied)


CELLS: list[tuple[str, str, Any]] = [
    ("games", "id", b"x"),
    ("games", "deal", "many"),
    ("games", "rules", b"base"),
    ("games", "wall", "[]"),
    ("games", "moves", "[]"),
    ("records", "id", b"x"),
    ("records", "record", b"x"),
    ("records", "times", "[]"),
    ("chain", "stage", b"rated"),
    ("chain", "game", b"x"),
    ("chain", "attempt", "often"),
    ("chain", "digest", b"x"),
]


@pytest.mark.parametrize("table, column, value", CELLS, ids=[f"{t}.{c}" for t, c, _ in CELLS])
def test_a_cell_of_another_type(copied: Path, table: str, column: str, value: Any) -> None:
    """SQLite keeps a value of any type in any column: it is a problem that is reported, no more."""
    forger = Forger(copied)
    with forger.database:
        if table == "chain" or column == "id":
            forger.sql(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", value)
        else:
            forger.games = [
                forger.database.execute(f"SELECT id FROM {table} WHERE rowid = 1").fetchone()[0]
            ]
            with suppress(TypeError):  # JSON has no bytes, so what is sealed are the others
                forger.set(column, lambda _: value)
            forger.sql(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", value)
    forger.database.close()
    for read in (board, page):
        with suppress(CarcError):
            read(copied)
    with suppress(CarcError):
        assert verify(copied).problems


def test_settings_that_are_none(copied: Path) -> None:
    forger = Forger(copied)
    with forger.database:
        forger.meta("settings", lambda _: [1])
    forger.database.close()
    with Ledger.reading(copied) as ledger, pytest.raises(BadLedger, match="the settings cannot"):
        ledger.settings  # noqa: B018


def test_a_thousand_bots_are_as_many_as_there_may_be(copied: Path) -> None:
    """Boards compare each bot with each."""
    forger = Forger(copied)
    with forger.database:
        forger.meta("bots", lambda bots: [{**bots[0], "name": str(n)} for n in range(100_000)])
    forger.database.close()
    with within(60), pytest.raises(CarcError, match="100000 bots are too many"):
        verify(copied)


@pytest.mark.parametrize("form", ["round-robin", "random", "swiss"])
def test_a_schedule_without_end_is_not_walked_to_the_end(copied: Path, form: str) -> None:
    """A billion deals, of which one was played."""
    forger = Forger(copied)
    with forger.database:
        forger.meta("deals", lambda _: 10**9)
        forger.meta("format", lambda _: form)
    forger.database.close()
    with within(60):
        report = verify(copied)
    if form == "round-robin":
        assert "5999999994 games are not played" in " ".join(report.problems)
    assert report.problems  # it was promised otherwise


def test_a_game_far_behind_the_others_is_not_looked_for(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MOST_MISSING", 1000)
    forger = Forger(copied)
    with forger.database:
        forger.meta("deals", lambda _: 10**9)
        added(forger)
        forger.games.append(ADDED)
        forger.set("deal", lambda _: 10**9 - 1, game=-1)
    forger.database.close()
    with within(60):
        report = verify(copied)
    assert f"game {ADDED} is not in the schedule" in report.problems


# -- holding ------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "duel", "--deals", "2"],
        pytest.param(
            ["--format", "gauntlet", "--against", "eve", "--deals", "1"], marks=pytest.mark.long
        ),
        pytest.param(["--format", "swiss", "--deals", "2"], marks=pytest.mark.long),
        pytest.param(["--format", "ladder", "--deals", "2"], marks=pytest.mark.long),
    ],
    ids=lambda words: words[1],
)
def test_every_format_ends_with_a_rated_board_whatever_its_bots_do(
    folder: Path, words: list[str]
) -> None:
    """docs/security.md, promise 7: a bot that would void its games, among fair ones."""
    submit(folder / "subs", "ann", *(() if "duel" in words else ("bob",)))
    submit(folder / "subs", "eve", code=HOSTILE)
    (folder / "subs" / "eve" / "bot.py").write_text(HOSTILE.replace("> 20", "> 2000"))
    line = ["contest", "subs", "--out", "c", "--games", "1", *words]
    done = call(folder, *line)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "eve@1" in done.stdout
    with Ledger.reading(folder / "c") as ledger:
        assert {game.verdict for game in ledger.outcomes()} == {"ok"}
    assert verify(folder / "c").problems == ()
    again = call(folder, "contest", "--out", "c")
    assert again.returncode == 0, again.stderr
    with Ledger.reading(folder / "c") as ledger:
        assert {entry.attempt for entry in ledger.entries()} == {0}


def test_once_the_secret_is_published_no_more_is_played(held: Path, copied: Path) -> None:
    """Everybody could compute the deals of what comes after."""
    shutil.copytree(held / "subs", copied.parent / "subs")
    before = {name: (copied / name).read_text() for name in ("promise.json", "secret.json")}
    more = call(copied.parent, "contest", "--out", "c", "--deals", "3")
    assert more.returncode == 2
    assert "c holds a contest that promised deals 1, not 3; a contest goes on as" in more.stderr
    with closing(sqlite3.connect(copied / "ledger.sqlite")) as rows, rows:
        (lost,) = rows.execute("SELECT id FROM games").fetchone()
        for table in ("games", "records"):
            rows.execute(f"DELETE FROM {table} WHERE id = ?", [lost])
    assert call(copied.parent, "contest", "--out", "c").returncode == 0
    assert before == {name: (copied / name).read_text() for name in before}
    with Ledger.reading(copied) as ledger:
        assert len(ledger) == 5, "what is missing stays so"


def test_a_name_is_not_taken_by_the_alphabet(folder: Path) -> None:
    """A bot that is named like its folder comes before others that take its name."""
    submit(folder, "bob", "aaron", "zoe")
    (folder / "aaron" / "bot.toml").write_text(MANIFEST.format(name="bob"))
    assert submissions(folder) == ["bob", "zoe", "aaron"]


DUEL = ["contest", "subs", "--out", "c", "--games", "1", "--format", "duel", "--deals", "1"]


def test_a_copy_of_a_submission_stops_no_contest(folder: Path) -> None:
    """Whoever can read another's bot can submit it, too: it plays once."""
    submit(folder / "subs", "ann", "bob")
    shutil.copytree(folder / "subs" / "ann", folder / "subs" / "copy")
    done = call(folder, *DUEL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "copy: the same content plays as ann@1, from the folder ann" in done.stdout
    again = call(folder, "contest", "--out", "c")
    assert again.returncode == 0, again.stderr


def test_a_submission_that_cannot_be_read_is_left_out_alone(folder: Path) -> None:
    """Whatever its manifest is, the others play."""
    submit(folder, "ann", "bob", "cleo", "dan", "eve")
    for name in ("cleo", "dan", "eve"):
        (folder / name / "bot.toml").unlink()
    os.mkfifo(folder / "cleo" / "bot.toml")
    (folder / "dan" / "bot.toml").symlink_to("/dev/zero")
    (folder / "eve" / "bot.toml").symlink_to("bot.toml")
    (folder / "notes").mkdir()
    (folder / "read-me").write_text("no bot")
    with within(60):
        assert submissions(folder) == ["ann", "bob", "cleo", "dan", "eve"]


def test_a_folder_that_may_not_be_entered_is_left_out_alone(folder: Path) -> None:
    """Root may enter any, so the scan is made without that power."""
    submit(folder, "ann", "bob")
    (folder / "bob").chmod(0)
    scan = "import sys; from carc.tournaments.contest.admission import submissions as found; "
    scan += "from pathlib import Path; print(*found(Path(sys.argv[1])))"
    powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    done = subprocess.run(
        [*(powerless if os.getuid() == 0 else []), sys.executable, "-c", scan, str(folder)],
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (folder / "bob").chmod(0o755)
    assert done.stdout == "ann bob\n", done.stderr


def test_too_few_submissions(folder: Path) -> None:
    submit(folder / "subs", "ann")
    done = call(folder, "contest", "subs", "--games", "1")
    assert done.returncode == 2
    assert "needs 2 submissions that pass their check, not 1" in done.stderr
    assert call(folder, "contest", "nosuch").returncode == 2
    assert call(folder, "verify", "nosuch").returncode == 2
