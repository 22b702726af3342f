"""Every refusal that the API describes can be provoked, and is as described."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from support.arenas import SETTINGS, serving
from support.described import DESCRIBED, described

from carc.arena.door import Door
from carc.arena.orders import Order
from carc.arena.service import Arena
from carc.tournaments.submission.registry import VARIABLE
from carc.web import guard
from carc.web.app import make_app

OPERATIONS = [(method, path) for path, each in DESCRIBED.items() for method in each]
QUERIES = {
    "/arena/play": {"bot": "x", "version": "1", "session": "s", "ladder": "nowhere"},
    "/api/ladders/{ladder}/feed": {"bot": "random"},
}


class Server:
    """An arena in which nothing is played, its pages, and an upload of ann's."""

    def __init__(self, arena: Arena, app: Starlette, client: TestClient, token: str) -> None:
        self.arena, self.app, self.client = arena, app, client
        self.headers = {"Authorization": f"Bearer {token}"}
        self.upload = self.ask("post", "/api/bots").json()["id"]

    def ask(self, method: str, path: str, **more: Any) -> Any:
        at = path.replace("{ladder}", more.pop("ladder", "two")).replace("{game}", "0" * 24)
        at = at.replace("{upload}", more.pop("upload", getattr(self, "upload", "")))
        more["headers"] = {**self.headers, **more.get("headers", {})}
        more.setdefault("params", QUERIES.get(path, {"bot": "random"}))
        if method == "post":
            more.setdefault("content", b"x")
        return self.client.request(method, at, **more)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "registry"))
    (tmp_path / "arena.toml").write_text(SETTINGS + 'bots = ["random"]\n')
    with serving(tmp_path) as arena:
        app = make_app(tmp_path, hosts=["testserver"], author=arena.author, arena=arena)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield Server(arena, app, client, arena.authors.add("ann"))


Provoke = Callable[[Server, pytest.MonkeyPatch, str, str], Any]


def unchanged(server: Server, _: Any, method: str, path: str) -> Any:
    tag = server.ask(method, path).headers.get("etag", "")
    return server.ask(method, path, headers={"If-None-Match": tag})


def forbidden(server: Server, patch: Any, method: str, path: str) -> Any:
    if method == "post":
        return server.ask(method, path, headers={"Origin": "http://elsewhere.example"})
    if path == "/arena/play":
        server.arena.obey(Order("ban", "", "ann", "two accounts"))
    else:
        patch.setitem(server.app.state._state, "author", None)
    return server.ask(method, path)


def absent(server: Server, patch: Any, method: str, path: str) -> Any:
    return server.ask(method, path, ladder="nowhere", upload="none")


def late(server: Server, patch: Any, method: str, path: str) -> Any:
    patch.setattr(guard, "PATIENCE", 0)
    return server.ask(method, path)


def impossible(server: Server, patch: Any, method: str, path: str) -> Any:
    if path == "/api/bots":
        remote = [attrs.evolve(each, takes="remote") for each in server.arena.settings.ladders]
        patch.setattr(
            server.arena, "settings", attrs.evolve(server.arena.settings, ladders=tuple(remote))
        )
    return server.ask(method, path)


def large(server: Server, patch: Any, method: str, path: str) -> Any:
    return server.ask(method, path, headers={"Content-Length": str(1 << 30)})


def too_often(server: Server, patch: Any, method: str, path: str) -> Any:
    server.app.state.door = Door(0)
    patch.setattr("carc.web.uploads.MOST_WAITING", 0)
    return server.ask(method, path)


def broken(server: Server, patch: Any, method: str, path: str) -> Any:
    """Nothing that an answer is made of can be called."""
    patch.setitem(server.app.state._state, "author", 0)
    for owner in server.arena, server.app.state.tournaments:
        for name in "author", "ladders", "find", "all":
            patch.setattr(owner, name, 0, raising=False)
    return server.ask(method, path)


def ending(server: Server, patch: Any, method: str, path: str) -> Any:
    server.arena.close()
    return server.ask(method, path, params={**QUERIES.get(path, {}), "ladder": "two"})


PROVOKED: dict[int, Provoke] = {
    304: unchanged,
    400: lambda server, _, *at: server.ask(*at, headers={"Host": "elsewhere.example"}),
    401: lambda server, _, *at: server.ask(*at, headers={"Authorization": "Bearer guess"}),
    403: forbidden,
    404: absent,
    408: late,
    409: impossible,
    413: large,
    429: too_often,
    500: broken,
    503: ending,
}


@pytest.mark.parametrize("code", PROVOKED)
def test_what_is_described_is_given_and_nothing_else(
    server: Server, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    for method, path in OPERATIONS:
        answer = PROVOKED[code](server, monkeypatch, method, path)
        described(answer)
        if str(code) in DESCRIBED[path][method]["responses"]:
            assert answer.status_code == code, (method, path, answer.text)
        monkeypatch.undo()


def test_each_refusal_that_is_described_has_its_provocation() -> None:
    codes = {
        int(code) for method, path in OPERATIONS for code in DESCRIBED[path][method]["responses"]
    }
    assert {code for code in codes if code >= 300} == {*PROVOKED}


@pytest.mark.parametrize(
    ("method", "path", "params", "code"),
    [
        ("get", "/arena/play", {"bot": "x"}, 400),
        ("post", "/arena/play", {"bot": "x", "version": "1"}, 400),
        ("get", "/api/ladders/{ladder}/bot", {}, 400),
        ("get", "/api/ladders/{ladder}/bot", {"bot": "nobody"}, 404),
    ],
)
def test_what_is_asked_wrongly(
    server: Server, method: str, path: str, params: dict[str, str], code: int
) -> None:
    answer = server.ask(method, path, params=params)
    assert answer.status_code == code
    described(answer)


def test_without_an_arena_nothing_is_said_of_remote_bots(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        paths = client.get("/openapi.json").json()["paths"]
        assert client.get("/arena/ladders").status_code == 404
    assert not [path for path in paths if re.match("/arena/", path)]
    assert "/api/ladders" in paths
