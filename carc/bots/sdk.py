"""Turns a bot, a class with `choose(state)`, into a program that speaks the protocol (`docs/protocol.md`).

    python -m carc.bots.sdk module:Class

The same class plays inside a process and isolated. It keeps its own `State` by applying the actions it is told of, chance's
included, so that only actions travel. What the bot prints goes to stderr, which is kept as its log.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from carc import Bot, Rules, State
from carc.bots import by_name, loaded, shipped

PROTOCOL = 1


@attrs.frozen
class Clock:
    """The seconds a bot has left: `bank` for the game, `limit` for this move. A bot with an attribute `clock` is given it."""

    bank: float
    limit: float


class Program:
    """The bot's side of one game."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._bot: Bot | None = None
        self._state: State | None = None

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """What to say to a message; nothing if it wants no answer."""
        match message["type"]:
            case "hello":
                loaded(self._spec)  # what cannot be imported has not started
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


def speak(program: Program, hear: BinaryIO, say: BinaryIO) -> None:
    """Answer each line that is heard until the game is over or the other side is gone."""
    for line in hear:
        message = json.loads(line)
        if message["type"] == "over":
            return
        answer = program.answer(message)
        if answer is not None:
            say.write(json.dumps(answer).encode() + b"\n")
            say.flush()


def main(spec: str) -> None:
    """Speak the protocol over stdin and stdout for the bot of this spec."""
    # Whatever else writes to descriptor 1, `print` included, must not be taken for a message.
    say = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    hear = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    from carc.bots.version_0_1 import add_old_names  # noqa: PLC0415 (in a bot's process only)

    add_old_names()
    # Last, so that a bot's file never takes the place of a module of Python's.
    sys.path.append(str(Path.cwd()))
    # Imported before it is ready: that is what the start's time is for.
    importlib.import_module((shipped(spec) or spec).partition(":")[0])
    speak(Program(spec), hear, say)
    sys.stdout.flush()
    os._exit(0)  # the game is over: nothing the bot left running matters


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m carc.bots.sdk module:Class")
    main(sys.argv[1])
