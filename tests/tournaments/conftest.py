"""Tournaments of bots that need no game, and the program `carc` as a process of its own."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support import warm
from support.flips import Ending, Make, StopAfter, flip, schedule

import carc
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.running.log import logging_to
from carc.tournaments.running.pool import LocalPool
from carc.tournaments.running.runner import PlayOne, run
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game

PATIENCE = 300.0  # seconds for what takes one where nothing else runs


@pytest.fixture
def configuration() -> Make:
    """Makes configurations of made-up bots: `configuration("ab", deals=3)`."""

    def make(bots: Sequence[str] = "abc", spec: str = "", **changes: Any) -> Configuration:
        parts: dict[str, Any] = {
            "rules": "base",
            "rules_version": "1-test",
            "bots": [Entrant(name, spec or name, f"digest of {name}") for name in bots],
            "tables": [2],
            "deals": 1,
            "seed": 1,
        }
        return Configuration(**{**parts, **changes})

    return make


@pytest.fixture
def outcome() -> Ending:
    """Makes the outcome of a game: `outcome(game, ranks=(0, 1))`."""

    def make(game: Game, ranks: Sequence[int], **changes: Any) -> Outcome:
        seats = len(game.seats)
        parts: dict[str, Any] = {
            "id": game.id,
            "rotation_set": game.rotation_set,
            "deal": game.deal,
            "deal_seed": game.deal_seed,
            "rules": game.rules,
            "seats": tuple(bot.name for bot in game.seats),
            "digests": tuple(bot.digest for bot in game.seats),
            "isolation": ("none",) * seats,
            "verdict": OK,
            "ranks": tuple(ranks),
            "scores": tuple(10 * (seats - rank) for rank in ranks),
            "winners": tuple(seat for seat, rank in enumerate(ranks) if rank == 0),
            "verdicts": (OK,) * seats,
            "wall": (0.5,) * seats,
            "cpu": (0.25,) * seats,
            "seconds": 0.125,
            "finished": "2026-01-01T00:00:00.000+00:00",
            "record": '{"carc": 1}\n',
        }
        return Outcome(**{**parts, **changes})

    return make


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., list[Outcome]]]:
    """Runs a tournament in the test's folder and gives what the ledger then holds."""

    def run_it(
        configuration: Configuration,
        *,
        how: PlayOne = flip,
        jobs: int = 2,
        stop_after: int = sys.maxsize,
        limit: float = 60.0,
        finished: bool = True,
    ) -> list[Outcome]:
        stop = StopAfter(stop_after)
        with (
            Ledger.writing(tmp_path, configuration) as ledger,
            logging_to(tmp_path / "tournament.log") as log,
        ):
            with LocalPool(jobs, log, limit) as pool:
                games = [schedule(configuration)]
                assert finished == run(
                    games, ledger, pool, stop=stop, advance=stop.advance, play=how
                )
                if not finished:
                    pool.kill()
            return sorted(ledger.outcomes(), key=lambda each: each.id)

    yield run_it


class Carc:
    """`carc` in a folder of its own, called as a user calls it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[warm.Process | subprocess.Popen[str]] = []

    def bot(self, module: str, code: str) -> None:
        """Write a user's bots."""
        (self.folder / f"{module}.py").write_text(code)

    def start(self, line: str) -> warm.Process | subprocess.Popen[str]:
        process = warm.start(shlex.split(line), self.folder)
        self.started.append(process)
        return process

    def __call__(self, line: str) -> warm.Done:
        return warm.finished(self.start(line), PATIENCE)

    def games(self, out: str) -> int:
        """How many games the ledger holds now."""
        if not (self.folder / out / "ledger.sqlite").exists():
            return 0
        try:
            with Ledger.reading(self.folder / out) as ledger:
                return len(ledger.ids())
        except carc.errors.CarcError:  # just being made
            return 0

    def await_games(self, out: str, count: int, patience: float = PATIENCE) -> None:
        end = time.monotonic() + patience
        while self.games(out) < count:
            assert time.monotonic() < end, "the tournament does not get on"
            time.sleep(0.02)


@pytest.fixture
def run_carc(tmp_path: Path) -> Iterator[Carc]:
    program = Carc(tmp_path)
    yield program
    for process in program.started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
