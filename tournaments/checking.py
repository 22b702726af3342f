"""`carc check`: does a bot start, speak and play as a tournament needs it? Nothing is accepted that fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

import attrs

from carc import Bot, Match, Rules, play
from carc.bots import by_name
from carc.errors import BadBot, CarcError
from carc.tournaments import verdicts
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.protocol import Table
from carc.tournaments.registry import read_manifest

GAMES: Final = 20
_SHOWN: Final = 12  # lines of what the bot printed


@attrs.frozen
class Step:
    """One step of a check."""

    name: str
    passed: bool
    detail: str
    printed: str = ""
    """What the bot wrote to stderr; of a step that failed."""


@attrs.frozen
class _Played:
    match: Match
    seat: int
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


def check(folder: Path, level: str, clock: Clock, games: int = GAMES) -> Iterator[Step]:
    """The steps of checking the bot in a folder, as they are done; the first that fails is the last.

    Raises `carc.match.Void` if the machine is to blame.
    """
    try:
        manifest = read_manifest(folder)
        rules = [Rules.named(spec) for spec in manifest.rules]
    except CarcError as error:
        yield Step("manifest", False, str(error))
        return
    yield Step("manifest", True, f"{manifest.spec}, plays {', '.join(manifest.rules)}")

    program = Program(manifest.start(), folder, level)
    first = _play(program, clock, rules=rules[0], number=0)
    failed = first.verdict == verdicts.FAILED_TO_START
    yield Step(
        f"starts and answers hello within {clock.start:g} s",
        not failed,
        first.fault if failed else f"{first.start[0]:.2f} s, {first.start[1]:.2f} s of CPU time",
        first.printed if failed else "",
    )
    if failed:
        return

    played: list[_Played] = []
    for each in rules:
        these = []
        for number in range(games):
            game = _play(program, clock, rules=each, number=number)
            these.append(game)
            if game.fault:
                where = f"game {number + 1} of {games}, {len(game.times)} moves in"
                yield Step(
                    f"plays {games} games of {each.spec}",
                    False,
                    f"{game.fault} ({where})",
                    game.printed,
                )
                return
        played += these
        yield Step(f"plays {games} games of {each.spec}", True, _against_random(these))
    yield Step("no illegal action", True, f"{sum(len(g.times) for g in played)} moves, all legal")

    moves = [wall for game in played for wall, _ in game.times]
    yield Step(
        f"moves within {clock.cap:g} s",
        True,
        f"median {1000 * median(moves):.1f} ms, slowest {1000 * max(moves):.0f} ms",
    )
    peak = max(game.memory for game in played)
    yield Step(
        f"memory below {program.limits.memory >> 20} MB", True, f"at most {peak / (1 << 20):.0f} MB"
    )

    table = _fullest(manifest.rules[0])
    last = _play(program, clock, rules=table, number=games)
    most = max(game.wall for game in [*played, last])
    yield Step(
        f"survives a full clock, at a table of {table.players}",
        not last.fault,
        last.fault or f"used {most:.1f} of {clock.bank:g} s at most",
        last.printed if last.fault else "",
    )


def _play(program: Program, clock: Clock, *, rules: Rules, number: int) -> _Played:
    """One game against random, from one seat after another."""
    seat = number % rules.players
    with Table(clock) as table:
        bot = table.start(program, seat, seed=number)
        seats: list[Bot] = [by_name("random", seed=number) for _ in range(rules.players)]
        seats[seat] = bot
        match = play(
            rules,
            seats,
            seed=number,
            names=["random"] * rules.players,
            watch=table.watch,
        )
        memory = bot.memory
        table.over(match)
    return _Played(match, seat, bot.times, bot.start, memory, bot.stderr)


def _against_random(games: list[_Played]) -> str:
    won = sum(1 for game in games if game.match.result.ranks[game.seat] == 0)
    own = sum(game.match.result.scores[game.seat] for game in games) / len(games)
    return f"won {won} of {len(games)} against random, {own:.1f} points a game"


def _fullest(spec: str) -> Rules:
    for players in range(6, 0, -1):
        try:
            return Rules.named(spec, players=players)
        except CarcError:
            continue
    raise BadBot(f"{spec} can be played by no number of players")
