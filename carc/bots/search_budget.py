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
        """Start.

        Args:
            seconds: CPU time for the search.
            clock: The bot's clock. The search takes at most half of the limit, in wall time.
        """
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

        Args:
            cpu: The CPU time used: 0 for another search, or in a forked process, whose CPU clock
                starts anew, what its parent had used.
        """
        self._cpu_begun = thread_time() - cpu


def parse_budget(parameter: str) -> tuple[int, float]:
    """Parse how long to search.

    Args:
        parameter: A number of iterations, such as `200`, or seconds, such as `0.2s`.

    Returns:
        Iterations and seconds; one of them is 0.

    Raises:
        BadBot: The parameter is neither.
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
    """Split the number of processes off a parameter.

    Args:
        parameter: Such as `0.5s:jobs=2`, `jobs=2` or `0.5s`.

    Returns:
        The rest of the parameter and the number of processes.

    Raises:
        BadBot: The number of processes is not allowed, or does not come last.
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
