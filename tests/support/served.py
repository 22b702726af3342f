"""The application served for a test: in a thread for browsers, or called directly."""

import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from carc.errors import CarcError
from carc.web import tournament_reader
from carc.web.action_menu import ActionMenu
from carc.web.app import make_app
from carc.web.board_cache import Snapshot, Stamp
from carc.web.tournament_reader import ReaderPool


@contextmanager
def serving(folder: Path, *, lifespan: Any = "auto", **options: Any) -> Iterator[str]:
    """The address of the application, served from a thread."""
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(folder, **options),
            port=0,
            log_level="error",
            timeout_graceful_shutdown=1,
            lifespan=lifespan,
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def read_at_once(_: ReaderPool, folder: Path, stamp: Stamp, rough: bool) -> Future[Snapshot]:
    """Read a tournament here: starting processes takes most of the time of a test."""
    future = Future[Snapshot]()
    try:
        future.set_result(tournament_reader.read(folder, stamp, rough))
    except CarcError as error:
        future.set_exception(error)
    return future


class Waiting:
    """An executor that never begins."""

    def __init__(self) -> None:
        self.submitted: list[tuple[Any, ...]] = []

    def submit(self, *what: Any) -> Future[None]:
        self.submitted.append(what)
        return Future()

    def shutdown(self, **_: bool) -> None:
        self.submitted.clear()


class Visitor:
    """Somebody with a browser that runs no script."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def open(
        self, rules: str = "base", seats: tuple[str, ...] = ("person", "random"), **more: str
    ) -> str:
        """Open a table; the address of the first person's seat."""
        form = {"rules": rules, **{f"seat{n}": kind for n, kind in enumerate(seats)}, **more}
        answer = self.client.post("/open", data=form, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def look(self, seat: str) -> str:
        """The table's page once nobody thinks any more."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            text = self.client.get(seat).text
            if 'data-decides="yes"' in text or 'data-over="yes"' in text or "Waiting for" in text:
                return text
            time.sleep(0.01)
        raise AssertionError("nothing happens at the table")

    def act(self, seat: str, action: str, version: str | None = None, **headers: str) -> Any:
        """Choose."""
        if version is None:
            version = version_of(self.look(seat))
        return self.client.post(
            seat, data={"action": action, "version": version}, headers={"X-Carc": "part", **headers}
        )


def version_of(text: str) -> str:
    versions: list[str] = re.findall(r'data-version="(\d+)"', text)
    return versions[0]


def offered(text: str) -> list[str]:
    """Every choice a page has a button for, without those for taking back and advice."""
    found = re.findall(r'<button name="action" value="([^"]+)">', text)
    return [one for one in dict.fromkeys(found) if one not in ("undo", "hint", "best", "rematch")]


def wait(table: Any) -> None:
    """Until a person is asked, or the game is over."""
    while table.is_advancing or (table.match.awaited is None and not table.match.is_over):
        time.sleep(0.001)


def clicks_of(menu: ActionMenu) -> list[str]:
    """The actions that a page offers to click: on cells, on places of the board, on buttons."""
    placed = [f"place:{c.x},{c.y},{turn}" for c in menu.cells for turn in c.rotations]
    on_board = [action for place in menu.on_board for action in place.actions]
    return [*placed, *on_board, *(button.action for button in menu.buttons)]
