"""The manifest of a bot: `bot.toml`."""

import re
import reprlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from carc.bots import SHIPPED
from carc.bounded import parse_toml, read_plain
from carc.errors import BadBot
from carc.escape import escape_unprintable
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.command import resolve

MANIFEST: Final = "bot.toml"
MOST_BYTES: Final = 64 << 10  # of a manifest
LONGEST_AUTHOR: Final = 80
MOST: Final = {
    "rules": 16,
    "exclude": 32,
    "include": 32,
}  # each is played at the check, or tried with each file

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,19}")
_NONCE = re.compile(r"[0-9a-f]{64}")
_KEYS = (
    "name", "version", "author", "nonce", "language", "entry", "command", "rules", "exclude",
    "include",
)  # fmt: skip
_LISTS = ("command", "rules", "exclude", "include")


@attrs.frozen
class Manifest:
    """The content of `bot.toml`."""

    name: str
    version: str
    rules: tuple[str, ...] = ("base",)
    """Specs of the rules it plays; it is checked with each."""
    command: tuple[str, ...] = ()
    """The command that starts it in its folder; empty for a Python class."""
    entry: str = ""
    """`module:Class` of a Python bot."""
    exclude: tuple[str, ...] = ()
    """Patterns of files that are not part of it, besides those that never are."""
    include: tuple[str, ...] = ()
    """Patterns of files that are part of it all the same."""
    author: str = ""
    """Who wrote it; empty if it does not say."""
    nonce: str = ""
    """SHA-256 of a nonce that its author opens in a contest; empty for none."""

    @property
    def spec(self) -> str:
        """Its name in a tournament."""
        return f"{self.name}@{self.version}"

    def start(self, folder: Path) -> list[str]:
        """Return the command that starts the bot in a folder, or raise `BadBot`."""
        if self.command:
            try:
                return resolve(self.command, folder)
            except BadBot as error:
                raise BadBot(f"{MANIFEST} of {self.spec}: {error}") from None
        return sandbox.python("-m", "carc.bots.sdk", self.entry)


def check_name(name: str) -> str:
    """Return the name if a bot may have it; raise `BadBot` otherwise."""
    if not _NAME.fullmatch(name):
        raise BadBot(
            f"a bot's name is up to 40 of a-z 0-9 _ -, a letter first, not {reprlib.repr(name)}"
        )
    if name in SHIPPED:
        raise BadBot(f"{name!r} is the name of a shipped bot; choose another")
    return name


def check_version(version: object) -> str:
    """Return a version if a bot may have it; raise `BadBot` otherwise."""
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise BadBot(
            f"version is up to 20 of letters, digits, . + -, in quotes, not {_abbreviated(version)}"
        )
    return version


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a bot in the registry.

    `carc.tournaments.submission.content` reads a stranger's folder.
    """
    return parse_manifest(read_plain(folder / MANIFEST, MOST_BYTES).encode())


def parse_manifest(text: bytes) -> Manifest:
    """Return the manifest in a text; `BadBot` names what is wrong and what is allowed."""
    if len(text) > MOST_BYTES:
        raise BadBot(f"too large; a manifest has at most {MOST_BYTES >> 10} kB")
    try:
        data = parse_toml(text.decode())
    except ValueError as error:
        raise BadBot(f"not TOML: {error}") from None
    unknown = sorted(data.keys() - set(_KEYS))
    if unknown:
        raise BadBot(f"unknown key {reprlib.repr(unknown[0])}; keys are {', '.join(_KEYS)}")
    name, version = data.get("name"), data.get("version")
    if not isinstance(name, str):
        raise BadBot(f"name is a text in quotes, not {_abbreviated(name)}")
    lists = {key: _texts(key, data[key]) for key in _LISTS if key in data}
    for key, most in MOST.items():
        if len(lists.get(key, ())) > most:
            raise BadBot(f"{key} has at most {most} texts, not {len(lists[key])}")
    return Manifest(
        name=check_name(name),
        version=check_version(version),
        author=check_author(data["author"]) if "author" in data else "",
        nonce=_nonce(data),
        **{**lists, **_started(data, lists)},
    )


def check_author(author: object) -> str:
    """Return the name if an author may have it; raise `BadBot` otherwise."""
    if (
        not isinstance(author, str)
        or not author.strip()
        or len(author) > LONGEST_AUTHOR
        or escape_unprintable(author) != author
    ):
        raise BadBot(
            f"an author's name has 1 to {LONGEST_AUTHOR} characters, all of them visible, not "
            f"{escape_unprintable(_abbreviated(author))}"
        )
    return author


def _nonce(data: Mapping[str, Any]) -> str:
    nonce = data.get("nonce", "")
    if "nonce" in data and not (isinstance(nonce, str) and _NONCE.fullmatch(nonce)):
        raise BadBot(
            "nonce is the SHA-256 of a nonce, 64 hexadecimal digits in lower case, not "
            f"{_abbreviated(nonce)}"
        )
    return str(nonce)


def _started(data: Mapping[str, Any], lists: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return how the bot is started: the manifest's `command` and `entry`."""
    language, entry = data.get("language"), data.get("entry")
    if (language is None) == ("command" not in lists):
        raise BadBot("it gives either language and entry, or a command")
    if language is None:
        return {}
    if not isinstance(entry, str):
        raise BadBot(f"entry is a text such as 'bot:Bot' or 'bot.js', not {_abbreviated(entry)}")
    if language == "javascript" and "\0" not in entry:
        return {"command": ("node", entry)}
    if language == "python":
        if not re.fullmatch(r"[\w.]+:\w+", entry):
            raise BadBot(f"entry of a Python bot is module:Class, not {_abbreviated(entry)}")
        return {"entry": entry}
    raise BadBot(
        f"language is 'python' or 'javascript', not {_abbreviated(language)}; others give a command"
    )


def _texts(key: str, words: object) -> tuple[str, ...]:
    """Return a list of texts; none of them has a NUL, which no program can be given."""
    if (
        not isinstance(words, list)
        or not all(isinstance(word, str) and "\0" not in word for word in words)
        or (not words and key in ("command", "rules"))
    ):
        raise BadBot(f'{key} is a list of texts such as ["base"], not {_abbreviated(words)}')
    return tuple(words)


def _abbreviated(value: object) -> str:
    """Return a value in a few words, however large or nested it is."""
    try:
        return reprlib.repr(value)
    except ValueError:
        return "a number of thousands of digits"
