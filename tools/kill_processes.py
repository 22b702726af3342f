"""Kill processes of tournaments and compare the results: `python tools/kill_processes.py --times
20`.

The runner, workers, bots or Dask workers are killed at random moments; the board and the records
must be those of an undisturbed tournament. The tests do it a few times.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import click

import carc
from carc.errors import CarcError
from carc.tournaments.ledger import Ledger
from carc.tournaments.outcome import Outcome

DEALS = {"runner": 5, "worker": 8, "bot": 2, "dask": 10}  # to each kill
PATIENCE = 300.0  # seconds without a game
SLOW = """
import random, time


class Slow:
    def __init__(self, seed=0):
        self.rng = random.Random(seed)

    def choose(self, state):
        time.sleep(0.003)
        return self.rng.choice(state.legal_actions())
"""
MANIFEST = 'name = "mine"\nversion = "1"\nlanguage = "python"\nentry = "bot:Slow"\n'


class Held:
    """A tournament in a folder, played by a process of its own."""

    def __init__(self, room: Path, bots: str, deals: int, jobs: int, out: str) -> None:
        self.room, self.out = room, room / out
        self._line = f"tournament --bots {bots} --deals {deals} --seed 1 --jobs {jobs} --out {out}"

    def start(self, more: str = "") -> subprocess.Popen[str]:
        """Begin it, or go on with it."""
        program = "from carc.commands.main import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", program, *shlex.split(f"{self._line} {more}")],
            cwd=self.room,
            env=environment(self.room),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, process: subprocess.Popen[str]) -> str:
        """Its board, when it has ended."""
        out, err = process.communicate()
        assert process.returncode == 0, err + (self.out / "tournament.log").read_text()
        return out

    def games(self) -> int:
        """How many are in the ledger."""
        with suppress(CarcError), Ledger.reading(self.out) as ledger:
            return len(ledger.ids())
        return 0

    def outcomes(self) -> list[Outcome]:
        """All, with records."""
        with Ledger.reading(self.out) as ledger:
            return [ledger.outcome(game.id) for game in ledger.outcomes()]

    def await_games(self, count: int, process: subprocess.Popen[str]) -> None:
        """Wait until there are so many."""
        end = time.monotonic() + PATIENCE
        while self.games() < count:
            assert process.poll() is None, "it has ended before it was killed often enough"
            assert time.monotonic() < end, "it does not get on"
            time.sleep(0.02)


def environment(room: Path) -> dict[str, str]:
    """In which the carc that is tested is found, and nobody's registry."""
    home = str(Path(carc.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": home, "CARC_REGISTRY": str(room / "registry")}


def children(parent: int) -> list[int]:
    """The processes of a process that live."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                state, above, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(above) == parent and state != "Z":
                    found.append(int(entry.name))
    return found


def below(parent: int) -> list[int]:
    """Those of its children's, and so on."""
    return [pid for child in children(parent) for pid in (*children(child), *below(child))]


def kill(find: Callable[[], list[int]], rng: random.Random) -> None:
    """SIGKILL to one of them, at the moment that there is one."""
    end = time.monotonic() + PATIENCE
    while True:
        if found := find():
            with suppress(ProcessLookupError):
                os.kill(rng.choice(found), signal.SIGKILL)
                return
        assert time.monotonic() < end, "there is nothing to kill"
        time.sleep(0.01)


@contextmanager
def dask(room: Path) -> Iterator[tuple[str, Callable[[], list[int]]]]:
    """A scheduler and two workers, started as on machines: its address, and who the workers are at
    the moment.
    """
    started = []

    def begin(*words: str) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", *words, "--no-dashboard"],
                stderr=subprocess.PIPE if "scheduler" in words[0] else subprocess.DEVNULL,
                text=True,
                cwd=room,
                env=environment(room / "far"),
                start_new_session=True,
            )
        )
        return started[-1]

    found = None
    scheduler = begin("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    assert scheduler.stderr
    while found is None:
        line = scheduler.stderr.readline()
        assert line, "the scheduler does not start"
        found = re.search(r"tcp://([0-9.:]+)", line)
    nannies = [
        begin("distributed.cli.dask_worker", f"tcp://{found[1]}", "--nthreads", "1")
        for _ in range(2)
    ]

    def workers() -> list[int]:
        # A nanny's children are its worker and what Python keeps account of its resources with.
        return [
            pid
            for nanny in nannies
            for pid in children(nanny.pid)
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    try:
        yield found[1], workers
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def disturb(kind: str, times: int, room: Path, seed: int = 1) -> str:
    """Play a tournament twice, killing one of a kind so many times in one of them; says what was
    compared.

    Raises `AssertionError` if anything differs.
    """
    rng = random.Random(seed)
    (room / "slow.py").write_text(SLOW)
    mine = room / "mine"
    mine.mkdir(exist_ok=True)
    (mine / "bot.py").write_text(SLOW)
    (mine / "bot.toml").write_text(MANIFEST)
    bots = "./mine,random" if kind == "bot" else "slow:Slow,random"
    jobs = 1 if kind == "bot" else 2
    shape = (room, bots, DEALS[kind] * times, jobs)
    far = Held(*shape, out=kind)
    begun = time.monotonic()
    if kind == "dask":
        with dask(room) as (address, workers):
            process = far.start(f"--executor dask://{address}")
            for _ in range(times):
                far.await_games(far.games() + 2, process)
                time.sleep(rng.uniform(0, 0.5))
                kill(workers, rng)
            board = far.finish(process)
    else:
        process = far.start()
        for _ in range(times):
            # A bot is started again once a game.
            far.await_games(far.games() + (2 if kind == "bot" else 1), process)
            time.sleep(rng.uniform(0, 0.3))
            before = far.games()
            runner = process.pid
            if kind == "runner":
                process.kill()
                process.communicate()
                assert far.games() >= before, "games were lost that had ended"
                process = far.start()
            else:
                kill(partial(below if kind == "bot" else children, runner), rng)
        board = far.finish(process)
    seconds = time.monotonic() - begun
    home = Held(*shape, out=f"{kind}-undisturbed")
    assert home.finish(home.start()) == board, "the boards differ"
    mine_, theirs = far.outcomes(), home.outcomes()
    assert [game.record for game in mine_] == [game.record for game in theirs]
    assert {game.verdict for game in mine_} == {"ok"}
    assert all(set(game.verdicts) == {"ok"} for game in mine_)
    return (
        f"{kind}: killed {times} times in {len(mine_)} games and {seconds:.0f} s; "
        "the board and every record are the undisturbed tournament's"
    )


@click.command()
@click.argument("kinds", nargs=-1, type=click.Choice(list(DEALS)))
@click.option("--times", default=20, show_default=True, help="How often of each.")
@click.option("--seed", default=1, show_default=True, help="Of the moments.")
def main(kinds: tuple[str, ...], times: int, seed: int) -> None:
    """Kill runner, workers, bots and Dask workers of tournaments, and compare."""
    for kind in kinds or DEALS:
        with tempfile.TemporaryDirectory(prefix="carc-kills-") as room:
            click.echo(disturb(kind, times, Path(room), seed))


if __name__ == "__main__":
    main()
