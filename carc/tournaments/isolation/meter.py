"""What a bot's process uses, as the kernel tells."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import clock_gettime, monotonic
from typing import Final

import attrs

TICK: Final = 0.02  # seconds between two looks at a bot that is thinking


@attrs.frozen
class Use:
    """At a moment; all 0 of a process that is gone."""

    threads: int = 0
    memory: int = 0
    """Bytes in memory or swapped out that are not a file's, by whatever mapping."""
    peak: int = 0
    """The most bytes in memory so far."""


class Meter:
    """Of one process; 0 stands for one that was not found."""

    def __init__(self, pid: int = 0) -> None:
        self.pid = pid

    @property
    def cpu(self) -> float:
        """Seconds of CPU time of all its threads since it was started; 0 once it is gone."""
        if not self.pid:
            return 0.0
        try:
            # The clock of a process: Linux, clock_getcpuclockid(3).
            return clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    def waited(self) -> dict[str, float]:
        """Seconds that each of its threads was ready to run and had no core."""
        found = {}
        with suppress(OSError):
            for thread in Path(f"/proc/{self.pid}/task").iterdir():
                with suppress(OSError):
                    found[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
        return found

    def ready(self) -> bool:
        """Whether one of its threads runs, or would if it had a core."""
        with suppress(OSError):
            for thread in Path(f"/proc/{self.pid}/task").iterdir():
                with suppress(OSError):
                    if (thread / "stat").read_text().rpartition(")")[2].split()[0] == "R":
                        return True
        return False

    def use(self) -> Use:
        """What it uses now."""
        told = self._told(f"/proc/{self.pid}/status")
        if told and "VmHWM" not in told:
            # The first of its threads has ended: the others tell.
            with suppress(OSError):
                for thread in Path(f"/proc/{self.pid}/task").iterdir():
                    told |= self._told(f"{thread}/status")

        def size(key: str) -> int:
            return int(told[key].split()[0]) << 10 if key in told else 0

        return Use(
            int(told.get("Threads", 0)),
            size("RssAnon") + size("RssShmem") + size("VmSwap"),
            size("VmHWM"),
        )

    @staticmethod
    def _told(path: str) -> dict[str, str]:
        told = {}
        with suppress(OSError):
            for line in Path(path).read_text().splitlines():
                key, _, value = line.partition(":")
                told[key] = value
        return told


class Turn:
    """The time of one answer. What counts is wall time, less what the bot was kept from the cores by others.

    That is at most what one of its threads waited for a core, and at most what it lacks to one core's time: so it cannot be brought
    about by a bot's own threads, and no bot computes for longer than it may.
    """

    def __init__(self, meter: Meter, seconds: float) -> None:
        self._meter = meter
        self._seconds = seconds
        self._cpu = meter.cpu
        self._waited = meter.waited()
        self._looked: float | None = None
        self._begun = monotonic()

    @property
    def wall(self) -> float:
        """Seconds that have passed."""
        return monotonic() - self._begun

    @property
    def cpu(self) -> float:
        """Seconds of CPU time it had."""
        return max(0.0, self._meter.cpu - self._cpu)

    @property
    def kept(self) -> float:
        """Seconds that others kept it from a core."""
        longest = max(
            (
                total - self._waited.get(thread, 0.0)
                for thread, total in self._meter.waited().items()
            ),
            default=0.0,
        )
        return max(0.0, min(longest, self.wall - self.cpu))

    @property
    def left(self) -> float:
        """Seconds it still has."""
        left = self._seconds - self.wall
        if left <= 0:
            left += self.kept
        if left > 0:
            self._looked = None
            return left
        # The kernel counts a wait when it ends. Until a thread that is ready has run, nobody knows.
        looked, self._looked = self._looked, self.cpu
        if self._meter.ready() and looked in (None, self._looked):
            return TICK
        return left
