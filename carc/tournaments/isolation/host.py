"""The levels of isolation, and which of them this host has."""

import os
import sys
from functools import lru_cache
from typing import Final

from carc.match import BotFault, Void
from carc.tournaments.isolation import landlock, sandbox, seccomp
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.sandbox import NoIsolation

LEVELS: Final = ("none", "process", "confined", "namespaces")

_SECONDS: Final = 20.0  # for a trial start on a busy machine
_FAILED: Final = "a trial start failed: "


def missing(level: str) -> str:
    """Return why this host does not have a level; empty if it has it.

    It is tried by starting a process at that level.
    """
    return _tried(level)[0]


def numbered_apart(level: str) -> bool:
    """Return whether the ids of bots' processes and threads at a level tell nothing of others."""
    return _tried(level)[1]


@lru_cache
def _tried(level: str) -> tuple[str, bool]:
    """Return what a level lacks, and whether a bot has a namespace of processes."""
    if level not in LEVELS:
        raise NoIsolation(f"unknown isolation {level!r}; levels are {', '.join(LEVELS)}")
    if level == "none":
        return "", False
    if sys.platform != "linux":
        return "processes are isolated on Linux only", False
    if level in ("confined", "namespaces"):
        if not landlock.abi():
            why = (
                "the kernel offers no Landlock (Linux 5.13 or newer, with landlock in its list of "
                "LSMs)"
            )
            return why, False
        if os.uname().machine not in seccomp.ARCHITECTURES:
            known = ", ".join(seccomp.ARCHITECTURES)
            return f"the seccomp filter knows {known}, not {os.uname().machine}", False
    if level == "namespaces" and sandbox.bubblewrap() is None:
        return "bubblewrap is not installed (Debian: apt install bubblewrap)", False
    why, apart = _trial(level)
    if why.startswith(_FAILED):  # once more: somebody may have killed it
        return _trial(level)
    return why, apart


def _trial(level: str) -> tuple[str, bool]:
    """Start a process at a level; return what `_tried` does."""
    try:
        process = Process(
            Program(sandbox.python("-c", "import carc.bots.session; print(input())"), None, level)
        )
    except (NoIsolation, Void) as error:
        return str(error), False
    try:
        process.launched()
        process.ask(b"ready\n", _SECONDS, f"{_SECONDS:g} s")
        if not process.meter.pid:
            return (
                "the kernel does not tell which process is the bot's (CONFIG_PROC_CHILDREN)",
                False,
            )
        return "", process.handle.first >= 0
    except (BotFault, Void) as error:
        return f"{_FAILED}{error}", False
    finally:
        process.close()


def require(level: str) -> str:
    """Return the level, if this host has it, or raise `NoIsolation`: no lower one is taken."""
    why = missing(level)
    if why:
        possible = [each for each in LEVELS if not missing(each)]
        raise NoIsolation(
            f"isolation {level!r} cannot be had on this host: {why}; possible: "
            f"{', '.join(possible)}"
        )
    return level


def strongest() -> str:
    """Return the highest level this host has; `NoIsolation` if strangers' bots may run at none."""
    for level in ("namespaces", "confined"):
        if not missing(level):
            return level
    raise NoIsolation(
        "strangers' bots need isolation 'confined' or 'namespaces', which this host does not have: "
        f"{missing('confined')}; `carc doctor` says more"
    )
