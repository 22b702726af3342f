"""What may make a game void; `docs/security.md` lists the stages of a game.

Whatever the process of a bot does or fails to do is either played on or a fault of that bot. Only
a `HostFailure` makes a game void: it names a cause that the host has proved to be its own. The one
place where a game becomes void is `carc.tournaments.running.playing.void`.
"""

import logging
from collections.abc import Callable
from enum import StrEnum
from typing import Final, TypeVar

from carc.match import BotFault, Void
from carc.tournaments.outcomes import verdicts

_log = logging.getLogger(__name__)

T = TypeVar("T")


MOST_VOIDS: Final = 3
"""How often a game may be void before a round that waits for it goes on without it."""


class Cause(StrEnum):
    """Why the host could not let a game be played."""

    SHORTAGE = "shortage"
    """Measured before any bot started: less memory, processes or disk than bots may use."""
    SANDBOX = "sandbox"
    """A sandbox did not come about, twice, before any of the bot's own code ran."""
    WORKER = "worker"
    """The process that played the game was lost, again and again, by no bot's doing."""
    LIMIT = "limit"
    """The process that played the game did not end it within the limit."""
    PROGRAM = "program"
    """This program failed outside every exchange with a bot."""


class HostFailure(Void):
    """Raised where the host has proved that it cannot let a game be played."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause = cause


def exchange(work: Callable[[], T]) -> T:
    """Return what an exchange with a bot's process comes to; whatever goes wrong is its fault.

    Raises `BotFault`, and `HostFailure` if the host has proved that it is to blame.
    """
    try:
        return work()
    except (BotFault, HostFailure):
        raise
    except MemoryError as error:  # no line of a bot is long enough to bring that about
        raise HostFailure(Cause.PROGRAM, "this program is out of memory") from error
    except Exception as error:
        _log.exception("a bot's process led the runner into an error")
        what = type(error).__name__
        raise BotFault(verdicts.CRASH, f"its process could not be talked to: {what}") from error
