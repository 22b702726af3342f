"""Kill processes of tournaments and compare the results.

Usage: `python tools/kill_processes.py --times 20`. The runner, workers, bots or Dask workers are
killed at random moments. The board and the records must be those of an undisturbed tournament.
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
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome

DEALS = {"runner": 5, "worker": 8, "bot": 2, "dask": 10}  # per kill
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


class Tournament:
    """A tournament in a folder, played by its own process."""

    def __init__(self, room: Path, bots: str, deals: int, jobs: int, out: str) -> None:
        """Choose what is played; `start` begins it."""
        self.room, self.out = room, room / out
        self._line = f"tournament --bots {bots} --deals {deals} --seed 1 --jobs {jobs} --out {out}"

    def start(self, more: str = "") -> subprocess.Popen[str]:
        """Start or resume the tournament."""
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
        """Wait for the end and return the board."""
        out, err = process.communicate()
        assert process.returncode == 0, err + (self.out / "tournament.log").read_text()
        return out

    def games(self) -> int:
        """Return how many games are in the ledger."""
        with suppress(CarcError), Ledger.reading(self.out) as ledger:
            return len(ledger.ids())
        return 0

    def outcomes(self) -> list[Outcome]:
        """Return all outcomes, with records."""
        with Ledger.reading(self.out) as ledger:
            return [ledger.outcome(game.id) for game in ledger.outcomes()]

    def await_games(self, count: int, process: subprocess.Popen[str]) -> None:
        """Wait until the ledger holds so many games."""
        end = time.monotonic() + PATIENCE
        while self.games() < count:
            assert process.poll() is None, "it ended before it was killed often enough"
            assert time.monotonic() < end, "no game ends"
            time.sleep(0.02)


def environment(room: Path) -> dict[str, str]:
    """Return an environment with this carc and an empty registry."""
    home = str(Path(carc.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": home, "CARC_REGISTRY": str(room / "registry")}


def children(parent: int) -> list[int]:
    """Return the living child processes of a process."""
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                state, above, *_ = (
                    (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                )
                if int(above) == parent and state != "Z":
                    pids.append(int(entry.name))
    return pids


def grandchildren(parent: int) -> list[int]:
    """Return the descendants of a process except its children."""
    return [pid for child in children(parent) for pid in (*children(child), *grandchildren(child))]


def kill(find: Callable[[], list[int]], rng: random.Random) -> None:
    """Kill one of the processes as soon as there is one."""
    end = time.monotonic() + PATIENCE
    while True:
        if pids := find():
            with suppress(ProcessLookupError):
                os.kill(rng.choice(pids), signal.SIGKILL)
                return
        assert time.monotonic() < end, "there is nothing to kill"
        time.sleep(0.01)


@contextmanager
def dask(room: Path) -> Iterator[tuple[str, Callable[[], list[int]]]]:
    """Start a scheduler and two workers.

    Yields:
        The scheduler's address, and a function that returns the ids of the workers' processes.
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

    match = None
    scheduler = begin("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    assert scheduler.stderr
    while match is None:
        line = scheduler.stderr.readline()
        assert line, "the scheduler does not start"
        match = re.search(r"tcp://([0-9.:]+)", line)
    nannies = [
        begin("distributed.cli.dask_worker", f"tcp://{match[1]}", "--nthreads", "1")
        for _ in range(2)
    ]

    def workers() -> list[int]:
        # A nanny's children are its worker and Python's resource tracker.
        return [
            pid
            for nanny in nannies
            for pid in children(nanny.pid)
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    try:
        yield match[1], workers
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def disturb(kind: str, times: int, room: Path, seed: int = 1) -> str:
    """Play a tournament twice, once while processes of a kind are killed, and compare.

    Returns:
        A sentence that says what was compared.

    Raises:
        AssertionError: Anything differs.
    """
    (room / "slow.py").write_text(SLOW)
    mine = room / "mine"
    mine.mkdir(exist_ok=True)
    (mine / "bot.py").write_text(SLOW)
    (mine / "bot.toml").write_text(MANIFEST)
    bots = "./mine,random" if kind == "bot" else "slow:Slow,random"
    shape = (room, bots, DEALS[kind] * times, 1 if kind == "bot" else 2)
    disturbed = Tournament(*shape, out=kind)
    started = time.monotonic()
    if kind == "dask":
        board = _play_on_dask(disturbed, times, random.Random(seed))
    else:
        board = _play_here(disturbed, kind, times, random.Random(seed))
    seconds = time.monotonic() - started
    undisturbed = Tournament(*shape, out=f"{kind}-undisturbed")
    assert undisturbed.finish(undisturbed.start()) == board, "the boards differ"
    games, expected = disturbed.outcomes(), undisturbed.outcomes()
    assert [game.record for game in games] == [game.record for game in expected]
    assert {game.verdict for game in games} == {"ok"}
    assert all(set(game.verdicts) == {"ok"} for game in games)
    return (
        f"{kind}: killed {times} times in {len(games)} games and {seconds:.0f} s; "
        "the board and every record are the undisturbed tournament's"
    )


def _play_on_dask(tournament: Tournament, times: int, rng: random.Random) -> str:
    """Play while Dask workers are killed. Return the board."""
    with dask(tournament.room) as (address, workers):
        process = tournament.start(f"--executor dask://{address}")
        for _ in range(times):
            tournament.await_games(tournament.games() + 2, process)
            time.sleep(rng.uniform(0, 0.5))
            kill(workers, rng)
        return tournament.finish(process)


def _play_here(tournament: Tournament, kind: str, times: int, rng: random.Random) -> str:
    """Play while the runner, its workers or bots are killed. Return the board."""
    process = tournament.start()
    for _ in range(times):
        # A bot is restarted once a game.
        tournament.await_games(tournament.games() + (2 if kind == "bot" else 1), process)
        time.sleep(rng.uniform(0, 0.3))
        before = tournament.games()
        if kind == "runner":
            process.kill()
            process.communicate()
            assert tournament.games() >= before, "games that had ended were lost"
            process = tournament.start()
        else:
            kill(partial(grandchildren if kind == "bot" else children, process.pid), rng)
    return tournament.finish(process)


@click.command()
@click.argument("kinds", nargs=-1, type=click.Choice(list(DEALS)))
@click.option("--times", default=20, show_default=True, help="Kills of each kind.")
@click.option("--seed", default=1, show_default=True, help="Decides the moments.")
def main(kinds: tuple[str, ...], times: int, seed: int) -> None:
    """Kill runner, workers, bots and Dask workers of tournaments, and compare."""
    for kind in kinds or DEALS:
        with tempfile.TemporaryDirectory(prefix="carc-kills-") as room:
            click.echo(disturb(kind, times, Path(room), seed))


if __name__ == "__main__":
    main()
