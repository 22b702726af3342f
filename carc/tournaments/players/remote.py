"""The runner's end of a bot on its author's machine: the arena's relay talks to it.

Both ends of the socket are of one host and user. A message is a line of JSON that tells its own
size and what follows it: the lines for the bot, or the one from it.
"""

import socket
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from carc.bots.session import line_of
from carc.bounded import parse_json
from carc.match import BotFault
from carc.tournaments.isolation.exit_verdict import Killed
from carc.tournaments.isolation.meter import Meter
from carc.tournaments.outcomes.stages import Cause, HostFailure

REMOTE: Final = "remote"
"""The level of isolation of a bot on its author's machine."""
PATIENCE: Final = 30.0
"""Seconds beyond a bot's own within which the relay answers."""
path: str = ""
"""The relay's socket; set before the processes are forked that play."""


class Remote:
    """A bot that is elsewhere, at a seat of one game; raises `HostFailure` if there is no relay."""

    def __init__(self, bot: str) -> None:
        self.begun = monotonic()
        self.wall = self.cpu = 0.0
        self.meter = Meter()  # of nothing: what it uses is its author's
        self.stderr = ""
        self.memory = 0
        self._closed = False
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(path)
            self._file = self._socket.makefile("rb")
            self._send({"bot": bot})
        except OSError as error:
            self._socket.close()
            raise HostFailure(Cause.PROGRAM, f"the arena's relay is not there: {error}") from None

    def launched(self) -> None:
        """Return at once: nobody here starts it."""

    def ask(self, line: bytes, seconds: float, allowed: str) -> bytes:
        """Send lines and return the line that answers them.

        Raises `BotFault` if it did not answer, or did what it may not; `HostFailure` without a
        relay.
        """
        self._socket.settimeout(seconds + PATIENCE)
        try:
            self._send({"ask": seconds, "allowed": allowed}, line)
            answer = parse_json(self._file.readline())
            reply = self._file.read(answer["size"])
        except (OSError, ValueError) as error:
            raise HostFailure(Cause.PROGRAM, f"the arena's relay is gone: {error}") from None
        self.wall = answer["wall"]
        if verdict := answer.get("verdict"):
            kind = Killed if answer["begun_again"] else BotFault
            raise kind(verdict, reply.decode())
        return reply

    def tell(self, line: bytes) -> None:
        """Send a line that wants no answer."""
        with suppress(OSError):
            self._send({"tell": True}, line)

    def close(self, why: str = "") -> None:
        """Leave the seat, and wait until the relay knows; never raises.

        Its author is told why: of its fault.
        """
        if self._closed:
            return
        self._closed = True
        with suppress(OSError):
            self._socket.settimeout(PATIENCE)
            self._send({"close": True}, why.encode())
            self._file.readline()
        self._file.close()
        self._socket.close()

    def _send(self, message: Mapping[str, Any], body: bytes = b"") -> None:
        self._socket.sendall(line_of(**message, size=len(body)) + body)
