"""Who may connect to an arena, how often, and what plain HTTP may say."""

import errno
import hashlib
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.remote_bots import TOKENS, Hall, Talk, arena, beside, faults_of, short_game
from support.waiting import until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from carc.arena.door import Door, author_of
from carc.commands import serve

PLAY = "/arena/play?bot=x&version=1&session=s"
ANN = {"Authorization": f"Bearer {TOKENS['ann']}"}


@contextmanager
def asked(
    hall: Hall, method: str, path: str, body: bytes | None = None, **headers: str
) -> Iterator[HTTPResponse]:
    """The response to a request of Ann's, unless the headers say otherwise."""
    host = urlsplit(hall.url)
    line = HTTPConnection(str(host.hostname), host.port, timeout=20)
    line.request(method, path, body, {**ANN, **headers})
    response = line.getresponse()
    yield response
    response.close()
    line.close()


def status(hall: Hall, method: str, path: str, body: bytes | None = None, **headers: str) -> int:
    with asked(hall, method, path, body, **headers) as response:
        return response.status


def next_of(stream: HTTPResponse) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(stream.readline())
    return message


def post(hall: Hall, **message: object) -> int:
    return status(hall, "POST", PLAY, json.dumps(message).encode())


def start(hall: Hall, stream: HTTPResponse) -> None:
    """Answer the first pings."""
    while "remote:ann/x@1" not in hall.relay.present():
        assert post(hall, type="pong", id=next_of(stream)["id"]) == 204


def wanted(stream: HTTPResponse, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while (message := next_of(stream))["type"] != kind:
        pass
    return message


# -- tokens ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer wrong", f"Basic {TOKENS['ann']}", f"Bearer {TOKENS['ann'][:-1]}"],
)
def test_without_a_token_nobody_comes_in(hall: Hall, header: str) -> None:
    for method in ("GET", "POST"):
        assert status(hall, method, PLAY, Authorization=header) == 401
    with pytest.raises(InvalidStatus) as refused:
        connect(
            hall.url.replace("http", "ws") + PLAY, additional_headers={"Authorization": header}
        ).__enter__()
    assert refused.value.response.status_code == 401


def test_an_author_is_found_by_the_hash_of_the_token() -> None:
    """As `sha256sum` prints it."""
    known = {"ann": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
    assert author_of("abc", known) == "ann"
    assert author_of("abd", known) is author_of("", known) is author_of(known["ann"], known) is None


def test_every_digit_of_a_token_counts() -> None:
    whole = hashlib.sha256(b"abc").hexdigest()
    for at, digit in enumerate(whole):
        other = whole[:at] + f"{int(digit, 16) ^ 1:x}" + whole[at + 1 :]
        assert author_of("abc", {"ann": other, "eve": whole}) == "eve"
        assert author_of("abc", {"ann": other}) is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/arena/play?version=1&session=s", "the address has no bot"),
        ("/arena/play?bot=x&session=s", "the address has no version"),
        ("/arena/play?bot=x&version=1", "the address has no session"),
        ("/arena/play?bot=x&version=1&session=a%20b", "a session is up to 64 letters"),
    ],
)
def test_what_is_missing_is_named(hall: Hall, path: str, why: str) -> None:
    for method in ("GET", "POST"):
        with asked(hall, method, path) as response:
            assert response.status == 400
            assert response.read().decode().startswith(why)


def test_another_site_connects_nobody(hall: Hall) -> None:
    assert status(hall, "POST", PLAY, b"x", Origin="http://evil.example") == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(
            hall.url.replace("http", "ws") + PLAY,
            additional_headers={**ANN, "Origin": "http://evil.example"},
        ).__enter__()
    assert refused.value.response.status_code == 403


# -- limits ----------------------------------------------------------------------------------------


def test_an_author_has_so_many_connections_and_makes_them_so_often(tmp_path: Path) -> None:
    with arena(tmp_path, door=Door(connections=2, burst=5)) as hall:
        first, second = Talk(hall, "first"), Talk(hall, "second")
        with second.socket:
            with first.socket, pytest.raises(InvalidStatus) as refused:
                Talk(hall, "third")
            assert refused.value.response.body == b"ann has 2 connections already\n"
            until(lambda: hall.door._open["ann"] == 1)
            Talk(hall, "third").socket.close()
            until(lambda: hall.door._open["ann"] == 1)
            with Talk(hall, "third").socket, pytest.raises(InvalidStatus) as refused:
                Talk(hall, "fourth")
            assert b"ann connects too often" in (refused.value.response.body or b"")
            Talk(hall, "other", "eve").socket.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the kernel drops nobody")
def test_who_does_not_read_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """And keeps nothing in memory: what was to be sent is given up, so that it can be closed."""
    monkeypatch.setattr(serve, "SLOWEST", 300)
    with (
        closing(serve.listen("127.0.0.1", 0)) as place,
        closing(socket.create_connection(place.getsockname())),
    ):
        here, _ = place.accept()
        here.settimeout(20)
        with closing(here), pytest.raises(OSError) as error:
            here.sendall(b"x" * (64 << 20))
    assert error.value.errno == errno.ETIMEDOUT


# -- plain HTTP ------------------------------------------------------------------------------------


def test_only_who_has_a_stream_speaks(hall: Hall) -> None:
    """In the session and with the token of the stream, whatever else is known of the game."""
    with asked(hall, "GET", PLAY) as stream:
        start(hall, stream)
        with beside(lambda: _play(hall, stream)):
            other = json.dumps({"type": "action", "id": 1, "action": "pass"}).encode()
            assert status(hall, "POST", PLAY.replace("session=s", "session=t"), other) == 409
            assert status(hall, "POST", PLAY.replace("bot=x", "bot=y"), other) == 409
            eve = f"Bearer {TOKENS['eve']}"
            assert status(hall, "POST", PLAY, other, Authorization=eve) == 409
            assert faults_of(short_game("random", "ann/x@1", clock="start=9")) == {}


def _play(hall: Hall, stream: HTTPResponse) -> None:
    while (message := next_of(stream))["type"] != "over":
        if message["type"] == "hello":
            post(hall, type="ready", protocol=1)
        elif message["type"] == "choose":
            post(hall, type="action", id=message["id"], action=message["legal"][0])
        elif message["type"] == "ping":
            post(hall, type="pong", id=message["id"])


@pytest.mark.parametrize(
    ("body", "code", "verdict"),
    [
        (b"x" * 70_000, 204, "output limit"),
        (b"\xff\xfe", 204, "malformed"),
        (b"{}\n" * 20_000, 204, "malformed"),
        (b"", 204, "malformed"),
        (b"x" * 140_000, 413, "timeout"),
    ],
)
def test_what_a_post_may_not_say_loses_the_game(
    hall: Hall, body: bytes, code: int, verdict: str
) -> None:
    def lie() -> None:
        wanted(stream, "hello")
        post(hall, type="ready", protocol=1)
        wanted(stream, "choose")
        assert status(hall, "POST", PLAY, body) == code
        assert wanted(stream, "end")["verdict"] == verdict
        assert stream.read() == b""
        assert post(hall, type="action", id=1, action="pass") == 409

    with asked(hall, "GET", PLAY) as stream:
        start(hall, stream)
        with beside(lie):
            match = short_game("random", "ann/x@1", clock="cap=0.3,start=9")
    assert faults_of(match)[1].startswith(verdict)


def test_text_before_an_answer_is_what_its_author_is_told_of(hall: Hall) -> None:
    def lie() -> None:
        wanted(stream, "hello")
        post(hall, type="ready", protocol=1)
        answer = {"type": "action", "id": wanted(stream, "choose")["id"], "action": "pass"}
        status(hall, "POST", PLAY, b"thinking...\n" + json.dumps(answer).encode())
        told.append(wanted(stream, "end")["detail"])

    told: list[str] = []
    with asked(hall, "GET", PLAY) as stream:
        start(hall, stream)
        with beside(lie):
            short_game("random", "ann/x@1", clock="cap=9,start=9")
    assert told[0].endswith(", after 'thinking...': text for people belongs on stderr")


def test_a_bot_is_there_for_the_ladders_that_it_named(hall: Hall) -> None:
    with asked(hall, "GET", f"{PLAY}&ladder=base-2") as stream:
        while "remote:ann/x@1" not in hall.relay.present():
            number = next_of(stream)["id"]
            pong = json.dumps({"type": "pong", "id": number}).encode()
            assert status(hall, "POST", f"{PLAY}&ladder=base-2", pong) == 204
        assert "remote:ann/x@1" in hall.relay.present("base-2")
        assert "remote:ann/x@1" not in hall.relay.present("base-4")


def test_a_newer_stream_takes_the_place_of_an_older_one(hall: Hall) -> None:
    with asked(hall, "GET", PLAY) as old, asked(hall, "GET", PLAY) as new:
        assert wanted(old, "end")["verdict"] == "replaced"
        start(hall, new)


def test_a_stream_that_is_gone_is_noticed(hall: Hall) -> None:
    with asked(hall, "GET", PLAY) as stream:
        start(hall, stream)
    until(lambda: "remote:ann/x@1" not in hall.relay.present())
    assert post(hall, type="pong", id=1) == 409


def test_a_stream_that_is_open_when_the_server_ends_leaves_no_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack, arena(tmp_path) as hall:
        stack.enter_context(asked(hall, "GET", PLAY))
    assert "Traceback" not in capfd.readouterr().err


def test_only_the_user_of_the_service_may_play_for_it(hall: Hall) -> None:
    assert hall.socket.stat().st_mode & 0o777 == 0o600
