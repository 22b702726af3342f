"""Campaigns: how often teams of one bot win each level of `mists:LEVEL`."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import attrs

from carc import Rules, play
from carc.errors import CarcError
from carc.match import Void
from carc.tournaments.entrants import Entrant, seated
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.pool import LocalPool
from carc.tournaments.ratings import Range, wilson
from carc.tournaments.schedule import seed_from

LEVELS = (1, 2, 3, 4, 5, 6)
TEAMS = (1, 2, 3, 4, 5)
BATCH = 5  # games to one task


@attrs.frozen
class Tally:
    """Games won of those played by teams of one size at one level."""

    level: int
    players: int
    games: int
    won: int
    fault: str = ""
    """What the bot, or the machine, did wrong, if it did: such games show nothing."""

    @property
    def rate(self) -> Range:
        """The share of games won, with its 95 % interval."""
        return wilson(self.won / self.games, self.games)


@lru_cache(maxsize=2)
def _rules(level: int, players: int) -> Rules:
    return Rules.named(f"mists:{level}", players=players)


def play_batch(bot: Entrant, level: int, players: int, deals: Sequence[int]) -> Tally:
    """One team plays some deals at a level, up to the first fault."""
    rules = _rules(level, players)
    won = 0
    for deal in deals:
        where = f"{rules.spec} with {players} players, deal {deal}"
        seeds = [seed_from(deal, "levels", bot.spec, seat) for seat in range(players)]
        try:
            with seated([bot] * players, seeds, Clock(), {}) as table:
                names = [bot.name] * players
                match = play(rules, table.players, deal, names, watch=table.watch)
                table.over(match)
        except Void as error:
            return Tally(level, players, len(deals), won, f"the game at {where} is void: {error}")
        result = match.result
        for fault in result.faults:
            told = f"bot {bot.name!r} is at fault at {where}: {fault.verdict}: {fault.detail}"
            return Tally(level, players, len(deals), won, told)
        won += bool(result.winners)
    return Tally(level, players, len(deals), won)


def tally(
    bot: Entrant,
    levels: Iterable[int],
    teams: Iterable[int],
    *,
    games: int,
    seed: int,
    jobs: int,
) -> list[Tally]:
    """The bot's teams of every size at every level; all play the same deals, which `seed` decides.

    Raises `CarcError` if the bot is at fault in one of the games, or one is void.
    """
    deals = [seed_from(seed, "levels", number) for number in range(games)]
    with LocalPool(jobs) as pool:
        futures = [
            pool.submit(play_batch, bot, level, players, deals[at : at + BATCH])
            for level in levels
            for players in teams
            for at in range(0, games, BATCH)
        ]
        parts = [future.result() for future in futures]
    sums: dict[tuple[int, int], int] = {}
    for part in parts:
        if part.fault:
            raise CarcError(part.fault)
        sums[part.level, part.players] = sums.get((part.level, part.players), 0) + part.won
    return [Tally(level, players, games, won) for (level, players), won in sums.items()]


def table(tallies: Sequence[Tally]) -> str:
    """Win rates in per cent with their 95 % intervals: a Markdown table, a row a level, a column a size of team."""
    teams = sorted({one.players for one in tallies})
    cells = {(one.level, one.players): one for one in tallies}
    heads = [f"{n} player{'s' if n > 1 else ''}" for n in teams]
    lines = ["| level | " + " | ".join(heads) + " |", "|" + " --- |" * (len(teams) + 1)]
    for level in sorted({one.level for one in tallies}):
        row = []
        for players in teams:
            one = cells[level, players].rate
            row.append(f"{100 * one.value:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})")
        lines.append(f"| {level} | " + " | ".join(row) + " |")
    return "\n".join(lines)
