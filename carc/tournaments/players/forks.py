"""Processes that bots fork: they end with their parent, and do none of its work."""

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
    """Let what a bot forks meanwhile, made here on trial, end with this program at the latest."""
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
    """Let what is forked from this process end with it, even if it ends first."""
    here = os.getpid()

    def bind() -> None:
        nonlocal here
        parent, here = here, os.getpid()
        die_with(parent)

    os.register_at_fork(after_in_child=bind)


def die_with(parent: int) -> None:
    """Let this process, just forked, end with its parent; at once if that is gone."""
    if sys.platform == "linux":
        # The signal comes when the thread ends that forked this process: the one that serves it.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)
