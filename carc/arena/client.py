"""A bot's end of a connection to an arena, over plain HTTP: the standard library is enough."""

import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from time import sleep
from typing import Any
from urllib.parse import urlencode

from carc.arena.address import LATER, Address, reason, refusal
from carc.arena.own_bot import Bot, Program
from carc.base.game.rules import Rules
from carc.bots.session import line_of
from carc.bounded import of_kind, parse_json
from carc.errors import CarcError
from carc.tournaments.outcomes.verdicts import TIMEOUT

FIRST_WAIT, LONGEST_WAIT = 0.1, 10.0  # seconds between two attempts to connect


class Client:
    """Lets a bot play in an arena, game after game.

    Args:
        url: Of the arena.
        token: Its author's.
        bot: What plays.
        ladders: Where it plays; in all of the arena if there are none.
        say: Called with a line for people.
    """

    def __init__(
        self, url: str, token: str, bot: Bot, ladders: Sequence[str], say: Callable[[str], None]
    ) -> None:
        self._arena, self._url = Address(url, token), url
        self._bot, self._ladders, self._say = bot, tuple(ladders), say
        self._session = secrets.token_hex(8)
        self._is_here = False  # as far as people were told
        self._wait = FIRST_WAIT
        self._stream: Any = None  # the socket of the present connection
        self._program: Program | None = None
        self._game: dict[str, Any] = {}
        self._held = b""  # a game's line, until the request that follows
        self._request = b""  # the last one
        self._answer = b""  # to it; empty so far
        self._taken = False  # whether the arena has the answer
        self._lock = threading.RLock()  # held while a line is on its way, so that none is twice
        self._post: HTTPConnection | None = None
        self._games = 0
        self._leaves = threading.Event()
        self._is_over = False

    def play(self) -> None:
        """Play until the bot leaves, and connect as often as it takes.

        Raises:
            CarcError: The arena does not let it in, and will not later.
        """
        self._bot.check()
        is_told = False
        try:
            while True:
                try:
                    self._check_ladders()
                    self._connect()
                except (OSError, HTTPException) as error:
                    if self._is_here or not is_told:
                        what = "connection lost" if self._is_here else f"{self._url} is not reached"
                        self._say(f"{what} ({reason(error)}); trying again until it works")
                    self._is_here, is_told = False, True
                pause = self._wait * random.uniform(0.5, 1)
                self._wait = min(2 * self._wait, LONGEST_WAIT)
                if self._leaves.wait(pause):
                    if not self._request:
                        return
                    sleep(pause)
        finally:
            self._end_program()
            with self._lock:
                self._is_over = True
                if self._post is not None:
                    self._post.close()

    def leave(self) -> None:
        """Leave when the present game is over; from any thread."""
        self._leaves.set()
        threading.Thread(target=self._send, args=(line_of(type="leave"),), daemon=True).start()

    # -- the arena --------------------------------------------------------------------------------

    def _address(self) -> str:
        query: dict[str, Any] = {"bot": self._bot.name, "version": self._bot.version}
        query |= {"session": self._session, "ladder": self._ladders}
        return self._arena.path(f"/arena/play?{urlencode(query, doseq=True)}")

    def _check_ladders(self) -> None:
        """Raise `CarcError` if what is played there cannot be played here."""
        connection = self._arena.connection()
        try:
            connection.request("GET", self._arena.path("/arena/ladders"))
            with connection.getresponse() as response:
                if response.status in LATER:
                    raise OSError(refusal(response))
                text = response.read(1 << 20)
        finally:
            connection.close()
        try:
            known = [(ladder["name"], ladder) for ladder in parse_json(text)["ladders"]]
        except (ValueError, LookupError, TypeError):
            raise CarcError(f"{self._url} is no arena of carc") from None
        for name, ladder in known if self._bot.knows_rules else ():
            if self._ladders and name not in self._ladders:
                continue
            rules = Rules.from_spec(ladder["rules"], players=ladder["players"])
            if rules.version != ladder["rules_version"]:
                raise CarcError(
                    f"{name} plays {rules.spec} of version {ladder['rules_version']}, "
                    f"and this carc {rules.version}: install the carc of the arena"
                )

    def _connect(self) -> None:
        """Play on one connection until the arena ends it.

        Raises `CarcError` if it does not let the bot in, `OSError` if the connection is lost.
        """
        connection = self._arena.connection()
        try:
            connection.request("GET", self._address(), headers=self._arena.headers)
            self._stream = connection.sock
            with connection.getresponse() as response:
                if response.status != 200:
                    why = refusal(response)
                    if response.status in LATER:
                        raise OSError(why)
                    raise CarcError(why if response.status < 500 else f"{self._url}: {why}")
                if not self._is_here:
                    self._say(f"{self._bot.name}@{self._bot.version} plays at {self._url}")
                self._is_here, self._wait = True, FIRST_WAIT
                if self._leaves.is_set():  # and the arena may not know it
                    self._send(line_of(type="leave"))
                for line in response:
                    if not line.endswith(b"\n"):
                        break
                    if self._hear(line):
                        return
            raise OSError("it was cut")
        finally:
            connection.close()

    def _hang_up(self) -> None:
        """End the present connection; another one is made."""
        if self._stream is not None:
            with suppress(OSError):
                self._stream.shutdown(2)

    def _send(self, line: bytes) -> bool:
        """Return whether the arena has taken a line."""
        with self._lock:
            try:
                if self._is_over:
                    return False
                if self._post is None:
                    self._post = self._arena.connection()
                self._post.request("POST", self._address(), line, self._arena.headers)
                response = self._post.getresponse()
                response.read()
                return response.status == 204
            except (OSError, HTTPException):
                if self._post is not None:
                    self._post.close()
                self._post = None
                self._hang_up()
                return False

    # -- lines ------------------------------------------------------------------------------------

    def _hear(self, line: bytes) -> bool:
        """Take a line from the arena, and return whether it is the last."""
        try:
            message = of_kind(parse_json(line), dict, "a message")
        except ValueError:
            raise CarcError(f"{self._url} is no arena of carc") from None
        match message.get("type"):
            case "ping":
                self._send(line_of(type="pong", id=message["id"]))
            case "game":
                self._game, self._held = message, line
            case "hello" | "choose":
                self._ask(message, line)
            case "over":
                self._over(message, line)
            case "end":
                self._end(message)
                return True
        return False

    def _ask(self, message: Mapping[str, Any], line: bytes) -> None:
        held, self._held = self._held, b""
        with self._lock:
            if line == self._request:  # sent again, for the connection was lost
                self._deliver()
                return
            self._request, self._answer, self._taken = line, b"", False
        if message["type"] == "hello":
            self._end_program()
            self._program = Program(self._bot.command, self._bot.folder, self._said)
        if self._program is not None:
            self._program.tell(held + line)

    def _over(self, message: Mapping[str, Any], line: bytes) -> None:
        self._games += 1
        scores, ranks, seat = message["scores"], message["ranks"], self._game.get("seat", 0)
        first = [at for at, rank in enumerate(ranks) if rank == 0]
        place = f"place {ranks[seat] + 1} of {len(ranks)}"
        if seat in first:
            place = "won" if len(first) == 1 else "drawn"
        others = "-".join(str(score) for at, score in enumerate(scores) if at != seat)
        self._say(f"game {self._games}: {place}, {scores[seat]} to {others}, seat {seat + 1}")
        with self._lock:  # a bot that ends now has not ended in the middle of the game
            if self._program is not None:
                self._program.tell(line)
            self._forget()

    def _end(self, message: Mapping[str, Any]) -> None:
        why = f"{message['verdict']}: {message['detail']}"
        if message["verdict"] == "replaced":
            raise CarcError(f"{self._bot.name}: {message['detail']}")
        program = self._program
        self._say(why)
        self._forget(session=True)
        if message["verdict"] == TIMEOUT and program is not None and program.kept_back:
            self._say(program.kept_back)

    # -- the bot ----------------------------------------------------------------------------------

    def _said(self, program: Program, line: bytes) -> None:
        """Take a line from the bot, or its end; in a thread."""
        with self._lock:
            if program is not self._program:
                return  # its game is over
            if not line:
                self._say("the bot has ended in the middle of a game; it is started again")
                self._forget(session=True)
                self._hang_up()
            elif self._answer:
                self._send(line)  # and learn what the arena says to that
            else:
                self._answer = line
                self._deliver()

    def _deliver(self) -> None:
        """Send the answer, unless there is none or the arena has it."""
        if self._answer and not self._taken:
            self._taken = self._send(self._answer)

    def _forget(self, session: bool = False) -> None:
        """Forget the game, and begin another session if asked to."""
        with self._lock:
            self._request = self._answer = b""
            if session:
                self._session = secrets.token_hex(8)
        self._end_program()

    def _end_program(self) -> None:
        with self._lock:
            program, self._program = self._program, None
        if program is not None:
            program.end()
