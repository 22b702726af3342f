"""The verdict on a bot whose process has ended."""

import re
import signal
from typing import Final

from carc.match import BotFault
from carc.tournaments.outcomes import verdicts

LAST_LINES: Final = 10  # of stderr, in which the reason is looked for

_NO_MEMORY = re.compile(
    r"MemoryError|bad_alloc|out of memory|cannot allocate memory", re.IGNORECASE
)


class Killed(BotFault):
    """Ended by a SIGKILL that was not sent here: by somebody, by the kernel, or by the bot."""


def fault_of(code: int, stderr: str, is_too_long: bool) -> BotFault:
    """Return the fault of a bot that ended; the code of a signal is its negative number."""
    how = f"exit code {code}" if code >= 0 else f"killed by {_name(-code)}"
    words = stderr.strip().splitlines()[-LAST_LINES:]
    detail = f"{how}: {words[-1]}" if words else how
    if code == -signal.SIGXFSZ or is_too_long:
        return BotFault(verdicts.OUTPUT_LIMIT, detail)
    if code == -signal.SIGXCPU:
        return BotFault(verdicts.TIMEOUT, detail)
    if _NO_MEMORY.search("\n".join(words)):
        return BotFault(verdicts.MEMORY_LIMIT, detail)
    kind = Killed if code == -signal.SIGKILL else BotFault
    return kind(verdicts.CRASH, detail)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
