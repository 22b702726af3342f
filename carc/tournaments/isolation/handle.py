"""A hold on the process that is the bot, by descriptors that stand for no other process."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from carc.tournaments.isolation.meter import Meter
from carc.tournaments.isolation.reaping import readable

NAMING: Final = 2.0  # seconds for the first process of a namespace to be named


class Handle:
    """The process of a bot, which need not be the one that was started.

    In a namespace of its own the bot is the child of the first process there, whose end is the end
    of all in it. That process is named by whoever made the namespace.
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
        if first := self.find_first():
            pid = 0
            with suppress(OSError, IndexError):
                pid = int(Path(f"/proc/{first}/task/{first}/children").read_bytes().split()[0])
        with suppress(OSError):  # it has ended
            self._bot = os.pidfd_open(pid)
            self.meter.pid = pid

    def find_first(self) -> int:
        """Get hold of the first process in the bot's namespace; return its id, or 0."""
        deadline = monotonic() + NAMING
        while b"}" not in self._said and readable(self._info, deadline):
            more = os.read(self._info, 1 << 10)
            if not more:
                return 0
            self._said += more
        if b"}" not in self._said:
            return 0
        pid = int(json.loads(self._said)["child-pid"])
        if self.first < 0:
            with suppress(OSError):
                self.first = os.pidfd_open(pid)
        return pid

    def send(self, number: int) -> None:
        """Send the bot a signal, if there is one to hear it."""
        send(self._bot, number)

    def kill_all(self) -> None:
        """Kill the bot with all in its namespace."""
        self.find_first()
        send(self.first, signal.SIGKILL)

    @property
    def lives(self) -> bool:
        """Whether the bot has been found and has not ended."""
        return self._bot >= 0 and not readable(self._bot, 0.0)

    def close(self) -> None:
        """Let go of all but the namespace's first process, whose end is still to be awaited."""
        for descriptor in (self._bot, self.started):
            if descriptor >= 0:
                os.close(descriptor)


def send(pidfd: int, number: int) -> None:
    """Send a signal to the process of a descriptor, if there is one."""
    if pidfd >= 0:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, number)
