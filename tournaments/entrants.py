"""Who plays: a bot as it was entered, and the one place where players are made from entrants."""

import hashlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from carc.bots import SHIPPED, by_name
from carc.errors import BadBot
from carc.tournaments.isolation import host, sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.player import Player
from carc.tournaments.protocol import RemoteBot, Table
from carc.tournaments.registry import Registry, read_manifest


@attrs.frozen
class Entrant:
    """A bot as it was entered in a tournament."""

    name: str
    """What boards and records call it."""
    spec: str
    """What makes it: `greedy`, `module:Class`, `NAME@VERSION` of a submitted one."""
    digest: str
    """SHA-256 of its content; other content is another entrant."""
    isolation: str = "none"
    """How it is kept apart from the host; `none`: it plays inside the worker process."""

    @property
    def key(self) -> str:
        """What tells it from every other, versions of its own included."""
        return f"{self.name} {self.digest}"


def enter(spec: str, isolation: str | None = None) -> Entrant:
    """The entrant of a bot's spec: shipped, submitted (NAME or NAME@VERSION), or one's own, module:Class.

    The digest is that of what was submitted, or of the file the class is written in. Without `isolation`, submitted bots play at
    the strongest level this host has and others inside the worker's process. Raises `carc.errors.BadBot` if there is no
    such bot, `NoIsolation` if the host lacks the level.
    """
    if spec not in SHIPPED and ":" not in spec:
        registry = Registry()
        found = registry.find(spec)
        if found.withdrawn:
            raise BadBot(f"{found.spec} was withdrawn {found.withdrawn}; enter another version")
        if isolation == "none":
            raise BadBot(
                f"{found.spec} was submitted; only shipped bots and your own play in the process"
            )
        read_manifest(registry.verified(found))
        level = host.require(isolation) if isolation else host.strongest()
        return Entrant(name=found.spec, spec=found.spec, digest=found.digest, isolation=level)
    if isolation not in (None, "none"):
        if spec not in SHIPPED:
            raise BadBot(f"{spec} is in no folder of its own to be isolated with; submit it")
        host.require(isolation)
    maker = type(by_name(spec, seed=0))
    try:
        content = Path(inspect.getfile(maker)).read_bytes()
    except (TypeError, OSError):  # typed in at a prompt: it has no file
        content = f"{maker.__module__}:{maker.__qualname__}".encode()
    digest = hashlib.sha256(content).hexdigest()
    return Entrant(name=spec, spec=spec, digest=digest, isolation=isolation or "none")


def program(entrant: Entrant) -> Program:
    """What is run for an entrant that plays in a process of its own."""
    if entrant.spec in SHIPPED:
        return Program(sandbox.python("-m", "carc.bots.sdk", entrant.spec), None, entrant.isolation)
    folder = Registry().content(entrant.digest)
    return Program(read_manifest(folder).start(), folder, entrant.isolation)


class Seated(Table):
    """A table with all its players, in seat order."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.players: list[Player | RemoteBot] = []


@contextmanager
def seated(
    entrants: Sequence[Entrant], seeds: Sequence[int], clock: Clock, aside: Mapping[int, str]
) -> Iterator[Seated]:
    """The table of one game, each player with a seed of its own; their processes are gone when the game is over.

    `aside`: seats whose bots are not to play any more, and why.
    """
    with Seated(clock) as table:
        for seat, (entrant, seed) in enumerate(zip(entrants, seeds, strict=True)):
            if entrant.isolation == "none":
                table.players.append(Player(entrant.spec, seat, seed, aside.get(seat, "")))
            else:
                table.players.append(table.start(program(entrant), seat, seed))
        yield table
