"""The ladder: levels of play for people, each a bot. The page and `carc play --level` use it."""

from functools import lru_cache
from importlib.resources import files
from math import sqrt

import attrs

from carc.base.game.outcome import is_team
from carc.base.game.rules import Rules
from carc.bounded import parse_toml
from carc.errors import BadBot


@attrs.frozen
class Level:
    """A strength of opponents.

    Attributes:
        id: Its name in forms and on the command line.
        title: Its name for people.
        sentence: What it is like.
        bot: The bot that plays at this level against others.
        team: The bot that plays at this level for a team.
        overlook: The probability that `bot` overlooks an action at a table of two.
        former: That of `greedy`, which played at this level before; 0 if it did not.
    """

    id: str
    title: str
    sentence: str
    bot: str
    team: str
    overlook: float = 0.0
    former: float = 0.0

    def bot_for(self, rules: Rules) -> str:
        """Return the bot that plays at this level under some rules."""
        return self.team if is_team(rules) else self.bot_among(rules.players)

    def bot_among(self, players: int) -> str:
        """Return the bot that plays at this level at a table of so many players."""
        return _overlooking(self.bot, self.overlook, players)

    def is_of(self, bot: str, rules: Rules) -> bool:
        """Return whether a bot plays at this level under some rules, or did before."""
        former = _overlooking("greedy", self.former, rules.players)
        return bot == self.bot_for(rules) or (bot == former and self.former > 0)


def _overlooking(bot: str, overlook: float, players: int) -> str:
    """Return a bot that overlooks actions at a table of so many players.

    What a player loses by overlooking grows with the turns the player has, and luck with their
    root. So at larger tables, where each has fewer turns, more must be overlooked.
    """
    return f"{bot}:overlook={overlook * sqrt(players / 2):.3g}" if overlook else bot


@lru_cache(maxsize=1)
def ladder() -> tuple[Level, ...]:
    """Return the levels, the weakest first."""
    text = files("carc.bots").joinpath("ladder.toml").read_text(encoding="utf-8")
    return tuple(Level(**level) for level in parse_toml(text)["level"])


def find_level(name: str) -> Level:
    """Return the level of this name, or of this number from 1, or raise `BadBot`."""
    levels = ladder()
    for number, level in enumerate(levels, 1):
        if name.casefold() in (level.id, level.title.casefold(), str(number)):
            return level
    names = ", ".join(f"{number} {level.id}" for number, level in enumerate(levels, 1))
    raise BadBot(f"there is no level {name!r}; the levels are {names}")
