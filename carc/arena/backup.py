"""A copy of an arena in one archive, consistent though the arena runs.

The copy holds secrets of deals to come. Who plays on from it deals with new ones, so that no deal
is played again; the games that were played since are lost.
"""

import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from carc.arena import authors, settings
from carc.errors import CarcError
from carc.files import whole_file
from carc.tournaments.contest.publication import REGISTRY
from carc.tournaments.ledger import chain, ledger, private
from carc.tournaments.submission.registry import INDEX, Registry

TRIES: Final = 10


def back_up(folder: Path, target: Path) -> None:
    """Copy the arena in a folder into an archive that only this user can read, or `CarcError`."""
    settings.read_settings(folder)
    try:
        with (
            tempfile.TemporaryDirectory(prefix=".carc-", dir=folder) as room,
            whole_file(target) as file,
        ):
            with suppress(OSError):  # such as of a pipe
                os.fchmod(file.fileno(), 0o600)
            with tarfile.open(fileobj=file, mode="w|") as archive:
                for name in (settings.FILE, authors.FILE):
                    if (folder / name).is_file():
                        archive.add(folder / name, name)
                for path in sorted(folder.glob(f"*/{private.FILE}")):
                    _add_ladder(archive, path.parent, Path(room))
                _add_registry(archive, Path(room))
    except sqlite3.Error as error:
        raise CarcError(f"{folder} cannot be copied: {error}") from None


def _add_ladder(archive: tarfile.TarFile, ladder: Path, room: Path) -> None:
    """Add a ladder: a ledger, and the secrets of the epochs that it does not reveal."""
    for _ in range(TRIES):
        for name in (ledger.FILE, private.FILE):
            _copy(ladder / name, room / name)
        # A secret is forgotten when it is revealed.
        if _revealed(ladder / ledger.FILE) == _revealed(room / ledger.FILE):
            break
    else:
        raise CarcError(
            f"the epochs of {ladder.name} end while it is copied: pause it, and try again"
        )
    for name in (ledger.FILE, private.FILE):
        archive.add(room / name, f"{ladder.name}/{name}", filter=_mine)


def _add_registry(archive: tarfile.TarFile, room: Path) -> None:
    """Add the submitted bots. What is in the index is there whole, and stays."""
    source = Registry()
    if not (source.folder / INDEX).is_file():
        return
    _copy(source.folder / INDEX, room / INDEX)
    archive.add(room / INDEX, f"{REGISTRY}/{INDEX}")
    for submission in Registry(room).submissions():
        archive.add(source.folder / submission.digest, f"{REGISTRY}/{submission.digest}")


def _copy(source: Path, copy: Path) -> None:
    with closing(_opened(source)) as original, closing(sqlite3.connect(copy)) as made:
        original.backup(made)


def _mine(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.mode = 0o600
    return info


def _revealed(path: Path) -> object:
    """Return which entry of a chain revealed a secret last."""
    with closing(_opened(path)) as connection:
        return connection.execute(
            "SELECT number FROM chain WHERE stage = ? ORDER BY number DESC LIMIT 1",
            [chain.REVEALED],
        ).fetchone()


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
