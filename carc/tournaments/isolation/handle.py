"""A hold on the process that is the bot, by descriptors that stand for no other process."""

import json
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from carc.tournaments.isolation.meter import Meter
from carc.tournaments.isolation.reaping import readable

NAMING: Final = 2.0  # seconds for the first process of a namespace to be named


class Handle:
    """The process of a bot, which need not be the one that was started.

    In a namespace of its own the end of the first process is the end of all in it. That process is
    named by whoever made the namespace, and so is the bot if it is not the first one's child.
    """

    def __init__(self, pid: int, info: int) -> None:
        self.meter = Meter()
        self.first = -1
        """The descriptor of the first process in its namespace; -1 if there is none."""
        self.started = os.pidfd_open(pid)
        """The descriptor of the process that was started."""
        self._pid = pid
        self._info = info
        self._said = b""
        self._bot = -1

    def find(self) -> None:
        """Get hold of the bot, once its own command runs."""
        if self._bot >= 0:
            return
        pid = self._pid
        if named := self._named():
            first, pid = named["child-pid"], named.get("bot-pid", 0)
            if not pid:
                with suppress(OSError, IndexError):
                    children = Path(f"/proc/{first}/task/{first}/children").read_bytes()
                    pid = int(children.split()[0])
        with suppress(OSError):  # it has ended
            self._bot = os.pidfd_open(pid)
            self.meter.pid = pid

    def _named(self) -> dict[str, int]:
        """Get hold of the first process in the bot's namespace; return the ids that were named."""
        deadline = monotonic() + NAMING
        while b"}" not in self._said and readable(self._info, deadline):
            more = os.read(self._info, 1 << 10)
            if not more:
                return {}
            self._said += more
        if b"}" not in self._said:
            return {}
        named: dict[str, int] = json.loads(self._said)
        if self.first < 0:
            with suppress(OSError):
                self.first = os.pidfd_open(named["child-pid"])
        return named

    def send(self, number: int) -> None:
        """Send the bot a signal, if there is one to hear it."""
        send(self._bot, number)

    def kill_all(self) -> None:
        """Kill the bot with all in its namespace."""
        self.find()
        send(self.first, signal.SIGKILL)

    @property
    def lives(self) -> bool:
        """Whether the bot has been found and has not ended."""
        return self._bot >= 0 and not readable(self._bot, 0.0)

    def close(self) -> Sequence[int]:
        """Let go; return descriptors of all that end, in this order, to wait for and close."""
        return [each for each in (self.started, self._bot, self.first) if each >= 0]


def send(pidfd: int, number: int) -> None:
    """Send a signal to the process of a descriptor, if there is one."""
    if pidfd >= 0:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, number)
