"""Measure what isolating a bot costs: `python tools/measure_isolation.py [--json]`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

import click

from carc import Action, Rules, State, play
from carc.bots import by_name
from carc.bots.session import PROTOCOL
from carc.tournaments.isolation import host, sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.players.protocol import Table

STARTS = 15
NONE, PROGRAM = "none", "program"
_COMMAND = ("-m", "carc.bots.sdk", "random")


def measure() -> dict[str, float]:
    """Return milliseconds from the start to `ready`, and of a move, by level of isolation.

    They are medians of `STARTS` games of `random`. `program` is the same bot started as a plain
    program, without this package. `added` is what a level costs beyond that at the start, and
    beyond `none`, the bot in this process, at a move.
    """
    rules = Rules.from_spec("base")
    possible = [level for level in host.LEVELS[1:] if not host.missing(level)]
    starts: dict[str, list[float]] = {level: [] for level in (PROGRAM, *possible)}
    moves: dict[str, list[float]] = {level: [] for level in (NONE, *possible)}
    for number in range(STARTS):
        # In turn, so that whatever else the machine does meets all alike.
        starts[PROGRAM].append(_plain_start())
        moves[NONE] += _moves_inside(rules, number)
        for level in possible:
            start, times = _game(rules, level, number)
            starts[level].append(start)
            moves[level] += times
    figures = {f"{level}_start_ms": _ms(median(times)) for level, times in starts.items()}
    figures |= {f"{level}_move_ms": _ms(median(times)) for level, times in moves.items()}
    for level in possible:
        added = [one - plain for one, plain in zip(starts[level], starts[PROGRAM], strict=True)]
        figures[f"{level}_start_added_ms"] = _ms(median(added))
        figures[f"{level}_move_added_ms"] = _ms(median(moves[level]) - median(moves[NONE]))
    return figures


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)


def _game(rules: Rules, level: str, seed: int) -> tuple[float, list[float]]:
    """Return the seconds of the start, and of each move, of a game against `random`."""
    with Table(Clock()) as table:
        bot = table.start(Program(sandbox.python(*_COMMAND), None, level), seat=0, seed=seed)
        match = play(
            rules,
            [bot, by_name("random", seed=seed)],
            seed=seed,
            watch=table.watch,
        )
        table.over(match)
    return bot.start[0], [wall for wall, _ in bot.times]


class _Timed:
    def __init__(self, seed: int) -> None:
        self._bot = by_name("random", seed=seed)
        self.times: list[float] = []

    def choose(self, state: State) -> Action:
        begun = perf_counter()
        try:
            return self._bot.choose(state)
        finally:
            self.times.append(perf_counter() - begun)


def _moves_inside(rules: Rules, seed: int) -> list[float]:
    timed = _Timed(seed)
    play(rules, [timed, by_name("random", seed=seed)], seed=seed)
    return timed.times


def _plain_start() -> float:
    here = sandbox.runtime()
    above = ":".join(dict.fromkeys(str(Path(path).parent) for path in here.packages.values()))
    begun = perf_counter()
    command = sandbox.python(*_COMMAND)
    with _running(command, sandbox.environment(above, "/tmp", command[0])) as bot:
        assert bot.stdin is not None and bot.stdout is not None
        bot.stdin.write(json.dumps({"type": "hello", "protocol": PROTOCOL}).encode() + b"\n")
        bot.stdin.flush()
        bot.stdout.readline()
        return perf_counter() - begun


@contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def main(*, as_json: bool) -> None:
    """Print the milliseconds of a start and of a move, by level of isolation."""
    figures = measure()
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        click.echo(f"{name.replace('_', ' '):38} {value}")


if __name__ == "__main__":
    main()
