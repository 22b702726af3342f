"""Contests are read within bounds, whatever lies in their folder."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.forging import ADDED, added, forging
from support.playing import requires, within

from carc.errors import CarcError
from carc.tournaments.contest import verification
from carc.tournaments.contest.verification import verify
from carc.tournaments.ledger.file import BadLedger, locked, running, writable
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.reports.html_page import page
from carc.tournaments.tournament import board

pytestmark = requires("confined")


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
    with forging(copied) as forger:
        forger.meta(key, lambda _: value)
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
    with forging(copied) as forger:
        if table == "chain" or column == "id":
            forger.sql(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", value)
        else:
            forger.games = [
                forger.database.execute(f"SELECT id FROM {table} WHERE rowid = 1").fetchone()[0]
            ]
            with suppress(TypeError):  # JSON has no bytes, so what is sealed are the others
                forger.set(column, lambda _: value)
            forger.sql(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", value)
    for read in (board, page):
        with suppress(CarcError):
            read(copied)
    with suppress(CarcError):
        assert verify(copied).problems


def test_settings_that_are_none(copied: Path) -> None:
    with forging(copied) as forger:
        forger.meta("settings", lambda _: [1])
    with Ledger.reading(copied) as ledger, pytest.raises(BadLedger, match="the settings cannot"):
        ledger.settings  # noqa: B018


def test_a_thousand_bots_are_as_many_as_there_may_be(copied: Path) -> None:
    """Boards compare each bot with each."""
    with forging(copied) as forger:
        forger.meta("bots", lambda bots: [{**bots[0], "name": str(n)} for n in range(100_000)])
    with within(60), pytest.raises(CarcError, match="100000 bots are too many"):
        verify(copied)


@pytest.mark.parametrize("form", ["round-robin", "random", "swiss"])
def test_a_schedule_without_end_is_not_walked_to_the_end(copied: Path, form: str) -> None:
    """A billion deals, of which one was played."""
    with forging(copied) as forger:
        forger.meta("deals", lambda _: 10**9)
        forger.meta("format", lambda _: form)
    with within(60):
        report = verify(copied)
    if form == "round-robin":
        assert "5999999994 games are not played" in " ".join(report.problems)
    assert report.problems  # it was promised otherwise


def test_a_game_far_behind_the_others_is_not_looked_for(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MOST_MISSING", 1000)
    with forging(copied) as forger:
        forger.meta("deals", lambda _: 10**9)
        added(forger)
        forger.games.append(ADDED)
        forger.set("deal", lambda _: 10**9 - 1, game=-1)
    with within(60):
        report = verify(copied)
    assert f"game {ADDED} is not in the schedule" in report.problems
