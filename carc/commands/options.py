"""What several commands ask for, said in one way."""

from __future__ import annotations

import re
from pathlib import Path

import click

from carc.commands import own_modules

tile_files_option = click.option(
    "--tiles", "tile_files", multiple=True, type=click.Path(path_type=Path),
    help="Your own tile file, in place of the set of its name.",
)  # fmt: skip


class Names(click.ParamType[tuple[str, ...]]):
    """Texts with commas between, at least one: a tuple of them."""

    name = "a,b"

    def __init__(self, what: str, example: str) -> None:
        self._what = what
        self._example = example

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        found = tuple(part.strip() for part in str(value).split(","))
        if not any(found):
            self.fail(f"no {self._what} are named; name some, such as {self._example}", param, ctx)
        if not all(found):
            self.fail(
                f"{value!r} has a comma with no name beside it; {self._what} are written {self._example}",
                param,
                ctx,
            )
        return found


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers and ranges of them with commas between, `1,3-5`: a tuple of them, ascending."""

    name = "n,m-k"

    def __init__(self, what: str, low: int, high: int) -> None:
        self._what = what
        self._low = low
        self._high = high

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        found: set[int] = set()
        for part in str(value).split(","):
            match = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", part)
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
            if not self._low <= first <= last <= self._high:
                self.fail(
                    f"{self._what} are numbers such as 2,3 or 2-4, from {self._low} to {self._high}, not {value!r}",
                    param,
                    ctx,
                )
            found.update(range(first, last + 1))
        return tuple(sorted(found))


class BotNames(Names):
    """Names of bots; the modules of `module:Class` may be the user's own."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names as a tuple."""
        return tuple(own_modules.name(bot) for bot in super().convert(value, param, ctx))


BOTS = BotNames("bots", "greedy,random")
"""Bots by what names them: shipped, submitted, `module:Class`, or a folder, `./mine` (`carc.tournaments.entrants`)."""
