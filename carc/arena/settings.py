"""The settings of an arena, `arena.toml` in its folder."""

import os
import re
from pathlib import Path
from typing import Any, Final

import attrs

from carc import Rules
from carc.arena.relay import LATENCY
from carc.base.game.outcome import is_team
from carc.bounded import fields, list_of, of_kind, parse_toml, read_named
from carc.errors import CarcError
from carc.escape import escape_unprintable
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.players.remote import REMOTE
from carc.tournaments.running.pool import cores
from carc.tournaments.schedule.configuration import ARENA, MOST_DEALS, MOST_SEATS, Configuration

FILE: Final = "arena.toml"
EPOCH: Final = 1000
MOST_PATH: Final = 90  # bytes; with a name in it, what every system allows a socket
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TAKEN: Final = ("registry",)  # folders of an arena that are no ladders
LOG: Final = "arena.log"
MOST_LOGGED: Final = 10 << 20  # bytes, after which another file is begun
LOCAL: Final = "local"
MOST_LATENCY: Final = 5.0  # seconds
_KEYS: Final[dict[str, type]] = {"jobs": int, "epoch": int, "executor": str, "latency": float}
_KEYS_OF_A_LADDER: Final[dict[str, type]] = {
    "rules": str,
    "table": int,
    "clock": str,
    "title": str,
    "bots": list,
    "takes": str,
}
ALL: Final = "all"
SUBMITTED: Final = "submitted"
_TAKES: Final = (ALL, REMOTE, SUBMITTED)


class BadArena(CarcError):
    """An arena that cannot be run; the message says what is wrong and what is allowed."""


@attrs.frozen
class LadderSettings:
    """One ladder: a spec and a size of table."""

    name: str
    configuration: Configuration
    bots: tuple[str, ...]
    """The bots that the organiser enters when the service starts."""
    takes: str = ALL
    """Whose bots it takes from authors: `remote`, `submitted` or `all`."""

    def require(self, kind: str) -> None:
        """Raise `BadArena` if it does not take bots of a kind."""
        if self.takes not in (ALL, kind):
            raise BadArena(f"the ladder {self.name} takes {self.takes} bots, not {kind} ones")


@attrs.frozen
class Limits:
    """What each author may have."""

    bots: int = 8
    """Bots that play in a ladder."""
    connections: int = 8
    """Of remote bots, at once."""
    uploads: int = 20
    """Within 24 hours."""


_LIMITS: Final[dict[str, type]] = dict.fromkeys(attrs.fields_dict(Limits), int)


@attrs.frozen
class Settings:
    """What the organiser decides."""

    jobs: int
    """How many games are played at once."""
    epoch: int
    """Games that are dealt with one secret."""
    ladders: tuple[LadderSettings, ...]
    limits: Limits
    executor: str
    """Where games are played: `local`, `dask` (a cluster made here) or `dask://HOST:PORT`."""
    latency: float
    """The seconds of a remote bot's answer that are put down to the network, at most."""


def read_settings(folder: Path) -> Settings:
    """Return the settings of the arena in a folder.

    Raises `BadArena` if there are none that can be used, `CarcError` for a ladder's rules or clock.
    """
    path = folder / FILE
    if not path.is_file():
        raise BadArena(f"there is no arena in {folder}: {FILE} is missing")
    try:
        data = parse_toml(read_named(path, BadArena))
        ladders = of_kind(data.pop("ladders", {}), dict, "'ladders'")
        limits = fields(data.pop("limits", {}), {}, "'limits'", _LIMITS)
        given = fields(data, {}, "an arena", _KEYS)
        executor, latency = given.pop("executor", LOCAL), given.pop("latency", LATENCY)
        if not 0 <= latency <= MOST_LATENCY:
            raise ValueError(f"latency is 0 to {MOST_LATENCY:g} seconds, not {latency:g}")
        for what, number in (given | limits).items():
            if number < 1:
                raise ValueError(f"{what} is at least 1, not {number}")
        read = tuple(_ladder(name, ladder) for name, ladder in ladders.items())
    except ValueError as error:
        raise BadArena(f"{path}: {error}") from None
    if not read:
        raise BadArena(f"{path}: no ladder is named; name one or more, such as [ladders.base-2]")
    return Settings(
        jobs=given.get("jobs", cores()),
        epoch=given.get("epoch", EPOCH),
        ladders=read,
        limits=Limits(**limits),
        executor=executor,
        latency=latency,
    )


def require_short(folder: Path) -> None:
    """Raise `BadArena` if the path of a folder leaves no room for the names of sockets."""
    if len(os.fsencode(folder.absolute())) > MOST_PATH:
        raise BadArena(
            f"the sockets of an arena want a folder whose path has at most {MOST_PATH} bytes; "
            f"{folder.absolute()} has more"
        )


def _ladder(name: str, value: object) -> LadderSettings:
    """Return a ladder; raise `ValueError` if the data are none."""
    if not _NAME.fullmatch(name) or name in _TAKEN:
        raise ValueError(
            f"a ladder is a folder, whose name has letters, digits, '.', '_' and '-' and is not "
            f"{' or '.join(map(repr, _TAKEN))}; {name!r:.40} is none"
        )
    of = f"the ladder {name!r}"
    given = fields(value, {}, of, _KEYS_OF_A_LADDER)
    bots = list_of(given.get("bots", []), str, f"'bots' of {of}")
    title = given.get("title", "")
    if escape_unprintable(title) != title:
        raise ValueError(f"the title of {of} has characters that cannot be seen")
    takes = given.get("takes", ALL)
    if takes not in _TAKES:
        raise ValueError(f"'takes' of {of} is one of {', '.join(_TAKES)}, not {takes!r:.40}")
    return LadderSettings(name, _configuration(of, title, given), bots, takes)


def _configuration(of: str, title: str, given: dict[str, Any]) -> Configuration:
    table = given.get("table", 2)
    if not 2 <= table <= MOST_SEATS:
        raise ValueError(f"a table of {of} seats 2 to {MOST_SEATS} bots, not {table}")
    rules = Rules.from_spec(given.get("rules", "base"), players=table)
    if is_team(rules):
        raise ValueError(f"{of}: in {rules.spec} nobody is better than another")
    return Configuration(
        rules=rules.spec,
        rules_version=rules.version,
        bots=(),
        tables=(table,),
        deals=MOST_DEALS,
        seed=0,
        mirrored=False,
        format=ARENA,
        title=title,
        clock=str(Clock.named(given.get("clock", str(Clock())))),
    )
