"""The verdicts on a seat after a game.

A fault ends the bot's part in the game; the others play on.
"""

from typing import Final

OK: Final = "ok"
TIMEOUT: Final = "timeout"  # computed for too long
STALL: Final = "stall"  # no answer in time, and it was not computing
CRASH: Final = "crash"  # ended by itself, whatever its exit code, or by a signal
ILLEGAL: Final = "illegal"  # an action that is not legal
MALFORMED: Final = "malformed"  # not a message of the protocol, or not its turn to speak
OUTPUT_LIMIT: Final = "output limit"  # too much on stdout or stderr, or in a file
MEMORY_LIMIT: Final = "memory limit"
FAILED_TO_START: Final = "failed to start"  # anything wrong before `ready`
VOID: Final = "void"  # the machine's fault: the game is played again, never rated

ALL: Final = (
    OK,
    TIMEOUT,
    STALL,
    CRASH,
    ILLEGAL,
    MALFORMED,
    OUTPUT_LIMIT,
    MEMORY_LIMIT,
    FAILED_TO_START,
    VOID,
)
