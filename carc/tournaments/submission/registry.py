"""The submitted bots: their content by digest, and who submitted what when."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from carc.bots import names
from carc.errors import BadBot, CarcError
from carc.tournaments.submission.content import Content, read
from carc.tournaments.submission.manifest import MANIFEST, check_author

if TYPE_CHECKING:
    import sqlite3

FOLDER: Final = "runs/registry"  # in the folder the program is called in, beside the ledgers
INDEX: Final = "index.sqlite"
VARIABLE: Final = "CARC_REGISTRY"  # of the environment: another place for it

_COLUMNS = "digest, name, version, author, submitted, withdrawn"


class RegistryFailure(CarcError):
    """A registry that cannot be read or written, which is no bot's doing."""


@attrs.frozen
class Submission:
    """One version of one bot."""

    digest: str
    name: str
    version: str
    author: str
    submitted: str
    """UTC, ISO 8601."""
    withdrawn: str = ""
    """The same; empty while it may play."""

    @property
    def spec(self) -> str:
        """Its name in a tournament."""
        return f"{self.name}@{self.version}"


class Registry:
    """A folder with an index, and a folder for each submission, named by its digest."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or Path(os.environ.get(VARIABLE) or FOLDER)).absolute()

    def known(self, content: Content, author: str) -> Submission | None:
        """Return the submission of this very content, if there is one.

        Raises `BadBot` if its name, its version or the author are a reason not to add it.
        """
        check_author(author)
        if not (self.folder / INDEX).is_file():
            return None
        with self._index() as index:
            return self._known(index, content, author)

    def add(self, content: Content, author: str) -> Submission:
        """Store a bot, or find it stored, and return its submission.

        Raises `BadBot` if it cannot be added, `RegistryFailure` if it cannot be written.
        """
        check_author(author)
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
        with self._index() as index:
            index.execute("BEGIN IMMEDIATE")
            held = self._known(index, content, author)
            if held is not None:
                return held
            self.keep(content)
            manifest, now = content.manifest, datetime.now(UTC).isoformat(timespec="seconds")
            new = Submission(content.digest, manifest.name, manifest.version, author, now)
            marks = ", ".join("?" * len(attrs.astuple(new)))
            index.execute(f"INSERT INTO bots ({_COLUMNS}) VALUES ({marks})", attrs.astuple(new))
            index.execute("COMMIT")
        return new

    def keep(self, content: Content) -> Path:
        """Return a folder with this content, submitted or not, that is found by its digest.

        Raises `RegistryFailure` if it cannot be written.
        """
        place = self.folder / content.digest
        with self._writing():
            if not place.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryDirectory(prefix=".new-", dir=self.folder) as room:
                    made = Path(room) / "bot"
                    content.write(made)
                    try:
                        made.rename(place)
                    except OSError:
                        if not place.exists():  # another was not quicker
                            raise
        return self.verified(content.digest)

    def submissions(self) -> list[Submission]:
        """Return all submissions, the oldest first."""
        if not (self.folder / INDEX).is_file():
            return []
        with self._index() as index:
            return self._where(index, "1")

    def find(self, spec: str) -> Submission:
        """Return the submission NAME@VERSION, or of NAME the latest not withdrawn, or `BadBot`."""
        named = self._named(spec)
        for each in reversed(named):
            if not each.withdrawn:
                return each
        raise BadBot(
            f"{spec} was withdrawn {named[-1].withdrawn}; enter another version, or submit one"
        )

    def withdraw(self, spec: str) -> list[Submission]:
        """Retire a version, or with NAME alone all of them; what they played stays.

        Raises:
            BadBot: There is none.
        """
        chosen = [each for each in self._named(spec) if not each.withdrawn]
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._index() as index:
            for each in chosen:
                index.execute("UPDATE bots SET withdrawn = ? WHERE digest = ?", (now, each.digest))
        return chosen

    def content(self, digest: str) -> Path:
        """Return the folder with the content of this digest; raise `BadBot` if there is none."""
        place = self.folder / digest
        if not place.is_dir():
            raise BadBot(
                f"the registry {self.folder.name!r} holds no bot of digest {digest[:12]}..."
            )
        return place

    def verified(self, digest: str) -> Path:
        """Return the folder with the content of this digest.

        Raises `BadBot` if it is not there, or was changed since it was stored.
        """
        place = self.content(digest)
        if read(place, whole=True).digest != digest:
            raise BadBot(f"{place} was changed since it was stored; submit the bot again")
        return place

    def _named(self, spec: str) -> list[Submission]:
        """Return the submissions of NAME, or the one of NAME@VERSION, or raise `BadBot`."""
        name, at, version = spec.partition("@")
        everything = self.submissions()
        named = [each for each in everything if each.name == name]
        found = [each for each in named if not at or each.version == version]
        if found:
            return found
        if named:
            versions = ", ".join(each.version for each in named)
            raise BadBot(f"{name} has no version {version!r}; it has {versions}")
        known = sorted(each.spec for each in everything if not each.withdrawn)
        raise BadBot(
            f"unknown bot {spec!r}; shipped are {names()}, submitted are "
            f"{', '.join(known) or 'none'}, your own is module:Class or its folder, ./mine"
        )

    def _known(self, index: sqlite3.Connection, content: Content, author: str) -> Submission | None:
        held = self._where(index, "digest = ?", content.digest)
        if held:
            return held[0]
        manifest = content.manifest
        for other in self._where(index, "name = ?", manifest.name):
            if other.author != author:
                raise BadBot(f"the name {manifest.name!r} is taken by {other.author}")
            if other.version == manifest.version:
                raise BadBot(
                    f"{other.spec} was submitted with other content; give a new version in "
                    f"{MANIFEST}"
                )
        return None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RegistryFailure(
                f"the registry {self.folder} cannot be written: {error.strerror}"
            ) from None

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        import sqlite3  # noqa: PLC0415 (whoever plays without submitted bots need not wait for it)

        path = self.folder / INDEX
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as index:
                index.execute(
                    "CREATE TABLE IF NOT EXISTS bots (digest TEXT PRIMARY KEY, name TEXT NOT NULL, "
                    "version TEXT NOT NULL, author TEXT NOT NULL, submitted TEXT NOT NULL, "
                    "withdrawn TEXT NOT NULL, UNIQUE (name, version))"
                )
                yield index
        except sqlite3.Error as error:
            raise RegistryFailure(f"{path}: the registry cannot be used: {error}") from None

    @staticmethod
    def _where(index: sqlite3.Connection, condition: str, *values: str) -> list[Submission]:
        rows = index.execute(
            f"SELECT {_COLUMNS} FROM bots WHERE {condition} ORDER BY rowid", values
        )
        return [Submission(*row) for row in rows]
