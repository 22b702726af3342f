"""Hands lines on between the workers that play games and the connections of remote bots.

All of it runs in one event loop; only `present`, `visits`, `expel` and `dismiss` may be called from
elsewhere. A bot has one connection, one seat and one request at a time, so nothing here grows with
what it says. Who says anything that was not asked for is cut off.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from carc.arena.seats import Bot, Connection, Fault, Seat
from carc.arena.stopwatch import Stopwatch
from carc.bots.session import line_of
from carc.bounded import parse_json
from carc.escape import quote_start
from carc.files import new_socket
from carc.tournaments.outcomes import remedies, verdicts
from carc.tournaments.players.remote import REMOTE

LATENCY: Final = 0.2  # seconds of an answer that are put down to the network, at most
FIRST: Final = 3  # of them are measured at once
PING: Final = 10.0  # seconds between two pings
SILENCE: Final = 20.0  # seconds without an answer to a ping, after which nobody is there
LEAVE: Final = 1.0  # seconds after which it is looked whether a bot that leaves has a game
LONGEST: Final = 64 << 10  # bytes of a line from a bot
REPLACED: Final = "replaced"
CLOSED: Final = "closed"

_SHORT: Final = 100  # bytes of a message to the relay itself


class Visit(NamedTuple):
    """A bot that is connected."""

    bot: str
    ladders: Sequence[str]
    """Those that it came for; all if there are none."""
    latency: float
    """Seconds of an answer that are the network's."""
    plays: bool
    """Whether it has a seat, or cannot have one now."""


class Relay:
    """The remote bots, their connections and their seats.

    At most `latency` seconds of each answer are put down to the network.
    """

    def __init__(self, latency: float = LATENCY) -> None:
        self.latency = latency
        self.is_chosen: Callable[[str], bool] = lambda bot: False
        """Whether a bot was chosen for a game, though it may not have its seat yet."""
        self.answers, self.answer_seconds = 0, 0.0  # of all bots, as their clocks have them
        self._bots: dict[str, Bot] = {}
        self._free: dict[str, Sequence[str]] = {}  # and the ladders that they come for
        self._stopwatch = Stopwatch()
        self._loop: asyncio.AbstractEventLoop | None = None  # while it serves

    def present(self, ladder: str = "") -> frozenset[str]:
        """Return the bots that are here, for this ladder, and have no seat; from any thread."""
        free = self._free.copy()  # which lets no other thread in between
        return frozenset(
            bot for bot, ladders in free.items() if not ladder or not ladders or ladder in ladders
        )

    def visits(self) -> list[Visit]:
        """Return the bots that are connected; from any thread."""
        bots = [(bot, bot.connection) for bot in self._bots.copy().values()]
        return [
            Visit(bot.spec, connection.ladders, self._latency(bot), not bot.is_free)
            for bot, connection in bots
            if connection is not None
        ]

    @asynccontextmanager
    async def serving(self, path: Path) -> AsyncIterator[None]:
        """Serve workers meanwhile, at a socket to which only this user may connect."""
        with new_socket(path):
            server = await asyncio.start_unix_server(self._serve, path)
        self._loop = asyncio.get_running_loop()
        tasks = [asyncio.create_task(work) for work in (self._stopwatch.run(), self._ping_all())]
        try:
            yield
        finally:
            self._loop = None
            for task in tasks:
                task.cancel()
            server.close()
            path.unlink(missing_ok=True)

    def dismiss(self) -> None:
        """Tell all bots that the arena stops; from any thread, while the server still sends."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._dismiss)

    def _dismiss(self) -> None:
        for bot in [*self._bots.values()]:
            bot.cut_off(CLOSED, "the arena stops; come back later")
            self._note(bot)

    # -- bots -------------------------------------------------------------------------------------

    def enter(self, spec: str, session: str, ladders: Sequence[str] = ()) -> Connection:
        """Return the connection of a bot that has come; the one that it had before ends.

        Args:
            spec: The bot.
            session: Stands for what the bot remembers. Who comes back with it during a game knows
                that game so far; any other is told the game from its beginning.
            ladders: Where it plays while it is connected; in all that it is in if there are none.
        """
        bot = self._bots.setdefault(spec, Bot(spec))
        bot.cut_off(REPLACED, "another connection of this bot has taken the place of this one")
        bot.connection = connection = Connection(spec, session, ladders)
        bot.leaves = False
        self._ping(bot)
        if bot.seat is not None:
            bot.seat.come_back(session)
        self._note(bot)
        return connection

    def hear(self, connection: Connection, data: bytes) -> None:
        """Take lines from a bot."""
        for line in data.removesuffix(b"\n").split(b"\n"):
            bot = self._bots.get(connection.bot)
            if bot is None or bot.connection is not connection:
                return  # it was cut off
            self._hear(bot, connection, line)

    def _hear(self, bot: Bot, connection: Connection, line: bytes) -> None:
        if len(line) > LONGEST:
            why = f"a line of more than {LONGEST} bytes: {quote_start(line)}"
            self.fault(connection, verdicts.OUTPUT_LIMIT, why)
            return
        match _message(line):
            case {"type": "pong", "id": number} if connection.ping and connection.ping[0] == number:
                connection.round_trips.append(self._stopwatch.now() - connection.ping[1])
                connection.ping = None
                if len(connection.round_trips) < FIRST:
                    self._ping(bot)
                self._note(bot)
            case {"type": "leave"} if not bot.leaves:
                bot.leaves = True
                self._note(bot)
                self._let_go_later(bot)
            case _:
                if bot.seat is None or not bot.seat.take(line):
                    why = remedies.unasked(line, bot.seat.said if bot.seat else b"")
                    self.fault(connection, verdicts.MALFORMED, why)

    def fault(self, connection: Connection, verdict: str, detail: str) -> None:
        """Have a bot lose its game, if it has one, and cut it off."""
        bot = self._bots.get(connection.bot)
        if bot is not None and bot.connection is connection:
            self._fault(bot, Fault(verdict, detail))

    def _fault(self, bot: Bot, fault: Fault) -> None:
        """Have a bot lose its game; it is forgotten, so that what its seat does concerns no other.

        Who comes back is a new `Bot`.
        """
        if bot.seat is not None:
            bot.seat.fail(fault)
            bot.seat = None
        bot.cut_off(fault.verdict, fault.detail)
        self._note(bot)

    def expel(self, author: str, why: str) -> None:
        """Cut off all bots of an author, whose games they lose; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._expel, f"{REMOTE}:{author}/", why)

    def _expel(self, beginning: str, why: str) -> None:
        for bot in [*self._bots.values()]:
            if bot.spec.startswith(beginning):
                self._fault(bot, Fault(verdicts.CRASH, why))

    def leave(self, connection: Connection) -> None:
        """Note that a connection is lost; the bot may come back."""
        connection.end()
        bot = self._bots.get(connection.bot)
        if bot is not None and bot.connection is connection:
            bot.connection = None
            self._note(bot)

    def _let_go_later(self, bot: Bot) -> None:
        asyncio.get_running_loop().call_later(LEAVE, self._let_go, bot)

    def _let_go(self, bot: Bot) -> None:
        if not bot.leaves or bot.seat is not None:
            return
        if self.is_chosen(bot.spec):
            self._let_go_later(bot)
            return
        bot.cut_off(CLOSED, "it left")
        self._note(bot)

    def _note(self, bot: Bot) -> None:
        """Note whether a bot can play now, and forget it if it is not here."""
        if self._bots.get(bot.spec) is not bot:
            return  # it was forgotten, and may have come back since
        if bot.is_free and bot.connection is not None:
            self._free[bot.spec] = bot.connection.ladders
        else:
            self._free.pop(bot.spec, None)
        if bot.connection is None and bot.seat is None:
            self._bots.pop(bot.spec, None)

    # -- latency ----------------------------------------------------------------------------------

    def _ping(self, bot: Bot) -> None:
        """Send a ping, by which the latency is measured, and by which the bot shows it is there."""
        connection = bot.connection
        if connection is None:
            return
        if connection.ping is None:
            connection.ping = (secrets.randbits(32), self._stopwatch.now())
            connection.send(line_of(type="ping", id=connection.ping[0]))
        elif bot.seat is None and self._stopwatch.now() > connection.ping[1] + SILENCE:
            bot.cut_off(CLOSED, f"it did not answer a ping within {SILENCE:g} s")
            self._note(bot)

    async def _ping_all(self) -> None:
        while True:
            bots = [*self._bots.values()]
            for bot in bots:
                if bot.seat is None or not bot.seat.is_asked:  # who thinks answers later
                    self._ping(bot)
                await asyncio.sleep(PING / len(bots))
            if not bots:
                await asyncio.sleep(PING)

    def _latency(self, bot: Bot) -> float:
        """Return the seconds of an answer that are the network's."""
        if bot.connection is None or not bot.connection.round_trips:
            return 0.0
        return min(median(bot.connection.round_trips), self.latency)

    # -- workers ----------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a worker's connection for one seat (`carc.tournaments.players.remote`)."""
        with suppress(EOFError, ConnectionError):
            opening, _ = await _read(reader)
            bot = self._bots.setdefault(opening["bot"], Bot(opening["bot"]))
            if bot.seat is None:
                bot.seat = seat = Seat(bot)
                self._note(bot)
                try:
                    await self._play(seat, reader, writer)
                finally:
                    self._rise(seat)
        writer.close()

    def _rise(self, seat: Seat) -> None:
        bot = seat.bot
        if bot.seat is seat:
            bot.seat = None
            self._let_go(bot)
            self._note(bot)

    async def _play(
        self, seat: Seat, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Do what a worker says until it leaves the seat; raise `EOFError` if it is gone."""
        bot = seat.bot
        coming = asyncio.ensure_future(_read(reader))
        try:
            while True:
                message, body = await coming
                if "close" in message:
                    verdict, _, detail = body.decode().partition(": ")
                    if verdict:
                        bot.cut_off(verdict, detail)
                    self._rise(seat)
                    writer.write(b"\n")
                    return
                coming = asyncio.ensure_future(_read(reader))
                if "tell" in message:
                    if bot.connection is not None:
                        bot.connection.send(body)
                    continue
                asking = asyncio.ensure_future(self._answer(seat, message, body))
                await asyncio.wait({asking, coming}, return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():  # the worker is gone
                    asking.cancel()
                    bot.cut_off(verdicts.VOID, "the game could not be played to its end")
                    return
                writer.write(asking.result())
        finally:
            coming.cancel()

    async def _answer(self, seat: Seat, message: dict[str, Any], lines: bytes) -> bytes:
        """Return what a worker is told of a request."""
        begun, latency = self._stopwatch.now(), self._latency(seat.bot)
        try:
            deadline = begun + message["ask"] + latency
            answer = await seat.ask(lines, deadline, self._stopwatch)
        except TimeoutError:
            answer = _late(seat.bot, message["allowed"])
            self._fault(seat.bot, answer)
        told: dict[str, Any] = {"wall": max(0.0, self._stopwatch.now() - begun - latency)}
        self.answers += 1
        self.answer_seconds += told["wall"]
        if isinstance(answer, Fault):
            told |= {"verdict": answer.verdict, "begun_again": answer.begun_again}
            answer = answer.detail.encode()
        return line_of(**told, size=len(answer)) + answer


def _late(bot: Bot, allowed: str) -> Fault:
    if bot.connection is None:
        return Fault(verdicts.CRASH, f"its connection was lost, and not back within {allowed}")
    return Fault(verdicts.TIMEOUT, f"no answer within {allowed}")


def _message(line: bytes) -> Any:
    """Return the message on a line if it may be one to the relay itself."""
    if len(line) <= _SHORT and (b"pong" in line or b"leave" in line):
        with suppress(ValueError):
            return parse_json(line)
    return None


async def _read(reader: asyncio.StreamReader) -> tuple[dict[str, Any], bytes]:
    """Return a worker's next message and what follows it; raise `EOFError` if it is gone."""
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    message = parse_json(line)
    return message, await reader.readexactly(message["size"])
