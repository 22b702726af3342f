"""Whether this process stood still: a suspended machine, Ctrl-Z, a host starved of its cores."""

import threading
from time import monotonic
from typing import Final

BEAT: Final = 0.25  # seconds
PAUSE: Final = 2.0  # seconds without a beat that no busy program explains


class Pulse:
    """A thread that looks at the clock four times a second and remembers the longest time it could not."""

    def __init__(self) -> None:
        self._stood = 0.0
        self._last = monotonic()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Forget what was before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)
            self._thread.start()
        self._stood, self._last = 0.0, monotonic()

    @property
    def stood(self) -> float:
        """For how many seconds at once the process stood still since `begin`, if long enough to matter, else 0."""
        longest = max(self._stood, monotonic() - self._last - BEAT)
        return longest if longest > PAUSE else 0.0

    def _beat(self) -> None:
        tick = threading.Event()
        while True:
            tick.wait(BEAT)
            now = monotonic()
            self._stood = max(self._stood, now - self._last - BEAT)
            self._last = now
