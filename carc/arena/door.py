"""Who may come in: authors by their tokens, and so many connections of each."""

import hashlib
import hmac
import threading
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from math import ceil
from time import monotonic, time
from typing import Any, Final, Protocol

from carc.arena.relay import Relay
from carc.errors import CarcError
from carc.tournaments.submission.registry import Registry

BURST: Final = 20
DAY: Final = 24 * 3600.0  # seconds


class Refused(CarcError):
    """Somebody who may not come in, or not now; `code` is the HTTP status."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class Arena(Protocol):
    """What remote bots meet."""

    relay: Relay

    def author(self, token: str) -> str | None:
        """Return whose token it is."""
        ...

    def ladders(self) -> Sequence[Mapping[str, Any]]:
        """Return what is played: `name`, `rules`, `rules_version`, `players` and `clock`."""
        ...

    def admit(self, author: str, bot: str, version: str, ladders: Sequence[str]) -> str:
        """Return the spec of a remote bot that is in these ladders, or in all, from now on.

        Raises `CarcError`, whose sentence says why, if it cannot be.
        """
        ...


def author_of(token: str, hashes: Mapping[str, str]) -> str | None:
    """Return the author of a token, by its SHA-256 in hexadecimal digits.

    The time it takes tells nothing.
    """
    given, found = hashlib.sha256(token.encode(errors="replace")).hexdigest(), None
    for author, known in hashes.items():
        if hmac.compare_digest(known, given):
            found = author
    return found


class Door:
    """Counts the connections of each author: how many there may be, and how many at once.

    Each second one more may come at once.
    """

    def __init__(self, connections: int, burst: int = BURST) -> None:
        self._most, self._burst = connections, burst
        self._open: Counter[str] = Counter()
        self._over: dict[str, float] = {}  # by author: when nothing is left of a burst

    @contextmanager
    def through(self, author: str) -> Iterator[None]:
        """Let a connection of an author in; raise `Refused` if there are too many."""
        now = monotonic()
        over = max(self._over.get(author, 0.0), now) + 1.0
        if over > now + self._burst:
            raise Refused(429, f"{author} connects too often; wait a second or more")
        self._over[author] = over
        if self._open[author] >= self._most:
            raise Refused(429, f"{author} has {self._most} connections already")
        self._open[author] += 1
        try:
            yield
        finally:
            self._open[author] -= 1


class Uploads:
    """Counts what each author uploads, at most so much within a day; from any thread.

    A restart forgets those that were not submitted, for they are kept nowhere.
    """

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}
        self._most = most

    def count(self, author: str) -> None:
        """Count an upload of an author; raise `Refused` if there were too many."""
        now = time()
        with self._lock:
            if author not in self._times:
                self._times[author] = deque(_submitted(author), self._most)
            times = self._times[author]
            if len(times) == times.maxlen and now < times[0] + DAY:
                wait = ceil((times[0] + DAY - now) / 3600)
                raise Refused(
                    429,
                    f"{author} uploaded {len(times)} bots within 24 hours, and may upload no more; "
                    f"try again in {wait} h",
                )
            times.append(now)


def _submitted(author: str) -> list[float]:
    """Return when an author submitted the bots that are kept, in seconds since 1970."""
    return [
        datetime.fromisoformat(each.submitted).timestamp()
        for each in Registry().submissions()
        if each.author == author
    ]
