"""The tables open in this process: how many there may be, and the thread in which bots think."""

import logging
import random
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from carc.base.game.rules import Rules
from carc.bots import SHIPPED, by_name
from carc.drawing.history import MatchHistory
from carc.errors import CarcError
from carc.match.bot import Bot
from carc.match.interactive import InteractiveMatch
from carc.web.clock import Clock
from carc.web.live_table import SUBSTITUTE, LiveTable
from carc.web.palette import choose_colours
from carc.web.people import checked_person, nameless
from carc.web.suggestions import LEVEL, levels_among
from carc.web.table_store import TableStore

MOST = 1000
"""Tables that may be open at once."""
IDLE = 600.0
"""Seconds after which a table may be closed for a new one if there are too many."""
FORGOTTEN = 24 * 3600.0
"""Seconds after which an unused table is closed."""
KEPT = 30 * FORGOTTEN
"""Seconds for which a table is kept on disk."""
PERSON = "person"

T = TypeVar("T")

_log = logging.getLogger(__name__)


@lru_cache(maxsize=64)
def _rules(spec: str, players: int) -> Rules:
    """Return rules that all tables of this spec share."""
    return Rules.from_spec(spec, players)


class TooManyTables(CarcError):
    """No more tables can be opened."""


class LiveTables:
    """All open tables. Thread-safe."""

    def __init__(
        self,
        bots: Sequence[str] = tuple(SHIPPED),
        most: int = MOST,
        folder: Path | None = None,
    ) -> None:
        """Begin without open tables.

        Args:
            bots: The names of the bots that people may play against.
            most: How many tables may be open.
            folder: Where tables are saved, so that they outlive this process. None: nowhere.
        """
        self.bots = tuple(bots)
        self.levels = {level.id: level for level in levels_among(self.bots)}
        self.most = most
        self._store = None if folder is None else TableStore(folder, KEPT)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self._tables: dict[str, LiveTable] = {}
        self._lock = threading.Lock()
        # One thread for all bots: more would only share its core.
        self._thinker = ThreadPoolExecutor(1, thread_name_prefix="bots")
        self._questions: deque[tuple[Future[Any], Callable[[], Any]]] = deque()

    def __len__(self) -> int:
        return len(self._tables)

    def find(self, name: str) -> LiveTable | None:
        """Return the table of this id, if it is open or was saved."""
        table = self._tables.get(name)
        if table is None and self._store is not None:
            data = self._store.load(name)
            if data is not None:
                table = self._restore(name, data)
        return table

    def kind_of(self, name: str, rules: Rules) -> str:
        """Return what to ask `open` for so that this bot sits there; `PERSON` if it may not."""
        if name in self.bots:
            return name
        levels = (level for level in self.levels.values() if level.is_of(name, rules))
        level = next(levels, None)
        return PERSON if level is None else LEVEL + level.id

    def open(
        self,
        spec: str,
        seats: Sequence[tuple[str, str]],
        *,
        seed: int | None = None,
        by_hand: bool = False,
        adviser: str = "greedy",
        minutes: int | None = None,
        colours: Sequence[str] = (),
        saved: MatchHistory | None = None,
    ) -> LiveTable:
        """Open a table.

        Args:
            spec: The spec of the rules.
            seats: For each seat `(PERSON, name)`, `(bot, "")` or `("level:ID", "")`.
            seed: The seed of the deal and the bots; by default a random one.
            by_hand: Draws are entered by the first person.
            adviser: The bot that gives hints.
            minutes: What each person has for the game. None: there is no clock.
            colours: The name of a colour for each seat; empty for any that is free.
            saved: A game to continue.

        Raises:
            TooManyTables: No more tables can be opened.
            CarcError: The spec, a bot, a name or the saved game is not valid.
        """
        if not any(kind == PERSON for kind, _ in seats):
            raise CarcError("at least one seat must be a person's")
        rules = _rules(spec, len(seats))
        self._require_bot(adviser)
        drawn = secrets.randbits(52) if seed is None else seed
        match, titles = self._seated(rules, seats, drawn, by_hand)
        chosen = choose_colours(colours or [""] * len(seats))
        table = LiveTable(match, adviser, titles, minutes, chosen)
        table.is_deal_known = seed is not None
        if saved is not None:
            if saved.rules.version != rules.version:
                raise CarcError("the saved game was played by another version of the rules")
            table.resume([ply.action for ply in saved.plies])
        self._add(table)
        self.advance(table)
        return table

    def _seated(
        self, rules: Rules, seats: Sequence[tuple[str, str]], seed: int, by_hand: bool
    ) -> tuple[InteractiveMatch, list[str]]:
        """Return a new match, and what each seat is called on the page."""
        rng = random.Random(seed)
        names: list[str] = []
        titles: list[str] = []
        players: list[Bot | None] = []
        for number, (kind, name) in enumerate(seats):
            bot, title = self._bot(kind, rules)
            if bot == PERSON:
                players.append(None)
                names.append(name.strip() or nameless(number))
            else:
                players.append(by_name(bot, rng.getrandbits(32)))
                names.append(bot)
            titles.append(title or names[-1])
        for seat, player in enumerate(players):
            if player is None:
                others = titles[:seat] + titles[seat + 1 :]
                names[seat] = titles[seat] = checked_person(names[seat], others)
        return InteractiveMatch(rules, players, names, seed, by_hand), titles

    def _bot(self, kind: str, rules: Rules) -> tuple[str, str]:
        """Return the bot of a seat, or `PERSON`, and what the seat is called, if not by its bot."""
        if kind == PERSON:
            return kind, ""
        level = self.levels.get(kind.removeprefix(LEVEL)) if kind.startswith(LEVEL) else None
        if level is not None:
            return level.bot_for(rules), level.title
        self._require_bot(kind)
        return kind, ""

    def _restore(self, name: str, data: dict[str, Any]) -> LiveTable | None:
        """Open a saved table again. None if it cannot be, because the rules have changed since."""
        try:
            rules = _rules(data["spec"], len(data["names"]))
            if rules.version != data["rules_version"]:
                return None
            people = set(data["people"])
            keys = {int(seat): str(key) for seat, key in data["keys"].items()}
            rng = random.Random(data["seed"])
            players = [
                None
                if seat in people
                else by_name(SUBSTITUTE if seat in keys else bot, rng.getrandbits(32))
                for seat, bot in enumerate(data["names"])
            ]
            match = InteractiveMatch(rules, players, data["names"], data["seed"], data["by_hand"])
            chosen = choose_colours(data.get("colours") or [""] * len(players))
            table = LiveTable(match, data["adviser"], data["titles"], data["minutes"], chosen)
            table.is_deal_known = data.get("is_deal_known", False)
            if data["left"] is not None:
                table.clock = Clock.of({int(k): float(left) for k, left in data["left"].items()})
            table.id = name
            table.keys = keys
            table.visited = set(data["visited"])
            table.rematch = {int(seat): str(at) for seat, at in data["rematch"].items()}
            table.resume(data["actions"])
            table.version = table.moved = int(data["version"]) + 1
        except (CarcError, LookupError, TypeError, ValueError) as error:
            _log.warning("table %s cannot be opened again: %s", name, error)
            return None
        table = self._add(table)
        self.advance(table)
        return table

    def rematch(self, table: LiveTable) -> None:
        """Open a table for the next game of the same people: whoever was second begins.

        Raises `CarcError` if the game is not over, or if no more tables can be opened.
        """
        if not table.match.is_over:
            raise CarcError("the game is not over")
        if table.rematch:
            return
        match = table.match
        count = len(match.names)
        order = [*range(1, count), 0]
        kinds = {level.title: LEVEL + level.id for level in self.levels.values()}
        seats = [
            (PERSON, match.names[seat])
            if seat in table.keys
            else (kinds.get(table.titles[seat], match.names[seat]), "")
            for seat in order
        ]
        new = self.open(
            match.rules.spec,
            seats,
            by_hand=match.by_hand,
            adviser=table.adviser,
            minutes=table.minutes,
            colours=[table.colours[seat] for seat in order],
        )
        new_seat = {old: at for at, old in enumerate(order)}
        new.visited = {new_seat[seat] for seat in table.visited}  # this page leads them there
        table.offer_rematch(
            {seat: f"/table/{new.id}/{new.keys[new_seat[seat]]}" for seat in table.keys}
        )

    def _require_bot(self, name: str) -> None:
        if name not in self.bots:
            raise CarcError(f"there is no bot {name!r} here; the bots are {', '.join(self.bots)}")

    def _add(self, table: LiveTable) -> LiveTable:
        """Add a table, and return it; if it is there already, return that one."""
        now = time.monotonic()
        with self._lock:
            if table.id in self._tables:
                return self._tables[table.id]
            for name, old in list(self._tables.items()):
                if now - old.touched > FORGOTTEN:
                    del self._tables[name]
            if len(self._tables) >= self.most:
                oldest = min(self._tables.values(), key=lambda each: each.touched)
                if now - oldest.touched < IDLE:
                    raise TooManyTables(f"all {self.most} tables are taken; try again later")
                del self._tables[oldest.id]
            self._tables[table.id] = table
            return table

    def advance(self, table: LiveTable) -> None:
        """Play chance and bots of a table in the background, and save it before and after."""
        self.save(table)
        self._thinker.submit(self._advance, table)

    def save(self, table: LiveTable) -> None:
        """Save a table in the background."""
        if self._store is not None:
            self._writer.submit(self._save, self._store, table)

    @staticmethod
    def _save(store: TableStore, table: LiveTable) -> None:
        try:
            store.save(table.id, table.saved())
        except Exception:  # noqa: BLE001 (nobody waits for this thread: the error must be logged)
            _log.exception("table %s is not saved", table.id)

    def think(self, work: Callable[[], T]) -> Future[T]:
        """Answer a question in the thread of the bots; bots to move need not wait for a second."""
        future = Future[T]()
        with self._lock:
            self._questions.append((future, work))
            if len(self._questions) == 1:
                self._thinker.submit(self._answer)
        return future

    def _answer(self) -> None:
        """Answer one question. If there are more, the next one queues behind bots to move."""
        future, work = self._questions[0]
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 (who asked gets it)
                future.set_exception(error)
        with self._lock:
            self._questions.popleft()
            if self._questions:
                self._thinker.submit(self._answer)

    def _advance(self, table: LiveTable) -> None:
        try:
            table.advance()
            self.save(table)
        except Exception:  # noqa: BLE001 (nobody waits for this thread: the error must be logged)
            _log.exception("table %s stopped", table.id)

    def close(self) -> None:
        """Stop without waiting for bots."""
        self._thinker.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown(wait=True)
