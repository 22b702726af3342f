"""Data of strangers, read within bounds: no larger and no more deeply nested than it may be.

Everything that comes from outside (records, positions, saved games, messages of bots, settings) is
parsed here.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

MOST_BYTES: Final = 16 << 20  # of a text
MOST_DEPTH: Final = 32  # lists and objects inside each other
TOO_DEEP: Final = f"nested more than {MOST_DEPTH} deep"

# A dotted key of so many parts, which tomllib reads in time that grows with their square.
_KEY: Final = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY: Final = re.compile(rf"(?:{_KEY}[ \t]*\.[ \t]*){{{MOST_DEPTH}}}")


def parse_json(text: str | bytes, most_bytes: int = MOST_BYTES) -> Any:
    """Return the data of a JSON text.

    Raises:
        ValueError: It is not JSON, too large, or nested too deeply.
    """
    return _parse(json.loads, text, most_bytes)


def parse_toml(text: str, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """Return the data of a TOML text.

    Raises:
        ValueError: It is not TOML, too large, or nested too deeply.
    """
    import tomllib  # noqa: PLC0415 (each bot's start would wait for it)

    if _DEEP_KEY.search(text):
        raise ValueError(TOO_DEEP)
    data: dict[str, Any] = _parse(tomllib.loads, text, most_bytes)
    return data


def _parse(loads: Callable[[Any], Any], text: str | bytes, most_bytes: int) -> Any:
    _check_size(text, most_bytes)
    try:
        data = loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    _check_depth(data)
    return data


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8, of which no more is read than there may be.

    Raises:
        OSError: It cannot be read.
        ValueError: It is not UTF-8, or too large.
    """
    with path.open("rb") as file:
        data = file.read(most_bytes + 1)
    _check_size(data, most_bytes)
    return data.decode()


def read_plain(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """Return the text of a plain file in a stranger's folder: no link, no pipe, no device.

    Raises:
        OSError: It is none, or cannot be read.
        ValueError: It is not UTF-8, or too large.
    """
    with open_plain(path) as file:
        data = file.read(most_bytes + 1)
    _check_size(data, most_bytes)
    return data.decode()


def open_plain(path: Path) -> BinaryIO:
    """Open a plain file in a stranger's folder, to read; opening a pipe would wait for a writer.

    Raises:
        OSError: It is none, or cannot be read.
    """
    flags = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"))
    descriptor = os.open(path, os.O_RDONLY | flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def checked_name(name: str) -> str:
    r"""Return a name of a player. JSON may have half a character, such as `\ud800`.

    Raises:
        ValueError: It has one, so no file can have it.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the name {name!r} has half a character; a name is whole text") from None
    return name


def _check_size(text: str | bytes, most_bytes: int) -> None:
    if len(text) > most_bytes:
        raise ValueError(f"larger than {most_bytes >> 10} kB")


def _check_depth(data: object) -> None:
    level = [data]
    for _ in range(MOST_DEPTH + 1):
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner.extend(each.values())
            elif isinstance(each, list):
                inner.extend(each)
        if not inner:
            return
        level = inner
    raise ValueError(TOO_DEEP)
