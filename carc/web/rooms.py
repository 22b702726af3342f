"""The tables open in this process: who sits where by secret keys, bots that think apart, and how many there may be."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import attrs

from carc.base.game.rules import Rules
from carc.base.game.scoring import Scored
from carc.base.game.steps import CHANCE
from carc.bots import SHIPPED, by_name
from carc.drawing import svg, text, tiles_of
from carc.drawing.story import Story
from carc.drawing.words import words
from carc.errors import CarcError
from carc.match import Bot, InteractiveMatch

MOST = 1000  # tables open at once
IDLE = 600.0  # seconds after which a table gives way to a new one where there are too many
FORGOTTEN = 24 * 3600.0  # seconds after which it is closed
MOST_NAME = 40  # characters of a person's name
PERSON = "person"

_log = logging.getLogger(__name__)


@lru_cache(maxsize=64)
def _rules(spec: str, players: int) -> Rules:
    """Shared by the tables that play by them."""
    return Rules.named(spec, players)


class TooMany(CarcError):
    """No table is free."""


class Stale(CarcError):
    """What was chosen was chosen in another position."""


@attrs.frozen
class Line:
    """A line of a table's report."""

    number: int
    who: str
    said: str
    scored: tuple[Scored, ...]


@attrs.frozen
class View:
    """A position as every visitor sees it."""

    version: int
    data: Mapping[str, Any]  # `State.to_dict()` without the features, which the scene shows
    scene: svg.Scene
    legal: tuple[str, ...]
    asked: int | None
    thinking: str  # who thinks, if a bot does
    lines: tuple[Line, ...]  # the newest first


class Room:
    """One table. Every method may be called from any thread."""

    def __init__(self, table: InteractiveMatch, adviser: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.table = table
        self.adviser = adviser
        self.tiles = tiles_of(table.rules)
        self.names = text.by_owner(table.rules.colours, table.names)
        self.keys = {seat: secrets.token_urlsafe(18) for seat in table.human_seats}
        self.visited: set[int] = set()  # seats whose person has come
        self.version = 0
        self.touched = time.monotonic()
        self.busy = False  # somebody moves it forward
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._view: View | None = None
        self._said: list[str] = []  # the moves in words

    def seat_of(self, key: str) -> int | None:
        """The seat a secret key belongs to."""
        found = None
        for seat, mine in self.keys.items():
            if secrets.compare_digest(mine.encode(), key.encode()):
                found = seat
        return found

    @property
    def alone(self) -> bool:
        """Whether one person plays."""
        return len(self.keys) == 1

    def may_tell(self, seat: int) -> bool:
        """Whether the seat tells the tiles drawn: the first person does."""
        return self.table.by_hand and seat == min(self.keys)

    def view(self) -> View:
        """The position now."""
        with self._lock:
            if self._view is None or self._view.version != self.version:
                self._view = self._look()
            return self._view

    def _look(self) -> View:
        table = self.table
        data = table.state.to_dict()
        asked = table.awaited
        thinker = ""
        if asked is None and not table.is_over and table.state.current_player != CHANCE:
            thinker = table.names[table.state.current_player]
        last = max(0, len(table.moves) - 40)
        lines = tuple(
            Line(
                number + 1,
                table.names[move.player] if move.player != CHANCE else "",
                self._said[number],
                move.scored,
            )
            for number, move in enumerate(table.moves[last:], start=last)
        )
        scene = svg.scene(data, self.tiles)
        del data[
            "features"
        ]  # many small objects, kept for every table, are what slows a server down
        return View(
            version=self.version,
            data=data,
            scene=scene,
            legal=()
            if asked is None
            else tuple(str(action) for action in table.state.legal_actions()),
            asked=asked,
            thinking=thinker,
            lines=lines[::-1],
        )

    def _changed(self) -> None:
        self.version += 1
        self.touched = time.monotonic()
        for loop, event in tuple(self._waiting):
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(event.set)

    async def changed(self, since: str, seconds: float) -> bool:
        """Whether the version is another than `since`, now or within so many seconds."""
        event = asyncio.Event()
        waiting = (asyncio.get_running_loop(), event)
        self._waiting.add(waiting)
        try:
            if str(self.version) == since:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(event.wait(), seconds)
        finally:
            self._waiting.discard(waiting)
        return str(self.version) != since

    def act(self, seat: int, action: str, version: int) -> None:
        """A person's choice. Raises `Stale`, `NotYourTurn`, `BadNotation` or `IllegalAction`."""
        with self._lock:
            if version != self.version:
                raise Stale("the table has changed meanwhile; look again")
            said = self._in_words(action)
            asked = CHANCE if self.table.awaited == CHANCE and self.may_tell(seat) else seat
            self.table.act(asked, action)
            self._said.append(said)
            self._changed()

    def _in_words(self, action: str) -> str:
        return words(action, self.table.state.to_dict("tile_in_hand", "tiles"), self.tiles)

    def undo(self, seat: int, version: int) -> None:
        """Take back; for those who play alone. Raises `CarcError`."""
        with self._lock:
            if not self.alone:
                raise CarcError("only who plays alone takes back")
            if version != self.version:
                raise Stale("the table has changed meanwhile; look again")
            if self.table.undo():
                del self._said[len(self.table.moves) :]
                self._changed()

    def hint(self, seat: int) -> tuple[str, str, str]:
        """An action, in words, and why, of the advising bot. Raises `CarcError`."""
        with self._lock:
            if not self.alone:
                raise CarcError("only who plays alone is advised")
            if self.table.awaited != seat:
                raise CarcError("you are not asked now")
            action, why = self.table.hint(by_name(self.adviser))
            self.touched = time.monotonic()
            return str(action), self._in_words(str(action)), why

    def forward(self) -> None:
        """Chance and bots, up to the next person's choice. One thread at a time; the lock is free while a bot thinks."""
        with self._lock:
            if self.busy:
                return
            self.busy = True
        try:
            while self._step():
                pass
        except BaseException:
            self.busy = False
            raise

    def _step(self) -> bool:
        """One move of chance's or a bot's; False, and no longer busy, where there is none."""
        with self._lock:
            version = self.version
            before = self.table.state.to_dict("tile_in_hand", "tiles")
            move = self.table.deal()
            if move is not None:
                self._said.append(words(move.action, before, self.tiles))
                self._changed()
                return True
            think = self.table.bot_request()
            if think is None:
                self.busy = False
                return False
        said = think()
        with self._lock:
            if version == self.version:  # else it was taken back meanwhile
                move = self.table.answer(said)
                self._said.append(words(move.action, before, self.tiles))
                self._changed()
        return True

    def go_on(self, saved: Story) -> None:
        """Begin where a saved game stands. Raises `CarcError`."""
        with self._lock:
            self.table.restart([ply.action for ply in saved.plies])
            self._said = [ply.words for ply in saved.plies]

    def record(self) -> tuple[str, bool]:
        """The record so far, and whether the game is over."""
        with self._lock:
            return self.table.record(), self.table.is_over


class Rooms:
    """All tables."""

    def __init__(self, bots: Sequence[str] = tuple(SHIPPED), most: int = MOST) -> None:
        self.bots = tuple(bots)
        self.most = most
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()
        self._thinkers = ThreadPoolExecutor(
            1, thread_name_prefix="bots"
        )  # more would share its core

    def __len__(self) -> int:
        return len(self._rooms)

    def find(self, name: str) -> Room | None:
        """The table of this name."""
        return self._rooms.get(name)

    def open(
        self,
        spec: str,
        seats: Sequence[tuple[str, str]],
        *,
        seed: int | None = None,
        by_hand: bool = False,
        adviser: str = "greedy",
        saved: Story | None = None,
    ) -> Room:
        """A new table. `seats`: by seat `(PERSON, name)` or `(bot, "")`. Raises `CarcError`, `TooMany` for one."""
        if not any(kind == PERSON for kind, _ in seats):
            raise CarcError("at least one seat is a person's")
        rules = _rules(spec, len(seats))
        if adviser not in self.bots:
            raise CarcError(f"no bot {adviser!r} here; bots are {', '.join(self.bots)}")
        seed = secrets.randbits(52) if seed is None else seed
        luck = random.Random(seed)  # a seed says what the bots do as well
        names: list[str] = []
        players: list[Bot | None] = []
        for number, (kind, name) in enumerate(seats):
            if kind == PERSON:
                players.append(None)
                tidy = " ".join(name.split())[:MOST_NAME]
                names.append(tidy or f"person {number + 1}")
            elif kind in self.bots:
                players.append(by_name(kind, luck.getrandbits(32)))
                names.append(kind)
            else:
                raise CarcError(f"no bot {kind!r} here; bots are {', '.join(self.bots)}")
        table = InteractiveMatch(rules, players, names, seed, by_hand)
        room = Room(table, adviser)
        if saved is not None:
            if saved.rules.version != rules.version:
                raise CarcError("the saved game was played by other rules")
            room.go_on(saved)
        self._enter(room)
        self.forward(room)
        return room

    def _enter(self, room: Room) -> None:
        now = time.monotonic()
        with self._lock:
            for name, old in list(self._rooms.items()):
                if now - old.touched > FORGOTTEN:
                    del self._rooms[name]
            if len(self._rooms) >= self.most:
                oldest = min(self._rooms.values(), key=lambda one: one.touched)
                if now - oldest.touched < IDLE:
                    raise TooMany(f"all {self.most} tables are taken; try again later")
                del self._rooms[oldest.id]
            self._rooms[room.id] = room

    def forward(self, room: Room) -> None:
        """Let chance and the bots go on, meanwhile."""
        self._thinkers.submit(self._forward, room)

    @staticmethod
    def _forward(room: Room) -> None:
        try:
            room.forward()
        except Exception:  # noqa: BLE001 (nobody waits for this thread: its fault must be seen)
            _log.exception("table %s stopped", room.id)

    def close(self) -> None:
        """Wait for no bot."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)
