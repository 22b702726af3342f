"""What a bot's process uses, as the kernel reports it.

Nothing here trusts text that a process can choose, such as its name: files of `/proc` are read as
bytes, and only numbers are taken from them.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import clock_gettime, monotonic
from typing import Final

import attrs

TICK: Final = 0.02  # seconds between two looks at a bot that is thinking


@attrs.frozen
class Use:
    """The resources a process uses at a moment; all 0 once it is gone."""

    threads: int = 0
    memory: int = 0
    """Bytes in memory or swapped out that belong to no file, however they were mapped."""
    peak: int = 0
    """The most bytes in memory so far."""


class Meter:
    """Measures one process; process id 0 stands for one that was not found."""

    def __init__(self, pid: int = 0) -> None:
        self.pid = pid

    @property
    def cpu(self) -> float:
        """Seconds of CPU time of all its threads since it started; 0 once it is gone."""
        if not self.pid:
            return 0.0
        try:
            # The clock of a process: Linux, clock_getcpuclockid(3).
            return clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    def waited(self) -> dict[str, float]:
        """Return the seconds that each of its threads was ready to run without a core."""
        seconds = {}
        for thread in self._threads():
            with suppress(OSError, ValueError, IndexError):
                seconds[thread.name] = int((thread / "schedstat").read_bytes().split()[1]) / 1e9
        return seconds

    def ready(self) -> bool:
        """Return whether one of its threads runs, or would if it had a core."""
        for thread in self._threads():
            with suppress(OSError, IndexError):
                # The name stands in brackets, and may itself contain some.
                if (thread / "stat").read_bytes().rpartition(b")")[2].split()[0] == b"R":
                    return True
        return False

    def use(self) -> Use:
        """Return what it uses now."""
        numbers = self._status(Path(f"/proc/{self.pid}/status"))
        if numbers and b"VmHWM" not in numbers:
            # Its first thread has ended: the others still report memory.
            for thread in self._threads():
                numbers |= self._status(thread / "status")

        def size(key: bytes) -> int:
            return numbers.get(key, 0) << 10

        return Use(
            numbers.get(b"Threads", 0),
            size(b"RssAnon") + size(b"RssShmem") + size(b"VmSwap"),
            size(b"VmHWM"),
        )

    def _threads(self) -> list[Path]:
        try:
            return list(Path(f"/proc/{self.pid}/task").iterdir())
        except OSError:
            return []

    @staticmethod
    def _status(path: Path) -> dict[bytes, int]:
        """Return the lines of a status file that begin with a number."""
        numbers = {}
        with suppress(OSError):
            for line in path.read_bytes().splitlines():
                key, _, value = line.partition(b":")
                first = value.split(maxsplit=1)[:1]
                if first and first[0].isdigit():
                    numbers[key] = int(first[0])
        return numbers


class Turn:
    """The time of one answer: wall time, less what the bot was kept from the cores by others.

    What counts as kept is at most what one of its threads waited for a core, and at most what it
    lacks to one core's time. So a bot's own threads cannot bring it about, and no bot computes for
    longer than it may.
    """

    def __init__(self, meter: Meter, seconds: float) -> None:
        self._meter = meter
        self._seconds = seconds
        self._cpu = meter.cpu
        self._waited = meter.waited()
        self._looked: float | None = None
        self._paused = 0.0
        self._begun = monotonic()

    @property
    def wall(self) -> float:
        """Seconds that have passed, without those the runner itself stood still."""
        return monotonic() - self._begun - self._paused

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

    def pause(self, seconds: float, cpu: float) -> None:
        """Take out time in which the runner stood still; the bot pays for its CPU time only."""
        self._paused += max(0.0, seconds - cpu)
