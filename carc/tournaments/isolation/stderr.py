"""What a bot writes to stderr: counted, and its beginning and its end kept.

It goes through a pipe, so that a bot can neither take back what it wrote nor fill a disk with it.
The runner empties the pipe whenever it waits for the bot; at other times the bot is stopped.
"""

import os
from typing import Final

from carc.escape import escape_unprintable

KEPT: Final = 16 << 10  # bytes that are kept of a game
CHUNK: Final = 1 << 16


class Stderr:
    """The runner's end of a bot's stderr."""

    def __init__(self, limit: int) -> None:
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._limit = limit
        self._first = b""
        self._last = b""
        self.size = 0
        """Bytes written so far, as far as they were read."""
        self.open = True
        """Whether more may come."""

    def fileno(self) -> int:
        """Return the descriptor to read from, for `select.poll`."""
        return self._reader

    @property
    def is_too_long(self) -> bool:
        """Whether the bot wrote more than it may; the rest is not read."""
        return self.size > self._limit

    def drain(self) -> None:
        """Read what has come, without waiting, until it is too long."""
        while self.open and not self.is_too_long:
            try:
                more = os.read(self._reader, CHUNK)
            except BlockingIOError:
                return
            if not more:
                self.close()
                return
            self.size += len(more)
            half = KEPT // 2
            room = half - len(self._first)
            self._first += more[:room]
            self._last = (self._last + more[room:])[-half:]

    def close_writer(self) -> None:
        """Close the bot's end here, once the bot has it."""
        os.close(self.writer)

    def close(self) -> None:
        """Read no more."""
        if self.open:
            self.open = False
            os.close(self._reader)

    @property
    def text(self) -> str:
        """The beginning and the end of it, with what a terminal would obey as escapes."""
        left_out = self.size - len(self._first) - len(self._last)
        if not left_out:
            return _plain(self._first + self._last)
        return f"{_plain(self._first)}\n[... {left_out} bytes left out ...]\n{_plain(self._last)}"


def _plain(text: bytes) -> str:
    return escape_unprintable(text.decode(errors="replace"), keep="\n\t")
