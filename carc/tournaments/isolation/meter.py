"""What a bot's process uses, as the kernel reports it.

Nothing here trusts text that a process can choose, such as its name: files of `/proc` are read as
bytes, and only numbers are taken from them. All this is read in every move of every game, so it is
read by system calls, without `pathlib`.
"""

# ruff: noqa: PTH208
import os
import re
from contextlib import suppress
from time import clock_gettime, monotonic, thread_time
from typing import Final

import attrs

TICK: Final = 0.02  # seconds between two looks at a bot that is thinking
MAPPING: Final = 240  # bytes that the kernel keeps for each mapping
COUNTED: Final = 0.1  # seconds of CPU time after which a bot's mappings are counted again, and
SPARE: Final = 10  # times what counting them took
LONGEST: Final = 16 << 20  # bytes of a list of mappings

_MOST: Final = 1 << 15  # bytes of a status file; it has about 1,500 and 10 a group of the user
# After the first line, which holds the name. In names the kernel writes line feeds as \\n, but
# leaves other characters that `splitlines` would take for the end of a line.
_NUMBERS: Final = re.compile(rb"\n(Threads|VmHWM|RssAnon|RssShmem|VmSwap|VmPTE):\s*(\d+)")


@attrs.frozen
class Use:
    """The resources a process uses at a moment; all 0 once it is gone."""

    threads: int = 0
    memory: int = 0
    """Bytes in memory or swapped out that belong to no file, however they were mapped, and what the
    kernel's tables and mappings of them take."""
    peak: int = 0
    """The most bytes in memory so far."""


class Meter:
    """Measures one process; process id 0 stands for one that was not found."""

    def __init__(self, pid: int = 0) -> None:
        self.pid = pid
        self._mappings = 0
        self._count_at = 0.0  # CPU time

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
                seconds[thread] = int(_read(f"{thread}/schedstat").split()[1]) / 1e9
        return seconds

    def ready(self) -> bool:
        """Return whether one of its threads runs, or would if it had a core."""
        for thread in self._threads():
            with suppress(OSError, IndexError):
                # The name stands in brackets, and may itself contain some.
                if _read(f"{thread}/stat").rpartition(b")")[2].split()[0] == b"R":
                    return True
        return False

    def use(self) -> Use:
        """Return what it uses now."""
        numbers = _numbers(f"/proc/{self.pid}/status")
        if numbers and b"VmHWM" not in numbers:
            # Its first thread has ended: the others still report memory.
            for thread in self._threads():
                numbers |= _numbers(f"{thread}/status")

        def size(key: bytes) -> int:
            return numbers.get(key, 0) << 10

        return Use(
            numbers.get(b"Threads", 0),
            sum(map(size, (b"RssAnon", b"RssShmem", b"VmSwap", b"VmPTE")))
            + MAPPING * self._mapped(),
            size(b"VmHWM"),
        )

    def _mapped(self) -> int:
        """Return how many mappings it had at the last count."""
        cpu = self.cpu
        if cpu >= self._count_at:
            begun = thread_time()
            with suppress(OSError, ValueError):
                self._mappings = _mappings(f"/proc/{self.pid}/maps")
            self._count_at = cpu + max(COUNTED, SPARE * (thread_time() - begun))
        return self._mappings

    def _threads(self) -> list[str]:
        """Return the folders of its threads."""
        tasks = f"/proc/{self.pid}/task"
        try:
            return [f"{tasks}/{thread}" for thread in os.listdir(tasks)]
        except OSError:
            return []


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, _MOST)
    finally:
        os.close(file)


def _mappings(path: str) -> int:
    """Return how many lines a process's list of mappings has.

    Who makes the list long by the names of files has as many as there may be.
    """
    file, lines, left = os.open(path, os.O_RDONLY), 0, LONGEST
    try:
        while left > 0 and (block := os.read(file, _MOST)):
            lines += block.count(b"\n")
            left -= len(block)
    finally:
        os.close(file)
    return lines if left > 0 else int(_read("/proc/sys/vm/max_map_count"))


def _numbers(path: str) -> dict[bytes, int]:
    """Return what `Use` wants to know of a status file; nothing if there is no such process."""
    try:
        status = _read(path)
    except OSError:
        return {}
    return {name: int(number) for name, number in _NUMBERS.findall(status)}


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
