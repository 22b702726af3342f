"""The programs that the command of a bot's manifest may start."""

import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from carc.errors import BadBot

PATH: Final = "/usr/local/bin:/usr/bin:/bin"  # before the runner's own
LONGEST: Final = 8 << 10  # bytes of a command


def resolve(command: Sequence[str], folder: Path) -> list[str]:
    """Return the command of the bot in a folder, with the full path of its program.

    The first word is the bare name of a program of the host that everybody may run, or the path of
    an executable file in the bot's folder: no absolute path, no `..`, no link on the way. Otherwise
    it raises `BadBot`.
    """
    if "\0" in "".join(command) or sum(len(os.fsencode(word)) + 1 for word in command) > LONGEST:
        raise BadBot(f"a command has at most {LONGEST} bytes, and none of them is NUL")
    word = command[0]
    if "/" not in word:
        return [_of_the_host(word), *command[1:]]
    path = PurePosixPath(word)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise _wrong(word, "names a place outside the bot's folder")
    place = folder
    for part in path.parts:
        place = place / part
        if place.is_symlink():
            raise _wrong(word, "is a link")
    try:
        mode = place.stat().st_mode
    except OSError:
        raise _wrong(word, "is not there") from None
    if not stat.S_ISREG(mode) or not mode & 0o111:
        raise _wrong(word, "is not an executable file: chmod +x")
    return [f"./{path}", *command[1:]]


def reachable(path: str) -> bool:
    """Return whether any user may go to a path: all folders above it are open to others."""
    return all(above.stat().st_mode & stat.S_IXOTH for above in Path(path).parents)


def _of_the_host(name: str) -> str:
    # A relative folder in PATH would be one of the runner's own.
    own = [folder for folder in os.environ.get("PATH", "").split(":") if folder.startswith("/")]
    path = None
    if name not in ("", ".", ".."):
        path = shutil.which(name, path=":".join([PATH, *own]))
    if path is None:
        raise _wrong(name, "is no program of this host")
    program = os.path.realpath(path)
    if not reachable(program):
        raise _wrong(name, "is in a folder that is not open to everybody")
    return program


def _wrong(word: str, what: str) -> BadBot:
    return BadBot(
        f"the command's program {word[:80]!r} {what}; it is a bare name such as node, or a file in "
        "the bot's folder such as ./mybot"
    )
