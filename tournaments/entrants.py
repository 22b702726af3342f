"""Who plays: a bot as it was entered, and the one place where players are made from entrants."""

import hashlib
import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time

import attrs

from bots import by_name
from carc import Action, Bot, State
from carc.errors import BadBot


@attrs.frozen
class Entrant:
    """A bot as it was entered in a tournament."""

    name: str
    """What boards and records call it."""
    spec: str
    """What makes it: `greedy`, `module:Class`."""
    digest: str
    """SHA-256 of its content; other content is another entrant."""
    isolation: str = "none"
    """How it is kept apart from the host; `none`: it plays inside the worker process."""


def enter(spec: str) -> Entrant:
    """The entrant of a bot's spec; its digest is that of the file its class is written in.

    Raises `carc.errors.BadBot` if there is no such bot.
    """
    maker = type(by_name(spec, seed=0))
    try:
        content = Path(inspect.getfile(maker)).read_bytes()
    except (TypeError, OSError):  # typed in at a prompt: it has no file
        content = f"{maker.__module__}:{maker.__qualname__}".encode()
    return Entrant(name=spec, spec=spec, digest=hashlib.sha256(content).hexdigest())


class Player:
    """An entrant's bot at a table, with the time it took so far in seconds."""

    def __init__(self, entrant: Entrant, seed: int) -> None:
        self.wall = self.cpu = 0.0
        self._bot: Bot | None = None
        try:
            self._bot = by_name(entrant.spec, seed=seed)
        except (
            BadBot
        ) as error:  # it could be made when it was entered: its own fault, not the tournament's
            self._failure = f"failed to start: {error}"

    def choose(self, state: State) -> Action:
        """The bot's choice; whatever goes wrong in the bot is an `Exception`, which a match books as its fault."""
        if self._bot is None:
            raise RuntimeError(self._failure)
        wall, cpu = perf_counter(), process_time()
        try:
            return self._bot.choose(state)
        except SystemExit as leave:
            raise RuntimeError(f"the bot called exit({leave.code!r})") from leave
        finally:
            self.wall += perf_counter() - wall
            self.cpu += process_time() - cpu


@contextmanager
def seated(entrants: Sequence[Entrant], seeds: Sequence[int]) -> Iterator[list[Player]]:
    """The players of one game, in seat order, each with a seed of its own; gone when the game is over."""
    yield [Player(entrant, seed) for entrant, seed in zip(entrants, seeds, strict=True)]
