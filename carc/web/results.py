"""What is known of the tournaments in a folder, kept fresh by a process of its own, so that no page waits for ratings."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import attrs

from carc.errors import CarcError
from carc.tournaments.contest import MOST_SKILLS
from carc.tournaments.ledger import FILE, Ledger
from carc.tournaments.outcome import Outcome
from carc.tournaments.ratings import SAMPLES, board_of
from carc.tournaments.report import heading, notes
from carc.tournaments.tally import Tally
from carc.web import shelf
from carc.web.shelf import Board, Found, Game, Stamp

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OWN = "tournament"  # what the folder itself is called if it holds one

ROUGH = "The games are still being rated: intervals and TrueSkill are to come."


def read(folder: Path, stamp: Stamp, rough: bool) -> Found:
    """Everything of one tournament; `rough` without intervals and TrueSkill, in a fraction of the time. Raises `BadLedger`."""
    games: list[Game] = []

    def passing(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        for one in outcomes:
            games.append(
                Game(
                    one.id,
                    one.seats,
                    one.scores,
                    one.ranks,
                    one.verdict,
                    one.verdicts,
                    one.finished,
                )
            )
            yield one

    with Ledger.reading(folder) as ledger:
        configuration = ledger.configuration
        skills = not rough and len(ledger) <= MOST_SKILLS
        tally = Tally(skills, configuration).add_all(passing(ledger.outcomes()))
    board = board_of(tally, 1 if rough else SAMPLES)
    games.sort(key=lambda game: game.finished, reverse=True)
    said = (ROUGH,) if rough else ()
    shown = Board.of(board, str(heading(folder)), (*said, *notes(board)))
    if not rough:
        shelf.put(folder, stamp, shown)
    return Found(stamp, shown, tuple(games), rough)


class Tournament:
    """One tournament, read anew when its ledger has changed.

    What was rated last is known at once. Where it is of other games, or there is none, a rough board comes first.
    """

    def __init__(self, name: str, folder: Path, reader: Reader) -> None:
        self.name = name
        self.folder = folder
        self._reader = reader
        self._lock = threading.Lock()
        self._latest = shelf.get(folder)
        self._wrong = ""
        self._reading: Future[Found] | None = None
        self._began = 0.0
        self._rest_until = 0.0

    def latest(self) -> tuple[Found | None, str]:
        """What is known, if anything yet, and what went wrong; starts to read if there is news."""
        with self._lock:
            self._take()
            stamp = _stamp(self.folder)
            known = self._latest
            fresh = known is not None and known.stamp == stamp and known.whole
            if self._reading is None and not fresh and time.monotonic() >= self._rest_until:
                self._began = time.monotonic()
                rough = known is None or known.games is None
                self._reading = self._reader.submit(self.folder, stamp, rough)
            return self._latest, self._wrong

    def _take(self) -> None:
        if self._reading is None or not self._reading.done():
            return
        now = time.monotonic()
        self._rest_until = now + max(1.0, 2 * (now - self._began))
        try:
            found, self._wrong = self._reading.result(), ""
            if found.rough:
                self._rest_until = now
                if self._latest is not None and self._latest.stamp == found.stamp:  # it is rated
                    found = attrs.evolve(found, board=self._latest.board, rough=False)
            self._latest = found
        except CarcError as error:
            self._wrong = str(error)
        except BrokenProcessPool:
            self._reader.renew()
        finally:
            self._reading = None

    def wait(self, seconds: float) -> tuple[Found | None, str]:
        """The same, after waiting a little for a first reading."""
        found, wrong = self.latest()
        reading = self._reading
        if found is None and not wrong and reading is not None:
            with contextlib.suppress(TimeoutError, CarcError, BrokenProcessPool):
                reading.result(seconds)
            found, wrong = self.latest()
        return found, wrong

    def outcome(self, game: str) -> Outcome:
        """One game with its record. Raises `BadLedger`."""
        with Ledger.reading(self.folder) as ledger:
            return ledger.outcome(game)


class Reader:
    """The processes that read: one for rough boards, which wait for no ratings of other tournaments."""

    def __init__(self) -> None:
        self._pools: dict[bool, ProcessPoolExecutor] = {}

    def submit(self, folder: Path, stamp: Stamp, rough: bool) -> Future[Found]:
        """Read a tournament."""
        if rough not in self._pools:
            self._pools[rough] = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        return self._pools[rough].submit(read, folder, stamp, rough)

    def renew(self) -> None:
        """After a process died; what the other is at comes to its end."""
        self._pools = {}

    def close(self) -> None:
        """Stop them."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


class Tournaments:
    """The tournaments in a folder, or the one it is of. Names come from the folder, never from a request."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reader = Reader()
        self._known: dict[str, Tournament] = {}

    def all(self) -> list[Tournament]:
        """Those there are now, by name."""
        places = {}
        if (self.folder / FILE).is_file():
            places[_OWN] = self.folder
        if self.folder.is_dir():
            for place in self.folder.iterdir():
                if _NAME.fullmatch(place.name) and (place / FILE).is_file():
                    places[place.name] = place
        for name in set(self._known) - set(places):
            del self._known[name]
        for name, place in places.items():
            if name not in self._known:
                self._known[name] = Tournament(name, place, self.reader)
        return [self._known[name] for name in sorted(self._known)]

    def begin(self) -> None:
        """Read all, so that the first visitor finds something."""
        for one in self.all():
            one.latest()

    def find(self, name: str) -> Tournament | None:
        """The tournament of this name."""
        return next((one for one in self.all() if one.name == name), None)


def _stamp(folder: Path) -> Stamp:
    """Changes when the ledger does."""
    found = []
    for name in (FILE, f"{FILE}-wal"):
        try:
            status = (folder / name).stat()
            found.append((status.st_mtime_ns, status.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)
