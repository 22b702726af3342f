"""The ends of processes that were killed: awaited for a while, and after that by the next game."""

import ctypes
import os
import select
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Final

from carc.tournaments.isolation.control_group import Group

PR_SET_CHILD_SUBREAPER: Final = 36
COLLECTING: Final = 0.001  # seconds between two looks at processes that were killed

_dying: list[tuple[subprocess.Popen[bytes], Sequence[int], Group]] = []


def adopt_orphans() -> None:
    """Make this process the parent of its descendants whose own parents end."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def add(process: subprocess.Popen[bytes], ends: Sequence[int], group: Group) -> None:
    """Note a process that was killed, descriptors of it and of all that end with it, its group."""
    _dying.append((process, ends, group))


def reap(seconds: float) -> None:
    """Wait for the end of processes that were killed, for so long at most.

    Those that have not ended by then are left to the next call. The first processes of their
    namespaces are children by adoption.
    """
    deadline = monotonic() + seconds
    for dying in _dying.copy():
        process, ends, group = dying
        if _ended(process, ends, deadline):
            for end in ends:
                os.close(end)
            _dying.remove(dying)
            if not group.remove():
                _dying.append((process, (), group))


def _ended(process: subprocess.Popen[bytes], ends: Sequence[int], deadline: float) -> bool:
    for end in ends:
        # The first process of a namespace ends when the bot was waited for, in whatever group.
        if not readable(end, deadline):
            return False
        process.poll()
        with suppress(ChildProcessError):
            os.waitid(os.P_PIDFD, end, os.WEXITED)
        _collected(process.pid)
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - monotonic()))
    if process.returncode is None:
        return False
    while not _collected(process.pid):
        if monotonic() >= deadline:
            return False
        sleep(COLLECTING)
    return True


def _collected(group: int) -> bool:
    """Wait for what this process adopted of a group and has ended; return whether nothing is left.

    A process that is a subreaper, as `namespaces` makes it, adopts what a bot at `process` left.
    """
    try:
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def readable(descriptor: int, deadline: float) -> bool:
    """Return whether there is something to read, or the end of it, before the deadline."""
    return _polled(descriptor, select.POLLIN, deadline)


def closed(descriptor: int, deadline: float) -> bool:
    """Return whether nobody has a pipe open for writing any more, before the deadline."""
    return _polled(descriptor, 0, deadline)


def _polled(descriptor: int, events: int, deadline: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, events)
    return bool(poll.poll(max(0.0, deadline - monotonic()) * 1000))
