"""Requests that wait for a table to change.

Players are woken first. Spectators may be hundreds: they are woken a few at a time, so that the
answer to the next move need not wait until all of them have theirs.
"""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

DELAY = 0.05
"""Seconds after a change when the first spectators are woken: a player waits for the answer."""
BATCH = 8
"""Spectators that are woken at once."""
BATCH_INTERVAL = 0.004
"""Seconds between two batches."""

T = TypeVar("T")


class Waiters:
    """The requests that wait. `wake` may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: dict[asyncio.Event, tuple[asyncio.AbstractEventLoop, bool]] = {}

    async def wait(
        self, seconds: float, has_changed: Callable[[], bool], *, is_player: bool
    ) -> None:
        """Return when `has_changed` returns True, or after so many seconds."""
        event = asyncio.Event()
        with self._lock:
            self._events[event] = (asyncio.get_running_loop(), is_player)
        try:
            if not has_changed():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(event.wait(), seconds)
        finally:
            with self._lock:
                self._events.pop(event, None)

    def wake(self) -> None:
        """Wake all requests that wait now."""
        with self._lock:
            events, self._events = self._events, {}
        loops = {loop for loop, _ in events.values()}
        for loop in loops:
            here = [(event, player) for event, (of, player) in events.items() if of is loop]
            players = [event for event, is_player in here if is_player]
            spectators = [event for event, is_player in here if not is_player]
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(_wake, loop, players, spectators, DELAY)


def _wake(
    loop: asyncio.AbstractEventLoop,
    first: list[asyncio.Event],
    others: list[asyncio.Event],
    delay: float,
) -> None:
    for event in first:
        event.set()
    if others:
        batch, rest = others[:BATCH], others[BATCH:]
        loop.call_later(delay, _wake, loop, batch, rest, BATCH_INTERVAL)


class SharedResult(Generic[T]):
    """A result that is made once for all who ask for it while its key is the same."""

    def __init__(self) -> None:
        self._key: Hashable = None
        self._task: asyncio.Future[T] | None = None

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return the result of this key. It is made if nobody has asked for it yet."""
        key = (key, asyncio.get_running_loop())
        if self._task is None or self._key != key:
            self._key, self._task = key, asyncio.ensure_future(make())
        task = self._task
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done() and self._task is task:
                self._task = None  # the next one tries again
            raise
