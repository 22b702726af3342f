"""The bots that were submitted: their manifests, their content by digest, and who submitted what when."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import attrs

from carc.bots import SHIPPED
from carc.errors import BadBot
from carc.tournaments.isolation import sandbox

MANIFEST: Final = "bot.toml"
FOLDER: Final = "runs/registry"  # in the folder the program is called in, beside the ledgers
VARIABLE: Final = "CARC_REGISTRY"  # of the environment: another place for it
MOST_BYTES: Final = 64 << 20
MOST_FILES: Final = 1000

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,19}")
_KEYS = ("name", "version", "language", "entry", "command", "rules")
_COLUMNS = "digest, name, version, author, submitted, withdrawn"


@attrs.frozen
class Manifest:
    """What `bot.toml` says."""

    name: str
    version: str
    rules: tuple[str, ...]
    """The rules specs the bot plays; it is checked with each."""
    command: tuple[str, ...]
    """What starts it in its folder; empty for a Python class."""
    entry: str
    """`module:Class` of a Python bot."""

    @property
    def spec(self) -> str:
        """What names it in a tournament."""
        return f"{self.name}@{self.version}"

    def start(self) -> list[str]:
        """The command that starts it."""
        return list(self.command) or sandbox.python("-m", "carc.bots.sdk", self.entry)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the bot in a folder. Raises `BadBot`, naming what is wrong and what is allowed."""
    path = folder / MANIFEST
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadBot(f"{path}: {error.strerror}; a bot is a folder with a {MANIFEST}") from None
    except ValueError as error:
        raise BadBot(f"{path}: not TOML: {error}") from None

    def wrong(what: str) -> BadBot:
        return BadBot(f"{path}: {what}")

    unknown = sorted(data.keys() - set(_KEYS))
    if unknown:
        raise wrong(f"unknown key {unknown[0]!r}; keys are {', '.join(_KEYS)}")
    for key, pattern, allowed in (
        ("name", _NAME, "up to 40 of a-z 0-9 _ -, a letter first"),
        ("version", _VERSION, "up to 20 of letters, digits, . + -"),
    ):
        if not isinstance(data.get(key), str) or not pattern.fullmatch(data[key]):
            raise wrong(f"{key} is {allowed}, in quotes, not {data.get(key)!r}")
    if data["name"] in SHIPPED:
        raise wrong(f"{data['name']!r} is the name of a shipped bot; choose another")
    for key in ("rules", "command"):
        words = data.get(key, ["base"])
        if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
            raise wrong(f'{key} is a list of texts such as ["base"], not {words!r}')
    language, entry = data.get("language"), data.get("entry")
    command = data.get("command")
    if (language is None) == (command is None):
        raise wrong("it gives either language and entry, or a command")
    if command is None:
        if not isinstance(entry, str):
            raise wrong(f"entry is a text such as 'bot:Bot' or 'bot.js', not {entry!r}")
        if language == "python":
            if not re.fullmatch(r"[\w.]+:\w+", entry):
                raise wrong(f"entry of a Python bot is module:Class, not {entry!r}")
            command = []
        elif language == "javascript":
            command = ["node", entry]
        else:
            raise wrong(
                f"language is 'python' or 'javascript', not {language!r}; others give a command"
            )
    return Manifest(
        name=data["name"],
        version=data["version"],
        rules=tuple(data.get("rules", ["base"])),
        command=tuple(command),
        entry=entry if isinstance(entry, str) else "",
    )


def contents(folder: Path) -> list[Path]:
    """The files that make up the bot in a folder, in order, without caches and hidden files. Raises `BadBot`."""
    found: list[Path] = []
    size = 0
    for above, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
        for name in sorted([*files, *(f for f in folders if (Path(above) / f).is_symlink())]):
            path = Path(above) / name
            if name.startswith("."):
                continue
            if path.is_symlink() or not path.is_file():
                raise BadBot(f"{path} is not a plain file; a bot is plain files in folders")
            found.append(path.relative_to(folder))
            size += path.stat().st_size
            if size > MOST_BYTES or len(found) > MOST_FILES:
                raise BadBot(
                    f"{folder} is too large; a bot is at most {MOST_FILES} files "
                    f"and {MOST_BYTES >> 20} MB"
                )
    return sorted(found)


def digest(folder: Path) -> str:
    """SHA-256 of a bot's content: names, whether they can be executed, and bytes of its files."""
    total = hashlib.sha256()
    for path in contents(folder):
        data = (folder / path).read_bytes()
        executable = os.access(folder / path, os.X_OK)
        total.update(f"{path.as_posix()}\0{executable:d}\0{len(data)}\0".encode() + data)
    return total.hexdigest()


def copy(source: Path, target: Path) -> None:
    """Copy a bot so that every user may read it and no one is meant to write it."""
    target.mkdir(mode=0o755)
    for path in contents(source):
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, place)
        place.chmod(0o755 if os.access(source / path, os.X_OK) else 0o644)
    for above, _, _ in os.walk(target):
        Path(above).chmod(0o755)


@contextmanager
def staged(source: Path) -> Iterator[Path]:
    """A copy of the bot in a folder, as it would be stored: what is checked is what is played."""
    with tempfile.TemporaryDirectory(prefix="carc-check-") as room:
        Path(room).chmod(0o711)
        copy(source, Path(room) / "bot")
        yield Path(room) / "bot"


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
        """What names it in a tournament."""
        return f"{self.name}@{self.version}"


class Registry:
    """A folder with an index and one folder a submission, named by its digest."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or Path(os.environ.get(VARIABLE) or FOLDER)).absolute()

    def holding(self, source: Path) -> Submission | None:
        """The submission whose content is that of a folder, if there is one."""
        content = digest(source)
        return next((each for each in self.submissions() if each.digest == content), None)

    def add(self, source: Path, author: str) -> Submission:
        """Store the bot in a folder, or find it stored. Raises `BadBot`."""
        manifest = read_manifest(source)
        content = digest(source)
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._index() as index:
            index.execute("BEGIN IMMEDIATE")
            held = self._where(index, "digest = ?", content)
            if held:
                return held[0]
            for other in self._where(index, "name = ?", manifest.name):
                if other.author != author:
                    raise BadBot(f"the name {manifest.name!r} is taken by {other.author}")
                if other.version == manifest.version:
                    raise BadBot(
                        f"{other.spec} was submitted with other content; give a new version in {MANIFEST}"
                    )
            place = self.folder / content
            if not place.exists():
                room = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
                copy(source, room / "bot")
                (room / "bot").rename(place)
                room.rmdir()
            now = datetime.now(UTC).isoformat(timespec="seconds")
            new = Submission(content, manifest.name, manifest.version, author, now)
            marks = ", ".join("?" * len(attrs.astuple(new)))
            index.execute(f"INSERT INTO bots ({_COLUMNS}) VALUES ({marks})", attrs.astuple(new))
            index.execute("COMMIT")
        return new

    def submissions(self) -> list[Submission]:
        """All of them, the oldest first."""
        if not (self.folder / "index.sqlite").is_file():
            return []
        with self._index() as index:
            return self._where(index, "1")

    def find(self, spec: str) -> Submission:
        """The submission named NAME, the latest not withdrawn, or NAME@VERSION. Raises `BadBot`."""
        name, _, version = spec.partition("@")
        all_versions = [each for each in self.submissions() if each.name == name]
        for each in reversed(all_versions):
            if each.version == version or (not version and not each.withdrawn):
                return each
        known = sorted({each.spec for each in self.submissions() if not each.withdrawn})
        raise BadBot(
            f"unknown bot {spec!r}; shipped are {', '.join(SHIPPED)}, submitted are "
            f"{', '.join(known) or 'none'}, your own is module:Class"
        )

    def withdraw(self, spec: str) -> list[Submission]:
        """Retire a version, or with NAME alone all of them; what they played stays. Raises `BadBot`."""
        self.find(spec)
        name, _, version = spec.partition("@")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        chosen = [
            each
            for each in self.submissions()
            if each.name == name and version in ("", each.version) and not each.withdrawn
        ]
        with self._index() as index:
            for each in chosen:
                index.execute("UPDATE bots SET withdrawn = ? WHERE digest = ?", (now, each.digest))
        return chosen

    def content(self, digest: str) -> Path:
        """The folder with the content of this digest. Raises `BadBot` if it is not there."""
        place = self.folder / digest
        if not place.is_dir():
            raise BadBot(
                f"the registry {self.folder.name!r} holds no bot of digest {digest[:12]}..."
            )
        return place

    def verified(self, submission: Submission) -> Path:
        """The folder with its content. Raises `BadBot` if that is not what was submitted."""
        place = self.content(submission.digest)
        if digest(place) != submission.digest:
            raise BadBot(f"the stored content of {submission.spec} was changed; submit it anew")
        return place

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        path = self.folder / "index.sqlite"
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as index:
                index.execute(
                    "CREATE TABLE IF NOT EXISTS bots (digest TEXT PRIMARY KEY, name TEXT NOT NULL, "
                    "version TEXT NOT NULL, author TEXT NOT NULL, submitted TEXT NOT NULL, "
                    "withdrawn TEXT NOT NULL, UNIQUE (name, version))"
                )
                yield index
        except sqlite3.Error as error:
            raise BadBot(f"{path}: the registry cannot be used: {error}") from None

    @staticmethod
    def _where(index: sqlite3.Connection, condition: str, *values: str) -> list[Submission]:
        rows = index.execute(
            f"SELECT {_COLUMNS} FROM bots WHERE {condition} ORDER BY rowid", values
        )
        return [Submission(*row) for row in rows]
