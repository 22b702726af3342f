"""What an organiser decides of authors and ladders: pauses, bans, limits."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from support.arenas import (
    BOTS,
    SETTINGS,
    Present,
    problems,
    rated,
    serving,
    stages_of,
    standings_of,
)
from support.remote_bots import Hall, Talk, against_a_fair_bot, at_first, faults_of
from support.submitted import submit
from support.waiting import until

from carc.arena import door
from carc.arena.authors import Authors
from carc.arena.door import Refused, Uploads
from carc.arena.orders import Order, give
from carc.errors import BadBot, CarcError
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry
from carc.web.app import make_app

INNS = "[ladders.inns]\nrules = 'base+inns'\n"


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
    Authors(folder).require("ann")
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


class Expelling(Present):
    """A relay that notes whom it is to cut off."""

    def __init__(self) -> None:
        super().__init__([])
        self.expelled: list[tuple[str, str]] = []

    def expel(self, author: str, why: str) -> None:
        self.expelled.append((author, why))


def test_the_connections_of_who_is_banned_end(folder: Path) -> None:
    Authors(folder).add("ann")
    relay = Expelling()
    with serving(folder, relay=relay) as arena:
        arena.obey(Order("ban", "", "ann", "two accounts"))
        arena.obey(Order("unban", "", "ann"))
    assert relay.expelled == [("ann", "its author is banned: two accounts")]


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


def test_an_author_uploads_so_many_bots_a_day(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(door, "time", lambda: now)
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


def test_a_restart_forgets_no_bot_that_was_submitted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(folder, "one", "two")
    known = [Registry().add(read(folder / name), "ann") for name in ("one", "two")]
    times = [datetime.fromisoformat(each.submitted).timestamp() for each in known]
    monkeypatch.setattr(door, "time", lambda: times[0] + 24 * 3600 - 1)
    with pytest.raises(Refused, match=r"uploaded 2 bots within 24 hours.*again in 1 h"):
        Uploads(2).count("ann")
    Uploads(2).count("bob")
    monkeypatch.setattr(door, "time", lambda: times[1] + 24 * 3600)
    Uploads(2).count("ann")


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
        bearer = {"Authorization": f"Bearer {cookies['carc']}"}
        for why in "", "ann uploaded 1 bots within 24 hours", "ann is banned: two accounts":
            if "banned" in why:
                arena.obey(Order("ban", "", "ann", "two accounts"))
            answer = client.post("/bots", files={"bot": ("bot.zip", b"no archive")})
            assert why in answer.text
            codes.append(answer.status_code)
            if why:
                told = client.post("/api/bots", content=b"no archive", headers=bearer)
                assert why.lower() in told.json()["error"].lower()
                assert told.status_code == answer.status_code
    assert codes == [200, 429, 403]


def test_an_arena_of_remote_bots_takes_no_uploads(folder: Path) -> None:
    (folder / "arena.toml").write_text(SETTINGS + 'takes = "remote"\n')
    with serving(folder) as arena, pytest.raises(Refused, match="no ladder here takes submitted"):
        arena.allow_upload("ann")
