"""What an arena needs of its folder and its host (`carc doctor --arena`).

Each check returns what it found, or raises `CarcError` with a fault and its remedy.
"""

import ctypes
import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from carc.arena import deals
from carc.arena.authors import Authors
from carc.arena.orders import SOCKET, entrant_of
from carc.arena.settings import Settings, read_settings, require_short
from carc.errors import CarcError
from carc.tournaments.isolation import host
from carc.tournaments.ledger import chain, private
from carc.tournaments.ledger.ledger import FILE, Ledger, running
from carc.tournaments.players.remote import REMOTE

ROOM: Final = 1 << 30  # bytes that should be free on a disk
SLACK: Final = timedelta(minutes=5)
_UNSYNCHRONISED: Final = 5  # what adjtimex(2) says of a clock that nobody sets

Check = Callable[[], str]


def examine(folder: Path, port: int) -> Iterator[tuple[str, str, bool]]:
    """Yield of each check its name, one sentence, and whether all is well."""
    try:
        settings = read_settings(folder)
    except CarcError as error:
        yield "settings", str(error), False
        return
    checks: dict[str, Check] = {
        "settings": partial(_settings, folder, settings),
        "folder": partial(_folder, folder),
        "sockets": partial(_sockets, folder),
        "isolation": partial(_isolation, settings),
        "disk": partial(_disk, folder),
        "clock": partial(_clock, folder, settings),
        "port": partial(_port, folder, port),
        **{each.name: partial(_chain, folder / each.name) for each in settings.ladders},
    }
    for name, check in checks.items():
        try:
            yield name, check(), True
        except CarcError as error:
            yield name, str(error), False


def _settings(folder: Path, settings: Settings) -> str:
    for ladder in settings.ladders:
        for spec in ladder.bots:
            entrant_of(spec, ladder)
    authors = len(Authors(folder).all())
    return f"{len(settings.ladders)} ladders, {settings.jobs} games at once, {authors} authors"


def _folder(folder: Path) -> str:
    status = folder.stat()
    if os.geteuid() not in (0, status.st_uid):
        raise CarcError(f"{folder} is another user's: run carc as that user, or chown -R it")
    if status.st_mode & 0o022:
        raise CarcError(f"others may write in {folder}: chmod go-w {folder}")
    for path in sorted(folder.glob(f"*/{private.FILE}")):
        if path.stat().st_mode & 0o077:
            raise CarcError(f"others may read {path}, which has secrets of deals: chmod 600 {path}")
    return "nobody else may write in it, or read its secrets"


def _sockets(folder: Path) -> str:
    require_short(folder)
    if not running(folder):
        return "the arena does not run; its sockets have room for their paths"
    with socket.socket(socket.AF_UNIX) as office:
        try:
            office.connect(str(folder / SOCKET))
        except OSError as error:
            raise CarcError(
                f"the arena runs and {SOCKET} does not answer ({error.strerror}): restart it"
            ) from None
    return "the arena runs, and takes orders"


def _isolation(settings: Settings) -> str:
    if all(ladder.takes == REMOTE for ladder in settings.ladders):
        return "not needed: no ladder takes submitted bots"
    try:
        return f"submitted bots play at {host.strongest()!r}"
    except CarcError as error:
        raise CarcError(f'{error}; or let each ladder have takes = "remote"') from None


def _disk(folder: Path) -> str:
    free = shutil.disk_usage(folder).free
    if free < ROOM:
        raise CarcError(
            f"{free / 1e9:.1f} GB are free on the disk of {folder}: make room, for a full disk "
            "ends the arena"
        )
    return f"{free / 1e9:.0f} GB are free"


def _clock(folder: Path, settings: Settings) -> str:
    now = datetime.now(UTC)
    for ladder in settings.ladders:
        if (folder / ladder.name / FILE).is_file():
            with Ledger.reading(folder / ladder.name) as ledger:
                last = ledger.standings.last()
            if last and datetime.fromisoformat(last) > now + SLACK:
                raise CarcError(
                    f"the last game of {ladder.name} ended at {last}, and here it is "
                    f"{now.isoformat(timespec='seconds')}: set the clock"
                )
    # The buffer is larger than the kernel's struct, and asks for no change.
    if sys.platform == "linux" and (
        ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(1024)) == _UNSYNCHRONISED
    ):
        raise CarcError("nobody sets this host's clock: run an NTP client, such as chrony")
    return f"it is {now.isoformat(timespec='seconds')}"


def _port(folder: Path, port: int) -> str:
    if running(folder):
        with socket.socket() as client:
            client.settimeout(2)
            if client.connect_ex(("127.0.0.1", port)):
                raise CarcError(
                    f"the arena runs, and nothing answers at port {port}: name its own with --port"
                )
        return f"something answers at {port}"
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise CarcError(
            f"port {port} cannot be had ({error.strerror}): name another with --port, to carc "
            "arena too"
        ) from None
    return f"{port} is free"


def _chain(ladder: Path) -> str:
    if not (ladder / FILE).is_file():
        return "it was not played yet"
    with Ledger.reading(ladder) as ledger:
        head, number = deals.origin(ledger.configuration), 0
        for entry in chain.followed(ledger.entries(), head):
            head, number = entry.link, entry.number
    return f"the chain holds from its origin to entry {number}, {head}"
