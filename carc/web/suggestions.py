"""What the page for a new game suggests: presets, and opponents by strength."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import attrs

from carc.base.game.rules import Rules
from carc.bounded import parse_toml

LEVEL = "level:"
"""What the value of a seat begins with if it is a level instead of a bot."""


@attrs.frozen
class Preset:
    """A game that can be started at once.

    Attributes:
        id: Its name in addresses.
        title: Its name on the page.
        sentence: What it is like.
        rules: The spec.
        seats: A value of the form for each seat.
    """

    id: str
    title: str
    sentence: str
    rules: str
    seats: Sequence[str]

    @property
    def picture(self) -> str:
        """The last name in its rules: the game or expansion that pictures it."""
        return re.split(r"[:(]", self.rules.rpartition("+")[2])[0]


@attrs.frozen
class Level:
    """A strength of opponents.

    Attributes:
        id: Its name in forms.
        title: Its name on the page.
        sentence: What it is like.
        bot: The bot that plays at this level against others.
        team: The bot that plays at this level for a team.
    """

    id: str
    title: str
    sentence: str
    bot: str
    team: str


@attrs.frozen
class Suggestions:
    """What `new_game.toml` suggests."""

    presets: tuple[Preset, ...]
    levels: tuple[Level, ...]


@lru_cache(maxsize=1)
def suggestions() -> Suggestions:
    """Return what the page for a new game suggests."""
    text = files("carc.web").joinpath("new_game.toml").read_text(encoding="utf-8")
    data = parse_toml(text)
    return Suggestions(
        tuple(Preset(**preset) for preset in data["preset"]),
        tuple(Level(**level) for level in data["level"]),
    )


def levels_among(bots: Sequence[str]) -> tuple[Level, ...]:
    """Return the levels whose bots are offered.

    Args:
        bots: The names of bots that may be played against.
    """
    return tuple(
        level
        for level in suggestions().levels
        if {level.bot.partition(":")[0], level.team.partition(":")[0]} <= set(bots)
    )


def is_team_game(rules: Rules) -> bool:
    """Return True if all players win or lose together."""
    return len(rules.hooks.win_chances) > 0
