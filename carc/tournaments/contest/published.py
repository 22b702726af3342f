"""The files of a contest's folder beside its ledger, compared with the promise and the ledger."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from carc.bounded import parse_plainly, read_plain
from carc.errors import CarcError
from carc.tournaments.contest import promise
from carc.tournaments.contest.admission import decisions
from carc.tournaments.contest.publication import (
    ADMISSION,
    BOARD,
    COMMITMENT,
    PROMISE,
    REGISTRY,
    REPORT,
    SECRET,
    statement,
)
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.chain import Entry
from carc.tournaments.ledger.file import FILE
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.submission.content import read

WITHOUT: Final = {
    COMMITMENT: "nothing was promised in it",
    BOARD: "no ratings were published in it",
    REPORT: "no page was published in it",
    SECRET: "the contest is not over, or was none",
}
OLD: Final = (
    "a contest of carc 0.1: its line binds the secret alone, not the bots and the settings, and "
    "the organiser knew all deals beforehand and could begin again: the organiser must be trusted"
)
UNKNOWN: Final = "what the deals come from is not known, because there is no promise"
STRONG: Final = ("confined", "namespaces")
DIGEST: Final = re.compile("[0-9a-f]{64}")  # no path to another place
MOST_NAMES: Final = 10_000  # of files that are looked at
SHOWN: Final = 20  # of them


class Published:
    """What is published in a contest's folder; a stranger made it."""

    def __init__(self, folder: Path, configuration: Configuration) -> None:
        self._folder = folder
        self._configuration = configuration
        self._is_promised = bool(configuration.promise)
        self.data: dict[str, Any] = {}
        """What is in the files that could be read, by name."""
        self.notes: list[str] = []
        self.line = configuration.promise or chain.commitment(configuration.seed)
        """What was to be published before the first game."""
        self.origin = UNKNOWN if self._is_promised else OLD
        """What the deals come from."""

    @property
    def promised(self) -> promise.Promise | None:
        """What was promised; None if nothing was that can be read."""
        return self.data.get(PROMISE)

    @property
    def is_over(self) -> bool:
        """Whether the secret is published."""
        return SECRET in self.data

    def problems(self, published: str, entries: Sequence[Entry]) -> Iterator[str]:
        """Read the files, and yield what does not agree in all but the board and the page.

        It gets the line that was published before the first game, if known, and the chain.
        """
        yield from self._read()
        yield from self._line(published, entries[-1].link if entries else "")
        if self.promised is not None:
            yield from self._kept(self.promised, entries)
        yield from self._bots()

    def _read(self) -> Iterator[str]:
        """Read the files, and yield which of them are damaged."""
        under = (PROMISE, ADMISSION) if self._is_promised else (COMMITMENT,)
        parsers: dict[str, Callable[[str], Any]] = {PROMISE: promise.parse, REPORT: str}
        for name in (*under, BOARD, REPORT, SECRET):
            parse = parsers.get(name, parse_plainly)
            try:
                self.data[name] = parse(read_plain(self._folder / name))
            except FileNotFoundError:
                if name in WITHOUT:
                    self.notes.append(f"there is no {name}: {WITHOUT[name]}")
                else:
                    yield f"{name} is missing"
            except (OSError, ValueError) as error:
                yield f"{name} cannot be read: {error}"

    def _line(self, published: str, head: str) -> Iterator[str]:
        """Compare the line and the secret with what was published before and after the games."""
        if published and published != self.line:
            yield "this is not the contest whose line was published before the first game"
        wanted = statement(self._configuration)
        if self.data.get(COMMITMENT, wanted) != wanted:
            yield f"{COMMITMENT} promises another contest or another secret"
        after = {"secret": self._configuration.seed, "head": head}
        if self.data.get(SECRET, after) != after:
            yield f"{SECRET} names another secret or another end of the chain"
        if self._is_promised and self._configuration.seed < promise.LEAST_SECRET:
            yield "the secret is so small that it can be guessed"

    def _kept(self, promised: promise.Promise, entries: Sequence[Entry]) -> Iterator[str]:
        """Compare what is there with the promise, and what was opened with what had to be."""
        begun = [each for each in entries if each.stage in chain.BEFORE_GAMES]
        values = {each.game: each.digest for each in begun}
        withheld = sorted(name for name, value in values.items() if not value)
        self.origin = promise.origin(promised, withheld)
        if promise.digest(promised) != self.line:
            yield f"{PROMISE} is not the promise that the ledger follows from"
        if not promise.is_kept(promised, self._configuration, withheld):
            yield f"{PROMISE} promises another contest or another secret"
        yield from self._admission(promised)
        if entries[: len(begun)] != begun:
            yield "something was opened after the first game"
        if [each[1:5] for each in begun] != chain.opening(values):
            yield "what was opened is not in the chain as carc writes it: the deals were chosen"
        if self._configuration.opened != (begun[-1].link if begun else ""):
            yield "the deals are not made from what was opened"
        if entries:
            try:
                promise.check_opened(promised, values)
            except BadTournament as error:
                yield str(error)
        for name in withheld:
            self.notes.append(f"{name} does not play: its author did not open its nonce")
        if promise.BEACON in values:
            told = values[promise.BEACON]
            self.notes.append(
                f"to be looked up: that {promised['beacon']!r:.200} is {told}, and was not known "
                "when the line was published"
            )
        self.notes += promise.of_one_author(promised)
        for bot in self._configuration.bots:
            if bot.isolation not in STRONG:
                self.notes.append(
                    f"{bot.name} plays at {bot.isolation!r:.40}: it can read the secret"
                )

    def _admission(self, promised: promise.Promise) -> Iterator[str]:
        if promise.digest(self.data.get(ADMISSION)) != promised["admission"]:
            yield f"{ADMISSION} is not the one that was promised"
            return
        try:
            admitted = {each.spec for each in decisions(self._folder).values() if each.spec}
        except CarcError as error:
            yield str(error)
        else:
            if admitted != set(self._digests):
                yield f"{ADMISSION} admits other bots than {PROMISE}"

    @property
    def _digests(self) -> dict[str, str]:
        """The digests of the bots by name, those included that did not come to play."""
        if self.promised is not None:
            return {bot["name"]: bot["digest"] for bot in self.promised["bots"]}
        return {bot.name: bot.digest for bot in self._configuration.bots}

    def _bots(self) -> Iterator[str]:
        """Compare the programs of the bots with their digests, and with the promise."""
        if self.promised is not None:
            named = {*self.promised["nonces"], *self.promised["authors"]}
            for name in sorted(named - self._digests.keys()):
                yield f"{PROMISE} has a nonce or an author of {name}, which is no bot of it"
        for name, digest in self._digests.items():
            kept = self._folder / REGISTRY / digest
            if not DIGEST.fullmatch(digest) or not _is_folder(kept):
                if self._is_promised:
                    yield f"the program of {name} is missing"
                else:
                    self.notes.append(f"the program of {name} is not published")
                continue
            try:
                content = read(kept, whole=True)
            except CarcError:
                content = None
            if content is None or content.digest != digest:
                yield f"the content of {name} is not the one that was entered"
            elif self.promised is not None:
                manifest = content.manifest
                said = (manifest.spec, manifest.nonce, manifest.author)
                nonces, authors = self.promised["nonces"], self.promised["authors"]
                if said != (name, nonces.get(name, ""), authors.get(name, "")):
                    yield f"the manifest of {name} says otherwise than {PROMISE}"

    def unchecked(self) -> str:
        """Return in a sentence which files nothing was compared with; empty if there is none."""
        checked = {*self.data, FILE, REGISTRY}
        bots = set(self._digests.values())
        inside = _names(self._folder / REGISTRY)
        names = [name for name in _names(self._folder) if name not in checked]
        names += [f"{REGISTRY}/{name}" for name in inside if name not in bots]
        if not names:
            return ""
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return f"not checked: {', '.join(names[:SHOWN])}{more}"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # no name that a file can have
        return False


def _names(folder: Path) -> list[str]:
    """Return the names in a folder, some of them if there are many; none if there is no folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, MOST_NAMES))
    except OSError:
        return []
