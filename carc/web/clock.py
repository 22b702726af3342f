"""The clock of a table: seconds that each person has left for the game."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping


class Clock:
    """Counts down for one seat at a time. It runs only while this process does."""

    def __init__(self, seats: Iterable[int], seconds: float) -> None:
        self._left = dict.fromkeys(seats, float(seconds))
        self.running: int | None = None
        self._since = time.monotonic()

    @classmethod
    def of(cls, left: Mapping[int, float]) -> Clock:
        """Return a clock with the time that each seat has left."""
        clock = cls((), 0)
        clock._left = dict(left)
        return clock

    def run(self, seat: int | None) -> None:
        """Let the time of a seat run, and no other's."""
        self._left = self.left()
        self._since = time.monotonic()
        self.running = seat if seat in self._left else None

    def left(self) -> dict[int, float]:
        """Return the seconds left for each seat; below 0 if they are over."""
        left = dict(self._left)
        if self.running is not None:
            left[self.running] -= time.monotonic() - self._since
        return left

    @property
    def expired(self) -> int | None:
        """The seat whose time runs and is over."""
        return self.running if self.running is not None and self.left()[self.running] <= 0 else None
