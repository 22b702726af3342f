"""The ends of processes that were killed: awaited for a while, and after that by the next game."""

from __future__ import annotations

import ctypes
import os
import select
import subprocess
from contextlib import suppress
from time import monotonic, sleep
from typing import Final

from carc.tournaments.isolation.control_group import Group

PR_SET_CHILD_SUBREAPER: Final = 36
COLLECTING: Final = 0.001  # seconds between two looks at processes that were killed

_dying: list[tuple[subprocess.Popen[bytes], int, Group]] = []


def adopt_orphans() -> None:
    """Make this process the parent of its descendants whose own parents end."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def add(process: subprocess.Popen[bytes], first: int, group: Group) -> None:
    """Note a process that was killed, the descriptor of its namespace's first, or -1, its group."""
    _dying.append((process, first, group))


def reap(seconds: float) -> None:
    """Wait for the end of processes that were killed, for so long at most.

    Those that have not ended by then are left to the next call. The first processes of their
    namespaces are children by adoption.
    """
    deadline = monotonic() + seconds
    for dying in _dying.copy():
        process, first, group = dying
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, deadline - monotonic()))
            if not _collected(process.pid, deadline):
                continue
            if first >= 0:
                if not readable(first, deadline):
                    continue
                with suppress(ChildProcessError):
                    os.waitid(os.P_PIDFD, first, os.WEXITED)
                os.close(first)
            _dying.remove(dying)
            if not group.remove():
                _dying.append((process, -1, group))


def _collected(group: int, deadline: float) -> bool:
    """Wait for what this process adopted of a group that was killed; return whether all ended.

    A process that is a subreaper, as `namespaces` makes it, adopts what a bot at `process` left.
    """
    with suppress(ChildProcessError):
        while True:
            pid, _ = os.waitpid(-group, os.WNOHANG)
            if not pid:
                if monotonic() >= deadline:
                    return False
                sleep(COLLECTING)
    return True


def readable(descriptor: int, deadline: float) -> bool:
    """Return whether there is something to read, or the end of it, before the deadline."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, deadline - monotonic()) * 1000))
