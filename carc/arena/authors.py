"""The authors of an arena, `authors.toml` in its folder: their tokens, and who is banned.

The file has the hashes of the tokens only. It is read again when it has changed, so that an author
who is added while the service runs can come at once.
"""

import hashlib
import json
import os
import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import attrs

from carc.arena.door import Refused, author_of
from carc.bounded import fields, parse_toml, read_named
from carc.errors import CarcError
from carc.files import write_anew

with suppress(ImportError):  # as on Windows, where there are no tournaments
    from fcntl import LOCK_EX, flock

FILE: Final = "authors.toml"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


@attrs.frozen
class Author:
    """Somebody who may take part, unless banned."""

    token: str
    """Its SHA-256, in hexadecimal digits."""
    banned: str = ""
    """Why the organiser banned the author; empty for everybody else."""


class Authors:
    """Who may take part in the arena in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._read: tuple[int, int] | None = None
        self._authors: dict[str, Author] = {}

    def of(self, token: str) -> str | None:
        """Return whose token it is; the time it takes tells nothing of a token."""
        return author_of(token, {name: author.token for name, author in self.all().items()})

    def all(self) -> dict[str, Author]:
        """Return the authors by name; raise `CarcError` if the file is none of authors."""
        with self._lock:
            try:
                status = self._path.stat()
            except FileNotFoundError:
                return {}
            stamp = status.st_mtime_ns, status.st_ino
            if stamp != self._read:
                self._authors, self._read = self._parsed(), stamp
            return self._authors

    def require(self, name: str) -> None:
        """Raise `Refused` if an author is banned."""
        author = self.all().get(name)
        if author is not None and author.banned:
            raise Refused(403, f"{name} is banned: {author.banned}")

    def add(self, name: str) -> str:
        """Return the token of a new author, which is kept nowhere, or raise `CarcError`."""
        if not _NAME.fullmatch(name):
            raise CarcError(f"an author's name is up to 40 letters, digits, _ and -, not {name!r}")
        token = secrets.token_urlsafe(24)
        with self._changing() as authors:
            if name.lower() in map(str.lower, authors):
                raise CarcError(f"there is an author {name!r} already")
            authors[name] = Author(hashlib.sha256(token.encode()).hexdigest())
        return token

    def ban(self, name: str, why: str = "") -> None:
        """Note that an author may not take part, or may again where no reason is given.

        Raises:
            CarcError: There is no such author.
        """
        with self._changing() as authors:
            if name not in authors:
                raise CarcError(f"there is no author {name!r:.60}")
            authors[name] = attrs.evolve(authors[name], banned=why)

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Author]]:
        """Have the authors changed, while no other process changes them."""
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            flock(folder, LOCK_EX)
            authors = dict(self.all())
            yield authors
            write_anew(self._path, "\n".join(map(_written, authors, authors.values())))
        finally:
            os.close(folder)

    def _parsed(self) -> dict[str, Author]:
        try:
            data = parse_toml(read_named(self._path))
            authors = {
                name: Author(**fields(each, {"token": str}, name, {"banned": str}))
                for name, each in data.items()
            }
            for name, author in authors.items():
                if not _NAME.fullmatch(name) or not _HASH.fullmatch(author.token):
                    raise ValueError(f"{name!r:.40} has no SHA-256 of a token")
        except ValueError as error:
            raise CarcError(f"{self._path}: {error}") from None
        return authors


def _written(name: str, author: Author) -> str:
    """Return an author in TOML, whose texts JSON writes as well."""
    fields = attrs.asdict(author, filter=lambda _, value: bool(value))
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items()]
    return f"[{name}]\n" + "".join(lines)
