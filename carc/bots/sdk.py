"""Run a bot, a class with `choose(state)`, as a program that speaks the protocol.

    python -m carc.bots.sdk module:Class

The protocol is described in `docs/protocol.md`. The same class plays inside a process and isolated.
What the bot prints goes to stderr, which is kept as its log.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import TYPE_CHECKING

from carc.bots import class_path

if TYPE_CHECKING:
    from carc.bots.session import Session


def main(spec: str) -> None:
    """Speak the protocol over stdin and stdout for the bot with this spec."""
    # Descriptor 1 becomes stderr, so that `print` and the like cannot write among the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    messages = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # Imports leave no garbage; to look for it takes a tenth of the time in which a bot starts.
    gc.disable()
    session = _start(spec)
    gc.freeze()
    gc.enable()
    session.run(messages, replies)
    sys.stdout.flush()
    os._exit(0)  # the game is over: what the bot left running does not matter


def _start(spec: str) -> Session:
    """Return the bot's side of a game, with everything imported that it needs to play."""
    from carc.bots.session import Session  # noqa: PLC0415 (not before `main` says so)

    # Imported before the bot is ready: the time for starting covers it.
    if module := class_path(spec):
        importlib.import_module(module.partition(":")[0])
        return Session(spec)
    from carc.bots.version_0_1 import add_old_names  # noqa: PLC0415 (no shipped bot needs them)

    add_old_names()
    # Last, so that a bot's file never shadows a module of Python's.
    sys.path.append(os.getcwd())  # noqa: PTH109 (a start without pathlib takes less time)
    importlib.import_module(spec.partition(":")[0])
    return Session(spec)


def __getattr__(name: str) -> object:
    """Return what carc 0.1 had here, for bots that were submitted to it."""
    if name not in ("Clock", "PROTOCOL"):
        raise AttributeError(f"module 'carc.bots.sdk' has no attribute {name!r}")
    from carc.bots import session  # noqa: PLC0415 (see `_start`)

    return getattr(session, name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m carc.bots.sdk module:Class")
    main(sys.argv[1])
