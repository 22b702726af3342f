"""What the page for a new game suggests: presets, and opponents by strength."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import attrs

from carc.bots.ladder import Level, ladder
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
        image: The address of its picture, if not that of its rules.
    """

    id: str
    title: str
    sentence: str
    rules: str
    seats: Sequence[str]
    image: str = ""

    @property
    def picture(self) -> str:
        """The address of its picture: by default of the last name in its rules."""
        name = re.split(r"[:(]", self.rules.rpartition("+")[2])[0]
        return self.image or f"/rules/{name}.svg"


@lru_cache(maxsize=1)
def presets() -> tuple[Preset, ...]:
    """Return the games that the page for a new game suggests."""
    text = files("carc.web").joinpath("new_game.toml").read_text(encoding="utf-8")
    return tuple(Preset(**preset) for preset in parse_toml(text)["preset"])


def levels_among(bots: Sequence[str]) -> tuple[Level, ...]:
    """Return the levels of the ladder whose bots are offered."""
    return tuple(
        level
        for level in ladder()
        if {level.bot.partition(":")[0], level.team.partition(":")[0]} <= set(bots)
    )
