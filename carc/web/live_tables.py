"""The tables open in this process: how many there may be, and the thread in which bots think."""

from __future__ import annotations

import logging
import random
import secrets
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from carc.base.game.rules import Rules
from carc.bots import SHIPPED, by_name
from carc.drawing.history import MatchHistory
from carc.errors import CarcError
from carc.match.bot import Bot
from carc.match.interactive import InteractiveMatch
from carc.web.live_table import LiveTable

MOST = 1000
"""Tables that may be open at once."""
IDLE = 600.0
"""Seconds after which a table may be closed for a new one if there are too many."""
FORGOTTEN = 24 * 3600.0
"""Seconds after which an unused table is closed."""
MOST_NAME = 40
"""Characters of a person's name."""
PERSON = "person"

_log = logging.getLogger(__name__)


@lru_cache(maxsize=64)
def _rules(spec: str, players: int) -> Rules:
    """Return rules that all tables of this spec share."""
    return Rules.from_spec(spec, players)


class TooManyTables(CarcError):
    """No more tables can be opened."""


class LiveTables:
    """All open tables. Thread-safe."""

    def __init__(self, bots: Sequence[str] = tuple(SHIPPED), most: int = MOST) -> None:
        """Begin without tables.

        Args:
            bots: The names of the bots that people may play against.
            most: How many tables may be open.
        """
        self.bots = tuple(bots)
        self.most = most
        self._tables: dict[str, LiveTable] = {}
        self._lock = threading.Lock()
        # One thread for all bots: more would only share its core.
        self._thinker = ThreadPoolExecutor(1, thread_name_prefix="bots")

    def __len__(self) -> int:
        """Return how many tables are open."""
        return len(self._tables)

    def find(self, name: str) -> LiveTable | None:
        """Return the table of this id, if it is open."""
        return self._tables.get(name)

    def open(
        self,
        spec: str,
        seats: Sequence[tuple[str, str]],
        *,
        seed: int | None = None,
        by_hand: bool = False,
        adviser: str = "greedy",
        saved: MatchHistory | None = None,
    ) -> LiveTable:
        """Open a table.

        Args:
            spec: The spec of the rules.
            seats: For each seat `(PERSON, name)` or `(bot, "")`.
            seed: The seed of the deal and the bots; by default a random one.
            by_hand: Draws are entered by the first person.
            adviser: The bot that gives hints.
            saved: A game to continue.

        Raises:
            TooManyTables: No more tables can be opened.
            CarcError: The spec, a bot or the saved game is not valid.
        """
        if not any(kind == PERSON for kind, _ in seats):
            raise CarcError("at least one seat must be a person's")
        rules = _rules(spec, len(seats))
        self._require_bot(adviser)
        seed = secrets.randbits(52) if seed is None else seed
        rng = random.Random(seed)
        names: list[str] = []
        players: list[Bot | None] = []
        for number, (kind, name) in enumerate(seats):
            if kind == PERSON:
                players.append(None)
                names.append(" ".join(name.split())[:MOST_NAME] or f"person {number + 1}")
            else:
                self._require_bot(kind)
                players.append(by_name(kind, rng.getrandbits(32)))
                names.append(kind)
        table = LiveTable(InteractiveMatch(rules, players, names, seed, by_hand), adviser)
        if saved is not None:
            if saved.rules.version != rules.version:
                raise CarcError("the saved game was played by another version of the rules")
            table.resume(saved)
        self._add(table)
        self.advance(table)
        return table

    def _require_bot(self, name: str) -> None:
        if name not in self.bots:
            raise CarcError(f"there is no bot {name!r} here; the bots are {', '.join(self.bots)}")

    def _add(self, table: LiveTable) -> None:
        now = time.monotonic()
        with self._lock:
            for name, old in list(self._tables.items()):
                if now - old.touched > FORGOTTEN:
                    del self._tables[name]
            if len(self._tables) >= self.most:
                oldest = min(self._tables.values(), key=lambda each: each.touched)
                if now - oldest.touched < IDLE:
                    raise TooManyTables(f"all {self.most} tables are taken; try again later")
                del self._tables[oldest.id]
            self._tables[table.id] = table

    def advance(self, table: LiveTable) -> None:
        """Play chance and bots of a table in the background."""
        self._thinker.submit(self._advance, table)

    @staticmethod
    def _advance(table: LiveTable) -> None:
        try:
            table.advance()
        except Exception:  # noqa: BLE001 (nobody waits for this thread: the error must be logged)
            _log.exception("table %s stopped", table.id)

    def close(self) -> None:
        """Stop without waiting for bots."""
        self._thinker.shutdown(wait=False, cancel_futures=True)
