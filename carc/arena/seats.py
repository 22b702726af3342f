"""Remote bots, their connections and their seats."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Final

import attrs

from carc.arena.stopwatch import Stopwatch
from carc.bots.session import line_of
from carc.tournaments.outcomes import verdicts

ROUND_TRIPS: Final = 9  # measured last; their median counts


class Connection:
    """A connection of a bot: what is to be sent on it, and what is known of it."""

    def __init__(self, bot: str, session: str, ladders: Sequence[str]) -> None:
        self.bot = bot
        self.session = session
        self.ladders = ladders
        self.over = False
        self.ping: tuple[int, float] | None = None
        """The id of a ping without an answer so far, and when it was sent."""
        self.round_trips: deque[float] = deque(maxlen=ROUND_TRIPS)
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()

    def send(self, lines: bytes) -> None:
        """Have lines sent."""
        self._waiting.extend(lines.splitlines(keepends=True))
        self._more.set()

    def end(self, verdict: str = "", detail: str = "") -> None:
        """End it, after telling the bot's author why if there is a reason."""
        if verdict:
            self.send(line_of(type="end", verdict=verdict, detail=detail))
        self.over = True
        self._more.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the lines to be sent, until it is over."""
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self.over:
                return
            self._more.clear()
            await self._more.wait()


class Bot:
    """A bot that is connected, or plays, or both."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.connection: Connection | None = None
        self.seat: Seat | None = None
        self.leaves = False

    def cut_off(self, verdict: str, detail: str) -> None:
        """End its connection, if it has one; it may come back."""
        if self.connection is not None:
            self.connection.end(verdict, detail)
            self.connection = None

    @property
    def is_free(self) -> bool:
        """Whether it can play now: it is there, which an answered ping shows, and has no game."""
        there = self.connection is not None and self.connection.round_trips
        return bool(there) and self.seat is None and not self.leaves


@attrs.frozen
class Fault:
    """Why a bot has not answered."""

    verdict: str
    detail: str
    begun_again: bool = False
    """Whether it is there, and is to be told the game so far."""


class Seat:
    """The seat of a bot in a game."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.said = b""
        """Its last answer."""
        self._session = ""  # that knows the game; empty while none does
        self._request = b""
        self._answer: asyncio.Future[bytes | Fault] | None = None
        self._fault: Fault | None = None

    async def ask(self, lines: bytes, deadline: float, stopwatch: Stopwatch) -> bytes | Fault:
        """Return what a request comes to, or raise `TimeoutError` after the deadline."""
        fault, self._fault = self._fault, None
        if fault is not None:
            return fault
        self._request = lines
        self._answer = asyncio.get_running_loop().create_future()
        self._send()
        try:
            while not self._answer.done():
                if (left := deadline - stopwatch.now()) <= 0:
                    raise TimeoutError
                await asyncio.wait({self._answer}, timeout=left)
            return self._answer.result()
        finally:
            self._answer, self._request = None, b""

    @property
    def is_asked(self) -> bool:
        """Whether an answer is awaited."""
        return self._answer is not None

    def take(self, answer: bytes | Fault) -> bool:
        """Return whether this answers a request."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(answer)
        if isinstance(answer, bytes):
            self.said = answer
        return True

    def fail(self, fault: Fault) -> None:
        """Have the request that is not answered fail, or the next one."""
        if not self.take(fault) and (self._fault is None or self._fault.begun_again):
            self._fault = fault

    def come_back(self, session: str) -> None:
        """Go on with a bot that is connected again."""
        if self._session in ("", session):
            self._send()
            return
        self._session = session
        detail = "it came back in another session, which does not know the game"
        self.fail(Fault(verdicts.CRASH, detail, begun_again=True))

    def _send(self) -> None:
        connection = self.bot.connection
        if connection is not None and self._request:
            self._session = connection.session
            connection.send(self._request)
