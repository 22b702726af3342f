"""Campaigns: how often teams of one bot win each level of `mists:LEVEL`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import attrs
import numpy as np

from carc import Rules, play
from carc.errors import CarcError
from carc.match import Void
from carc.tournaments.entrants import Entrant, seated
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.pool import LocalPool
from carc.tournaments.ratings import Range, ranged, wilson
from carc.tournaments.schedule import seed_from
from carc.tournaments.strength import RIDGE, Choices, Group

LEVELS = (1, 2, 3, 4, 5, 6)
TEAMS = (1, 2, 3, 4, 5)
BATCH = 5  # games to one task
SAMPLES = 300  # of the ratings


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


def ratings(tallies: Mapping[str, Sequence[Tally]]) -> tuple[dict[str, Range], dict[str, Range]]:
    """Of teams (a bot and its number) and of levels, from the tallies of several bots: as if a game were one of two, a team
    against a level, of which the stronger wins more often (`carc.tournaments.strength`). Natural logarithms of odds, of mean 0 in all.

    Intervals of 95 % come from samples of as many games with the same chances.
    """
    cells = [
        (f"{bot} x {one.players}", f"level {one.level}", one)
        for bot, some in tallies.items()
        for one in some
    ]
    teams = list(dict.fromkeys(team for team, _, _ in cells))
    levels = list(dict.fromkeys(level for _, level, _ in cells))
    names = sorted([*teams, *levels])
    at = {name: number for number, name in enumerate(names)}
    random = np.random.default_rng(0)
    games = np.array([one.games for *_, one in cells])
    won = np.array([one.won for *_, one in cells])
    made: dict[tuple[int, Group], float] = {
        (unit, (min(team, level), max(team, level))): float(one.games)
        for unit, (team, level, one) in enumerate(cells)
    }
    samples = []
    for number in range(1 + SAMPLES):
        drawn = random.binomial(games, won / games) if number else won
        wins = np.zeros((len(cells), len(names)))
        for unit, (team, level, _) in enumerate(cells):
            wins[unit, at[team]], wins[unit, at[level]] = drawn[unit], games[unit] - drawn[unit]
        # As on boards, the centre of the prior is drawn as well: who wins every game is not known to the last digit.
        prior = random.normal(0, RIDGE**-0.5, len(names)) if number else np.zeros(len(names))
        samples.append(Choices.of(names, made, wins).fit(np.ones(len(cells)), prior))
    found = {name: ranged(np.array(samples)[:, at[name]]) for name in names}
    return {team: found[team] for team in teams}, {level: found[level] for level in levels}


def ratings_table(teams: Mapping[str, Range], levels: Mapping[str, Range]) -> str:
    """A Markdown table of both, the strongest first."""
    lines = ["| team or level | rating |", "| --- | --- |"]
    for name, one in sorted({**teams, **levels}.items(), key=lambda item: -item[1].value):
        lines.append(f"| {name} | {one.value:+.2f} ({one.low:+.2f} to {one.high:+.2f}) |")
    return "\n".join(lines)


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
