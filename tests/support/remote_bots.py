"""A small arena: the relay, its addresses and games, without ladders."""

import asyncio
import hashlib
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from carc import Match, Rules, play
from carc.arena.door import Door, author_of
from carc.arena.relay import Relay
from carc.arena.seats import Connection
from carc.bots import by_name
from carc.errors import CarcError
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.players import remote
from carc.tournaments.players.protocol import RemoteBot, Table
from carc.tournaments.players.remote import Remote
from carc.web.guard import Guard
from carc.web.remote_bots import ROUTES, SERVER, open_door
from support.late_games import before_draw
from support.waiting import until

PLAIN = (sys.executable, "-S", str(Path(__file__).parents[2] / "bots" / "plain" / "bot.py"))
RULES = Rules.from_spec("base")
TOKENS = {"ann": "token-of-ann-0123456789", "eve": "token-of-eve-9876543210"}
HASHES = {author: hashlib.sha256(token.encode()).hexdigest() for author, token in TOKENS.items()}
FAIR, CULPRIT = "eve/fair@1", "ann/x@1"
Message = dict[str, Any]
CLOCK = "bank=2,increment=0.1,cap=0.3,start=1"


class Hall:
    """An arena of one ladder, `base-2`."""

    def __init__(self, folder: Path, latency: float = 0.2, door: Door | None = None) -> None:
        self.door = door or Door(1000, 1000)
        self.relay = Relay(latency)
        self.socket = folder / "arena.sock"
        self.url = ""
        self.version = RULES.version

    def author(self, token: str) -> str | None:
        return author_of(token, HASHES)

    def ladders(self) -> list[dict[str, Any]]:
        return [
            {
                "name": "base-2",
                "rules": "base",
                "rules_version": self.version,
                "players": 2,
                "clock": CLOCK,
            }
        ]

    def admit(self, author: str, bot: str, version: str, ladders: Sequence[str]) -> str:
        for ladder in ladders:
            if ladder != "base-2":
                raise CarcError(f"there is no ladder {ladder!r}; there is base-2")
        if bot == "taken":
            raise CarcError("the name 'taken' is another author's; choose another")
        return f"remote:{author}/{bot}@{version}"

    def app(self) -> Starlette:
        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            self.loop = asyncio.get_running_loop()
            async with self.relay.serving(self.socket):
                yield

        app = Starlette(routes=ROUTES, middleware=[Middleware(Guard)], lifespan=lifespan)
        open_door(app, self, self.door)
        return app

    def await_present(self, *bots: str) -> None:
        until(lambda: self.relay.present() >= {f"remote:{bot}" for bot in bots})

    def connection(self, bot: str) -> Connection:
        connection = self.relay._bots[f"remote:{bot}"].connection
        assert connection is not None
        return connection


@contextmanager
def arena(folder: Path, latency: float = 0.2, door: Door | None = None) -> Iterator[Hall]:
    """An arena that is served from a thread."""
    hall = Hall(folder, latency, door)
    server = uvicorn.Server(
        uvicorn.Config(
            hall.app(), port=0, log_level="warning", timeout_graceful_shutdown=1, **SERVER
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    before, remote.path = remote.path, str(hall.socket)
    try:
        until(lambda: server.started)
        hall.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        yield hall
    finally:
        server.should_exit = True
        thread.join()
        remote.path = before


def faults_of(match: Match) -> dict[int, str]:
    """The faults of a match by seat."""
    return {fault.seat: f"{fault.verdict}: {fault.detail}" for fault in match.result.faults}


def short_game(
    *names: str, clock: str = CLOCK, tiles: int = 6, bots: list[RemoteBot] | None = None
) -> Match:
    """The last turns of a game; `random` plays here, `ann/x@1` is a remote bot."""
    start = before_draw("base", len(names), tiles, 4)
    with Table(Clock.named(clock)) as table:
        players: list[Any] = []
        for seat, name in enumerate(names):
            if "/" in name:
                players.append(table.seat(partial(Remote, f"remote:{name}"), seat, seat))
            else:
                players.append(by_name(name, seed=seat))
        if bots is not None:
            bots.extend(bot for bot in players if isinstance(bot, RemoteBot))
        match = play(start.rules, players, seed=3, watch=table.watch, start=start)
        table.over(match)
    return match


class Talk:
    """A bot's WebSocket."""

    def __init__(
        self,
        hall: Hall,
        name: str = "x",
        author: str = "ann",
        session: str = "",
        state: bool = False,
    ) -> None:
        self.state = state
        address = hall.url.replace("http", "ws", 1) + f"/arena/play?bot={name}&version=1"
        self.socket = connect(
            address + (f"&session={session}" if session else ""),
            additional_headers={"Authorization": f"Bearer {TOKENS[author]}"},
            compression=None,
            open_timeout=20,
        ).__enter__()
        self.received: list[dict[str, Any]] = []

    def hear(self) -> dict[str, Any]:
        """The next message that is no ping; it raises `ConnectionClosed` when there is none."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=20))
            self.received.append(message)
            if message["type"] != "ping":
                return message
            self.say(type="pong", id=message["id"])

    def say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def answer(self, message: dict[str, Any]) -> None:
        """Answer as a bot does that takes the first action."""
        if message["type"] == "hello":
            self.say(type="ready", protocol=1, state=self.state)
        elif message["type"] == "choose":
            self.say(type="action", id=message["id"], action=message["legal"][0])

    def play(self) -> None:
        """Play to the end of one game, or of the connection."""
        with suppress(ConnectionClosed):
            while (message := self.hear())["type"] != "over":
                self.answer(message)

    def ended(self) -> str:
        """Why the connection ends, once it has."""
        with suppress(ConnectionClosed):
            while True:
                self.received.append(json.loads(self.socket.recv(timeout=20)))
        last = self.received[-1]
        return f"{last['verdict']}: {last['detail']}" if last["type"] == "end" else ""


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[None]:
    """Do something in a thread meanwhile; what it raises is raised here at the end."""
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(work)
        yield
        future.result(timeout=20)


def against_a_fair_bot(hall: Hall, culprit: Callable[[Talk], None], **more: Any) -> Match:
    """A short game of a fair remote bot, which begins, and one that does what it likes."""
    fair, talk = Talk(hall, "fair", "eve"), Talk(hall)
    with fair.socket, talk.socket, beside(fair.play), beside(lambda: until_closed(culprit, talk)):
        hall.await_present(FAIR, CULPRIT)
        match = short_game(FAIR, CULPRIT, **more)
    assert fair.received[-1]["type"] == "over"
    assert 0 not in faults_of(match)
    return match


def until_closed(culprit: Callable[[Talk], None], talk: Talk) -> None:
    """Let a bot play until its connection is closed, by whomever."""
    with suppress(ConnectionClosed):
        culprit(talk)


def at_first(kind: str, act: Callable[[Talk, Message], object]) -> Callable[[Talk], None]:
    """A bot that does this with the first message of a kind, and is fair otherwise."""

    def culprit(talk: Talk) -> None:
        while (message := talk.hear())["type"] != kind:
            talk.answer(message)
        act(talk, message)
        talk.play()

    return culprit
