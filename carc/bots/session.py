"""A bot's side of the protocol (`docs/protocol.md`): the game of a class with `choose(state)`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.bots import by_name, load_class

if TYPE_CHECKING:  # a bot's process starts sooner without
    from carc.match import Bot

PROTOCOL = 1


@attrs.frozen
class Clock:
    """The seconds a bot has left, which a bot with an attribute `clock` is given.

    `bank` is for the rest of the game, `limit` for this move.
    """

    bank: float
    limit: float


class Session:
    """The bot's side of one game.

    It keeps a `State` of its own by applying the actions it receives, those of chance included, so
    only actions are sent. Where it does not see all of them, the state is sent.
    """

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._bot: Bot | None = None
        self._state: State | None = None

    def run(self, messages: BinaryIO, replies: BinaryIO) -> None:
        """Reply to each message until the game is over or the other side is gone."""
        for line in messages:
            message = json.loads(line)
            if message["type"] == "over":
                return
            reply = self.reply(message)
            if reply is not None:
                replies.write(line_of(**reply))
                replies.flush()

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
        if "state" in message:
            state = State.from_dict(message["state"], state.rules)
        else:
            for text in message["actions"]:
                state.apply(state.rules.parse(text))
        if hasattr(self._bot, "clock"):
            self._bot.clock = Clock(message["bank"], message["limit"])
        action = self._bot.choose(state.copy())
        return {"type": "action", "id": message["id"], "action": str(action)}


def line_of(**message: object) -> bytes:
    """Return a message as a line of JSON."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"
