"""Reads the tournaments in a folder. A process of its own does the rating, so no page waits."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from multiprocessing import active_children, get_context
from pathlib import Path

import attrs

from carc.arena.reading import LadderReader
from carc.errors import CarcError
from carc.tournaments.ledger.ledger import FILE, Ledger, running
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.rating.history import HistoryPoint, strength_history
from carc.tournaments.rating.ratings import SAMPLES, Leaderboard, board_of
from carc.tournaments.rating.tally import Tally
from carc.tournaments.reports.board_table import heading, notes
from carc.tournaments.tournament import MOST_SKILLS
from carc.web import board_cache
from carc.web.board_cache import Board, GameRow, Snapshot, Stamp
from carc.web.child_process import end_with_parent

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SINGLE = "tournament"  # the name of the folder itself if it is one tournament

MOST_BOTS = 100
"""Bots of a ladder that are compared with each other, the best ones."""
MOST_GAMES = 1000
"""Games of each of them, the last ones."""
OF_LADDER = (
    f"Compared are the {MOST_BOTS} best bots that play, by the last {MOST_GAMES:,} games of each "
    "among themselves."
)
ROUGH = "The games are still being rated. Intervals and TrueSkill will follow."


def read(folder: Path, stamp: Stamp, rough: bool) -> Snapshot:
    """Read and rate a tournament.

    Args:
        folder: Its folder.
        stamp: The state of its ledger.
        rough: Leave out intervals and TrueSkill, which take most of the time.

    Raises:
        BadLedger: The ledger cannot be read.
    """
    games: list[GameRow] = []

    def collected(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        for outcome in outcomes:
            games.append(GameRow.of(outcome))
            yield outcome

    with LadderReader.reading(folder) as ledger:
        configuration = ledger.configuration
        is_ladder = configuration.is_arena
        outcomes = ledger.among_best(MOST_BOTS, MOST_GAMES) if is_ladder else ledger.outcomes()
        skills = not (rough or is_ladder) and len(ledger) <= MOST_SKILLS
        tally = Tally(skills, configuration).add_all(collected(outcomes))
    leaderboard = board_of(tally, 1 if rough else SAMPLES)
    games.sort(key=lambda game: game.finished, reverse=True)
    more = ((ROUGH,) if rough else ()) + ((OF_LADDER,) if is_ladder else ())
    history = () if rough else _history(games, leaderboard)
    board = Board.of(leaderboard, heading(folder), (*more, *notes(leaderboard)), history)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    if not rough:
        board_cache.save(folder, stamp, board, made)
    return Snapshot(stamp, board, tuple(games), rough, made)


def _history(games: Sequence[GameRow], board: Leaderboard) -> Sequence[HistoryPoint]:
    """Return how strengths changed while the games were played; they come latest first."""
    if board.by_score:
        return ()
    ended = [(game.seats, game.ranks) for game in reversed(games) if game.ranks]
    return strength_history(ended, [standing.bot for standing in board.standings])


class WatchedTournament:
    """One tournament, read again when its ledger has changed.

    The cached board is available at once. If it is out of date, or if there is none, a rough
    board is made first.
    """

    def __init__(self, name: str, folder: Path, reader: ReaderPool) -> None:
        self.name = name
        self.folder = folder
        self.is_ladder = _is_ladder(folder)
        self._reader = reader
        self._lock = threading.Lock()
        self._latest = board_cache.load(folder)
        self._error = ""
        self._reading: Future[Snapshot] | None = None
        self._began = 0.0
        self._rest_until = 0.0

    def latest(self) -> tuple[Snapshot | None, str]:
        """Return what is known so far and any error. Start to read if the ledger has changed."""
        with self._lock:
            self._collect()
            stamp = _stamp(self.folder)
            known = self._latest
            fresh = known is not None and known.stamp == stamp and known.is_complete
            if self._reading is None and not fresh and time.monotonic() >= self._rest_until:
                self._began = time.monotonic()
                rough = known is None or known.games is None
                self._reading = self._reader.submit(self.folder, stamp, rough)
            return self._latest, self._error

    def _collect(self) -> None:
        """Take the result of a reading that has ended."""
        if self._reading is None or not self._reading.done():
            return
        now = time.monotonic()
        least, times = (60.0, 20) if self.is_ladder else (1.0, 2)  # a ladder is never over
        self._rest_until = now + max(least, times * (now - self._began))
        try:
            snapshot, self._error = self._reading.result(), ""
            if snapshot.rough:
                self._rest_until = now
                if self._latest is not None and self._latest.stamp == snapshot.stamp:
                    # The cached board is of the same games, and fully rated.
                    snapshot = attrs.evolve(snapshot, board=self._latest.board, rough=False)
            self._latest = snapshot
        except CarcError as error:
            self._error = str(error)
        except BrokenProcessPool:
            self._reader.renew()
        finally:
            self._reading = None

    def wait(self, seconds: float) -> tuple[Snapshot | None, str]:
        """Return the same as `latest`, after waiting up to `seconds` for a first reading."""
        snapshot, error = self.latest()
        reading = self._reading
        if snapshot is None and not error and reading is not None:
            with contextlib.suppress(TimeoutError, CarcError, BrokenProcessPool):
                reading.result(seconds)
            snapshot, error = self.latest()
        return snapshot, error

    def outcome(self, game: str) -> Outcome:
        """Return one game with its record; raise `BadLedger` if there is none."""
        with Ledger.reading(self.folder) as ledger:
            return ledger.outcome(game)


def _begin(rough: bool) -> None:
    """Begin a process that reads. Games and rough boards come before full ones."""
    end_with_parent()
    if not rough:
        os.nice(10)


class ReaderPool:
    """Two processes that read: one for rough boards, which thus never wait for full ones."""

    def __init__(self) -> None:
        self._pools: dict[bool, ProcessPoolExecutor] = {}
        self._pids: dict[bool, Future[int]] = {}

    def submit(self, folder: Path, stamp: Stamp, rough: bool) -> Future[Snapshot]:
        """Read a tournament in one of the processes."""
        if rough not in self._pools:
            self._pools[rough] = ProcessPoolExecutor(
                1, get_context("spawn"), initializer=_begin, initargs=(rough,)
            )
            self._pids[rough] = self._pools[rough].submit(os.getpid)
        return self._pools[rough].submit(read, folder, stamp, rough)

    def renew(self) -> None:
        """Start new processes after one has died. The other finishes its work."""
        self._pools = {}

    def close(self) -> None:
        """Kill the processes, which only read: to rate a million games takes minutes."""
        told = [each for each in self._pids.values() if each.done() and not each.cancelled()]
        pids = {each.result() for each in told if each.exception() is None}
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():  # none of them is another's who got a free pid
            if process.pid in pids:
                process.kill()


class TournamentFolder:
    """The tournaments in a folder, or the one tournament that the folder is.

    Names come from the folder, never from a request.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reader = ReaderPool()
        self._known: dict[str, WatchedTournament] = {}

    def all(self) -> list[WatchedTournament]:
        """Return the tournaments that are there now, by name."""
        folders = {}
        if (self.folder / FILE).is_file():
            folders[_SINGLE] = self.folder
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if _NAME.fullmatch(path.name) and (path / FILE).is_file():
                    folders[path.name] = path
        for name in set(self._known) - set(folders):
            del self._known[name]
        for name, path in folders.items():
            if name not in self._known:
                self._known[name] = WatchedTournament(name, path, self.reader)
        return [self._known[name] for name in sorted(self._known)]

    def being_played(self) -> str:
        """Return the name of a tournament that is being played here; empty if none is.

        Ladders, which are always played, do not count.
        """
        played = (each.name for each in self.all() if not each.is_ladder and running(each.folder))
        return next(played, "")

    def read_all(self) -> None:
        """Start to read all tournaments, so that the first visitor need not wait."""
        for tournament in self.all():
            tournament.latest()

    def find(self, name: str) -> WatchedTournament | None:
        """Return the tournament of this name."""
        return next((each for each in self.all() if each.name == name), None)


def _is_ladder(folder: Path) -> bool:
    with contextlib.suppress(CarcError), LadderReader.reading(folder) as ledger:
        return ledger.configuration.is_arena
    return False


def _stamp(folder: Path) -> Stamp:
    stamp = []
    for name in (FILE, f"{FILE}-wal"):
        try:
            status = (folder / name).stat()
            stamp.append((status.st_mtime_ns, status.st_size))
        except OSError:
            stamp.append((0, 0))
    return tuple(stamp)
