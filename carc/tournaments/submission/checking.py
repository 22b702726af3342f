"""`carc check`: does a bot start, speak and play as a tournament needs it?

Nothing is accepted that fails. Its games are those of a tournament as far as a bot can see: seeds,
seats and opponents are drawn.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from statistics import median
from typing import Final

import attrs

from carc import Bot, Match, Rules, play
from carc.bots import by_name
from carc.errors import BadBot, CarcError
from carc.match import Void
from carc.tournaments.identifiers import seed_from
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.outcomes import verdicts
from carc.tournaments.players.protocol import Table
from carc.tournaments.submission.content import Content
from carc.tournaments.submission.manifest import MANIFEST

GAMES: Final = 20
OPPONENTS: Final = ("random", "greedy")  # that play any rules
TRIES: Final = 3  # of a game that the machine does not let be played
_SHOWN: Final = 12  # lines of what the bot printed


@attrs.frozen
class Step:
    """One step of a check.

    Attributes:
        name: What is checked.
        passed: Whether it passed.
        detail: What was found.
        printed: What the bot wrote to stderr; empty of a step that passed.
    """

    name: str
    passed: bool
    detail: str
    printed: str = ""


@attrs.frozen
class _Played:
    match: Match
    seat: int
    """The bot's own; `OPPONENTS` sit at the others."""
    times: list[tuple[float, float]]
    start: tuple[float, float]
    memory: int
    stderr: str

    @property
    def fault(self) -> str:
        faults = [fault for fault in self.match.result.faults if fault.seat == self.seat]
        return f"{faults[0].verdict}: {faults[0].detail}" if faults else ""

    @property
    def verdict(self) -> str:
        return self.fault.partition(":")[0] or verdicts.OK

    @property
    def wall(self) -> float:
        return sum(wall for wall, _ in self.times)

    @property
    def printed(self) -> str:
        return "\n".join(self.stderr.strip().splitlines()[-_SHOWN:])


def check(
    content: Content, level: str, clock: Clock, games: int = GAMES, *, seed: int
) -> Iterator[Step]:
    """Yield the steps of checking a bot, as they are done; the first that fails is the last.

    Args:
        content: The bot.
        level: How it is isolated.
        clock: Its clock.
        games: How many it plays by each of its rules.
        seed: Decides deals, seats, opponents and all seeds: the same seed is the same check.

    Raises:
        BadBot: The manifest names something that does not exist.
        HostFailure: The host did not let a game be played, three times.
    """
    manifest = content.manifest
    rules = [_rules(spec) for spec in manifest.rules]
    with content.unpacked() as folder:
        program = Program(manifest.start(folder), folder, level)
        yield Step("manifest", True, _described(content))
        yield from _checks(_Games(program, clock, seed), rules, games)


def _checks(play: _Games, rules: list[Rules], games: int) -> Iterator[Step]:
    clock, played = play.clock, list[_Played]()
    for each in rules:
        these: list[_Played] = []
        for number in range(games):
            game = play.one(each)
            if not played and not these:
                failed = game.verdict == verdicts.FAILED_TO_START
                yield Step(
                    f"starts and answers hello within {clock.start:g} s",
                    not failed,
                    game.fault or f"{game.start[0]:.2f} s, {game.start[1]:.2f} s of CPU time",
                    game.printed if failed else "",
                )
                if failed:
                    return
            these.append(game)
            if game.fault:
                where = f"game {number + 1} of {games}, {len(game.times)} moves in"
                told = f"{game.fault} ({where})"
                yield Step(f"plays {games} games of {each.spec}", False, told, game.printed)
                return
        played += these
        yield Step(f"plays {games} games of {each.spec}", True, _results(these))
    moves = [wall for game in played for wall, _ in game.times]
    yield Step("no illegal action", True, f"{len(moves)} moves, all legal")

    yield Step(
        f"moves within {clock.cap:g} s",
        True,
        f"median {1000 * median(moves):.1f} ms, slowest {1000 * max(moves):.0f} ms",
    )
    peak = max(game.memory for game in played)
    used = f"at most {peak / (1 << 20):.0f} MB"
    yield Step(f"memory below {play.program.limits.memory >> 20} MB", True, used)

    table = _fullest(rules[0].spec)
    last = play.one(table)
    most = max(game.wall for game in [*played, last])
    yield Step(
        f"survives a full clock, at a table of {table.players}",
        not last.fault,
        last.fault or f"used {most:.1f} of {clock.bank:g} s at most",
        last.printed if last.fault else "",
    )


class _Games:
    """Plays one game after another."""

    def __init__(self, program: Program, clock: Clock, seed: int) -> None:
        self.program = program
        self.clock = clock
        self._seed = seed
        self._number = 0

    def one(self, rules: Rules) -> _Played:
        """Return one game at a table of these rules.

        The bot sits at each seat in turn; the first seat is drawn. As in a tournament, a void game
        is played again on other tiles, and raises `HostFailure` the third time.
        """
        number = self._number
        self._number += 1
        for attempt in range(TRIES - 1):
            with suppress(Void):
                return self._game(rules, number, attempt)
        return self._game(rules, number, TRIES - 1)

    def _game(self, rules: Rules, number: int, attempt: int) -> _Played:
        drawn = random.Random(seed_from(self._seed, "table", number))
        seat = (seed_from(self._seed, "seat") + number) % rules.players
        names = [drawn.choice(OPPONENTS) for _ in range(rules.players)]
        seeds = [seed_from(self._seed, "bot", number, attempt, each) for each in range(len(names))]
        deal = seed_from(self._seed, "deal", number, attempt)
        with Table(self.clock) as table:
            table.reserve([self.program])
            bot = table.start(self.program, seat, seeds[seat])
            seats: list[Bot] = [by_name(*each) for each in zip(names, seeds, strict=True)]
            seats[seat] = bot
            match = play(rules, seats, seed=deal, names=names, watch=table.watch)
            memory = bot.memory
            table.over(match)
        return _Played(match, seat, bot.times, bot.start, memory, bot.stderr)


def _described(content: Content) -> str:
    manifest = content.manifest
    parts = [
        f"{manifest.spec}, plays {', '.join(manifest.rules)}",
        f"{len(content.files)} files, {content.size / 1000:.1f} kB",
    ]
    if manifest.nonce:
        parts.append("its author keeps a nonce, to open in a contest")
    if content.left_out:
        parts.append(f"left out: {', '.join(content.left_out[:_SHOWN])}")
    return "; ".join(parts)


def _results(games: list[_Played]) -> str:
    """Return how the games went, by who else was at the table."""
    won: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for game in games:
        others = game.match.seats[: game.seat] + game.match.seats[game.seat + 1 :]
        against = " and ".join(sorted(set(others)))
        met[against] += 1
        won[against] += game.match.result.ranks[game.seat] == 0
    own = sum(game.match.result.scores[game.seat] for game in games) / len(games)
    told = ", ".join(f"{won[others]} of {met[others]} against {others}" for others in sorted(met))
    return f"won {told}; {own:.1f} points a game"


def _rules(spec: str) -> Rules:
    try:
        return Rules.from_spec(spec)
    except CarcError as error:
        raise BadBot(f"{MANIFEST}: {error}") from None


def _fullest(spec: str) -> Rules:
    for players in range(6, 0, -1):
        try:
            return Rules.from_spec(spec, players=players)
        except CarcError:
            continue
    raise BadBot(f"{spec} can be played by no number of players")
