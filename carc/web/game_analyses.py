"""Analyses of games that visitors ask for, made one after another."""

from __future__ import annotations

import contextlib
import os
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from multiprocessing.sharedctypes import SynchronizedArray
from pathlib import Path

from carc.analysis import analyse_game
from carc.analysis.game import QUICK_PLAYOUTS
from carc.analysis.saved import FOLDER, save_analysis
from carc.arena.reading import LadderReader
from carc.bounded import read_plain
from carc.errors import CarcError
from carc.match import Match, read_record, read_saved_game
from carc.web.child_process import end_with_parent
from carc.web.visitors import forgotten

MOST_WAITING = 10
"""Analyses that may be waiting."""
MOST_KEPT = 1000
"""Analyses of games of a ladder."""
_PRIORITY = 19  # the lowest: tables and pages come first


_progress: SynchronizedArray[int] | None = None
"""In the process that analyses: which game it is at, how many of its moves are done, of how many.
"""


def _analyse(folder: Path, game: str) -> None:
    """Analyse a game and save the result in the folder of its tournament.

    A ladder, which is never over, keeps the last ones.
    """
    with LadderReader.reading(folder) as ledger:
        record = ledger.outcome(game).record
        is_ladder = ledger.configuration.is_arena
    _save(folder, game, read_record(record, game))
    for path in forgotten((folder / FOLDER).iterdir(), MOST_KEPT) if is_ladder else ():
        path.unlink(missing_ok=True)


def analyse_file(folder: Path, game: str) -> None:
    """Analyse a game whose record is a file in a folder, and save the result there."""
    match, _ = read_saved_game(read_plain(folder / f"{game}.jsonl"), "the game")
    _save(folder, game, match)


def _save(folder: Path, game: str, match: Match) -> None:
    progress = partial(_note_progress, _number(folder, game))
    analysis = analyse_game(match, playouts=QUICK_PLAYOUTS, source="the game", progress=progress)
    save_analysis(folder, game, analysis)


def _number(folder: Path, game: str) -> int:
    return zlib.crc32(f"{folder}/{game}".encode())


def _note_progress(number: int, done: int, total: int) -> None:
    if _progress is not None:
        _progress[:] = [number, done, total]


def _begin_process(progress: SynchronizedArray[int]) -> None:
    global _progress  # noqa: PLW0603 (the only way to keep something in a process of a pool)
    _progress = progress
    end_with_parent()
    os.nice(_PRIORITY)


class AnalysisQueue:
    """Games that wait for their analysis. One process of low priority makes them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._progress: SynchronizedArray[int] | None = None
        self._futures: dict[tuple[Path, str], Future[None]] = {}

    def add(
        self,
        folder: Path,
        games: list[str],
        task: Callable[[Path, str], None] = _analyse,
        most: int = MOST_WAITING,
    ) -> None:
        """Queue games that are not waiting yet.

        Args:
            folder: The folder of the tournament, or of the records.
            games: The games in it.
            task: What analyses a game of the folder.
            most: Games that may wait, those of others among them.

        Raises:
            CarcError: Too many are waiting.
        """
        with self._lock:
            waiting = {key for key, future in self._futures.items() if not future.done()}
            new = [game for game in games if (folder, game) not in waiting]
            if len(waiting) + len(new) > most:
                raise CarcError(f"{len(waiting)} games are being analysed; try again in a minute")
            for key in set(self._futures) - waiting:
                del self._futures[key]
            for game in new:
                self._futures[folder, game] = self._submit(task, folder, game)

    def _submit(self, task: Callable[[Path, str], None], folder: Path, game: str) -> Future[None]:
        """Hand a game to the process, to a new one if the last has died."""
        if self._pool is not None:
            with contextlib.suppress(BrokenProcessPool):
                return self._pool.submit(task, folder, game)
        context = get_context("spawn")
        self._progress = context.Array("q", 3)
        self._pool = ProcessPoolExecutor(
            1, context, initializer=_begin_process, initargs=(self._progress,)
        )
        return self._pool.submit(task, folder, game)

    def waiting(self, folder: Path) -> set[str]:
        """Return the games of a folder whose analysis is yet to come."""
        return {
            game
            for (place, game), future in list(self._futures.items())
            if place == folder and not future.done()
        }

    def progress(self, folder: Path, game: str) -> tuple[int, int]:
        """Return how many moves of a game are analysed, and of how many; 0 and 0 before that."""
        number, done, total = self._progress[:] if self._progress is not None else (0, 0, 0)
        return (done, total) if number == _number(folder, game) else (0, 0)

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
