"""What isolating a bot costs: `carc bench --isolation`."""

from __future__ import annotations

from contextlib import closing
from statistics import median
from time import monotonic

from bots import by_name
from carc import Rules, play
from tournaments.isolation import levels, sandbox
from tournaments.isolation.clock import Clock
from tournaments.protocol import RemoteBot

STARTS = 15


def measure() -> dict[str, float]:
    """Milliseconds by level, medians of `STARTS` games of `random`: from start to ready, and of a move.

    `none` is what the same bot's moves take in this process; `added` is a level less `process`: what keeping a bot apart costs
    beyond running it as a program.
    """
    rules = Rules.named("base")
    found: dict[str, float] = {"none_move_ms": _moves_inside(rules)}
    possible = [level for level in levels.LEVELS[1:] if not levels.missing(level)]
    starts: dict[str, list[float]] = {level: [] for level in possible}
    moves: dict[str, list[float]] = {level: [] for level in possible}
    for number in range(STARTS):
        for level in possible:  # in turn, so that whatever else the machine does meets all alike
            start, times = _game(rules, level, number)
            starts[level].append(start)
            moves[level] += times
    for level in possible:
        found[f"{level}_start_ms"] = _ms(starts[level])
        found[f"{level}_move_ms"] = _ms(moves[level])
    for level in possible[1:]:
        found[f"{level}_start_added_ms"] = _ms(
            [start - plain for start, plain in zip(starts[level], starts["process"], strict=True)]
        )
        found[f"{level}_move_added_ms"] = round(
            found[f"{level}_move_ms"] - found["none_move_ms"], 3
        )
    return found


def _ms(seconds: list[float]) -> float:
    return round(1000 * median(seconds), 3)


def _game(rules: Rules, level: str, seed: int) -> tuple[float, list[float]]:
    history: list[str] = []
    command = sandbox.python("-m", "bots.sdk", "random")
    bot = RemoteBot(level, command, None, clock=Clock(), seat=0, seed=seed, history=history)
    with closing(bot):
        bot.greet()
        match = play(
            rules,
            [bot, by_name("random", seed=seed)],
            seed=seed,
            watch=lambda move: history.append(move.action),
        )
        bot.over(match)
    return bot.start[0], [wall for wall, _ in bot.times]


def _moves_inside(rules: Rules) -> float:
    class Timed:
        def __init__(self, seed: int) -> None:
            self.bot = by_name("random", seed=seed)
            self.times: list[float] = []

        def choose(self, state):  # type: ignore[no-untyped-def]
            begun = monotonic()
            action = self.bot.choose(state)
            self.times.append(monotonic() - begun)
            return action

    timed = [Timed(0), Timed(1)]
    play(rules, timed, seed=0)
    return _ms([time for each in timed for time in each.times])
