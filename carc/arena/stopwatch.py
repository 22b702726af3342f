"""Time as bots pay for it."""

import asyncio
from time import monotonic
from typing import Final

TICK: Final = 0.05  # seconds between two looks
LATE: Final = 0.05  # seconds by which a look may be late


class Stopwatch:
    """Tells the time without that in which the event loop stood still."""

    def __init__(self) -> None:
        self._looked = monotonic()
        self._stood = 0.0

    async def run(self) -> None:
        """Look at the time, again and again."""
        while True:
            self._looked = monotonic()
            await asyncio.sleep(TICK)
            self._stood += max(0.0, monotonic() - self._looked - TICK - LATE)

    def now(self) -> float:
        """Return the seconds since some moment, while `run` runs."""
        return min(monotonic(), self._looked + TICK + LATE) - self._stood
