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

NAMING: Final = 2.0  # seconds for bubblewrap to name the first process of its namespace


class Handle:
    """The process of a bot, which need not be the one that was started: bubblewrap has children.

    With bubblewrap the bot is the child of the first process in its namespace, whose end is the
    end of all in it.
    """

    def __init__(self, pid: int, info: int, namespaced: bool) -> None:
        self.meter = Meter()
        self.first = -1
        """The descriptor of the first process in its namespace; -1 if there is none."""
        self.started = os.pidfd_open(pid)
        """The descriptor of the process that was started."""
        self._pid = pid
        self._info = info
        self._namespaced = namespaced
        self._first_pid = 0
        self._bot = -1

    def find(self) -> None:
        """Get hold of the bot, once its own command runs."""
        if self._bot >= 0:
            return
        pid = self._pid
        if self._namespaced:
            self.find_first()
            first = self._first_pid
            with suppress(OSError, ValueError):
                children = Path(f"/proc/{first}/task/{first}/children").read_bytes().split()
                pid = int(children[0]) if children else 0
        with suppress(OSError):  # it has ended
            self._bot = os.pidfd_open(pid)
            self.meter.pid = pid

    def find_first(self) -> None:
        """Get hold of the first process in the bot's namespace, which bubblewrap names at once."""
        said = b""
        deadline = monotonic() + NAMING
        while self._first_pid == 0 and b"}" not in said and readable(self._info, deadline):
            more = os.read(self._info, 1 << 10)
            if not more:
                return
            said += more
        if b"}" in said:
            pid = int(json.loads(said)["child-pid"])
            with suppress(OSError):
                self._first_pid, self.first = pid, os.pidfd_open(pid)

    def send(self, number: int) -> None:
        """Send the bot a signal, if there is one to hear it."""
        send(self._bot, number)

    def kill_all(self) -> None:
        """Kill the bot with all in its namespace."""
        if self._namespaced:
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
