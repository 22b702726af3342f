"""An arena as its organiser runs it: orders and bans, limits, backups, metrics, checks."""

import os
import re
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from support.arenas import (
    SETTINGS,
    Present,
    fill,
    played,
    rated,
    serving,
    stages_of,
    standings_of,
    until,
)
from support.remote_bots import Hall, Talk, against_a_fair_bot, at_first, faults_of

from carc.arena import backup, door, health, service
from carc.arena.authors import Authors
from carc.arena.backup import back_up
from carc.arena.door import Refused, Uploads
from carc.arena.health import examine
from carc.arena.ledger import LadderLedger
from carc.arena.orders import Order, give
from carc.arena.settings import read_settings
from carc.arena.verification import verify
from carc.errors import BadBot, CarcError
from carc.tournaments.isolation import host
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.submission.registry import VARIABLE
from carc.web.app import make_app

BOTS = 'bots = ["random", "greedy", "greedy-blind"]\n'
INNS = "[ladders.inns]\nrules = 'base+inns'\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "registry"))
    (tmp_path / "arena.toml").write_text(SETTINGS + BOTS)
    return tmp_path


def problems(folder: Path) -> list[str]:
    """What is wrong with a ladder; flips of a coin have no records."""
    return [each for each in verify(folder).problems if "is this a carc record" not in each]


@contextmanager
def unserved(folder: Path) -> Iterator[None]:
    yield


# -- authors --------------------------------------------------------------------------------------


def test_of_authors_added_at_one_moment_none_is_lost(folder: Path) -> None:
    def add(first: int) -> None:
        for number in range(5):
            Authors(folder).add(f"author-{first}-{number}")

    threads = [threading.Thread(target=add, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Authors(folder).all()) == 40


# -- orders ---------------------------------------------------------------------------------------


def test_a_pause_outlasts_a_restart(folder: Path) -> None:
    with serving(folder):
        until(lambda: rated(folder) > 1)
        assert give(folder, Order("pause", "two")) == "two is paused: no game begins"
        until(lambda: stages_of(folder).count("started") == rated(folder))
    before = rated(folder)
    with serving(folder):
        time.sleep(0.5)
        assert stages_of(folder).count("started") == before
        assert give(folder, Order("resume", "")) == "two goes on"
        until(lambda: rated(folder) > before)
    assert give(folder, Order("pause", "")) == "two is paused: no game begins"
    with Ledger.reading(folder / "two") as ledger:
        assert "paused" in ledger.settings
    assert problems(folder / "two") == []
    log = (folder / "arena.log").read_text()
    assert log.count("the organiser: two is paused: no game begins") == 2


@pytest.mark.parametrize("office", [serving, unserved])
def test_who_is_banned_takes_no_part_until_it_is_over(
    folder: Path, office: Callable[[Path], AbstractContextManager[object]]
) -> None:
    """Bots rest, of which the chain knows; what the organiser took out stays out."""
    (folder / "arena.toml").write_text(SETTINGS + BOTS + INNS)
    Authors(folder).add("ann")
    with serving(folder) as arena:
        for bot in "one", "two":
            arena.admit("ann", bot, "1")
        arena.admit("bob", "bot", "1")
        arena.obey(Order("remove", "two", "ann/two@1", "it stalls"))
    with office(folder):
        told = give(folder, Order("ban", "", "ann", "two accounts"))
        assert told == "ann is banned from two\nann is banned from inns"
    after = standings_of(folder)
    assert (after["ann/one@1"].state, after["ann/one@1"].why) == (
        "rests",
        "its author is banned: two accounts",
    )
    assert after["ann/two@1"].why == "it stalls"
    assert after["bob/bot@1"].state == "plays"
    with serving(folder) as arena:
        for refused in (
            partial(arena.admit, "ann", "three", "1"),
            partial(arena.allow_upload, "ann"),
        ):
            with pytest.raises(Refused, match="ann is banned: two accounts") as error:
                refused()
            assert error.value.code == 403
    with office(folder):
        assert (
            give(folder, Order("unban", "", "ann")) == "ann may play in two\nann may play in inns"
        )
    after = standings_of(folder)
    assert (after["ann/one@1"].state, after["ann/two@1"].state) == ("plays", "out")
    for ladder in "two", "inns":
        assert problems(folder / ladder) == []
    assert "ann is banned from two (two accounts)" in (folder / "arena.log").read_text()


def test_a_ban_that_was_interrupted_is_carried_out_at_the_next_start(folder: Path) -> None:
    Authors(folder).add("ann")
    with serving(folder) as arena:
        arena.admit("ann", "bot", "1")
    Authors(folder).ban("ann", "two accounts")  # and no ladder knows of it
    with serving(folder):
        pass
    assert standings_of(folder)["ann/bot@1"].why == "its author is banned: two accounts"


def test_only_an_author_is_banned(folder: Path) -> None:
    with pytest.raises(CarcError, match="there is no author 'ann'"):
        give(folder, Order("ban", "", "ann", "why"))


def test_whose_author_is_banned_loses_the_game_at_once(hall: Hall) -> None:
    """And every other bot of the author is cut off, and nobody else's."""
    idle, other = Talk(hall, "idle"), Talk(hall, "idle", "eve")
    begun = time.monotonic()
    with idle.socket, other.socket:
        match = against_a_fair_bot(
            hall,
            at_first("choose", lambda talk, _: hall.relay.expel("ann", "its author is banned")),
            clock="bank=60,cap=60",
        )
        assert faults_of(match) == {1: "crash: its author is banned"}
        assert time.monotonic() - begun < 30
        assert idle.ended() == "crash: its author is banned"
        hall.connection("eve/idle@1")
    hall.relay.expel("eve", "it is banned")
    until(lambda: not hall.relay._bots)


# -- limits ---------------------------------------------------------------------------------------


def test_an_author_has_so_many_bots_that_are_here(folder: Path) -> None:
    """Another one takes the place of one that is away; versions of one bot are one."""
    (folder / "arena.toml").write_text(SETTINGS + "[limits]\nbots = 2\n")
    relay = Present(["remote:ann/a@1", "remote:ann/b@1"])
    with serving(folder, relay=relay) as arena:
        for bot, version in ("a", "1"), ("b", "1"), ("b", "2"):
            arena.admit("ann", bot, version)
        relay.bots = frozenset(["remote:ann/a@1", "remote:ann/b@2"])
        with pytest.raises(BadBot, match="ann has 2 bots in two already, and may have no more"):
            arena.admit("ann", "c", "1")
        arena.admit("bob", "c", "1")
        relay.bots = frozenset(["remote:ann/b@2"])
        arena.admit("ann", "c", "1")
    after = standings_of(folder)
    assert (after["ann/a@1"].state, after["ann/a@1"].why) == ("rests", "ann/c@1 plays instead")
    assert {bot for bot, each in after.items() if each.state == "plays"} == {
        "ann/b@2",
        "ann/c@1",
        "bob/c@1",
    }
    assert problems(folder / "two") == []


def test_an_author_uploads_so_many_bots_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(door, "monotonic", lambda: now)
    uploads = Uploads(2)
    for hour in 0, 1:
        now = 1000.0 + 3600 * hour
        uploads.count("ann")
    now = 1000.0 + 3600 * 2.5
    with pytest.raises(Refused, match=r"uploaded 2 bots within 24 hours.*again in 22 h") as error:
        uploads.count("ann")
    assert error.value.code == 429
    uploads.count("bob")
    now = 1000.0 + 3600 * 24
    uploads.count("ann")


def test_an_author_has_so_many_connections(folder: Path) -> None:
    (folder / "arena.toml").write_text(SETTINGS + "[limits]\nconnections = 1\n")
    with serving(folder) as arena:
        entrance = make_app(folder, arena=arena).state.door
        with (
            entrance.through("ann"),
            pytest.raises(Refused, match="ann has 1 connections already"),
            entrance.through("ann"),
        ):
            pass


def test_an_upload_that_is_refused_is_told_why(folder: Path) -> None:
    (folder / "arena.toml").write_text(SETTINGS + "[limits]\nuploads = 1\n")
    cookies = {"carc": Authors(folder).add("ann")}
    with (
        serving(folder) as arena,
        TestClient(
            make_app(folder, author=arena.author, arena=arena), "http://localhost", cookies=cookies
        ) as client,
    ):
        codes = []
        for why in "", "ann uploaded 1 bots within 24 hours", "ann is banned: two accounts":
            if "banned" in why:
                arena.obey(Order("ban", "", "ann", "two accounts"))
            answer = client.post("/bots", files={"bot": ("bot.zip", b"no archive")})
            assert why in answer.text
            codes.append(answer.status_code)
    assert codes == [200, 429, 403]


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


# -- its processes ------------------------------------------------------------------------------


def test_control_groups_are_asked_for_while_the_service_is_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later the group has other processes, and no bot would get one of its own."""
    before, workers = {*active_children()}, list[set[object]]()
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
        assert ledger.standings.head() in told["two"][0]


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
