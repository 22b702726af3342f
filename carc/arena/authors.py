"""The authors of an arena, `authors.toml` in its folder, and their tokens.

The file has the hashes of the tokens only. It is read again when it has changed, so that an author
who is added while the service runs can come at once.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from pathlib import Path
from typing import Final

from carc.arena.door import author_of
from carc.bounded import of_kind, parse_toml, read_named
from carc.errors import CarcError
from carc.files import write_anew

FILE: Final = "authors.toml"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class Authors:
    """Who may take part in the arena in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._read: tuple[int, int] | None = None
        self._hashes: dict[str, str] = {}

    def of(self, token: str) -> str | None:
        """Return whose token it is; the time it takes tells nothing of a token."""
        return author_of(token, self.hashes())

    def hashes(self) -> dict[str, str]:
        """Return the hashes of the tokens, by author.

        Raises:
            CarcError: The file is none of authors.
        """
        with self._lock:
            try:
                status = self._path.stat()
            except FileNotFoundError:
                return {}
            stamp = status.st_mtime_ns, status.st_ino
            if stamp != self._read:
                self._hashes, self._read = self._parsed(), stamp
            return self._hashes

    def _parsed(self) -> dict[str, str]:
        try:
            data = parse_toml(read_named(self._path))
            for author, known in data.items():
                if not _NAME.fullmatch(author) or not _HASH.fullmatch(of_kind(known, str, author)):
                    raise ValueError(f"{author!r:.40} has no SHA-256 of a token")
        except ValueError as error:
            raise CarcError(f"{self._path}: {error}") from None
        return data

    def add(self, name: str) -> str:
        """Return the token of a new author; it is kept nowhere.

        Raises:
            CarcError: There is such an author, or the name cannot be one's.
        """
        if not _NAME.fullmatch(name):
            raise CarcError(f"an author's name is up to 40 letters, digits, _ and -, not {name!r}")
        hashes = self.hashes()
        if name.lower() in map(str.lower, hashes):
            raise CarcError(f"there is an author {name!r} already")
        token = secrets.token_urlsafe(24)
        hashes = {**hashes, name: hashlib.sha256(token.encode()).hexdigest()}
        lines = [f'{author} = "{known}"\n' for author, known in hashes.items()]
        write_anew(self._path, "".join(lines))
        return token
