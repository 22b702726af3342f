"""A bot that plays inside this process.

Compiled: `random` thinks for less time than it takes to ask it interpreted.
"""

from __future__ import annotations

import mmap
from time import perf_counter, process_time
from typing import Any, Final

from carc import Bot
from carc.bots import by_name
from carc.errors import BadBot
from carc.match import BotFault
from carc.match.referee import BotAdapter
from carc.tournaments.outcomes import verdicts
from carc.tournaments.outcomes.columns import microseconds

NOBODY: Final = 255
QUICK: Final = 1000  # microseconds of a move; looking at the CPU clock may take a hundredth of it
_now: Final = perf_counter
_cpu: Final = process_time
# The CPU clock when it was last looked at: where the CPU time of a slow move after quick ones
# begins. What was computed since, by quick ones or between moves, is counted with it, up to its
# wall time.
_last_look: Final = [0.0]
# By microseconds. Made once: as `Any`, compiled code does not take them apart and make them again.
_quick: Final[list[Any]] = [(n / 1e6, n / 1e6) for n in range(QUICK + 1)]


class Mover:
    """The seat whose bot runs at the moment, in memory shared with the parent process.

    When a bot takes its process down, the parent still knows whose move it was.
    """

    def __init__(self) -> None:
        self.byte = mmap.mmap(-1, 1)
        """The seat, or `NOBODY`."""
        self.now(NOBODY)

    def now(self, seat: int) -> None:
        """Note whose bot runs."""
        self.byte[0] = seat

    @property
    def seat(self) -> int | None:
        """The seat of the bot that runs, or ran when the process ended."""
        return None if self.byte[0] == NOBODY else self.byte[0]


mover = Mover()  # of this process; a pool gives each of its workers one


class Player(BotAdapter):
    """The bot of a seat, made from its spec; or one that was set aside, and is at fault at once."""

    def __init__(self, spec: str, seat: int, seed: int, aside: str = "") -> None:
        self.times: list[tuple[float, float]] = []
        """Seconds of wall time and of CPU time of each move.

        Of a quick bot wall time twice, to the microsecond.
        """
        self.wall = 0.0
        """Seconds of all moves."""
        self.cpu = 0.0
        """Seconds of CPU time of all moves."""
        self.stderr: Final = ""
        self._quick = False
        self._seat = seat
        self._failure: Exception | None = None
        self._running: Final = mover.byte
        bot: Bot | None = None
        if aside:
            self._failure = BotFault(verdicts.CRASH, aside)
        else:
            mover.now(seat)
            try:
                bot = by_name(spec, seed=seed)
            except BadBot as error:
                # It could be made when it was entered: its own fault, not the tournament's.
                self._failure = BotFault(verdicts.FAILED_TO_START, str(error))
            finally:
                mover.now(NOBODY)
        super().__init__(self if bot is None else bot)
        _last_look[0] = _cpu()

    def call(self, argument: object) -> object:
        """Return the bot's answer, on its clock; raise the fault of one that could not be made."""
        if self._failure is not None:
            raise self._failure
        running = self._running
        running[0] = self._seat
        after_quick = self._quick
        cpu: float = _last_look[0] if after_quick else _cpu()
        begun: float = _now()
        try:
            return super().call(argument)
        finally:
            took: float = _now() - begun
            running[0] = NOBODY
            micro = microseconds(took)
            self._quick = micro < QUICK
            if after_quick and self._quick:
                cpu = took
                self.times.append(_quick[micro])
            else:
                _last_look[0] = _cpu()
                cpu = _last_look[0] - cpu
                if after_quick and cpu > took:
                    cpu = took
                self.times.append((took, cpu))
            self.wall += took
            self.cpu += cpu
