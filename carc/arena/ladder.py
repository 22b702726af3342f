"""A ladder while it is played: who plays next, the games under way, and what becomes of them."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from operator import attrgetter
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from carc.arena.ledger import LadderLedger
from carc.arena.pools import Pools
from carc.arena.settings import LadderSettings
from carc.errors import BadBot
from carc.tournaments.ledger.standings import PLAYS, Standing
from carc.tournaments.outcomes.outcome import Outcome, Row, row
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.players import shown
from carc.tournaments.players.remote import REMOTE
from carc.tournaments.running.playing import play_one, void
from carc.tournaments.running.pool import Task, WorkerDied, WorkerStalled
from carc.tournaments.running.runner import DEATHS, LOOK, PlayOne
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game

_log = logging.getLogger(__name__)

LONGEST_REST: Final = 60.0  # seconds without a game after many in a row that the host made void


class Running(NamedTuple):
    """A game under way."""

    game: Game
    since: str
    """When it was started; UTC, ISO 8601."""


class Tables(Protocol):
    """Who plays whom (`carc.arena.matching`)."""

    def enter(self, bot: str, mu: float, sigma: float, group: str = "") -> None:
        """Let a bot play, or tell its new rating."""
        ...

    def leave(self, bot: str) -> None:
        """Let a bot play no more."""
        ...

    def table(self, busy: Iterable[str] = ()) -> tuple[str, ...] | None:
        """Return who plays next, by seat; None if too few can."""
        ...


def play_shown(game: Game) -> Outcome:
    """Play one game in a worker, and show it meanwhile."""
    shown.screen.begin(game.id)
    return play_one(game)


class Ladder:
    """A ladder, its open ledger, and the games of it that a pool plays.

    Args:
        settings: Of the ladder.
        ledger: Of the ladder.
        tables: Says who plays next; empty.
        play: Plays one game.
        present: Returns the specs of the remote bots that can play now.
        seated: How many games each bot plays now, in all ladders, by spec.
        most: How many bots an author may have.
    """

    def __init__(
        self,
        settings: LadderSettings,
        ledger: LadderLedger,
        tables: Tables,
        *,
        play: PlayOne,
        present: Callable[[], frozenset[str]],
        seated: Counter[str],
        most: int,
    ) -> None:
        self.settings = settings
        self._ledger, self._tables, self._play, self._present = ledger, tables, play, present
        self._bots: dict[str, Entrant] = {}
        self._remote: dict[str, str] = {}  # of bots that are elsewhere: name by spec
        self._running: dict[Task[Any], Running] = {}
        self._seated, self._most = seated, most
        self._deaths: Counter[str] = Counter()  # of workers in which it moved, by bot
        self._ended: list[tuple[Game, Row]] = []  # not yet written
        self._written = monotonic()
        self._voids = 0  # in a row
        self._rests_until = 0.0
        for standing in ledger.standings.playing():
            self._seat(standing)

    @property
    def running(self) -> list[Task[Any]]:
        """The tasks of the games under way."""
        return list(self._running)

    def games(self) -> list[Running]:
        """Return the games under way; from any thread."""
        return list(self._running.copy().values())  # a copy lets no other thread in between

    # -- games ------------------------------------------------------------------------------------

    def begin(self, pools: Pools) -> bool:
        """Have a game played, and return whether there was one to be played now."""
        if monotonic() < self._rests_until or self._ledger.paused:
            return False
        names = self._tables.table(self._busy(pools.has_room_here))
        if names is None:
            return False
        seats = tuple(self._bots[name] for name in names)
        self._seated.update(bot.spec for bot in seats)
        game = self._ledger.deal(seats)
        since = datetime.now(UTC).isoformat(timespec="seconds")
        task = pools.submit(self.settings.configuration, self._play, game)
        self._running[task] = Running(game, since)
        return True

    def _busy(self, has_room: bool) -> list[str]:
        """Return the remote bots that are not here, or play, or all if there is no room for them.

        Others may play many games at once.
        """
        if not self._remote:
            return []
        here = self._present() if has_room else frozenset()
        return [
            name for spec, name in self._remote.items() if spec not in here or self._seated[spec]
        ]

    def take(self) -> None:
        """Collect the games that have ended, and write them, several at once if many do."""
        for task in [task for task in self._running if task.done()]:
            game = self._running.pop(task).game
            self._seated.subtract(bot.spec for bot in game.seats)
            ended = self._outcome(task, game)
            self._ended.append((game, ended))
            self._voids = self._voids + 1 if ended.void else 0
            if ended.void:  # the host may do better later
                rest = LOOK * 2.0 ** min(self._voids, 20)
                self._rests_until = monotonic() + min(LONGEST_REST, rest)
        if self._ended and monotonic() >= self._written + LOOK:
            self.write()

    def write(self) -> None:
        """Write the games that have ended."""
        ended, self._ended = self._ended, []
        self._written = monotonic()
        if not ended:
            return
        self._ledger.add(row for _, row in ended)
        self._rated({bot.name for game, _ in ended for bot in game.seats})

    def end(self) -> None:
        """Write what is left, and end the epoch."""
        self.write()
        self._ledger.end()

    def _outcome(self, task: Task[Any], game: Game) -> Row:
        """Return what became of a game. It is not played again: its deal is spent."""
        if task.items:
            return Row(*task.items[0])
        error = task.exception()
        cause = Cause.LIMIT if isinstance(error, WorkerStalled) else Cause.WORKER
        if isinstance(error, WorkerDied) and error.seat is not None:
            self._blame(game.seats[error.seat].name, error)
        return row(void(game, HostFailure(cause, str(error))))

    def _blame(self, bot: str, death: WorkerDied) -> None:
        """Note that a worker died while a bot inside it was to move."""
        self._deaths[bot] += 1
        if self._deaths[bot] >= DEATHS and bot in self._bots:
            self.remove(bot, f"{DEATHS} workers died while it was to move; the last {death}")

    # -- orders -----------------------------------------------------------------------------------

    def plays(self, bot: str) -> bool:
        """Return whether a bot plays; from any thread."""
        return bot in self._bots

    def enter(self, entrant: Entrant, author: str = "", *, organiser: bool = True) -> None:
        """Let a bot play from now on, in place of other versions of it.

        Raises `BadBot` if it cannot, or if the author has too many bots.
        """
        leaves = [] if organiser else self._in_the_way(entrant.name, author)
        others = self._ledger.enter(entrant, author, organiser=organiser)
        for bot in leaves:
            self._ledger.rest(bot, f"{entrant.name} plays instead")
        for bot in leaves + others:
            self._leave(bot)
        standing = self._ledger.standings.of(entrant.name)
        assert standing is not None, "it was entered"
        self._seat(standing)

    def _in_the_way(self, bot: str, author: str) -> list[str]:
        """Return the bots that have to leave before an author may enter another one: one or none.

        That is the remote one which is not here and has not played for longest. Raises `BadBot` if
        none may.
        """
        name = bot.partition("@")[0]
        own = [
            each
            for each in self._ledger.standings.of_author(author)
            if each.state == PLAYS and each.name != name
        ]
        if len(own) < self._most:
            return []
        here = self._present()
        away = [
            each
            for each in own
            if each.isolation == REMOTE and each.spec not in here and not self._seated[each.spec]
        ]
        if not away:
            raise BadBot(
                f"{author} has {self._most} bots in {self.settings.name} already, and may have no "
                "more"
            )
        return [min(away, key=attrgetter("last")).bot]

    def remove(self, bot: str, why: str) -> None:
        """Take a bot out until the organiser enters it again. Its games under way end."""
        self._ledger.remove(bot, why)
        self._leave(bot)

    def ban(self, author: str, why: str) -> None:
        """Let all bots of an author rest. Their games under way end."""
        for bot in self._ledger.ban(author, why):
            self._leave(bot)

    def unban(self, author: str) -> None:
        """Let the bots of an author play again that rest because of a ban."""
        for standing in self._ledger.unban(author):
            self._seat(standing)

    def pause(self) -> None:
        """Let no game begin until it is resumed. Games under way end."""
        self._ledger.pause()

    def resume(self) -> None:
        """Let games begin again."""
        self._ledger.resume()

    def void(self, game: str, reason: str) -> None:
        """Take a rated game back."""
        self.write()
        self._rated(self._ledger.void(game, reason))

    def _rated(self, bots: Iterable[str]) -> None:
        """Tell the ratings of bots that changed."""
        for bot in bots:
            standing = self._ledger.standings.of(bot)
            if standing is not None and bot in self._bots:
                self._tables.enter(bot, standing.mu, standing.sigma, standing.author)

    def _seat(self, standing: Standing) -> None:
        """Let a bot be chosen."""
        self._bots[standing.bot] = Entrant(
            standing.bot, standing.spec, standing.digest, standing.isolation
        )
        if standing.isolation == REMOTE:
            self._remote[standing.spec] = standing.bot
        self._tables.enter(standing.bot, standing.mu, standing.sigma, standing.author)

    def _leave(self, bot: str) -> None:
        entrant = self._bots.pop(bot)
        self._remote.pop(entrant.spec, None)
        self._tables.leave(bot)
