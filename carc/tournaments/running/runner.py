"""Plays what the schedule holds and the ledger does not, over any pool of processes.

The seam is `Pool`: the local one (`carc.tournaments.running.pool`) or that of a cluster
(`carc.tournaments.running.cluster`). Only this process writes the ledger.
"""

import logging
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from itertools import islice
from time import monotonic, perf_counter
from typing import Any, Protocol, TypeVar

from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome, Row, row
from carc.tournaments.outcomes.stages import MOST_VOIDS, Cause, HostFailure
from carc.tournaments.running.playing import play_one, void
from carc.tournaments.running.pool import Task, TaskLost, WorkerDied, WorkerStalled
from carc.tournaments.schedule.games import Game

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
    """Where games are played; a task's items outlive the process they were made in."""

    @property
    def jobs(self) -> int:
        """How many tasks it can do at once, as of now."""
        ...

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Task[Any]:
        """As in `concurrent.futures.Executor`."""
        ...


class Run:
    """Plays rounds of games over a pool, and writes each outcome as soon as it is known.

    The games of a round may be played in any order, and all at once; the next round is asked for
    when none is under way. The deals of games are spent in the ledger before a worker is given
    them; a game whose worker is lost is started again on another deal.
    """

    def __init__(
        self,
        rounds: Iterable[Iterable[Game]],
        ledger: Ledger,
        pool: Pool,
        *,
        advance: Callable[[int], None],
        play: PlayOne,
        settle: bool = False,
    ) -> None:
        self._rounds = iter(rounds)
        self._ledger, self._pool, self._play = ledger, pool, play
        self._advance = advance
        self._settle = settle
        # In a contest every game that is begun and not ended counts, so as few as can be are.
        self._is_contest = bool(ledger.configuration.promise)
        self._new: Iterator[Game] = iter(())
        self._again: deque[Game] = deque()  # spent, but its task ended before it came up
        self._suspects: deque[Game] = deque()  # a worker died: played alone, after all others
        self._running: dict[Task[Any], deque[Game]] = {}
        self._deaths: Counter[str] = Counter()  # of workers, by game
        self._strikes: Counter[str] = Counter()  # the same, by the bot that did it
        self._aside = ledger.aside()
        self._pace = BATCH_SECONDS  # seconds a game, as lately measured
        self._rows: list[Row] = []  # not yet written
        self._written = monotonic()
        self.over = False
        """Whether all games are played, void or given up."""

    def step(self) -> None:
        """Give the pool enough to do, and take what it has done."""
        ahead = self._pool.jobs * (1 if self._is_contest else 2)
        while len(self._running) < ahead and (batch := self._next_batch()):
            seated = [self._seated(game) for game in batch] if self._aside else list(batch)
            self._running[self._pool.submit(play_batch, self._play, seated)] = batch
        if self._running:
            left = self._written + LOOK - monotonic()
            wait(self._running, timeout=max(0.0, left), return_when=FIRST_COMPLETED)
            self._take()
            if not self._running or monotonic() >= self._written + LOOK:
                self._write()
            return
        games = next(self._rounds, None)
        if games is None:
            self.over = True
            return
        held, voids, attempts = self._ledger.ids(), self._ledger.voids(), self._ledger.attempts()
        self._new = (
            game.again(max(attempts.get(game.id, 0), voids.get(game.id, 0)), voids.get(game.id, 0))
            for game in games
            if game.id not in held and not self._is_given_up(voids.get(game.id, 0))
        )

    def stop(self, at_once: threading.Event) -> None:
        """Let the games under way end if they are quick about it; the rest stays with the pool.

        A contest waits for them, until `at_once` is set.
        """
        for task, batch in list(self._running.items()):
            if task.cancel():
                del self._running[task]
                self._ledger.give_back(batch)
        self._ledger.give_back(self._again)
        end = monotonic() + (float("inf") if self._is_contest else GRACE)
        while (left := end - monotonic()) > 0 and not at_once.is_set():
            if not wait(self._running, timeout=min(LOOK, left)).not_done:
                break
        self._take()
        self._write()

    def _next_batch(self) -> deque[Game]:
        """Return games for one task, with their deals spent."""
        size = max(1, min(BATCH_GAMES, int(BATCH_SECONDS / max(self._pace, 1e-9))))
        size = 1 if self._is_contest else size
        batch = deque(islice(_taken(self._again), size))
        new = list(islice(self._new, size - len(batch)))
        # Suspects come last, so that who kills now and then does not meet one game again and again.
        if not batch and not new and self._suspects:
            self._write()  # what became of its attempts before
            new.append(self._suspects.popleft())
        if new:
            self._ledger.start(new)
        batch.extend(new)
        return batch

    def _seated(self, game: Game) -> Game:
        """Return the game as it is to be played now: without the bots that were set aside."""
        aside = {
            seat: self._aside[entrant.key]
            for seat, entrant in enumerate(game.seats)
            if entrant.key in self._aside
        }
        return game._replace(aside=aside)

    def _is_given_up(self, voids: int) -> bool:
        """Return whether a game that was void so often is left out, so that others can follow."""
        return self._settle and voids >= MOST_VOIDS

    def _take(self) -> None:
        """Collect the games that have ended, and see after tasks that have."""
        known = len(self._rows)
        for task, batch in list(self._running.items()):
            done = task.done()  # asked first: what it yields afterwards is for the next look
            for parts in _taken(task.items):
                self._end(batch.popleft(), Row(*parts))
            if done:
                del self._running[task]
                self._after(task, batch)
        if seconds := [row.seconds for row in self._rows[known:]]:
            self._pace += (sum(seconds) / len(seconds) - self._pace) / 2

    def _end(self, game: Game, ended: Row) -> None:
        """Note the outcome of a game; if it is void and others wait for it, play it again."""
        self._rows.append(ended)
        if ended.void and self._settle and not self._is_given_up(game.voids + 1):
            self._suspects.append(game.again(game.attempt + 1, game.voids + 1))

    def _write(self) -> None:
        """Write the games collected: few large transactions cost least."""
        self._written = monotonic()
        rows, self._rows = self._rows, []
        if rows:
            self._ledger.add(rows)
            self._advance(len(rows))

    def _after(self, task: Task[Any], left: deque[Game]) -> None:
        """See after the games that a task ended without."""
        try:
            task.result()
        except TaskLost:
            # Nobody knows which of them had begun.
            self._suspects.extend(game.restarted for game in _taken(left))
        except WorkerDied as death:
            self._after_death(left, death)
        finally:
            self._again.extendleft(reversed(left))

    def _after_death(self, left: deque[Game], death: WorkerDied) -> None:
        if not left:  # it died between its last game and saying so
            return
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
            stalled = isinstance(death, WorkerStalled)
            if stalled or deaths >= DEATHS:
                lost = "a worker was" if deaths == 1 else f"{deaths} workers were"
                cause = Cause.LIMIT if stalled else Cause.WORKER
                failure = HostFailure(cause, f"{death}; {lost} lost at this game")
                self._end(game, row(void(game, failure)))
                return
        self._suspects.append(game.restarted)


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
    settle: bool = False,
) -> bool:
    """Play the games of all rounds that the ledger does not hold.

    When `stop` is set the games under way get `GRACE` seconds, in a contest until it is set again;
    those that are not done by then stay with the pool, which the caller ends.

    A game whose worker dies is played again. A bot inside the worker that runs when it dies is
    named; after its third worker it is set aside: its seat is at fault in all games to come, in
    this run and later ones. If no bot is to be named, a game whose workers have died `DEATHS`
    times, or one of whose made no progress within the pool's limit, is void.

    Args:
        rounds: The games of each round.
        ledger: Where the outcomes are written.
        pool: Where the games are played.
        stop: Ends the tournament when it is set.
        advance: Called with the number of games that ended since, several times a second.
        play: Plays one game.
        settle: Whether rounds build on results: then void games are played again at once, and
            given up once they were void `MOST_VOIDS` times.

    Returns:
        Whether all games are played, void or given up; else it was stopped.
    """
    work = Run(rounds, ledger, pool, advance=advance, play=play, settle=settle)
    while not (work.over or stop.is_set()):
        work.step()
    if not work.over:
        stop.clear()
        work.stop(stop)
    return work.over
