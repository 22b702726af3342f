"""The command `carc levels`: how often teams of one bot win each level of `mists:LEVEL`."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import attrs
import click

from bots import by_name
from carc import Rules, play
from carc.errors import CarcError
from tournaments.pool import LocalPool, cores
from tournaments.ratings import Range, wilson
from tournaments.schedule import seed_from

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
    """What the bot did wrong, if it did: such games show nothing."""

    @property
    def rate(self) -> Range:
        """The share of games won, with its 95 % interval."""
        return wilson(self.won / self.games, self.games)


@lru_cache(maxsize=2)
def _rules(level: int, players: int) -> Rules:
    return Rules.named(f"mists:{level}", players=players)


def play_batch(bot: str, level: int, players: int, deals: Sequence[int]) -> Tally:
    """One team plays some deals at a level, up to the first fault."""
    rules = _rules(level, players)
    won = 0
    for deal in deals:
        team = [by_name(bot, seed=seed_from("levels", bot, deal, seat)) for seat in range(players)]
        result = play(rules, team, seed=deal, names=[bot] * players).result
        for fault in result.faults:
            where = f"{rules.spec} with {players} players, deal {deal}"
            told = f"bot {bot!r} is at fault at {where}: {fault.verdict}: {fault.detail}"
            return Tally(level, players, len(deals), won, told)
        won += bool(result.winners)
    return Tally(level, players, len(deals), won)


def tally(
    bot: str,
    levels: Iterable[int],
    teams: Iterable[int],
    *,
    games: int,
    seed: int,
    jobs: int,
) -> list[Tally]:
    """The bot's teams of every size at every level; all play the same deals, which `seed` decides.

    Raises `CarcError` if the bot is at fault in one of the games.
    """
    deals = [seed_from("levels", seed, number) for number in range(games)]
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


def _numbers(text: str, allowed: Sequence[int], what: str) -> list[int]:
    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or not set(found) <= set(allowed):
        raise CarcError(
            f"{what} are numbers from {allowed[0]} to {allowed[-1]}, such as 1,2, not {text!r}"
        )
    return found


@click.command()
@click.option(
    "--bots",
    default="careful",
    show_default=True,
    help="Bots, comma-separated; each makes teams of its own.",
)
@click.option("--levels", default="1,2,3,4,5,6", show_default=True, help="Levels, comma-separated.")
@click.option(
    "--players", default="1,2,3,4,5", show_default=True, help="Sizes of team, comma-separated."
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Games for each level and size.",
)
@click.option("--seed", default=1, show_default=True, help="Decides the deals and the bots' seeds.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
def levels(
    *, bots: str, levels: str, players: str, games: int, seed: int, jobs: int | None
) -> None:
    """Print how often teams of a bot win each level of the co-operative game, as a Markdown table."""
    chosen = _numbers(levels, LEVELS, "levels")
    teams = _numbers(players, TEAMS, "sizes of team")
    workers = jobs or cores()
    for bot in [name.strip() for name in bots.split(",") if name.strip()]:
        by_name(bot)
        tallies = tally(bot, chosen, teams, games=games, seed=seed, jobs=workers)
        click.echo(
            f"Games won by teams of `{bot}`, in per cent of {games} games, with 95 % intervals:\n"
        )
        click.echo(table(tallies) + "\n")


COMMANDS: list[click.Command] = [levels]
