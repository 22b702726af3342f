"""What keeps an arena running: backups, metrics, checks."""

import logging
import os
import re
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from logging.handlers import RotatingFileHandler
from multiprocessing import active_children
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from support.arenas import (
    SETTINGS,
    fill,
    played,
    problems,
    rated,
    serving,
    stages_of,
)
from support.submitted import submit
from support.waiting import until

from carc.arena import backup, health, service
from carc.arena.authors import Authors
from carc.arena.backup import back_up
from carc.arena.health import examine
from carc.arena.ledger import LadderLedger
from carc.arena.orders import Order, give
from carc.arena.settings import read_settings
from carc.arena.verification import verify
from carc.errors import CarcError
from carc.tournaments.isolation import host
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry
from carc.web.app import make_app

# -- backups --------------------------------------------------------------------------------------


def seeds_of(folder: Path) -> dict[str, int]:
    with Ledger.reading(folder / "two") as ledger:
        return {outcome.id: outcome.deal_seed for outcome in ledger.outcomes()}


def unpacked(backup: Path, folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(["tar", "-xf", backup, "-C", folder], check=True)
    return folder


def test_a_copy_made_while_it_runs_plays_on_with_other_deals(folder: Path, tmp_path: Path) -> None:
    token = Authors(folder).add("ann")
    with serving(folder):
        until(lambda: rated(folder) > 7)  # in the middle of the third epoch or later
        back_up(folder, folder / "copy.tar")
        known = rated(folder)
        until(lambda: rated(folder) > known + 7)
    assert (folder / "copy.tar").stat().st_mode & 0o777 == 0o600
    copy = unpacked(folder / "copy.tar", tmp_path / "copy")
    assert (copy / "two" / "private.sqlite").stat().st_mode & 0o777 == 0o600
    found = verify(copy / "two")
    assert problems(copy / "two") == []
    assert found.games > 7
    assert Authors(copy).of(token) == "ann"
    before = seeds_of(copy)
    assert before.items() <= seeds_of(folder).items()
    with serving(copy):
        until(lambda: rated(copy) > found.games + 7)
    assert problems(copy / "two") == []
    assert not any("are checked when the secret" in note for note in verify(copy / "two").notes)
    after = seeds_of(copy)
    later = {seed for game, seed in after.items() if game not in before}
    assert len(later) > 7
    assert later.isdisjoint(seeds_of(folder).values()), "deals of the games that were lost"
    assert len({*after.values()}) == len(after)


def test_a_secret_that_is_forgotten_while_it_is_copied_is_not_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An epoch ends between the copies of the two files: both are copied again."""
    configuration = read_settings(folder).ladders[0].configuration
    copied, copies = backup._copy, []
    with LadderLedger.opening(folder / "two", configuration, 3) as ledger:
        fill(ledger, "ann", "bob")
        played(ledger, "ann", "bob")

        def copy_and_end(source: Path, copy: Path) -> None:
            copied(source, copy)
            copies.append(source.name)
            if len(copies) == 1:
                ledger.end()

        monkeypatch.setattr(backup, "_copy", copy_and_end)
        back_up(folder, folder / "copy.tar")
    assert copies == ["ledger.sqlite", "private.sqlite"] * 2
    copy = unpacked(folder / "copy.tar", folder / "copy")
    assert stages_of(copy)[-1] == "revealed"


def test_what_cannot_be_copied_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CarcError, match="there is no arena in"):
        back_up(tmp_path / "nosuch", folder / "copy.tar")
    (folder / "two").mkdir()
    (folder / "two" / "private.sqlite").write_bytes(b"no database, and long enough to be read")
    with pytest.raises(CarcError, match="cannot be copied"):
        back_up(folder, folder / "copy.tar")
    assert not (folder / "copy.tar").exists()
    assert [path.name for path in folder.glob(".carc-*")] == []


def test_submitted_bots_are_in_the_copy(folder: Path) -> None:
    submit(folder, "mine")
    stored = Registry().add(read(folder / "mine"), "ann")
    with serving(folder):
        back_up(folder, folder / "copy.tar")
    copy = Registry(unpacked(folder / "copy.tar", folder / "copy") / "registry")
    assert copy.submissions() == [stored]
    assert copy.verified(stored.digest).is_dir()


# -- its processes and its log --------------------------------------------------------------------


def test_its_log_is_bounded(folder: Path) -> None:
    with serving(folder):
        (file,) = (
            each for each in logging.getLogger().handlers if isinstance(each, RotatingFileHandler)
        )
        assert (file.baseFilename, file.maxBytes) == (str(folder / "arena.log"), 10 << 20)


def test_control_groups_are_asked_for_while_the_service_is_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later the group has other processes, and no bot would get one of its own."""
    before, workers = {*active_children()}, []
    monkeypatch.setattr(service, "granted", lambda: workers.append({*active_children()} - before))
    with serving(folder):
        until(lambda: rated(folder) > 0)
    assert workers == [set()]


# -- metrics --------------------------------------------------------------------------------------


def test_metrics_are_those_of_the_ledger_and_tell_no_secret(folder: Path) -> None:
    token = Authors(folder).add("ann")
    with serving(folder) as arena:
        until(lambda: rated(folder) > 3)
        give(folder, Order("pause", "two"))
        until(lambda: stages_of(folder).count("started") == rated(folder))
        with TestClient(make_app(folder, arena=arena), "http://localhost") as client:
            answer = client.get("/metrics")
            text = answer.text
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = text.splitlines()
    for line in (
        f'carc_games_total{{ladder="two"}} {rated(folder)}',
        'carc_bots{ladder="two"} 3',
        'carc_faults_total{ladder="two"} 0',
        'carc_paused{ladder="two"} 1',
        'carc_games_playing{ladder="two"} 0',
        "carc_jobs 2",
        "carc_workers 2",
        "carc_remote_bots 0",
        "carc_uploads_waiting 0",
    ):
        assert line in lines, text
    (ended,) = (line for line in lines if line.startswith("carc_last_game_timestamp_seconds"))
    assert 0 <= time.time() - float(ended.split()[-1]) < 60
    assert token not in text
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len({*names}) == len(names)
    for line in lines:
        assert line.startswith("# ") or line.split("{")[0].split()[0] in names


# -- checks ---------------------------------------------------------------------------------------


def told_of(folder: Path, port: int = 0) -> dict[str, tuple[str, bool]]:
    return {name: (told, is_well) for name, told, is_well in examine(folder, port)}


def test_an_arena_that_is_well(folder: Path) -> None:
    with serving(folder):
        until(lambda: rated(folder) > 1)
    told = told_of(folder)
    assert {name for name, (_, is_well) in told.items() if not is_well} <= {"clock"}  # the host's
    with Ledger.reading(folder / "two") as ledger:
        assert [*ledger.entries()][-1].link in told["two"][0]


def damaged(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "two" / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE chain SET game = 'other' WHERE number = 2")


def from_the_future(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "two" / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE standings SET last = '2999-01-01T00:00:00+00:00'")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "settings": (
        lambda folder: (folder / "arena.toml").write_text(SETTINGS + 'bots = ["nosuch"]\n'),
        "unknown bot 'nosuch'",
    ),
    "folder": (lambda folder: folder.chmod(0o777), "others may write in .*: chmod go-w"),
    "folder ": (
        lambda folder: (folder / "two" / "private.sqlite").chmod(0o644),
        "others may read .*private.sqlite, which has secrets of deals: chmod 600",
    ),
    "clock": (from_the_future, "the last game of two ended at 2999.*: set the clock"),
    "two": (damaged, "entry 2 of the chain does not follow from those before"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_of_an_arena_is_told_with_its_remedy(folder: Path, what: str) -> None:
    with LadderLedger.opening(
        folder / "two", read_settings(folder).ladders[0].configuration, 3
    ) as ledger:
        fill(ledger, "ann", "bob")
    act, says = FAULTS[what]
    act(folder)
    told, is_well = told_of(folder)[what.strip()]
    assert not is_well
    assert re.search(says, told), told


def test_a_path_too_long_for_sockets_is_told(folder: Path) -> None:
    place = folder / ("x" * 90)
    place.mkdir()
    (place / "arena.toml").write_text(SETTINGS)
    assert "at most 90 bytes" in told_of(place)["sockets"][0]


def test_faults_of_the_host_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "ROOM", 1 << 62)
    monkeypatch.setattr(os, "geteuid", lambda: 61_234)
    monkeypatch.setattr(host, "missing", lambda level: "the kernel is old")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = told_of(folder, port)
    for what, says in (
        ("folder", "is another user's: run carc as that user, or chown"),
        ("disk", "GB are free on the disk of .*: make room"),
        ("isolation", 'the kernel is old.*or let each ladder have takes = "remote"'),
        ("port", f"port {port} cannot be had .*: name another with --port"),
    ):
        assert re.search(says, told[what][0]) and not told[what][1], told[what]


def test_an_arena_that_runs_and_does_not_answer(folder: Path) -> None:
    with serving(folder):
        assert "nothing answers at port" in told_of(folder, 1)["port"][0]
        assert told_of(folder)["sockets"] == ("the arena runs, and takes orders", True)
        (folder / "arena.sock").unlink()
        assert "restart it" in told_of(folder)["sockets"][0]
