"""A control group for each bot, in which the kernel counts all that it keeps for the bot.

That is memory, and the kernel's own: tables and mappings of memory, buffers, names that were looked
up. The runner may make such groups below its own one if that was delegated to it, as by
`systemd-run --user --scope -p Delegate=yes` (Linux: Documentation/admin-guide/cgroup-v2.rst). Then
it goes into a group below itself, because a group with groups below it may have no processes.
"""

import os
import secrets
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

import attrs

from carc.tournaments.isolation.program import Limits

TOP: Final = Path("/sys/fs/cgroup")
MEMBERSHIP: Final = Path("/proc/self/cgroup")
RUNNERS: Final = "carc-runners"
BOTS: Final = "carc-bot-"
# Bytes beyond a bot's memory and scratch folder: its stack, what is in the buffers of sockets and
# pipes, and the two processes that wait for it.
BESIDE: Final = 48 << 20


@attrs.frozen
class Group:
    """The control group of one bot; without a path that of its runner, where it has none."""

    path: Path | None = None

    def entered(self, command: list[str]) -> list[str]:
        """Return a command that runs another one in this group from its beginning."""
        if self.path is None:
            return command
        enter = 'echo 0 > "$0" && exec "$@"'
        return ["/bin/sh", "-c", enter, str(self.path / "cgroup.procs"), *command]

    @property
    def exceeded(self) -> bool:
        """Whether it wanted more than the group may have, not one above it."""
        with suppress(OSError):
            return (
                self.path is not None
                and b"\noom 0\n" not in (self.path / "memory.events").read_bytes()
            )
        return False

    def remove(self) -> bool:
        """Return whether it is gone; it stays while a process is in it."""
        try:
            if self.path is not None:
                self.path.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            return False
        return True


def make(limits: Limits) -> Group:
    """Return a new group, if this host grants them; `OSError` if it does, and yet refuses."""
    above = _above()
    if above is None:
        return Group()
    path = above / f"{BOTS}{os.getpid()}-{secrets.token_hex(4)}"
    path.mkdir()
    (path / "memory.max").write_text(str(limits.memory + limits.scratch + BESIDE))
    (path / "memory.oom.group").write_text("1")
    with suppress(OSError):  # where the kernel does not count what is swapped out
        (path / "memory.swap.max").write_text("0")
    return Group(path)


def granted() -> bool:
    """Whether each bot has a group."""
    return _above() is not None


@lru_cache(maxsize=1)
def _above() -> Path | None:
    """Return the group in which those of bots are made, if there is one."""
    try:
        own = _own()
        if own.name == RUNNERS:
            return own.parent
        if "memory" not in (own / "cgroup.controllers").read_text().split():
            return None
        # Others' processes stay where they are.
        if (own / "cgroup.procs").read_text().split() != [str(os.getpid())]:
            return None
        runners = own / RUNNERS
        runners.mkdir(exist_ok=True)
        (runners / "cgroup.procs").write_text("0")
        (own / "cgroup.subtree_control").write_text("+memory")
    except (OSError, ValueError):
        return None
    for left in own.glob(f"{BOTS}*"):
        if not Path(f"/proc/{left.name.split('-')[2]}").exists():
            Group(left).remove()
    return own


def _own() -> Path:
    """Return this process's own group."""
    for line in MEMBERSHIP.read_text(errors="replace").splitlines():
        if line.startswith("0::"):
            return TOP / line.removeprefix("0::").lstrip("/")
    raise ValueError("no control groups of version 2")
