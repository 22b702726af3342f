"""What strangers may not do at tables, and what tables withstand: size, slowness, failing bots."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.served import Visitor, offered, version_of, wait

from carc import Action, State
from carc.match import InteractiveMatch
from carc.web import guard
from carc.web.app import make_app
from carc.web.live_tables import PERSON, LiveTables, TooManyTables


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[evil"},
        {"Origin": "http://testserver]"},
        {"Origin": "http://\u2100.example".encode()},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://other.testserver"},
    ],
)
def test_other_sites_change_nothing(visitor: Visitor, headers: dict[str, Any]) -> None:
    seat = visitor.open()
    text = visitor.look(seat)
    answer = visitor.act(seat, offered(text)[0], version_of(text), **headers)
    assert answer.status_code == 403
    assert version_of(visitor.look(seat)) == version_of(text)
    ours = visitor.act(seat, offered(text)[0], version_of(text), Origin="http://testserver")
    assert ours.status_code == 200


def test_pages_tell_the_browser_to_trust_nobody(visitor: Visitor) -> None:
    for path in ("/", "/play", "/static/table.js", "/none", visitor.open()):
        headers = visitor.client.get(path).headers
        for policy in ("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"):
            assert policy in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        # The key in an address goes to no other site.
        assert headers["referrer-policy"] == "same-origin"


def test_another_host_name_is_refused(visitor: Visitor) -> None:
    """A name that an attacker makes point here is not ours: his page could read ours otherwise."""
    assert visitor.client.get("/", headers={"Host": "evil.example"}).status_code == 400


@contextmanager
def asking(address: str, request: str, header: str) -> Iterator[socket.socket]:
    """A connection to the application on which this was sent."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(f"{request} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode())
        yield line


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/replay/../replay_page.py",
        "/replay/..%2freplay_page.py",
        "/t/../../etc",
        "/t/..%2f..%2fetc/games",
        "/t/%2e%2e",
        "/t/x%00",
        "/table/../play/x",
    ],
)
def test_no_path_leads_out(address: str, path: str) -> None:
    with asking(address, f"GET {path}", "Connection: close") as line:
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split()[1] in (b"404", b"400")
    assert b"import" not in answer


def test_too_much_is_not_taken(visitor: Visitor) -> None:
    seat = visitor.open()
    visitor.look(seat)
    for body in (b"x" * (guard.MOST_BODY + 1), iter([b"x" * 40000, b"x" * 40000])):
        assert visitor.client.post(seat, content=body).status_code == 413
    for length in ("-1", "9" * 5000):
        assert visitor.client.post(seat, headers={"Content-Length": length}).status_code == 413
    many = {f"f{n}": "x" for n in range(200)}
    assert visitor.client.post(seat, data=many).status_code == 400


def test_too_much_is_refused_before_it_is_sent(address: str) -> None:
    with asking(address, "POST /open", "Content-Length: 999999999") as line:
        line.settimeout(guard.PATIENCE / 2)
        assert b" 413 " in line.recv(4096)


def test_who_sends_slowly_is_not_waited_for(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PATIENCE", 0.2)
    with asking(address, "POST /open", "Content-Length: 100") as line:
        line.sendall(b"rules=")
        line.settimeout(10)
        assert b" 408 " in line.recv(4096)


def test_a_thousand_tables_and_no_more() -> None:
    tables = LiveTables()
    opened = [tables.open("base", [(PERSON, "a"), (PERSON, "b")]) for _ in range(tables.most)]
    assert len(tables) == 1000
    with pytest.raises(TooManyTables, match="all 1000 tables are taken"):
        tables.open("base", [(PERSON, "a"), (PERSON, "b")])
    opened[7].touched -= 3600  # nobody was there for an hour
    new = tables.open("base", [(PERSON, "a"), (PERSON, "b")])
    assert len(tables) == 1000
    assert tables.find(opened[7].id) is None
    assert tables.find(new.id) is new and tables.find(opened[8].id) is opened[8]
    opened[9].touched -= 2 * 24 * 3600
    opened[10].touched -= 2 * 24 * 3600
    tables.open("base", [(PERSON, "a"), (PERSON, "b")])
    assert len(tables) == 999  # both forgotten ones are gone
    tables.close()


class Stuck:
    """A bot that raises."""

    def choose(self, state: object) -> None:
        raise RuntimeError("lost")


def test_a_bot_that_fails_does_not_stop_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carc.web.live_tables.by_name", lambda *_: Stuck())
    monkeypatch.setattr("carc.web.live_table.by_name", lambda *_: Stuck())
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        visitor = Visitor(client)
        seat = visitor.open()
        for _ in range(6):
            text = visitor.look(seat)
            visitor.act(seat, offered(text)[0], version_of(text))
        text = visitor.look(seat)
        assert len(re.findall(r'class="who">random</span> places', text)) >= 2
        hint = visitor.act(seat, "hint")
        assert hint.status_code == 400
        assert "no hint: the bot failed, RuntimeError: lost" in hint.text


class Slow:
    """A bot that thinks until it is told to stop."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.enough = threading.Event()

    def choose(self, state: State) -> Action:
        self.asked.set()
        assert self.enough.wait(60)
        return state.legal_actions()[0]


def test_hints_wait_for_each_other_and_nobody_for_them(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all visitors: pages answer meanwhile, and bots move after one hint, not after all."""
    slow = Slow()
    monkeypatch.setattr("carc.web.live_table.by_name", lambda *_: slow)
    seats = [visitor.open() for _ in range(50)]  # more than there are threads
    for seat in seats:
        visitor.look(seat)
    with ThreadPoolExecutor(len(seats)) as pool:
        answers = [pool.submit(visitor.act, seat, "hint") for seat in seats]
        slow.asked.wait(60)
        begun = time.monotonic()
        for path in ("/play", "/", "/static/table.js", seats[7], visitor.open()):
            assert visitor.client.get(path).status_code == 200
        assert time.monotonic() - begun < 5  # one page takes about 20 ms
        text = visitor.look(seats[0])
        again = visitor.act(seats[0], "hint")
        assert "the last question is still being answered" in again.text
        assert visitor.act(seats[0], offered(text)[0]).status_code == 200
        slow.enough.set()
        assert sum("Hint:" in answer.result().text for answer in answers) == len(seats)


def test_bots_move_before_the_next_question_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = LiveTables()
    enough = threading.Event()
    order: list[str] = []
    tables.think(lambda: enough.wait(60))
    questions = [tables.think(lambda: order.append("answer")) for _ in range(2)]
    table = tables.open("base", [(PERSON, "a"), ("random", "")])
    monkeypatch.setattr(table, "advance", lambda: order.append("move"))
    enough.set()
    for question in questions:
        question.result(60)
    assert order == ["move", "answer", "answer"]
    tables.close()


def test_what_a_bot_thought_of_is_dropped_when_its_position_is_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Slow()
    monkeypatch.setattr("carc.web.live_tables.by_name", lambda *_: slow)
    tables = LiveTables()
    table = tables.open("base", [(PERSON, "a"), ("random", "")], seed=5)
    wait(table)
    while not slow.asked.is_set():
        view = table.view()
        if view.awaited == 0:
            table.act(0, view.legal[-1], view.version)
            tables.advance(table)
        slow.asked.wait(0.5)
    assert table.view().thinking == "random"
    table.undo(table.view().version)
    view = table.view()
    slow.enough.set()
    while table.is_advancing:
        time.sleep(0.01)
    assert table.view() == view
    assert table.match.awaited == 0
    assert table.match.faults == {}
    tables.close()


def test_a_fault_of_the_program_is_logged_and_the_table_not_stuck(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: InteractiveMatch) -> None:
        raise ZeroDivisionError("a bug")

    tables = LiveTables()
    with monkeypatch.context() as patched:
        patched.setattr(InteractiveMatch, "deal", broken)
        table = tables.open("base", [(PERSON, "a"), ("random", "")])
        while "stopped" not in caplog.text:
            time.sleep(0.01)
    assert "a bug" in caplog.text
    tables.advance(table)
    wait(table)
    assert table.match.awaited == 0
    tables.close()
