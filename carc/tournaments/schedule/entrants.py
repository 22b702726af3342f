"""Who plays: bots as they were entered, and the one place where players are made of them."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from carc import CHANCE, Rules
from carc.bots import by_name, class_path
from carc.bots.session import Clock
from carc.errors import BadBot
from carc.tournaments.isolation import host, sandbox
from carc.tournaments.isolation.program import Program
from carc.tournaments.players.forks import lone
from carc.tournaments.players.player import Player
from carc.tournaments.players.protocol import RemoteBot, Table
from carc.tournaments.players.remote import REMOTE, Remote
from carc.tournaments.schedule import class_digest
from carc.tournaments.submission.content import read
from carc.tournaments.submission.manifest import read_manifest
from carc.tournaments.submission.registry import Registry


@attrs.frozen(cache_hash=True)  # asked for every seat of every game
class Entrant:
    """A bot as it was entered in a tournament."""

    name: str
    """What boards and records call it."""
    spec: str
    """What makes it: `greedy`, `module:Class`, `NAME@VERSION` or `./folder`."""
    digest: str
    """SHA-256 of its content; other content is another entrant."""
    isolation: str = "none"
    """Its level of isolation; at `none` it plays inside the worker process, at `remote` on its
    author's machine."""

    @property
    def key(self) -> str:
        """Tells it from every other entrant, and from its own other versions."""
        return f"{self.name} {self.digest}"


def enter(spec: str, isolation: str | None = None) -> Entrant:
    """Return the entrant of a bot's spec, isolated as far as the host can if it is a folder.

    The spec is a shipped bot; the user's own `module:Class`; a submitted NAME or NAME@VERSION; or
    the path of a bot's folder, with a `/`, as it is now. Raises `BadBot` if there is no such bot,
    `NoIsolation` if the host does not have a level that was asked for.
    """
    if is_folder(spec):
        content = read(Path(spec))
        return _of_folder(spec.rstrip("/"), content.digest, Registry().keep(content), isolation)
    if class_path(spec) or ":" in spec:
        return _of_class(spec, isolation)
    registry = Registry()
    submission = registry.find(spec)
    return _of_folder(
        submission.spec, submission.digest, registry.verified(submission.digest), isolation
    )


def is_folder(spec: str) -> bool:
    """Return whether a bot's spec names a folder."""
    return "/" in spec or spec in (".", "..")


def _of_folder(spec: str, digest: str, folder: Path, isolation: str | None) -> Entrant:
    if isolation == "none":
        raise BadBot(
            f"{spec} plays in a process of its own; only shipped bots and module:Class play in "
            "this one"
        )
    read_manifest(folder).start(folder)
    level = host.require(isolation) if isolation else host.strongest()
    return Entrant(name=spec, spec=spec, digest=digest, isolation=level)


def _of_class(spec: str, isolation: str | None) -> Entrant:
    with lone():
        maker = type(by_name(spec, seed=0))
    if isolation not in (None, "none"):
        if not class_path(spec):
            raise BadBot(f"{spec} has no folder to be isolated with; give it one: carc new-bot")
        host.require(isolation)
    return Entrant(
        name=spec, spec=spec, digest=class_digest.digest(maker), isolation=isolation or "none"
    )


def plays(entrant: Entrant) -> tuple[str, ...] | None:
    """Return the rules that a bot's manifest names; None if it has no manifest."""
    if entrant.isolation in ("none", REMOTE) or class_path(entrant.spec):
        return None
    return read_manifest(Registry().content(entrant.digest)).rules


def must_play(entrant: Entrant, rules: Rules) -> None:
    """Raise `carc.errors.BadBot` if a bot does not play these rules by its manifest."""
    allowed = plays(entrant)
    if allowed is not None and rules.spec not in {Rules.from_spec(spec).spec for spec in allowed}:
        raise BadBot(
            f"{entrant.name} plays {', '.join(allowed)} by its bot.toml, not {rules.spec}; enter "
            "others, or submit a version that was checked with these rules"
        )
    if class_path(entrant.spec):
        state, deal = rules.start(), rules.deal(seed=0)
        while state.current_player == CHANCE:
            state.apply(deal.choose(state))
        bot: Any = by_name(entrant.spec)
        if hasattr(bot, "clock"):
            bot.clock = Clock(bank=0.0, limit=0.01)  # it need not think long
        bot.choose(state)


def program(entrant: Entrant) -> Program:
    """Return the program of an entrant that plays in its own process."""
    if class_path(entrant.spec):
        return Program(sandbox.python("-m", "carc.bots.sdk", entrant.spec), None, entrant.isolation)
    folder = Registry().content(entrant.digest)
    return Program(read_manifest(folder).start(folder), folder, entrant.isolation)


def seated(
    table: Table, entrants: Sequence[Entrant], seeds: Sequence[int], aside: Mapping[int, str]
) -> list[Player | RemoteBot]:
    """Return the players of one game, in seat order; their processes end with the table.

    Args:
        table: Where they play.
        entrants: By seat.
        seeds: By seat; each bot has its own.
        aside: Seats whose bots are not to play any more, and why.

    Raises:
        HostFailure: The host could not start them.
    """
    programs = {
        seat: program(entrant)
        for seat, entrant in enumerate(entrants)
        if entrant.isolation not in ("none", REMOTE)
    }
    table.reserve(list(programs.values()))
    players: list[Player | RemoteBot] = []
    for seat, (entrant, seed) in enumerate(zip(entrants, seeds, strict=True)):
        if seat in programs:
            players.append(table.start(programs[seat], seat, seed))
        elif entrant.isolation == REMOTE:
            players.append(table.seat(partial(Remote, entrant.spec), seat, seed))
        else:
            players.append(Player(entrant.spec, seat, seed, aside.get(seat, "")))
    return players
