"""Search budgets: how long a bot may search, and in how many processes."""

from __future__ import annotations

import re
from time import perf_counter, thread_time
from typing import TYPE_CHECKING

from carc.errors import BadBot

if TYPE_CHECKING:
    from carc.bots.session import Clock


class SearchTimer:
    """The CPU time of one search. Time in which others use the core does not count.

    If the bot's clock is short, wall time counts, too.
    """

    def __init__(self, seconds: float, clock: Clock | None = None) -> None:
        """Start a search of so much CPU time; in wall time it takes half of the clock's limit."""
        self._seconds = seconds
        self._limit = clock.limit / 2 if clock is not None else 0.0
        self._begun = perf_counter()
        self._cpu_begun = thread_time()

    @property
    def cpu(self) -> float:
        """Seconds of CPU time since the start, in this thread."""
        return thread_time() - self._cpu_begun

    def share(self) -> float:
        """Return the share of the time that is used; 1 or more when it is over."""
        share = self.cpu / self._seconds
        if self._limit:
            share = max(share, (perf_counter() - self._begun) / self._limit)
        return share

    def continue_from(self, cpu: float) -> None:
        """Count the CPU time anew, from what is used. What counts in wall time goes on.

        That is 0 for another search, or in a forked process, whose CPU clock starts anew, what its
        parent had used.
        """
        self._cpu_begun = thread_time() - cpu


def parse_budget(parameter: str) -> tuple[int, float]:
    """Return the iterations, such as `200`, or the seconds, `0.2s`, to search; the other is 0.

    Raises `BadBot` if the parameter is neither.
    """
    match = re.fullmatch(r"([1-9][0-9]{0,6})|((?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,4})?)s", parameter)
    iterations, seconds = (int(match[1] or 0), float(match[2] or 0)) if match else (0, 0.0)
    if not iterations and not seconds:
        raise BadBot(
            f"{parameter!r} is not a search budget; allowed are iterations per decision, such as"
            " 200 (1 to 9999999), or seconds, such as 0.2s (0.0001s to 9999s)"
        )
    return iterations, seconds


def split_jobs(parameter: str) -> tuple[str, int]:
    """Return a parameter such as `0.5s:jobs=2`, `jobs=2` or `0.5s` without its jobs, and how many.

    Raises `BadBot` if their number is not allowed, or does not come last.
    """
    if "jobs" not in parameter:
        return parameter, 1
    match = re.fullmatch(r"(?:([^:]+):)?jobs=([1-9][0-9]?)", parameter)
    if match is None:
        raise BadBot(
            f"{parameter!r} does not give a number of processes; it comes last and is 1 to 99,"
            " such as jobs=2 or 0.5s:jobs=2"
        )
    return match[1] or "", int(match[2])
