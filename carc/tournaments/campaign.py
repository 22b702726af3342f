"""Campaigns: teams of one bot in every seat at every level of `mists:LEVEL`.

They are played and rated as tournaments are. Each game is one of two, the team against the level
(`carc.tournaments.rating.tally`), so the board rates both on one scale.
"""

from collections.abc import Sequence
from typing import Any

from carc import Rules
from carc.escape import escape_unprintable
from carc.tournaments.rating.ratings import Leaderboard
from carc.tournaments.schedule.configuration import Configuration, configure

LEVELS = (1, 2, 3, 4, 5, 6)
TEAMS = (1, 2, 3, 4, 5)


def campaign(
    bots: Sequence[str],
    levels: Sequence[int],
    teams: Sequence[int],
    deals: int,
    seed: int,
    **more: Any,
) -> Configuration:
    """Return the configuration of a campaign; what else there is, is that of `configure`.

    It has `deals` games of each bot in teams of each size at each level.
    """
    specs = [Rules.from_spec(f"mists:{level}", players=teams[0]).spec for level in levels]
    return configure(specs[0], bots, teams, deals, seed, format="campaign", levels=specs, **more)


def table(board: Leaderboard, configuration: Configuration, bot: str) -> str:
    """Return how often teams of a bot won, in per cent with 95 % intervals.

    It is a Markdown table with a row for each level and a column for each size.
    """
    heads = [f"{n} player{'s' if n > 1 else ''}" for n in configuration.tables]
    lines = ["| level | " + " | ".join(heads) + " |", "|" + " --- |" * (len(heads) + 1)]
    for level in configuration.levels:
        cells = []
        for size in configuration.tables:
            won = board.ahead.get(f"{bot} x {size}", {}).get(level)
            cells.append(
                f"{100 * won.value:.1f} ({100 * won.low:.1f} to {100 * won.high:.1f})"
                if won
                else ""
            )
        lines.append(f"| {level} | " + " | ".join(cells) + " |")
    return escape_unprintable("\n".join(lines), keep="\n")
