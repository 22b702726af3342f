"""Options and types of options that several commands share."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import click

from carc.commands import own_modules
from carc.errors import CarcError

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")

ANY_PATH = click.Path(path_type=Path)
EXISTING_PATH = click.Path(exists=True, path_type=Path)
FILE_PATH = click.Path(dir_okay=False, path_type=Path)
FOLDER_PATH = click.Path(file_okay=False, path_type=Path)
COUNT = click.IntRange(min=1)
PORT = click.IntRange(0, 65535)

tile_files_option = click.option(
    "--tiles",
    "tile_files",
    multiple=True,
    type=ANY_PATH,
    help="A tile file that replaces the set of its name.",
)
folder_of_game_option = click.option(
    "--out",
    "folder",
    type=FOLDER_PATH,
    default=Path("runs/tournament"),
    help="Folder of the tournament with GAME.",
)
rules_option = click.option("--rules", default="base", help="Rules, such as base+ghosts.")
jobs_option = click.option(
    "--jobs", type=COUNT, help="Number of processes.  [default: one for each core]"
)


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that gives a command all of these options, in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class Kind(click.ParamType[T], Generic[T]):
    """A type of options: what the help calls it, and a function from the text to the value."""

    def __init__(self, name: str, read: Callable[[str], T]) -> None:
        """Take a function that raises `CarcError` for a text that is none."""
        self.name = name
        self._read = read

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Return the value of a text."""
        try:
            return self._read(str(value))
        except CarcError as error:
            self.fail(str(error), param, ctx)


def numbers(what: str, low: int, high: int) -> Kind[tuple[int, ...]]:
    """Return the type of whole numbers from `low` to `high` and ranges, such as `1,3-5`."""

    def read(text: str) -> tuple[int, ...]:
        found: set[int] = set()
        for part in text.split(","):
            match = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", part)
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
            if not low <= first <= last <= high:
                raise CarcError(
                    f"{what} are numbers such as 2,3 or 2-4, from {low} to {high}, not {text!r}"
                )
            found.update(range(first, last + 1))
        return tuple(sorted(found))

    return Kind("n,m-k", read)


def _bots(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    if not any(names):
        raise CarcError("no bots are named; name some, such as greedy,random")
    if not all(names):
        raise CarcError(f"{text!r} has a comma without a name; write bots as greedy,random")
    return tuple(map(own_modules.name, names))


BOT = Kind("bot", own_modules.name)
"""One bot; its module may be the user's own."""
BOTS = Kind("a,b", _bots)
"""Bots: shipped, submitted, `module:Class`, or a folder such as `./mine`."""
