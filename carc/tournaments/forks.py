"""What a bot forks: it ends with the process it came from, and does nothing of what that has to do."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

_alone: Final[list[int]] = []  # this process, for each bot that it is making on trial


@contextmanager
def lone() -> Iterator[None]:
    """What a bot forks meanwhile, made here on trial, ends with this program at the latest, and does nothing of what comes after."""
    _watch_forks()
    home = os.getpid()
    _alone.append(home)
    try:
        yield
    finally:
        if os.getpid() != home:
            os._exit(0)
        _alone.remove(home)


@cache
def _watch_forks() -> None:
    if sys.platform != "win32":  # where nothing forks
        os.register_at_fork(after_in_child=lambda: die_with(_alone[0]) if _alone else None)


def bind_forks() -> None:
    """Should a bot fork, what it forked ends with this process; also if this one ends before the other has begun."""
    here = os.getpid()

    def bind() -> None:
        nonlocal here
        parent, here = here, os.getpid()
        die_with(parent)

    os.register_at_fork(after_in_child=bind)


def die_with(parent: int) -> None:
    """This process, just forked, ends with its parent; at once if that is gone already."""
    if sys.platform == "linux":
        # The signal comes when the thread ends that forked this process: the one that serves it.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)
