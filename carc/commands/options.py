"""Options and types of options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path

import click

from carc.commands import own_modules

tile_files_option = click.option(
    "--tiles",
    "tile_files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A tile file that replaces the set of its name.",
)
folder_of_game_option = click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs/tournament"),
    show_default=True,
    help="Folder of the tournament with GAME.",
)


class Names(click.ParamType[tuple[str, ...]]):
    """One or more names separated by commas."""

    name = "a,b"

    def __init__(self, what: str, example: str) -> None:
        """Describe the names for error messages: what they name, and an example."""
        self._what = what
        self._example = example

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names as a tuple."""
        names = tuple(part.strip() for part in str(value).split(","))
        if not any(names):
            self.fail(f"no {self._what} are named; name some, such as {self._example}", param, ctx)
        if not all(names):
            self.fail(
                f"{value!r} has a comma without a name; write {self._what} as {self._example}",
                param,
                ctx,
            )
        return names


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers and ranges separated by commas, such as `1,3-5`."""

    name = "n,m-k"

    def __init__(self, what: str, low: int, high: int) -> None:
        """Describe the numbers: what they count, and the bounds."""
        self._what = what
        self._low = low
        self._high = high

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the numbers as a tuple in ascending order."""
        numbers: set[int] = set()
        for part in str(value).split(","):
            match = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", part)
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
            if not self._low <= first <= last <= self._high:
                self.fail(
                    f"{self._what} are numbers such as 2,3 or 2-4,"
                    f" from {self._low} to {self._high}, not {value!r}",
                    param,
                    ctx,
                )
            numbers.update(range(first, last + 1))
        return tuple(sorted(numbers))


class BotNames(Names):
    """Names of bots; the modules of `module:Class` may be the user's own."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names as a tuple."""
        return tuple(own_modules.name(bot) for bot in super().convert(value, param, ctx))


BOTS = BotNames("bots", "greedy,random")
"""Bots: shipped, submitted, `module:Class`, or a folder such as `./mine`."""
