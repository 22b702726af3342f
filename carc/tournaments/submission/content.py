"""The content of a bot's folder, read once: what is checked is what is stored and played.

The folder is a stranger's and may change while it is read. So it is walked by open descriptors,
following no link, and looked at only once; everything after uses the copy in memory.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

import attrs

from carc.errors import BadBot
from carc.escape import escape_unprintable
from carc.tournaments.isolation import rooms
from carc.tournaments.submission.manifest import MANIFEST, Manifest, parse_manifest

MOST_BYTES: Final = 64 << 20
MOST_FILES: Final = 1000
DEEPEST: Final = 32  # folders in folders

LEFT_OUT: Final = (".*", "__pycache__", "*.pyc", "runs")
"""Names of files and folders that are not part of a bot: hidden ones, and results of playing."""
LEDGER: Final = "ledger.sqlite"
"""A folder that holds one is a tournament's, and not part of a bot either."""

_MOST_NAMES: Final = 10 * MOST_FILES  # that are looked at in all


@attrs.frozen
class File:
    """A file of a bot."""

    data: bytes
    executable: bool


@attrs.frozen
class Content:
    """A bot as it is in its folder."""

    manifest: Manifest
    files: Mapping[str, File]
    """By path in the folder, with `/`."""
    left_out: tuple[str, ...] = ()
    """Paths of files and folders that are not part of it."""

    @property
    def size(self) -> int:
        """The number of bytes of all files."""
        return sum(len(file.data) for file in self.files.values())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its files: their names, whether they can be executed, their bytes."""
        total = hashlib.sha256()
        for path in sorted(map(PurePosixPath, self.files)):
            file = self.files[str(path)]
            total.update(f"{path}\0{file.executable:d}\0{len(file.data)}\0".encode() + file.data)
        return total.hexdigest()

    def write(self, target: Path) -> None:
        """Write it to a new folder that every user may read."""
        target.mkdir(mode=0o755)
        for path, file in self.files.items():
            place = target / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.data)
            place.chmod(0o755 if file.executable else 0o644)
        for above, _, _ in os.walk(target):
            Path(above).chmod(0o755)

    @contextmanager
    def unpacked(self) -> Iterator[Path]:
        """Yield a folder with it, which is removed afterwards."""
        room = rooms.make()
        try:
            self.write(room.path / "bot")
            yield room.path / "bot"
        finally:
            room.leave()


def read(folder: Path, whole: bool = False) -> Content:
    """Return the bot in a folder; leave nothing out of one that `Content.write` made whole.

    Raises `BadBot` if there is none; the message names the file and what is wrong.
    """
    try:
        top = os.open(folder, _FOLDER)
    except (OSError, ValueError) as error:
        raise BadBot(
            f"{folder}: {_why(error)}; a bot is a folder with a {MANIFEST}, and no link to one"
        ) from None
    try:
        return _Reader(folder, whole).content(top)
    finally:
        os.close(top)


def _flags(*names: str) -> int:
    """Return these flags of `os` together; Windows has none of them."""
    return sum(getattr(os, name, 0) for name in names)


_FOLDER = os.O_RDONLY | _flags("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC")
_FILE = os.O_RDONLY | _flags("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC")


class _Reader:
    """Reads one bot, by open descriptors; `path` is a place in the bot's folder."""

    def __init__(self, folder: Path, whole: bool) -> None:
        self._folder = folder
        self._whole = whole
        self._files: dict[str, File] = {}
        self._left_out: list[str] = []
        self._names = 0
        self._size = 0
        self._owner = -1

    def content(self, top: int) -> Content:
        """Return the bot in an open folder."""
        self._owner = os.fstat(top).st_uid
        with self._explained(MANIFEST):
            try:
                manifest = self._files[MANIFEST] = self._file(top, MANIFEST, MANIFEST)
            except FileNotFoundError:
                raise BadBot(f"{self._folder}: a bot is a folder with a {MANIFEST}") from None
        try:
            self._manifest = parse_manifest(manifest.data)
        except BadBot as error:
            raise BadBot(f"{self._folder / MANIFEST}: {error}") from None
        names = self._listed(top, ".")
        if LEDGER in names and not self._whole:
            raise BadBot(
                f"{self._folder} is a tournament's folder too; give the tournament another --out"
            )
        self._walk(top, names, PurePosixPath())
        return Content(self._manifest, self._files, tuple(self._left_out))

    def _walk(self, folder: int, names: Sequence[str], above: PurePosixPath) -> None:
        for name in names:
            path = above / name
            where = str(path)
            if where == MANIFEST:
                continue  # it was read first, and only then
            if not self._is_part(path, LEFT_OUT):
                self._left_out.append(where)
                continue
            if escape_unprintable(name) != name:
                raise BadBot(
                    f"{self._folder / path}: names of a bot's files are UTF-8, without control, "
                    "bidirectional and zero-width characters"
                )
            with self._explained(where):
                if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                    self._enter(folder, path)
                else:
                    self._files[where] = self._file(folder, name, where)

    def _enter(self, folder: int, path: PurePosixPath) -> None:
        """Walk a folder inside an open one."""
        if len(path.parts) > DEEPEST:
            raise BadBot(
                f"{self._folder / path} is too deep; folders in folders are at most {DEEPEST}"
            )
        inner = os.open(path.name, _FOLDER, dir_fd=folder)
        try:
            names = self._listed(inner, str(path))
            if LEDGER in names and not self._is_part(path, ("*",)):
                self._left_out.append(str(path))
            else:
                self._walk(inner, names, path)
        finally:
            os.close(inner)

    def _listed(self, folder: int, where: str) -> list[str]:
        names = []
        with self._explained(where), os.scandir(folder) as entries:
            for entry in entries:
                names.append(entry.name)
                self._names += 1
                if self._names > _MOST_NAMES:
                    raise self._too_large()
        return sorted(names)

    def _is_part(self, path: PurePosixPath, left_out: Sequence[str]) -> bool:
        """Return whether a file is part of the bot: included by the manifest, or not left out."""
        manifest = self._manifest
        return (
            self._whole
            or _matches(path, manifest.include)
            or not (_matches(path, left_out) or _matches(path, manifest.exclude))
        )

    def _file(self, folder: int, name: str, where: str) -> File:
        # Opening a device may do something, and it may be another file when it is opened.
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise self._not_plain(where)
        descriptor = os.open(name, _FILE, dir_fd=folder)
        try:
            status = os.fstat(descriptor)
            # Its author may be unable to read a file of somebody else that has another name.
            if not stat.S_ISREG(status.st_mode) or (
                status.st_nlink > 1 and status.st_uid != self._owner
            ):
                raise self._not_plain(where)
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(MOST_BYTES - self._size + 1)
        finally:
            os.close(descriptor)
        self._size += len(data)
        if self._size > MOST_BYTES or len(self._files) == MOST_FILES:
            raise self._too_large()
        return File(data, bool(status.st_mode & 0o111))

    @contextmanager
    def _explained(self, where: str) -> Iterator[None]:
        """Turn an error of the system into a sentence."""
        try:
            yield
        except OSError as error:
            raise BadBot(f"{self._folder / where}: {_why(error)}") from None

    def _not_plain(self, where: str) -> BadBot:
        return BadBot(
            f"{self._folder / where} is not a plain file of its author; a bot is plain files in "
            "folders"
        )

    def _too_large(self) -> BadBot:
        return BadBot(
            f"{self._folder} is too large; a bot is at most {MOST_FILES} files and "
            f"{MOST_BYTES >> 20} MB"
        )


def _matches(path: PurePosixPath, patterns: Sequence[str]) -> bool:
    """Return whether a pattern matches a path, or its name if the pattern has no `/`."""
    return any(fnmatchcase(str(path) if "/" in each else path.name, each) for each in patterns)


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
