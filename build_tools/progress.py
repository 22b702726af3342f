"""What a build says: one line that is written anew on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import threading
import time

SECONDS_BETWEEN_LINES = 10.0


def say(text: str) -> None:
    """Write one line about the build."""
    print(f"carc: {text}", file=sys.stderr, flush=True)


class Progress:
    """Counts what is done of a known number of steps; may be advanced from several threads."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self._started = self._said = time.monotonic()

    def advance(self) -> None:
        """Count one step, and say so when it is time."""
        with self._lock:
            self._done += 1
            now = time.monotonic()
            text = f"{self._what}: {self._done} of {self._total}, {now - self._started:.0f} s"
            last = self._done == self._total
            if sys.stderr.isatty():
                end = "\n" if last else ""
                print(f"\r\033[Kcarc: {text}", end=end, file=sys.stderr, flush=True)
            elif last or now - self._said >= SECONDS_BETWEEN_LINES:
                self._said = now
                say(text)
