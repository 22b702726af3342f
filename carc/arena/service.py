"""The arena while it runs: one thread that owns the ladders and gives games to a pool.

The thread alone writes the ledgers. What others want of a ladder waits until the thread does it,
several times a second.
"""

import hashlib
import logging
import queue
import sqlite3
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import carc
from carc.arena.authors import Authors
from carc.arena.door import Refused, Uploads
from carc.arena.ladder import Ladder, Running, Tables, play_shown
from carc.arena.ledger import LadderLedger
from carc.arena.orders import BAN, Order, Work, carry_out, entrant_of, ladder_of, office
from carc.arena.pools import Pools
from carc.arena.relay import Relay
from carc.arena.settings import (
    ALL,
    LOCAL,
    LOG,
    MOST_LOGGED,
    LadderSettings,
    read_settings,
    require_short,
)
from carc.errors import CarcError
from carc.tournaments.isolation import host
from carc.tournaments.isolation.control_group import granted
from carc.tournaments.ledger.file import BadLedger, locked
from carc.tournaments.ledger.standings import Standing
from carc.tournaments.players import remote
from carc.tournaments.players.remote import REMOTE
from carc.tournaments.running.log import logging_to
from carc.tournaments.running.pool import LocalPool
from carc.tournaments.running.runner import LOOK, PlayOne
from carc.tournaments.schedule.entrants import Entrant, enter
from carc.tournaments.submission.manifest import check_name, check_version
from carc.tournaments.submission.registry import Registry, Submission
from carc.tournaments.tournament import dask_pool, limit_of

_log = logging.getLogger(__name__)
T = TypeVar("T")

RELAY: Final = "relay.sock"


class Load(NamedTuple):
    """How busy an arena is."""

    jobs: int
    """Games that can be played at once."""
    workers: int
    """Processes here that play."""
    waiting: int
    """Orders and entries that wait."""


class Arena:
    """The service of an arena's folder.

    Args:
        folder: Of the arena.
        tables: Makes what says who plays whom, from the seats of a table.
        play: Plays one game.
        relay: Of remote bots; its application serves it.
        executor: Where games are played, in place of that of the settings.

    Raises:
        CarcError: Its settings cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        tables: Callable[[int], Tables],
        *,
        play: PlayOne = play_shown,
        relay: Relay | None = None,
        executor: str = "",
    ) -> None:
        self.folder = folder
        self.settings = read_settings(folder)
        require_short(folder)
        self.authors = Authors(folder)
        self._uploads = Uploads(self.settings.limits.uploads)
        self.relay = relay or Relay(self.settings.latency)
        self.socket = folder.absolute() / RELAY
        """Where the relay serves the workers."""
        self._tables, self._play = tables, play
        self._executor = executor or self.settings.executor
        self._after: Callable[[], None] = lambda: None
        self._ladders: dict[str, Ladder] = {}
        self._seated: Counter[str] = Counter()  # games under way, by spec
        self.relay.is_chosen = lambda bot: self._seated[bot] > 0
        self._pools: Pools | None = None
        self._asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._begun: Future[None] = Future()
        self._stop, self._at_once = threading.Event(), threading.Event()
        self._ended: Future[None] = Future()
        self._thread = threading.Thread(target=self._live, name="arena")

    def start(self, ended: Callable[[], None] = lambda: None) -> None:
        """Open the ladders, and begin to play; `ended` is called in another thread at the end.

        Raises `CarcError` if a ladder cannot be opened, or if another service runs.
        """
        self._after = ended
        self._thread.start()
        self._begun.result()

    @property
    def is_stopping(self) -> bool:
        """Whether it was stopped."""
        return self._stop.is_set()

    def stop(self, at_once: bool = False) -> None:
        """Have it end when the games under way have, or at once; they are interrupted then."""
        self._stop.set()
        if at_once:
            self._at_once.set()

    def close(self, at_once: bool = False) -> None:
        """Stop it, and wait until it has ended.

        Raises:
            Exception: The service could not go on.
        """
        self.stop(at_once)
        if self._thread.ident is not None:
            self._thread.join()
            self._ended.result()

    def obey(self, order: Order) -> str:
        """Carry an order out, or raise `CarcError`; from any thread but the arena's."""

        def do(ladder: LadderSettings, work: Work) -> None:
            self._do(partial(work, self._ladders[ladder.name]))

        told = carry_out(order, self.settings, self.authors, do)
        if order.verb == BAN:
            self.relay.expel(order.what, f"its author is banned: {order.why}")
        return told

    def allow_upload(self, author: str) -> None:
        """Count an upload of an author; raise `Refused` if the author may upload nothing now."""
        self.authors.require(author)
        if all(each.takes == REMOTE for each in self.settings.ladders):
            raise Refused(
                409, "no ladder here takes submitted bots; let yours play by carc connect"
            )
        self._uploads.count(author)

    def submitted(self, submission: Submission) -> str:
        """Enter a bot of an author in every ladder that it plays, and return what came of it."""
        told = []
        for each in self.settings.ladders:
            try:
                self._enter(each.name, *entrant_of(submission.spec, each))
                told.append(f"It plays in {each.name}.")
            except CarcError as error:
                told.append(f"Not in {each.name}: {error}.")
        return " ".join(told)

    def games(self, ladder: str) -> list[Running]:
        """Return the games of a ladder that are under way; from any thread."""
        found = self._ladders.get(ladder)
        return found.games() if found else []

    def actions(self, game: str) -> list[str]:
        """Return what has been played of a game under way; from any thread."""
        return self._pools.here.actions(game) if self._pools else []

    def _enter(self, ladder: str, entrant: Entrant, author: str) -> None:
        """Enter a bot of an author; raise `CarcError` if he is banned or it cannot be entered."""

        def enter() -> None:
            self.authors.require(author)  # here, so that none comes between a ban and its work
            self._ladders[ladder].enter(entrant, author, organiser=False)

        self._do(enter)

    def load(self) -> Load:
        """Return how busy it is; from any thread."""
        pools, waiting = self._pools, self._asked.qsize()
        return Load(pools.jobs, pools.here.workers, waiting) if pools else Load(0, 0, waiting)

    # -- remote bots ------------------------------------------------------------------------------

    def author(self, token: str) -> str | None:
        """Return whose token it is."""
        return self.authors.of(token)

    def ladders(self) -> list[dict[str, Any]]:
        """Return what remote bots can play."""
        return [
            {
                "name": each.name,
                "rules": each.configuration.rules,
                "rules_version": each.configuration.rules_version,
                "players": each.configuration.tables[0],
                "clock": each.configuration.clock,
            }
            for each in self.settings.ladders
            if each.takes in (ALL, REMOTE)
        ]

    def admit(self, author: str, bot: str, version: str, ladders: Sequence[str] = ()) -> str:
        """Return the spec of a remote bot, which is in these ladders, or in all, from now on.

        Raises `CarcError`, whose sentence says why, if it cannot be.
        """
        self.authors.require(author)
        name = f"{author}/{check_name(bot)}@{check_version(version)}"
        spec = f"{REMOTE}:{name}"
        entrant = Entrant(name, spec, hashlib.sha256(spec.encode()).hexdigest(), REMOTE)
        for each in ladders:
            ladder_of(self.settings, each).require(REMOTE)
        for each in ladders or [str(ladder["name"]) for ladder in self.ladders()]:
            if not self._ladders[each].plays(name):
                self._enter(each, entrant, author)
        return spec

    # -- the thread -------------------------------------------------------------------------------

    def _do(self, work: Callable[[], T]) -> T:
        """Return what something comes to that the arena's thread does, or raise `CarcError`."""
        done: Future[T] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except CarcError as error:
                done.set_exception(error)

        self._asked.put(do)
        while True:
            try:
                return done.result(LOOK)
            except TimeoutError:
                if self._ended.done() and not done.done():
                    raise Refused(503, "the arena ends; nothing was done") from None

    def _live(self) -> None:
        try:
            with ExitStack() as stack:
                self._pools = pools = self._open(stack)
                self._begun.set_result(None)
                try:
                    self._play_on(pools)
                    self._end(pools)
                except (CarcError, sqlite3.Error) as error:
                    why = self._explained(error)
                    _log.error("the arena cannot go on: %s", why)
                    raise why from None
                except Exception:
                    _log.exception("the arena cannot go on")
                    raise
        except BaseException as error:  # noqa: BLE001 (for `start` or `close`)
            if not self._begun.done():
                self._begun.set_exception(error)
                self._ended.set_result(None)
                return
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)
        self.relay.dismiss()
        self._after()

    def _explained(self, error: CarcError | sqlite3.Error) -> CarcError:
        if isinstance(error, CarcError):
            return error
        return BadLedger(  # such as of a disk that is full
            f"a ledger in {self.folder} cannot be written: {error}; what was rated is kept"
        )

    def _open(self, stack: ExitStack) -> Pools:
        """Open everything that is closed with the stack."""
        granted()  # while no other process is in this one's control group
        stack.enter_context(locked(self.folder))
        log = stack.enter_context(logging_to(self.folder / LOG, MOST_LOGGED))
        for each in self.settings.ladders:
            ledger = stack.enter_context(
                LadderLedger.opening(
                    self.folder / each.name, each.configuration, self.settings.epoch
                )
            )
            self._retire(ledger)
            self._ladders[each.name] = ladder = Ladder(
                each,
                ledger,
                self._tables(each.configuration.tables[0]),
                play=self._play,
                present=partial(self.relay.present, each.name),
                seated=self._seated,
                most=self.settings.limits.bots,
            )
            for spec in each.bots:
                if ledger.standings.of(spec) is None:
                    entrant, author = entrant_of(spec, each)
                    if ledger.standings.of(entrant.name) is None:  # spec may have no version
                        ladder.enter(entrant, author)
        remote.path = str(self.socket)  # of the processes that are forked from now on
        limit = max(limit_of(each.configuration, None) for each in self.settings.ladders)
        pools = Pools(stack.enter_context(LocalPool(self.settings.jobs, log, limit)))
        if self._executor != LOCAL:
            rules = self.settings.ladders[0].configuration
            cluster = dask_pool(self._executor, rules, log, limit, self.settings.jobs)
            pools = Pools(pools.here, stack.enter_context(cluster))
        stack.enter_context(office(self.folder, self.obey))
        return pools

    def _retire(self, ledger: LadderLedger) -> None:
        """Let bots rest that are not here as they were entered, or whose author is banned."""
        for name, author in self.authors.all().items():
            if author.banned:
                ledger.ban(name, author.banned)
        for standing in list(ledger.standings.playing()):
            if why := _missing(standing):
                ledger.rest(standing.bot, why)

    def _play_on(self, pools: Pools) -> None:
        """Play until it is to stop; ladders take turns, game by game."""
        turns = deque(self._ladders.values())
        while not self._stop.is_set():
            while not self._asked.empty():
                self._asked.get()()
            waiting = len(turns)
            while waiting and pools.has_room:
                waiting = len(turns) if turns[0].begin(pools) else waiting - 1
                turns.rotate(-1)
            self._await_games()
            pools.collect()

    def _await_games(self) -> None:
        """Wait a moment for games to end, and take them."""
        running = self._running()
        if running:
            wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
        else:
            self._stop.wait(LOOK)
        for ladder in self._ladders.values():
            ladder.take()

    def _running(self) -> list[Future[object]]:
        return [task for ladder in self._ladders.values() for task in ladder.running]

    def _end(self, pools: Pools) -> None:
        """Let the games under way end, unless it is to end at once."""
        while self._running() and not self._at_once.is_set():
            self._await_games()
        if self._running():
            pools.kill()
        for ladder in self._ladders.values():
            ladder.end()


def _missing(standing: Standing) -> str:
    """Return why a bot cannot play here; empty if it can."""
    try:
        if standing.isolation == "none":
            is_same = enter(standing.spec).digest == standing.digest
            return "" if is_same else f"carc {carc.__version__} has another {standing.spec}"
        if standing.isolation != REMOTE:
            Registry().content(standing.digest)
            return host.missing(standing.isolation)
    except CarcError as error:
        return str(error)
    return ""
