"""The folders of bots' processes: new for each game, and removed however it ends.

A room is locked (`flock` on the folder itself) by the process that made it, so one whose lock is
free is an orphan. What Ctrl-C, a kill or a limit left behind, the next process that makes a room
clears.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import tempfile
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

with suppress(ImportError):  # as on Windows, where there are no tournaments
    from fcntl import LOCK_EX, LOCK_NB, flock

PREFIX: Final = "carc-room-"
CLEARING: Final = 0.5  # seconds at a time for what is left; the rest is for the next time
DEPTH: Final = 32  # folders in folders in a scratch folder; more counts as too many files

_OPEN: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


@attrs.frozen
class Room:
    """A folder with `scratch` to write in, `packages` for links to Python's, and `bot`.

    `bot` is a copy of the bot's folder.
    """

    path: Path
    _lock: int

    def leave(self) -> None:
        """Remove it; what takes longer than `CLEARING` goes when the next room is made or left.

        Never raises.
        """
        _left.append((self.path, self._lock))
        clear()

    def excess(self, size: int, files: int) -> str:
        """Return what is too much in the scratch folder, in bytes or files; empty if nothing is."""
        used = seen = 0
        try:
            top = os.open(self.path / "scratch", _OPEN)
        except OSError:  # without a folder of its own only at `process`
            return "its scratch folder is gone"
        open_folders = [_listed(top)]
        try:
            while open_folders:
                folder, entries = open_folders[-1]
                entry = next(entries, None)
                if entry is None:
                    open_folders.pop()
                    _close(folder, entries)
                    continue
                seen += 1
                with suppress(OSError):  # the bot may be at it
                    used += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        open_folders.append(_listed(_folder(entry.name, folder)))
                if seen > files or len(open_folders) > DEPTH:
                    return (
                        f"more than {files} files, or {DEPTH} folders deep, in its scratch folder"
                    )
                if used > size:
                    return f"more than {size >> 20} MB in its scratch folder"
        finally:
            for folder, entries in open_folders:
                _close(folder, entries)
        return ""


_left: list[tuple[Path, int]] = []
_swept: set[int] = set()  # processes, for one may be a fork of another


def make(folder: Path | None = None) -> Room:
    """Return a new room, with a copy of a bot's folder if one is given.

    Others may pass through it to what the bot's user is given, but not look around in it.
    """
    if os.getpid() not in _swept:
        _swept.add(os.getpid())
        _sweep()
    clear()
    room = _locked()
    try:
        room.path.chmod(0o711)
        for name in ("scratch", "packages"):
            (room.path / name).mkdir()
        (room.path / "packages").chmod(0o755)
        if folder is not None:
            # A copy, not the stored files: what is cached of a file, and when it was read, would
            # tell the next game.
            shutil.copytree(folder, room.path / "bot", symlinks=True, copy_function=shutil.copy)
    except BaseException:
        room.leave()
        raise
    return room


def clear() -> None:
    """Go on removing what was left, for `CLEARING` seconds at most."""
    deadline = monotonic() + CLEARING
    for path, lock in _left.copy():
        with suppress(OSError):
            if not _emptied(lock, deadline):
                return
            with suppress(FileNotFoundError):
                path.rmdir()
            _left.remove((path, lock))
            os.close(lock)


def _locked() -> Room:
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        with suppress(FileNotFoundError):
            lock = os.open(path, _OPEN)
            held = False
            try:
                with suppress(BlockingIOError):
                    flock(lock, LOCK_EX | LOCK_NB)
                    held = os.fstat(lock).st_nlink > 0
            except OSError:
                path.rmdir()
                raise
            finally:
                # If it is not held, another process took it for an orphan before it was locked.
                if not held:
                    os.close(lock)
            if held:
                return Room(path, lock)


def _sweep() -> None:
    """Take over the rooms that nobody holds."""
    with os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if not entry.name.startswith(PREFIX):
                continue
            with suppress(OSError):
                lock = os.open(entry.path, _OPEN)
                try:
                    if os.fstat(lock).st_uid != os.geteuid():
                        raise PermissionError
                    flock(lock, LOCK_EX | LOCK_NB)
                except OSError:
                    os.close(lock)
                    continue
                _left.append((Path(entry.path), lock))


def _emptied(top: int, deadline: float) -> bool:
    """Remove everything in a folder; return False if time was up before.

    A folder's folders are lifted to the top before it goes, so nothing here is deeper than one
    level, however deep they are.
    """
    prefix, number = secrets.token_hex(8), count()
    while True:
        with os.scandir(top) as entries:
            children = [
                (entry.name, entry.is_dir(follow_symlinks=False)) for entry in islice(entries, 1000)
            ]
        if not children:
            return True
        for name, is_folder in children:
            if monotonic() > deadline:
                return False
            if not is_folder:
                os.unlink(name, dir_fd=top)
                continue
            folder = _folder(name, top)
            try:
                with os.scandir(folder) as below:
                    for entry in below:
                        if monotonic() > deadline:
                            return False
                        if entry.is_dir(follow_symlinks=False):
                            os.close(_folder(entry.name, folder))
                            os.rename(
                                entry.name,
                                f"{prefix}-{next(number)}",
                                src_dir_fd=folder,
                                dst_dir_fd=top,
                            )
                        else:
                            os.unlink(entry.name, dir_fd=folder)
                with suppress(OSError):  # what was added meanwhile is seen in the next round
                    os.rmdir(name, dir_fd=top)
            finally:
                os.close(folder)


def _folder(name: str, above: int) -> int:
    """Return a descriptor of a folder, whatever its mode is."""
    handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
    try:
        if os.fstat(handle).st_mode & stat.S_IRWXU != stat.S_IRWXU:
            Path(f"/proc/self/fd/{handle}").chmod(stat.S_IRWXU)
        return os.open(f"/proc/self/fd/{handle}", os.O_RDONLY | os.O_DIRECTORY)
    finally:
        os.close(handle)


def _listed(folder: int) -> tuple[int, os._ScandirIterator[str]]:
    """Return an open folder with its entries; it is closed if they cannot be read."""
    try:
        return folder, os.scandir(folder)
    except OSError:
        os.close(folder)
        raise


def _close(folder: int, entries: os._ScandirIterator[str]) -> None:
    entries.close()
    os.close(folder)
