"""Data of strangers, read within bounds: no larger and no more deeply nested than it may be.

Everything that comes from outside (records, positions, saved games, messages of bots, settings) is
parsed here.
"""

import errno
import json
import math
import os
import re
import reprlib
import stat
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from carc.errors import CarcError

MOST_BYTES: Final = 16 << 20  # of a text
MOST_DEPTH: Final = 32  # lists and objects inside each other
TOO_DEEP: Final = f"nested more than {MOST_DEPTH} deep"

T = TypeVar("T")
_KINDS: Final[dict[type, str]] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
_MARK: Final = "\ufeff"  # of byte order, which some programs write before a text
_SHORT: Final = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxdict, _SHORT.maxstring = 2, 3, 2, 40

# A dotted key of so many parts, which tomllib reads in time that grows with their square.
_KEY: Final = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY: Final = re.compile(rf"(?:{_KEY}[ \t]*\.[ \t]*){{{MOST_DEPTH}}}")


def parse_json(text: str | bytes, most_bytes: int = MOST_BYTES) -> Any:
    """Return the data of a JSON text; `ValueError` also if it is too large or too deep."""
    return _parse(json.loads, text, most_bytes)


def parse_plainly(text: str) -> Any:
    """Return the data of a JSON text that says nothing twice; raise `ValueError` as `parse_json`.

    People would read what is said first, programs what is said last.
    """
    return _parse(partial(json.loads, object_pairs_hook=_once), text, MOST_BYTES)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise ValueError(f"it says {key!r:.60} twice")
        data[key] = value
    return data


def parse_toml(text: str, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """Return the data of a TOML text; `ValueError` also if it is too large or too deep."""
    import tomllib  # noqa: PLC0415 (each bot's start would wait for it)

    if _DEEP_KEY.search(text):
        raise ValueError(TOO_DEEP)
    data: dict[str, Any] = _parse(tomllib.loads, text, most_bytes)
    return data


def _parse(loads: Callable[[Any], Any], text: str | bytes, most_bytes: int) -> Any:
    _check_size(text, most_bytes)
    try:
        data = loads(text.removeprefix(_MARK) if isinstance(text, str) else text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON at line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        if "limit" in str(error) and "digits" in str(error):  # of Python
            raise ValueError("a number has too many digits") from None
        raise
    _check_depth(data)
    return data


def of_kind(value: object, kind: type[T], what: str) -> T:
    """Return a value of parsed data, which is of this kind.

    Args:
        value: The value.
        kind: `int`, `float`, `str`, `bool`, `list` or `dict`. A whole number is a `float`, too.
        what: What the value is called in messages.

    Raises:
        ValueError: It is of another kind, or not finite.
    """
    if kind is float and type(value) is int and abs(value) < 1 << 53:
        value = float(value)
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(f"{what} is {_KINDS[kind]}, not {shortly(value)}")
    return value


def fields(
    value: object, kinds: Mapping[str, type], what: str, optional: Mapping[str, type] | None = None
) -> dict[str, Any]:
    """Return the fields of an object of parsed data, each of its kind.

    Args:
        value: The object.
        kinds: By name the kind of each field that it has, as in `of_kind`.
        what: What the object is called in messages.
        optional: The same of fields that it may have.

    Raises:
        ValueError: A field is missing, of another kind, or unknown.
    """
    data = of_kind(value, dict, what)
    known = {**kinds, **(optional or {})}
    for name in kinds:
        if name not in data:
            raise ValueError(f"{what} has no {name!r}")
    for name in data:
        if name not in known:
            raise ValueError(
                f"{what} has an unknown key {shortly(name)}; keys are {', '.join(known)}"
            )
    return {name: of_kind(each, known[name], f"{name!r} of {what}") for name, each in data.items()}


def list_of(value: object, kind: type[T], what: str) -> tuple[T, ...]:
    """Return the values of a list of parsed data, all of one kind, as in `of_kind`.

    Raises:
        ValueError: It is no list, or a value is of another kind.
    """
    return tuple(of_kind(each, kind, f"a value in {what}") for each in of_kind(value, list, what))


def whole_number(text: str, digits: int, otherwise: int) -> int:
    """Return the number that a text of at most so many digits is; otherwise another."""
    is_one = text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if is_one else otherwise


def shortly(value: object) -> str:
    """Return how a value is written, cut to some 100 characters."""
    return _SHORT.repr(value)


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8, of which no more is read than there may be.

    Raises `OSError` if it cannot be read, `ValueError` if it is not UTF-8, or too large.
    """
    with path.open("rb") as file:
        data = file.read(most_bytes + 1)
    _check_size(data, most_bytes)
    return data.decode().removeprefix(_MARK)


def read_named(path: Path, error: type[CarcError] = CarcError, expected: str = "") -> str:
    """Return the text of a file that a user named.

    Args:
        path: The file.
        error: What is raised, with one sentence, if it cannot be read or is no text.
        expected: What it was meant to be, which the sentence asks for what is no text.
    """
    asked = f"; is this {expected}?" if expected else ""
    try:
        return read_text(path)
    except OSError as why:
        raise error(f"{path}: cannot be read: {why.strerror}") from None
    except UnicodeDecodeError:
        raise error(f"{path}: not a text in UTF-8{asked}") from None
    except ValueError as why:
        raise error(f"{path}: {why}{asked}") from None


def read_plain(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """Return the text of a plain file in a stranger's folder: no link, no pipe, no device.

    Raises `OSError` if it is none, or cannot be read, and `ValueError` as `read_text`.
    """
    with open_plain(path) as file:
        data = file.read(most_bytes + 1)
    _check_size(data, most_bytes)
    return data.decode().removeprefix(_MARK)


def open_plain(path: Path) -> BinaryIO:
    """Open a plain file in a stranger's folder, to read, or raise `OSError`; a pipe would wait."""
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

    Then it raises `ValueError`, for no file can have it.
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
