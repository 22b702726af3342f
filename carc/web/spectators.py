"""Games of an arena that are under way, as tables at which people only look on."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

import attrs

from carc import Rules
from carc.arena.ladder import Running
from carc.arena.service import Arena
from carc.base.turn.steps import CHANCE
from carc.errors import CarcError
from carc.match.interactive import InteractiveMatch
from carc.web.live_table import LiveTable

LOOK = 0.5
"""Seconds between two looks at a game, of however many people: a bot may move a hundred times."""
MANY = 50
"""Spectators who wait and have news so often. More have them less often: bots are not to wait."""
MOST = 50
"""Games that are followed at once: those that were looked at last."""


@attrs.define(eq=False)
class Watched:
    """A game that somebody looks at.

    Attributes:
        ladder: The name of its ladder.
        running: The game.
        table: What has been played of it.
        lock: Held while the table comes up with the game.
        looked: When it did.
    """

    ladder: str
    running: Running
    table: LiveTable
    lock: threading.Lock = attrs.field(factory=threading.Lock)
    looked: float = -LOOK
    _page: tuple[int, bytes] = (-1, b"")

    def page(self, make: Callable[[], bytes]) -> bytes:
        """Return the page of the game as it is now, which is made once for all who look at it."""
        with self.lock:
            if self._page[0] != self.table.version:
                self._page = self.table.version, make()
            return self._page[1]


class Spectators:
    """The games that are looked at. A game that nobody looks at costs nothing here."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._watched: dict[str, Watched] = {}
        self._lock = threading.Lock()
        self._waiting = 0  # requests for news

    @contextmanager
    def waits(self) -> Iterator[None]:
        """Count a request for news meanwhile; in the event loop."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @property
    def pace(self) -> float:
        """The seconds between two looks at a game now."""
        return LOOK * max(1.0, self._waiting / MANY)

    def seen(self, game: str) -> Watched | None:
        """Return a game at which somebody has just looked, at once; None if nobody has."""
        found = self._watched.get(game)
        return found if found is not None and monotonic() < found.looked + self.pace else None

    def look(self, game: str) -> Watched | None:
        """Return a game under way, as it was not long ago; None if it is not under way."""
        found = self._find(game)
        if found is None:
            return None
        with found.lock, suppress(CarcError):  # what is read while it is written may be no action
            if self.seen(game) is None:
                found.looked = monotonic()
                _follow(found.table, self._arena.actions(game))
        return found

    def finish(self, game: str, actions: Callable[[], Sequence[str]]) -> Watched | None:
        """Return a game that has ended if it was looked at before, played to its end.

        `actions` returns what was played; it is called once for all who looked on.
        """
        with self._lock:
            found = self._watched.get(game)
        if found is not None:
            with found.lock:
                if not found.table.match.is_over:
                    _follow(found.table, actions())
        return found

    def _find(self, game: str) -> Watched | None:
        with self._lock:
            for ladder in self._arena.settings.ladders:
                for running in self._arena.games(ladder.name):
                    if running.game.id == game:
                        return self._watch(ladder.name, running)
        return None

    def _watch(self, ladder: str, running: Running) -> Watched:
        id = running.game.id
        found = self._watched.pop(id, None) or Watched(ladder, running, _table(running))
        self._watched[id] = found  # the last now
        while len(self._watched) > MOST:
            del self._watched[next(iter(self._watched))]
        return found


def _table(running: Running) -> LiveTable:
    """Return a table for a game; it knows neither its seed nor anything else of its deal."""
    game = running.game
    names = [bot.name for bot in game.seats]
    rules = Rules.from_spec(game.rules, players=len(names))
    table = LiveTable(
        InteractiveMatch(rules, [None] * len(names), names, by_hand=True), "greedy", names
    )
    table.id = game.id
    table.visited = set(table.keys)
    return table


def _follow(table: LiveTable, actions: Sequence[str]) -> None:
    """Play what has been played since; raise `CarcError` if that cannot be."""
    for action in actions[len(table.match.moves) :]:
        awaited = table.match.awaited
        assert awaited is not None, "the game goes on"
        table.act(min(table.keys) if awaited == CHANCE else awaited, action, table.version)
