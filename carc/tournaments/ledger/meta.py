"""What a ledger knows of its tournament: the configuration, and what else it is to remember."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import carc
from carc.bounded import parse_json
from carc.tournaments.identifiers import digest_of
from carc.tournaments.ledger.file import BadLedger
from carc.tournaments.schedule.configuration import ARENA, Configuration

FORMAT: Final = 4
# What a tournament may go on with changed: which games there are to play, not what a game is.
CHANGEABLE: Final = frozenset(
    {"title", "bots", "tables", "deals", "format", "against", "elo", "settings"}
)


def plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return data as they are read back from JSON, with lists in place of tuples."""
    read_back: dict[str, Any] = json.loads(json.dumps(data))
    return read_back


def claim(
    connection: sqlite3.Connection,
    path: Path,
    configuration: Configuration,
    settings: Mapping[str, str] | None,
) -> None:
    """Write the configuration of a tournament that begins or goes on.

    Raises `BadLedger` if the ledger is of another tournament.
    """
    versions = {"format_version": FORMAT, "carc_version": carc.__version__}
    ours = plain({**versions, **configuration.to_dict()})
    with connection:
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
        theirs = read(connection, path) or ours
        ours["settings"] = theirs.get("settings", {}) if settings is None else dict(settings)
        why = "games are not mixed; give the same again, or another --out"
        changeable = CHANGEABLE
        if "promise" in theirs:
            changeable = frozenset({"settings"})
        elif ARENA in (theirs["format"], ours["format"]):
            changeable = frozenset({"title", "settings", "carc_version"})
        _compare(path, theirs, ours, changeable, why)
        write(connection, ours)


def write(connection: sqlite3.Connection, data: Mapping[str, Any]) -> None:
    """Write all that a ledger knows of its tournament. Call it in a transaction."""
    rows = {key: json.dumps(value) for key, value in data.items()}
    rows["digest"] = digest_of(sorted(plain(data).items()))
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows.items())


def require(connection: sqlite3.Connection, path: Path, configuration: Configuration) -> None:
    """Raise `BadLedger` if this is not part of a tournament of exactly that configuration."""
    ours = {"carc_version": carc.__version__, **configuration.to_dict()}
    why = "that is no part of the same tournament"
    changeable = frozenset({"title", "settings", "format_version"})
    _compare(path, read(connection, path), plain(ours), changeable, why)


def read(connection: sqlite3.Connection, path: Path) -> dict[str, Any]:
    """Return what was written, if anything was, or raise `BadLedger`."""
    rows = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if not rows:
        return {}
    digest = rows.pop("digest", None)
    version = rows.get("format_version", rows.get("format"))
    if digest is None or version != str(FORMAT):
        raise BadLedger(f"{path} is not a tournament's ledger of format {FORMAT}")
    with suppress(ValueError, TypeError):
        data = {key: parse_json(value) for key, value in rows.items()}
        if digest == digest_of(sorted(data.items())):
            return data
    raise BadLedger(f"{path} is damaged: its configuration is not the one that was written")


def _compare(
    path: Path,
    theirs: Mapping[str, Any],
    ours: Mapping[str, Any],
    changeable: frozenset[str],
    why: str,
) -> None:
    for key in dict.fromkeys([*ours, *theirs]):
        if theirs.get(key) != ours.get(key) and key not in changeable:
            raise BadLedger(
                f"{path} was written with {_words(key, theirs.get(key))}, "
                f"not {_words(key, ours.get(key))}: {why}"
            )


def _words(key: str, value: Any) -> str:
    """Return a part of the configuration in words."""
    if key == "mirrored":
        return "mirrored deals" if value else "a deal of its own for every game"
    if key in ("promise", "opened") and not value:
        return "no contest's promise" if key == "promise" else "nothing opened"
    if key == "bots" and value:
        return "bots " + ", ".join(f"{bot['name']} ({bot['digest'][:8]})" for bot in value)
    return f"{key.replace('_', ' ')} {value}"
