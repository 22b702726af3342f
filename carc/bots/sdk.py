"""Run a bot, a class with `choose(state)`, as a program that speaks the protocol.

    python -m carc.bots.sdk module:Class

The protocol is described in `docs/protocol.md`. The same class plays inside a process and isolated.
This program keeps a `State` of its own by applying the actions it receives, those of chance
included, so only actions are sent. What the bot prints goes to stderr, which is kept as its log.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.bots import by_name, class_path, load_class

if TYPE_CHECKING:  # a bot's process starts sooner without
    from carc.match import Bot

PROTOCOL = 1


@attrs.frozen
class Clock:
    """The seconds a bot has left. A bot with an attribute `clock` is given one.

    Attributes:
        bank: For the rest of the game.
        limit: For this move.
    """

    bank: float
    limit: float


class Session:
    """The bot's side of one game."""

    def __init__(self, spec: str) -> None:
        """Prepare for the game of the bot with this spec."""
        self._spec = spec
        self._bot: Bot | None = None
        self._state: State | None = None

    def reply(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Return the reply to a message; None if it wants none."""
        match message["type"]:
            case "hello":
                load_class(self._spec)  # fails before "ready" if it cannot be imported
                return {"type": "ready", "protocol": PROTOCOL}
            case "game":
                rules = Rules.from_spec(message["rules"], players=message["players"])
                if rules.version != message["rules_version"]:
                    raise SystemExit(
                        f"these rules are version {rules.version}, not {message['rules_version']}"
                    )
                self._state = rules.start()
                self._bot = by_name(self._spec, seed=message["seed"])
            case "choose":
                return self._choose(message)
        return None

    def _choose(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._state is not None and self._bot is not None, "choose came before game"
        state = self._state
        for text in message["actions"]:
            state.apply(state.rules.parse(text))
        if hasattr(self._bot, "clock"):
            self._bot.clock = Clock(message["bank"], message["limit"])
        action = self._bot.choose(state.copy())
        return {"type": "action", "id": message["id"], "action": str(action)}


def run(session: Session, messages: BinaryIO, replies: BinaryIO) -> None:
    """Reply to each message until the game is over or the other side is gone."""
    for line in messages:
        message = json.loads(line)
        if message["type"] == "over":
            return
        reply = session.reply(message)
        if reply is not None:
            replies.write(json.dumps(reply).encode() + b"\n")
            replies.flush()


def main(spec: str) -> None:
    """Speak the protocol over stdin and stdout for the bot with this spec."""
    # Descriptor 1 becomes stderr, so that `print` and the like cannot write among the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    messages = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    from carc.bots.version_0_1 import add_old_names  # noqa: PLC0415 (in a bot's process only)

    add_old_names()
    # Last, so that a bot's file never shadows a module of Python's.
    sys.path.append(str(Path.cwd()))
    # Imported before the bot is ready: the time for starting covers it.
    importlib.import_module((class_path(spec) or spec).partition(":")[0])
    run(Session(spec), messages, replies)
    sys.stdout.flush()
    os._exit(0)  # the game is over: what the bot left running does not matter


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m carc.bots.sdk module:Class")
    main(sys.argv[1])
