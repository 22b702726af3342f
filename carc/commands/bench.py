"""The command `carc bench`: the cost of games, copies and turns on this machine."""

import json
import random
import sys
import time
from collections.abc import Callable
from itertools import cycle
from typing import Any

import click

from carc import CHANCE, Rules, State, playout
from carc.base.game import state as state_module
from carc.commands.options import rules_option
from carc.errors import CarcError


@click.command("bench")
@rules_option
@click.option("--players", default=2, help="Number of players.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=3.0,
    help="How long to play random games.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_command(*, rules: str, players: int, seconds: float, as_json: bool) -> None:
    """Measure random playouts, copies and legal actions, and a calibration loop for comparison."""
    figures = measure(rules, players, seconds)
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        click.echo(f"{name.replace('_', ' '):38} {value}")


def measure(spec: str, players: int = 2, seconds: float = 3.0) -> dict[str, Any]:
    """Return the figures: rates on one core, microseconds for each operation, peak memory."""
    rules = Rules.from_spec(spec, players)
    rng = random.Random(1)
    playout(rules.start(), rng)
    games = decisions = tiles = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state = rules.start()
        decisions += playout(state, rng)
        tiles += state.board.tile_count
        games += 1
    late = _late(rules, rng)
    draw = late.legal_actions()[0]
    drawn = _after(late, draw)
    return {
        "rules": rules.spec,
        "rules_version": rules.version,
        "players": players,
        "compiled": is_compiled(),
        "games_per_second": round(games / spent, 1),
        "decisions_per_second": round(decisions / spent),
        "microseconds_per_tile": round(spent / tiles * 1e6, 2),
        "copy_microseconds": round(_time(late.copy) * 1e6, 2),
        "copy_and_draw_microseconds": round(_time(lambda: _after(late, draw)) * 1e6, 2),
        "legal_actions_after_draw_microseconds": round(_time(drawn.legal_actions) * 1e6, 2),
        "to_dict_microseconds": round(_time(late.to_dict) * 1e6, 2),
        "observation_microseconds": _observing(late),
        "tokens_microseconds": _writing_tokens(late),
        "peak_memory_megabytes": _peak_memory(),
        "calibration_per_second": round(1 / _time(_calibration)),
    }


def _observing(state: State) -> float | None:
    """Return the microseconds of an observation; None where numpy is not installed."""
    try:
        from carc.learn.observation import (  # noqa: PLC0415 (needs numpy)
            empty_observation,
            encoding_for,
            observation,
        )
    except CarcError:
        return None
    encoding = encoding_for(state.rules)
    into = empty_observation(encoding)
    return round(_time(lambda: observation(state, 0, into, encoding)) * 1e6, 2)


def _writing_tokens(state: State) -> float | None:
    """Return the microseconds of tokens; None where numpy is not installed."""
    try:
        from carc.learn.observation import encoding_for  # noqa: PLC0415 (needs numpy)
        from carc.learn.tokens import TokenWriter  # noqa: PLC0415
    except CarcError:
        return None
    writer = TokenWriter(encoding_for(state.rules))
    others = cycle((state, state.copy()))  # of one it would write only what changed

    def write() -> None:
        writer.clear()
        writer.write(next(others), 0)

    return round(_time(write) * 1e6, 2)


def _peak_memory() -> float | None:
    """Return the most memory this process had; None where the system does not say (Windows)."""
    try:
        import resource  # noqa: PLC0415 (Windows has no such module)
    except ImportError:
        return None
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


def is_compiled() -> bool:
    """Return True if the hot modules are compiled."""
    return not str(state_module.__file__).endswith(".py")


def _late(rules: Rules, rng: random.Random) -> State:
    """Return a state late in a random game, with few tiles left, in which chance decides."""
    state = best = rules.start()
    while not state.is_terminal:
        if state.current_player == CHANCE:
            best = state.copy()
            if state.tiles_left <= 5:
                break
        state.apply(rng.choice(state.legal_actions()))
    return best


def _after(state: State, action: Any) -> State:
    after = state.copy()
    after.apply(action)
    return after


def _time(what: Callable[[], object], seconds: float = 0.2) -> float:
    """Return the seconds of a call, the best of five runs."""
    n = 1
    while (spent := _run(what, n)) < seconds / 10:
        n *= 2
    return min([spent, *(_run(what, n) for _ in range(4))]) / n


def _run(what: Callable[[], object], n: int) -> float:
    start = time.process_time()  # other processes do not count
    for _ in range(n):
        what()
    return time.process_time() - start


def _calibration() -> int:
    """Do a fixed amount of interpreter work, to compare rates between machines."""
    total = 0
    table = {i: i for i in range(100)}
    for i in range(10_000):
        total += table[i % 100]
    return total
