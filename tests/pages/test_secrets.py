"""What an arena sends tells nobody a secret: headers and cookies, redirects and refusals, lines."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import WebSocketDenialResponse
from support.stage import PRINTED, SEEN, Stage, standing_still

from carc.arena.ladder import Running
from carc.arena.upload import Upload
from carc.web.spectators import Spectators

ANSWERED = ("/api/", "/ladder/", "/live/", "/t/", "/bots", "/table/")
OTHERS = ("/", "/openapi.json", "/arena/ladders", "/metrics", "/play")
SAME = (".html", ".svg", "/play", "compare", "/t/two", "/t/two/games")
"""How addresses end where all are sent the same; they are slow."""
PLAY = "/arena/play?bot=b&version=1&session=s"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with standing_still(tmp_path_factory.mktemp("a")) as stage:
        yield stage


class Visitor:
    """Somebody who asks for all there is: without a token, or an author."""

    def __init__(self, stage: Stage, author: str, table: str) -> None:
        self.stage, self.author, self.table = stage, author, table
        self.client: Any = stage.client
        self.client.cookies.clear()
        self.token = stage.tokens.get(author, "")
        self.sent: dict[str, str] = {}
        """All that was sent, by what was asked."""

    def ask(self, method: str, path: str, **more: Any) -> Any:
        answer = self.client.request(method, path, follow_redirects=False, **more)
        self.sent[f"{method} {path} {[*more]}"] = whole(answer)
        return answer

    def ask_for_everything(self) -> None:
        self.ask("POST", "/sign-in", data={"token": self.token})
        for path in addresses(self.stage, self.table):
            if not (self.author and path.endswith(SAME)):
                self.ask("GET", path)
        self.meet_errors()
        self.connect()

    def meet_errors(self) -> None:
        """Addresses that are none, wrong methods, hosts, sites, archives, sizes, and a failure."""
        for path in ("/no", "/ladder/no", "/api/ladders/no", "/t/two/game/no", "/live/no",
                     "/bots/no", "/static/..%2farena.log", "/t/..%2fprivate.sqlite",
                     "/static/%2e%2e/%2e%2e/authors.toml"):  # fmt: skip
            self.ask("GET", path)
        self.ask("POST", "/ladder/two")
        self.ask("GET", "/", headers={"Host": "elsewhere.example"})
        self.ask("POST", "/sign-in", data={"token": "guess"}, headers={"Origin": "http://else"})
        self.ask("POST", "/bots", files={"bot": ("bot.zip", b"no archive")})
        self.ask("POST", "/api/bots", headers={"Content-Length": str(1 << 30)})
        self.ask("POST", PLAY, content=b"x")
        self.ask("GET", "/arena/play", headers={"Authorization": f"Bearer {self.token}"})
        with pytest.MonkeyPatch.context() as patch:
            failure = RuntimeError(" ".join(secrets_of(self.stage)))
            patch.setattr(self.stage.app.state.tournaments, "find", partial(fail, failure))
            for path in "/ladder/two", "/api/ladders/two", "/t/two":
                assert self.ask("GET", path).status_code == 500

    def connect(self) -> None:
        """Over a WebSocket, until it is closed: refused, replaced, cut off."""
        here = {"Authorization": f"Bearer {self.token}"}
        try:
            with (
                self.client.websocket_connect(PLAY, headers=here) as first,
                self.client.websocket_connect(PLAY, headers=here) as second,
            ):
                self.sent["WebSocket, replaced"] = heard(first)
                second.send_text("nonsense")
                self.sent["WebSocket, cut off"] = heard(second)
        except WebSocketDenialResponse as refused:
            self.sent["WebSocket, refused"] = whole(refused)
        assert len([asked for asked in self.sent if "WebSocket" in asked]) == 1 + bool(self.token)


def fail(error: Exception, *_: object) -> None:
    raise error


def whole(answer: Any) -> str:
    """All of an answer: the status, the headers with cookies and places, the body."""
    return f"{answer.status_code} {answer.reason_phrase} {answer.headers.multi_items()}\n" + (
        answer.content.decode(errors="replace")
    )


def heard(line: Any) -> str:
    """All that comes over a WebSocket, from the handshake to the reason of its end."""
    told = [repr(line.extra_headers), str(line.accepted_subprotocol)]
    while (message := line.receive())["type"] != "websocket.close":
        told.append(repr(message))
        said = json.loads(message["text"])
        if said["type"] == "ping":
            line.send_json({"type": "pong", "id": said["id"]})
    return "\n".join([*told, repr(message)])


def addresses(stage: Stage, table: str) -> Iterator[str]:
    """Every address about the arena: of a game under way, of one that ended, of a table."""
    ended, *_ = (each["id"] for each in stage.get("/api/ladders/two/games")["games"])
    for path in (route.path for route in stage.app.routes if isinstance(route, Route)):
        if path.endswith("/news") or not (path.startswith(ANSWERED) or path in OTHERS):
            continue  # news would wait; they have a test below
        at = re.sub(r"\{(ladder|name)\}", "two", path)
        at = at.replace("{table}", table).replace("{key}", "0" * 24).replace("{upload}", "of-ann")
        if "{game}" in at:
            yield from (
                at.replace("{game}", game).replace("{seat:int}", seat)
                for game in (ended, stage.still()[0])
                for seat in ("01" if "{seat:int}" in at else "0")
            )
        else:
            yield at
            if at.endswith(("bot", "feed", "versions", "own", "compare", "features")):
                yield f"{at}?bot=mine@1&author=ann&a=mine@1&b=random&cell=0,0"


def secrets_of(stage: Stage) -> set[str]:
    """Secrets of epochs, seeds of games under way, tokens, places of the machine, keys of seats."""
    with closing(sqlite3.connect(stage.arena.folder / "two" / "private.sqlite")) as private:
        kept = {secret for (secret,) in private.execute("SELECT secret FROM secrets")}
    assert kept
    running = stage.running()
    watched = [each.table for each in stage.app.state.spectators._watched.values()]
    tables = [*stage.app.state.live_tables._tables.values()]
    assert watched and tables
    return {
        *kept,
        *stage.tokens.values(),
        *(author.token for author in stage.arena.authors.all().values()),
        *(str(seed) for game in running for seed in (game.deal_seed, *game.bot_seeds)),
        *(f"{game.deal_seed:x}" for game in running),
        *(key for table in (*watched, *tables) for key in table.keys.values()),
        *(str(table.match.seed) for table in tables),
        "relay.sock", "arena.sock", str(stage.arena.folder),
    }  # fmt: skip


def test_nothing_secret_is_sent(stage: Stage) -> None:
    """By no answer that there is: no secret of an epoch, seed of a deal to come, other's token, key
    of a seat, path of the machine, or what somebody else's bot printed or an upload came to."""
    uploads = stage.app.state.uploads._uploads
    uploads["of-ann"] = Upload("of-ann", "ann", PRINTED, steps=(), bot="")
    opened = stage.client.post(
        "/open",
        data={"rules": "base", "seat0": "person", "seat1": "person"},
        follow_redirects=False,
    )
    table = opened.headers["location"].split("/")[2]
    stage.client.get(f"/live/{stage.still()[0]}")
    visitors = []
    for author in "", "eve", "ann":
        visitors.append(Visitor(stage, author, table))
        visitors[-1].ask_for_everything()
    for visitor in visitors:
        secrets = secrets_of(stage) - {visitor.token}
        for asked, text in visitor.sent.items():
            assert not [secret for secret in secrets if secret in text], (visitor.author, asked)
            is_own = visitor.author == "ann"
            assert is_own or PRINTED not in text, (visitor.author, asked)
            if visitor.token in text and visitor.token:
                assert asked.startswith("POST /sign-in"), asked
    own = [asked for asked, text in visitors[2].sent.items() if PRINTED in text]
    for path in "/api/ladders/two/own", "/ladder/two/own", "/bots/of", "/api/bots/of", "/log/":
        assert any(path in asked for asked in own), "it is there to be found"


def test_what_is_shown_of_a_game_does_not_depend_on_what_is_to_come(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another deal behind it, all that is sent of a game under way is the same."""
    game = stage.still()[0]
    monkeypatch.setattr("carc.web.live_pages.WAIT", 0)
    paths = [
        "/ladder/two/live", f"/live/{game}", f"/live/{game}/news?since=0", f"/live/{game}/record",
        f"/live/{game}/features?cell=0,0", "/api/ladders/two/live",
        f"/api/ladders/two/live/{game}", "/api/ladders/two/activity", "/api/ladders/two/queue",
    ]  # fmt: skip
    running = stage.arena.games("two")

    def seen() -> dict[str, str]:
        spectators = Spectators(stage.arena)
        monkeypatch.setitem(stage.app.state._state, "spectators", spectators)
        return {path: whole(stage.client.get(path)) for path in paths}

    before = seen()
    other = [
        Running(
            each.game._replace(deal_seed=5, bot_seeds=(6, 7), rotation_set="8" * 24, deal=9),
            each.since,
        )
        for each in running
    ]
    monkeypatch.setattr(stage.arena, "games", lambda ladder: other)
    assert seen() == before
    assert len(stage.arena.actions(game)) == SEEN
    actions = stage.get(f"/api/ladders/two/live/{game}")["actions"]
    assert actions == stage.arena.actions(game)


def test_no_file_of_the_arena_is_served(stage: Stage) -> None:
    """Neither its log nor a ledger, by whatever address."""
    folder: Path = stage.arena.folder
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = path.relative_to(folder).as_posix()
        for at in (f"/{name}", f"/static/../{name}", f"/t/{name}", f"/replay/{name}",
                   f"/replay/..%2f{name.replace('/', '%2f')}", f"/static/..%2f{name}"):  # fmt: skip
            assert stage.client.get(at).status_code in (400, 404), at
