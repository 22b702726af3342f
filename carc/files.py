"""Files that are written whole or not at all, and sockets that only this user can reach."""

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from carc.errors import CarcError

_STREAMS = (Path("/dev"), Path("/proc"))  # such as /dev/stdout, even if that is a file


def write_file(path: Path, content: str | bytes, sources: Iterable[Path | None] = ()) -> None:
    """Write a file.

    Args:
        path: The file. What it was before is kept until the new one is whole.
        content: What is in it; a text is written as UTF-8.
        sources: The files from which the content was made.

    Raises:
        CarcError: It cannot be written, or it is one of the sources.
    """
    refuse_sources([path], sources)
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:
        odd = error.object[error.start]
        raise CarcError(f"{path} cannot be written: {odd!r} in it is no character") from None
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write. It gets its name when all is written; a link is followed.

    Raises:
        CarcError: It cannot be written.
    """
    try:
        if _is_stream(path):
            with path.open("wb") as stream:
                yield stream
        else:
            with replaced(path.resolve()) as file:
                yield file
    except OSError as error:
        raise CarcError(f"{path} cannot be written: {error.strerror}") from None


def write_anew(path: Path, text: str) -> None:
    """Write a file in a folder that may be a stranger's: a link in its place is not followed.

    Raises:
        CarcError: It cannot be written.
    """
    try:
        with replaced(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise CarcError(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that takes the place of another, or of a link, when all is written.

    Raises `OSError` if it cannot be written. Then what was in its place is kept.
    """
    new = path.with_name(f".carc-{secrets.token_hex(8)}.new")
    flags = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        if path.is_file() and not path.is_symlink():
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def refuse_sources(paths: Iterable[Path | None], sources: Iterable[Path | None] = ()) -> None:
    """Raise `CarcError` for writing over what is read, or two files in one place."""
    read = [source for source in sources if source is not None and source.is_file()]
    written: list[Path] = []
    for path in paths:
        if path is None:
            continue
        if path.is_file() and any(path.samefile(source) for source in read):
            raise CarcError(f"{path} is what is read here; give another file to write")
        if path.resolve() in written:
            raise CarcError(f"{path} is given for two files to write; give two")
        written.append(path.resolve())


def _is_stream(path: Path) -> bool:
    """Return True for a pipe, a device or a folder, which no file can replace."""
    if path.exists() and not path.is_file():
        return True
    return any(path.is_relative_to(folder) for folder in _STREAMS)


@contextmanager
def new_socket(path: Path) -> Iterator[None]:
    """Have the socket at a path made anew meanwhile, so that only this user can reach it."""
    path.unlink(missing_ok=True)  # of a process that was killed
    mask = os.umask(0o177)
    try:
        yield
    finally:
        os.umask(mask)
