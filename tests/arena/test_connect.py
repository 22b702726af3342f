"""`carc connect`: a bot on its author's machine, which plays game after game."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from support.remote_bots import PLAIN, TOKENS, Hall, arena, faults_of, short_game
from support.waiting import until

from carc.arena import client as module
from carc.arena import relay
from carc.arena.address import Address
from carc.arena.client import Client
from carc.arena.door import Door
from carc.arena.own_bot import Bot
from carc.errors import CarcError

CLOCK = "cap=9,start=9"  # long, for a busy host
# It is fair, but does {what} when it is asked for the time of {when}; it marks that in a file.
ODD = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {{"type": "ready", "protocol": 1}}
    elif message["type"] == "choose":
        answer = {{"type": "action", "id": message["id"], "action": message["legal"][0]}}
        if not os.path.exists({mark!r}):
            open({mark!r}, "w").close()
            {what}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(autouse=True)
def _nobody_leaves_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "LEAVE", 0.05)


@contextmanager
def connected(hall: Hall, command: tuple[str, ...] = PLAIN, name: str = "x") -> Iterator[list[str]]:
    """What a client says while it plays."""
    said: list[str] = []
    client = Client(hall.url, TOKENS["ann"], Bot(name, "1", command), [], said.append)
    thread = threading.Thread(target=client.play)
    thread.start()
    try:
        hall.await_present(f"ann/{name}@1")
        yield said
    finally:
        client.leave()
        thread.join(20)
        assert not thread.is_alive()


def odd(folder: Path, what: str) -> tuple[str, ...]:
    mark = str(folder / "mark")
    return (sys.executable, "-E", "-S", "-c", ODD.format(mark=mark, what=what))


def test_a_command_plays_game_after_game_and_tells_the_results(hall: Hall) -> None:
    with connected(hall) as said:
        results = []
        for _ in range(2):
            hall.await_present("ann/x@1")
            match = short_game("random", "ann/x@1", clock=CLOCK)
            assert faults_of(match) == {}
            other, own = match.result.scores
            results.append(f"{own} to {other}")
        hall.await_present("ann/x@1")
    assert said[0] == f"x@1 plays at {hall.url}"
    for number, (line, scores) in enumerate(zip(said[1:], results, strict=False), start=1):
        assert line.startswith(f"game {number}: ")
        assert f"{scores}, seat 2" in line
    assert said[-1] == "closed: it left"


def test_a_bot_may_end_when_its_game_is_over(hall: Hall) -> None:
    ends = ODD.replace(
        "    else:\n", '    elif message["type"] == "over":\n        break\n    else:\n'
    )
    command = (sys.executable, "-E", "-S", "-c", ends.format(mark="/", what=""))
    with connected(hall, command) as said:
        for _ in range(3):
            hall.await_present("ann/x@1")
            assert faults_of(short_game("random", "ann/x@1", clock=CLOCK)) == {}
        hall.await_present("ann/x@1")
    assert not any("again" in line for line in said)


def test_ctrl_c_at_the_terminal_does_not_reach_the_bot(hall: Hall, tmp_path: Path) -> None:
    """It goes to the process group in the foreground, and the bot is to end its game."""
    group = tmp_path / "group"
    with connected(hall, odd(tmp_path, f"open({str(group)!r}, 'w').write(str(os.getpgrp()))")):
        assert faults_of(short_game("random", "ann/x@1", clock=CLOCK)) == {}
    assert int(group.read_text()) not in (0, os.getpgrp())


def test_a_bot_in_two_places_is_told_so_in_the_first(hall: Hall) -> None:
    errors: list[str] = []

    def first() -> None:
        client = Client(hall.url, TOKENS["ann"], Bot("x", "1", PLAIN), [], lambda line: None)
        with pytest.raises(CarcError) as error:
            client.play()
        errors.append(str(error.value))

    thread = threading.Thread(target=first)
    thread.start()
    hall.await_present("ann/x@1")
    with connected(hall):
        thread.join(20)
    assert errors == ["x: another connection of this bot has taken the place of this one"]


def test_a_bot_that_ends_in_a_game_is_started_again_and_told_the_game(
    hall: Hall, tmp_path: Path
) -> None:
    with connected(hall, odd(tmp_path, "sys.exit(3)")) as said:
        match = short_game("random", "ann/x@1", clock=CLOCK)
    assert faults_of(match) == {}
    assert any("is started again" in line for line in said)


def test_its_author_is_told_why_it_lost(hall: Hall, tmp_path: Path) -> None:
    with connected(hall, odd(tmp_path, "print('thinking...')")) as said:
        match = short_game("random", "ann/x@1", clock=CLOCK)
        hall.await_present("ann/x@1")  # it is back, for the next game
    assert faults_of(match)[1].startswith("malformed")
    (why,) = [line for line in said if line.startswith("malformed: ")]
    assert "'thinking...'" in why
    assert "belongs on stderr" in why


def test_its_author_is_told_of_an_answer_that_was_not_flushed(hall: Hall, tmp_path: Path) -> None:
    forget = "print(json.dumps(answer)); continue"
    with connected(hall, odd(tmp_path, forget)) as said:
        match = short_game("random", "ann/x@1", clock="cap=0.3,start=9")
        hall.await_present("ann/x@1")
    assert faults_of(match)[1].startswith("timeout")
    (why,) = [line for line in said if "flush stdout after each answer" in line]
    assert why.startswith("""it wrote '{"type": "action", "id": """)


@pytest.mark.parametrize("post", [False, True], ids=["of lines to it", "of its answers"])
def test_a_connection_that_breaks_costs_only_time(
    hall: Hall, tmp_path: Path, post: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot's process goes on, so it knows the game; what it answers meanwhile is sent later."""
    command = odd(tmp_path, "time.sleep(0.2)")
    starts = []
    start = module.Program.__init__

    def counted(self: Any, *args: Any) -> None:
        starts.append(args)
        start(self, *args)

    monkeypatch.setattr(module.Program, "__init__", counted)
    clients: list[Client] = []
    make = Client.__init__

    def noted(self: Client, *args: Any) -> None:
        clients.append(self)
        make(self, *args)

    monkeypatch.setattr(Client, "__init__", noted)

    def cut() -> None:
        until((tmp_path / "mark").exists)
        line = clients[0]._post.sock if post and clients[0]._post else clients[0]._stream
        line.shutdown(2)

    with connected(hall, command) as said:
        cutter = threading.Thread(target=cut)
        cutter.start()
        assert faults_of(short_game("random", "ann/x@1", clock=CLOCK)) == {}
        cutter.join()
        hall.await_present("ann/x@1")
    assert any(line.startswith("connection lost") for line in said)
    assert len(starts) == 2  # once for the check, and once for the game


def test_who_answers_twice_is_told_so(hall: Hall, tmp_path: Path) -> None:
    with connected(hall, odd(tmp_path, "print(json.dumps(answer))")) as said:
        match = short_game("random", "ann/x@1", clock=CLOCK)
        hall.await_present("ann/x@1")
    assert faults_of(match)[1].startswith("malformed: it ")
    assert any(line.startswith("malformed: it ") for line in said)


# -- an arena that is not there --------------------------------------------------------------------


@contextmanager
def answering(data: bytes) -> Iterator[tuple[str, int]]:
    """The address of one who answers every request so, and ends the connection."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                with place.accept()[0] as connection:
                    connection.recv(1 << 16)
                    connection.sendall(data)

    with socket.create_server(("127.0.0.1", 0)) as place:
        thread = threading.Thread(target=serve)
        thread.start()
        yield place.getsockname()
        place.shutdown(socket.SHUT_RDWR)
        thread.join(20)


def through(monkeypatch: pytest.MonkeyPatch, *places: tuple[str, int]) -> None:
    """Let a client's first connections lead there."""
    left, real = list(places), Address.connection

    def opened(self: Address) -> HTTPConnection:
        return HTTPConnection(*left.pop(0), timeout=45) if left else real(self)

    monkeypatch.setattr(Address, "connection", opened)
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)


BUSY = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>"


@pytest.mark.parametrize(
    ("why", "first"),
    [
        ("Connection refused", None),
        ("502 Bad Gateway", BUSY % b"502 Bad Gateway"),
        ("503 Service Unavailable", BUSY % b"503 Service Unavailable"),
        ("Remote end closed connection without response", b""),
    ],
)
def test_an_arena_that_is_not_there_is_tried_again(
    hall: Hall, why: str, first: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the bot has never met it; that is said once."""
    nobody = ("127.0.0.1", 9)
    with answering(first or b"") as place:
        through(monkeypatch, nobody if first is None else place, nobody, nobody, place)
        with connected(hall) as said:
            assert faults_of(short_game("random", "ann/x@1", clock=CLOCK)) == {}
    assert said[:2] == [
        f"{hall.url} is not reached ({why}); trying again until it works",
        f"x@1 plays at {hall.url}",
    ]
    assert said[2].startswith("game 1: ")


def test_an_author_with_too_many_connections_waits_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several bots of an author play at once, as many as the arena lets in."""
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(module, "LONGEST_WAIT", 0.1)
    said: list[str] = []
    with arena(tmp_path, door=Door(2, 1000)) as hall:
        third = Client(hall.url, TOKENS["ann"], Bot("z", "1", PLAIN), [], said.append)
        with connected(hall), connected(hall, name="y"):
            thread = threading.Thread(target=third.play)
            thread.start()
            until(lambda: said)
        until(lambda: len(said) > 1)
        third.leave()
        thread.join(20)
    assert said[:2] == [
        f"{hall.url} is not reached (ann has 2 connections already); trying again until it works",
        f"z@1 plays at {hall.url}",
    ]


def test_a_name_that_nobody_has_is_tried_again(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    through(monkeypatch, ("nobody.invalid", 80))
    with connected(hall) as said:
        pass
    assert said[0].startswith(f"{hall.url} is not reached (")
    assert said[1] == f"x@1 plays at {hall.url}"


def test_who_has_a_game_again_and_again_loses_no_more_time_each_time(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses grow while it does not connect, not from one lost connection to the next."""
    through(monkeypatch)
    monkeypatch.setattr(module, "LONGEST_WAIT", 1000)
    with connected(hall) as said:
        for lost in range(1, 15):
            until(lambda: len([each for each in said if "plays at" in each]) == lost)  # noqa: B023
            hall.await_present("ann/x@1")
            hall.loop.call_soon_threadsafe(hall.connection("ann/x@1").end)
            until(lambda: len([each for each in said if "lost" in each]) == lost)  # noqa: B023
        hall.await_present("ann/x@1")


def test_an_answer_that_the_arena_has_is_not_sent_again(hall: Hall) -> None:
    """Though its request is: that was on its way already."""
    client = Client(hall.url, TOKENS["ann"], Bot("x", "1", PLAIN), [], lambda line: None)
    sent: list[bytes] = []

    def send(line: bytes) -> bool:
        sent.append(line)
        return len(sent) > 1  # the connection is lost at first

    client._send = send  # type: ignore[method-assign]
    client._ask({"type": "choose"}, b"request")
    client._answer = b"answer"
    for _ in range(3):
        client._ask({"type": "choose"}, b"request")
    assert sent == [b"answer", b"answer"]


def test_a_line_that_is_cut_is_a_lost_connection(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = b'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{"type":"pi'
    with answering(half) as place:
        host = hall.url.removeprefix("http://").split(":")
        through(monkeypatch, (host[0], int(host[1])), place)
        with connected(hall) as said:
            pass
    assert said[:3] == [
        f"x@1 plays at {hall.url}",
        "connection lost (it was cut); trying again until it works",
        f"x@1 plays at {hall.url}",
    ]


def test_who_was_to_leave_before_it_was_there_leaves(hall: Hall) -> None:
    client = Client(hall.url, TOKENS["ann"], Bot("x", "1", PLAIN), [], lambda line: None)
    client.leave()
    thread = threading.Thread(target=client.play, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


def test_who_leaves_before_the_arena_is_there_leaves_at_once(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_WAIT", 60)
    said: list[str] = []
    bot = Bot("x", "1", PLAIN)
    client = Client("http://127.0.0.1:9", TOKENS["ann"], bot, [], said.append)
    thread = threading.Thread(target=client.play)
    thread.start()
    until(lambda: said)
    client.leave()
    thread.join(20)
    assert not thread.is_alive()
    assert len(said) == 1
