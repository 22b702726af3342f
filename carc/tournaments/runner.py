"""Plays what the schedule holds and the ledger does not, over any pool of processes.

The seam is `Pool`: the local one (`carc.tournaments.pool`) or a cluster's (`carc.tournaments.cluster`). Only this process writes
the ledger.
"""

import logging
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from itertools import chain, islice
from time import monotonic, perf_counter
from typing import Any, Protocol, TypeVar

from carc.tournaments.games import Game
from carc.tournaments.ledger import Ledger
from carc.tournaments.outcome import Outcome, Row, row
from carc.tournaments.playing import play_one, void
from carc.tournaments.pool import Task, WorkerDied, WorkerStalled
from carc.tournaments.stages import Cause, HostFailure

_log = logging.getLogger(__name__)

DEATHS = 3  # of workers, before the bot that did it is set aside, or the game given up as void
BATCH_SECONDS = 0.25  # of play to one task: passing it costs nothing beside it
BATCH_GAMES = 2000  # at most in one task
GRACE = 1.0  # seconds for running games to end when the tournament is stopped

LOOK = 0.2  # seconds between two writes of what is done

T = TypeVar("T")
PlayOne = Callable[[Game], Outcome]


def play_batch(play: PlayOne, games: Sequence[Game]) -> Iterator[tuple[Any, ...]]:
    """Yield the outcomes of games played one after another: the task of a worker.

    It ends after twice `BATCH_SECONDS` at most; a game that fails is void, and the others go on.
    Each outcome is the parts of a `Row`: to tell another process which class it is of takes twice
    the time of all its cells.
    """
    begun = perf_counter()
    for game in games:
        yield (*row(_outcome(play, game)),)
        if perf_counter() - begun > 2 * BATCH_SECONDS:
            return


def _outcome(play: PlayOne, game: Game) -> Outcome:
    try:
        return play(game)
    except HostFailure as failure:
        return void(game, failure)
    except Exception:  # noqa: BLE001 (a fault of this program: told in full, not rated)
        return void(game, HostFailure(Cause.PROGRAM, traceback.format_exc()))


class Pool(Protocol):
    """Where games are played: a local pool or a cluster's. A task's items outlive the process they were made in."""

    @property
    def jobs(self) -> int:
        """How many tasks it can do at once, as of now."""
        ...

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Task[Any]:
        """As in `concurrent.futures.Executor`."""
        ...


class Run:
    """Plays rounds of games over a pool, and writes what became of each game as soon as it is known.

    The games of a round may be played in any order, and all at once; the next round is asked for when none is under way.
    """

    def __init__(
        self,
        rounds: Iterable[Iterable[Game]],
        ledger: Ledger,
        pool: Pool,
        *,
        advance: Callable[[int], None],
        play: PlayOne,
    ) -> None:
        self._rounds = iter(rounds)
        self._ledger, self._pool, self._play = ledger, pool, play
        self._advance = advance
        self._new: Iterator[Game] = iter(())
        self._again: deque[Game] = deque()  # was in a task that ended before it came up
        self._suspects: deque[Game] = (
            deque()
        )  # a worker died: each is played alone, after all others
        self._running: dict[Task[Any], deque[Game]] = {}
        self._deaths: Counter[str] = Counter()  # of workers, by game
        self._strikes: Counter[str] = Counter()  # the same, by the bot that did it
        self._aside = ledger.aside()
        self._voided = False
        self._pace = BATCH_SECONDS  # seconds a game, as lately measured
        self._rows: list[Row] = []  # not yet written
        self._written = monotonic()
        self.over = False
        """Whether all games are played or void."""

    def step(self) -> None:
        """Give the pool enough to do, and take what it has done."""
        while len(self._running) < 2 * self._pool.jobs and (batch := self._next_batch()):
            seated = [self._seated(game) for game in batch] if self._aside else list(batch)
            self._running[self._pool.submit(play_batch, self._play, seated)] = batch
        if self._running:
            left = self._written + LOOK - monotonic()
            wait(self._running, timeout=max(0.0, left), return_when=FIRST_COMPLETED)
            self._take()
            if not self._running or monotonic() >= self._written + LOOK:
                self._write()
            return
        # A round builds on the results of those before: with a void game among them there is no next one.
        games = None if self._voided else next(self._rounds, None)
        if games is None:
            self.over = True
            return
        held, voids = self._ledger.ids(), self._ledger.voids()
        self._new = (
            game.after_void(voids[game.id]) if game.id in voids else game
            for game in games
            if game.id not in held
        )

    def stop(self) -> None:
        """Let the games under way end if they are quick about it; what is not done by then stays with the pool."""
        for task in list(self._running):
            if task.cancel():
                del self._running[task]
        wait(self._running, timeout=GRACE)
        self._take()
        self._write()

    def _next_batch(self) -> deque[Game]:
        size = max(1, min(BATCH_GAMES, int(BATCH_SECONDS / max(self._pace, 1e-9))))
        batch = deque(islice(chain(_taken(self._again), self._new), size))
        if (
            not batch and self._suspects
        ):  # last, so that who kills now and then does not meet one game again and again
            batch.append(self._suspects.popleft())
        return batch

    def _seated(self, game: Game) -> Game:
        """The game as it is to be played now: without the bots that were set aside."""
        aside = {
            seat: self._aside[entrant.key]
            for seat, entrant in enumerate(game.seats)
            if entrant.key in self._aside
        }
        return game._replace(aside=aside)

    def _take(self) -> None:
        """Collect the games that have ended, and see after tasks that have."""
        known = len(self._rows)
        for task, batch in list(self._running.items()):
            done = task.done()  # asked first: what it yields afterwards is for the next look
            ended = [Row(*parts) for parts in _taken(task.items)]
            for _ in ended:
                batch.popleft()
            self._rows += ended
            if done:
                del self._running[task]
                self._rows += self._after(task, batch)
        if seconds := [row.seconds for row in self._rows[known:]]:
            self._pace += (sum(seconds) / len(seconds) - self._pace) / 2

    def _write(self) -> None:
        """Write the games collected. All of some time at once: few large transactions cost least."""
        self._written = monotonic()
        rows, self._rows = self._rows, []
        if rows:
            self._ledger.add(rows)
            self._voided = self._voided or any(row.void for row in rows)
            self._advance(len(rows))

    def _after(self, task: Task[Any], left: deque[Game]) -> list[Row]:
        """What is to be done with the games that a task ended without."""
        try:
            task.result()
        except WorkerDied as death:
            return self._after_death(left, death)
        finally:
            self._again.extendleft(reversed(left))
        return []

    def _after_death(self, left: deque[Game], death: WorkerDied) -> list[Row]:
        game = left.popleft()
        if death.seat is not None:
            bot = game.seats[death.seat]
            self._strikes[bot.key] += 1
            _log.error("game %s: %s: %s", game.id, bot.name, death)
            if self._strikes[bot.key] == DEATHS:
                why = f"set aside: {DEATHS} workers died while it was to move; the last {death}"
                self._aside[bot.key] = why
                self._ledger.set_aside(bot.key, why)
        else:
            self._deaths[game.id] += 1
            deaths = self._deaths[game.id]
            if isinstance(death, WorkerStalled) or deaths >= DEATHS:
                lost = "a worker was" if deaths == 1 else f"{deaths} workers were"
                cause = Cause.LIMIT if isinstance(death, WorkerStalled) else Cause.WORKER
                failure = HostFailure(cause, f"{death}; {lost} lost at this game")
                return [row(void(game, failure))]
        self._suspects.append(game)
        return []


def _taken(queue: deque[T]) -> Iterator[T]:
    """Take from the left until there is nothing."""
    while queue:
        yield queue.popleft()


def run(
    rounds: Iterable[Iterable[Game]],
    ledger: Ledger,
    pool: Pool,
    *,
    stop: threading.Event,
    advance: Callable[[int], None] = lambda done: None,
    play: PlayOne = play_one,
) -> bool:
    """Play the games of all rounds that the ledger does not hold; True if all are played or void, False if stopped before.

    `advance` is told how many games have ended since it was last called, several times a second. When `stop` is set the
    games under way get `GRACE` seconds; those that are not done by then stay with the pool, which the caller ends.

    A game whose worker dies is played again. A bot inside the worker that runs when it dies is named; after its third
    worker it is set aside: its seat is at fault in all games to come, in this run and later ones. If no bot is to be named, a game
    whose workers have died `DEATHS` times, or one of whose made no progress within the pool's limit, is void.
    """
    work = Run(rounds, ledger, pool, advance=advance, play=play)
    while not (work.over or stop.is_set()):
        work.step()
    if not work.over:
        work.stop()
    return work.over
