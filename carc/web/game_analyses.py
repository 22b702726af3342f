"""Analyses of tournament games that visitors ask for, made one after another."""

from __future__ import annotations

import contextlib
import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from carc.analysis import analyse_game
from carc.analysis.game import QUICK_PLAYOUTS
from carc.analysis.saved import save_analysis
from carc.errors import CarcError
from carc.match import read_record
from carc.tournaments.ledger.ledger import Ledger
from carc.web.child_process import end_with_parent

MOST_WAITING = 10
"""Analyses that may be waiting."""
_PRIORITY = 19  # the lowest: tables and pages come first


def _analyse(folder: Path, game: str) -> None:
    """Analyse a game and save the result in the folder of its tournament."""
    with Ledger.reading(folder) as ledger:
        record = ledger.outcome(game).record
    analysis = analyse_game(read_record(record, game), playouts=QUICK_PLAYOUTS, source=game)
    save_analysis(folder, game, analysis)


def _begin_process() -> None:
    end_with_parent()
    os.nice(_PRIORITY)


class AnalysisQueue:
    """Games that wait for their analysis. One process of low priority makes them."""

    def __init__(self) -> None:
        """Start no process yet."""
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._futures: dict[tuple[Path, str], Future[None]] = {}

    def add(self, folder: Path, games: list[str]) -> None:
        """Queue games of a tournament that are not waiting yet.

        Raises:
            CarcError: Too many are waiting.
        """
        with self._lock:
            waiting = {key for key, future in self._futures.items() if not future.done()}
            new = [game for game in games if (folder, game) not in waiting]
            if len(waiting) + len(new) > MOST_WAITING:
                raise CarcError(f"{len(waiting)} games are being analysed; try again in a minute")
            for key in set(self._futures) - waiting:
                del self._futures[key]
            for game in new:
                self._futures[folder, game] = self._submit(folder, game)

    def _submit(self, folder: Path, game: str) -> Future[None]:
        """Hand a game to the process, to a new one if the last has died."""
        if self._pool is not None:
            with contextlib.suppress(BrokenProcessPool):
                return self._pool.submit(_analyse, folder, game)
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin_process)
        return self._pool.submit(_analyse, folder, game)

    def waiting(self, folder: Path) -> set[str]:
        """Return the games of a tournament whose analysis is yet to come."""
        return {
            game
            for (place, game), future in list(self._futures.items())
            if place == folder and not future.done()
        }

    def failure(self, folder: Path, game: str) -> str:
        """Return why the analysis of a game failed; empty if it did not."""
        future = self._futures.get((folder, game))
        error = future.exception() if future is not None and future.done() else None
        if error is None:
            return ""
        return str(error) if isinstance(error, CarcError) else "The analysis failed."

    def close(self) -> None:
        """Drop what is waiting. The analysis under way comes to its end."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
