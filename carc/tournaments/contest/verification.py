"""Verifying a contest without trusting whoever held it: from the promise to the ratings.

Everything is computed again from the records: what is played and with which deals from the promise,
whose hash was published before the first game; the moves, points and results by replaying; the
schedule and the ratings from the results. The chain of the ledger follows from the promise, and
shows that nothing was taken back in between.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import isclose
from pathlib import Path
from typing import Any, Final

import attrs

import carc
from carc import Rules, read_record, replay
from carc.bounded import parse_json, read_plain
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
    board_data,
    statement,
)
from carc.tournaments.formats import Format, format_of
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import FILE, BadLedger, Ledger
from carc.tournaments.outcomes.columns import points_by_kind
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import MOST_VOIDS
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.reports.html_page import page
from carc.tournaments.schedule.configuration import BadTournament
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import read
from carc.tournaments.tournament import board

TOLERANCE: Final = 1e-6  # of a rating computed on another machine
SECONDS: Final = 1e-4  # of the times of all moves of a game, each rounded to a microsecond
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
MOST_MISSING: Final = 1_000_000  # games of the schedule that are looked for in vain
MOST_NAMES: Final = 10_000  # of files that are looked at
SHOWN: Final = 20  # of them
FEW: Final = 3  # games that may be begun again, or a twentieth of all


@attrs.frozen
class Report:
    """What a verification found."""

    games: int
    """Games that were replayed."""
    problems: tuple[str, ...]
    """What does not agree; empty if everything does."""
    notes: tuple[str, ...]
    """What cannot be verified, or was not played."""
    head: str
    """The last link of the chain; empty if there is none."""
    promise: str
    """The line that was to be published before the first game: the hash of the promise."""
    origin: str
    """What the deals come from, and whom one has to trust for them."""
    over: bool
    """Whether the contest is over: its secret is published."""


def verify(folder: Path, published: str = "", *heads: str) -> Report:
    """Verify the contest in a folder.

    Args:
        folder: Of the contest.
        published: The line that was published before the first game, if known.
        heads: Links of the chain that were published.

    Raises:
        BadLedger: There is no contest that can be read.
    """
    with Ledger.reading(folder) as ledger:
        check = _Verification(folder, ledger)
        problems = list(check.problems(published, heads))
        return Report(
            games=check.games,
            problems=tuple(problems),
            notes=tuple(check.notes),
            head=check.head,
            promise=check.line,
            origin=check.origin,
            over=check.over,
        )


class _Verification:
    """One verification; `problems` goes through all steps."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self._folder = folder
        self._ledger = ledger
        self._configuration = ledger.configuration
        self._entries = list(ledger.entries())
        self.games = 0
        self.notes: list[str] = []
        self.line = self._configuration.promise or chain.commitment(self._configuration.seed)
        self.head = self._entries[-1].link if self._entries else ""
        self.origin = OLD
        self.over = False
        self._promise: promise.Promise | None = None
        self._published: dict[str, Any] = {}
        self._starts: Counter[str] = Counter()
        self._attempts: dict[str, int] = {}
        self._outcomes: dict[str, Outcome] = {}

    def problems(self, published: str, heads: Sequence[str]) -> Iterator[str]:
        """Yield what does not agree."""
        yield from self._publications()
        yield from self._commitment(published)
        yield from self._chain(heads)
        yield from self._read()
        if self._configuration.promise:
            yield from self._promised()
            yield from self._begun_again()
        yield from self._bots()
        yield from self._schedule()
        yield from self._records()
        yield from self._board()
        self._list_files()

    def _publications(self) -> Iterator[str]:
        """Read the files that were published, and yield which of them are damaged."""
        under = (PROMISE, ADMISSION) if self._configuration.promise else (COMMITMENT,)
        parsers: dict[str, Callable[[str], Any]] = {PROMISE: promise.parse, REPORT: str}
        for name in (*under, BOARD, REPORT, SECRET):
            parse = parsers.get(name, parse_json)
            try:
                self._published[name] = parse(read_plain(self._folder / name))
            except FileNotFoundError:
                if name in WITHOUT:
                    self.notes.append(f"there is no {name}: {WITHOUT[name]}")
                else:
                    yield f"{name} is missing"
            except (OSError, ValueError) as error:
                yield f"{name} cannot be read: {error}"
        self._promise = self._published.get(PROMISE)
        self.over = SECRET in self._published

    def _commitment(self, published: str) -> Iterator[str]:
        """Compare the line and the secret with what was published before and after the games."""
        if published and published != self.line:
            yield "this is not the contest whose line was published before the first game"
        if COMMITMENT in self._published and self._published[COMMITMENT] != statement(
            self._configuration
        ):
            yield f"{COMMITMENT} promises another contest or another secret"
        after = {"secret": self._configuration.seed, "head": self.head}
        if self._published.get(SECRET, after) != after:
            yield f"{SECRET} names another secret or another end of the chain"
        if self._configuration.promise and self._configuration.seed < promise.LEAST_SECRET:
            yield "the secret is so small that it can be guessed"

    def _promised(self) -> Iterator[str]:
        """Compare what is there with the promise, and what was opened with what had to be."""
        self.origin = "what the deals come from is not known, because there is no promise"
        promised = self._promise
        if promised is None:
            return
        begun = [each for each in self._entries if each.stage in chain.BEFORE_GAMES]
        values = {each.game: each.digest for each in begun}
        withheld = sorted(name for name, value in values.items() if not value)
        self.origin = promise.origin(promised, withheld)
        if promise.digest(promised) != self.line:
            yield f"{PROMISE} is not the promise that the ledger follows from"
        if not promise.is_kept(promised, self._configuration, withheld):
            yield f"{PROMISE} promises another contest or another secret"
        if promise.digest(self._published.get(ADMISSION)) != promised["admission"]:
            yield f"{ADMISSION} is not the one that was promised"
        else:
            admitted = {each.spec for each in decisions(self._folder).values() if each.spec}
            if admitted != set(self._digests):
                yield f"{ADMISSION} admits other bots than {PROMISE}"
        if self._entries[: len(begun)] != begun or len(values) != len(begun):
            yield "something was opened twice, or after the first game"
        if self._configuration.opened != (begun[-1].link if begun else ""):
            yield "the deals are not made from what was opened"
        if begun or len(self._entries):
            try:
                promise.check_opened(promised, values)
            except BadTournament as error:
                yield str(error)
        for name, value in values.items():
            if not value:
                self.notes.append(f"{name} does not play: its author did not open its nonce")
            elif name == promise.BEACON:
                self.notes.append(f"to be looked up: {promised['beacon']!r:.200} is {value}")
        for author, bots in promise.of_one_author(promised):
            self.notes.append(
                f"{', '.join(bots)} are by one author, {author}: at one table they may cooperate"
            )

    def _begun_again(self) -> Iterator[str]:
        """Tell the games that were begun more than once, and who won them at last."""
        again = {game: count - 1 for game, count in self._starts.items() if count > 1}
        times = sum(again.values())
        if not times:
            return
        won = Counter(
            self._outcomes[game].seats[seat]
            for game in again
            if game in self._outcomes
            for seat in self._outcomes[game].winners
            if seat < len(self._outcomes[game].seats)
        )
        told = ", ".join(f"{bot} won {count}" for bot, count in sorted(won.items()))
        said = f"{len(again)} games were begun again, {times} times in all; of these {told or '-'}"
        if times > max(FEW, len(self._outcomes) // 20):
            yield f"{said}: that is more than a few"
        else:
            self.notes.append(said)

    def _chain(self, heads: Sequence[str]) -> Iterator[str]:
        known = {self.line, *(entry.link for entry in self._entries)}
        for head in heads:
            if head not in known:
                yield "the chain does not contain the published link"
        if not self._entries:
            if self._configuration.promise and not (self.over or len(self._ledger)):
                self.notes.append("no game was begun")
            elif self._configuration.mirrored and not self._configuration.promise:
                self.notes.append("deals are mirrored: there is no chain")
            else:
                yield "the chain is missing"
            return
        before = self.line
        for number, entry in enumerate(self._entries, start=1):
            if entry.number != number:
                yield f"entry {number} of the chain is missing"
                return
            link = chain.link(before, entry.stage, entry.game, entry.attempt, entry.digest)
            if entry.link != link:
                yield f"entry {number} of the chain does not follow from those before"
                return
            before = entry.link
        yield from self._stages()

    def _stages(self) -> Iterator[str]:
        """Yield what happened to a game in an order that cannot be."""
        started: dict[str, int] = {}
        ended: dict[str, str] = {}
        following: dict[str, int] = {}
        unshown = 0
        for entry in self._entries:
            game, attempt = entry.game, entry.attempt
            if entry.stage in chain.BEFORE_GAMES and self._configuration.promise:
                continue
            if entry.stage == chain.STARTED:
                self._starts[game] += 1
                if ended.get(game) == chain.RATED:
                    yield f"game {game} was started after it was rated"
                if attempt != following.get(game, 0):
                    yield f"game {game}: attempt {attempt} does not follow the one before"
                unshown += game in started
                started[game], following[game] = attempt, attempt + 1
            elif entry.stage == chain.RETURNED:
                self._starts[game] -= 1
                if started.pop(game, None) != attempt:
                    yield f"game {game} was given back though it was not started"
                following[game] = attempt
            elif entry.stage == chain.ADOPTED and not self._configuration.promise:
                following[game] = attempt + 1
                ended[game] = chain.RATED
            else:
                if entry.stage not in (chain.RATED, chain.VOID):
                    yield f"game {game} was {entry.stage!r:.40}, which happens to no game here"
                if started.pop(game, None) != attempt:
                    yield f"game {game} has an outcome without a start"
                ended[game] = entry.stage
            if entry.stage != chain.RETURNED:
                self._attempts[game] = attempt
        if (unshown or started) and not self._configuration.promise:
            self.notes.append(
                f"{unshown + len(started)} games were interrupted: their deals were spent"
            )

    def _read(self) -> Iterator[str]:
        """Read the rows, and compare them with what the chain says was written."""
        sealed = {
            entry.game: entry
            for entry in self._entries
            if entry.stage in (chain.RATED, chain.VOID, chain.ADOPTED)
        }
        try:
            ids = [outcome.id for outcome in self._ledger.outcomes()]
        except BadLedger as error:
            yield str(error)
            return
        for id in ids:
            try:
                self._outcomes[id] = self._ledger.outcome(id)
            except (BadLedger, ValueError) as error:
                yield str(error)
                continue
            if not self._entries and not self._configuration.promise:
                continue
            entry = sealed.get(id)
            if entry is None or entry.digest != self._ledger.content_digest(id):
                yield f"game {id} is not what the chain says was written"
            elif (entry.stage == chain.VOID) != (self._outcomes[id].verdict == VOID):
                yield f"game {id} is void in the chain or in its row, and not in both"
        for id in sealed.keys() - set(ids):
            yield f"game {id} is in the chain, and its row is missing"

    @property
    def _digests(self) -> dict[str, str]:
        """The digests of the bots by name, those included that did not come to play."""
        if self._promise is not None:
            return {bot["name"]: bot["digest"] for bot in self._promise["bots"]}
        return {bot.name: bot.digest for bot in self._configuration.bots}

    def _bots(self) -> Iterator[str]:
        """Compare the programs of the bots with their digests, and with the promise."""
        for name, digest in self._digests.items():
            kept = self._folder / REGISTRY / digest
            if not kept.is_dir():
                if self._configuration.promise:
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
            elif self._promise is not None:
                manifest = content.manifest
                said = (manifest.spec, manifest.nonce, manifest.author)
                nonces, authors = self._promise["nonces"], self._promise["authors"]
                if said != (name, nonces.get(name, ""), authors.get(name, "")):
                    yield f"the manifest of {name} says otherwise than {PROMISE}"

    def _list_files(self) -> None:
        """Note which files in the folder nothing was compared with."""
        checked = {*self._published, FILE, REGISTRY}
        names = [name for name in _names(self._folder) if name not in checked]
        digests = self._digests.values()
        names += [
            f"{REGISTRY}/{name}" for name in _names(self._folder / REGISTRY) if name not in digests
        ]
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            self.notes.append(f"not checked: {', '.join(names[:SHOWN])}{more}")

    def _schedule(self) -> Iterator[str]:
        """Walk through the schedule, and compare each game with the row of it."""
        form = format_of(self._configuration)
        walk = self._rounds(form) if form.rounds else form.next_games(self._configuration, ())
        left = dict(self._outcomes)
        last = max((outcome.deal for outcome in self._outcomes.values()), default=-1)
        missing, first = 0, ""
        for game in walk:
            outcome = left.pop(game.id, None)
            if outcome is not None:
                yield from self._identity(game, outcome)
                if outcome.verdict == VOID:
                    self.notes.append(f"game {game.id} is void: {outcome.detail}"[:200])
                continue
            missing, first = missing + 1, first or game.id
            if missing > MOST_MISSING or (not form.rounds and game.deal > last):
                break  # a schedule has up to a billion deals, whatever was played of it
        if missing:
            many = "more than" if missing > MOST_MISSING else "at least"
            total = form.total(self._configuration) - len(self._outcomes) + len(left)
            count = f"{many} {missing}" if form.rounds else total
            said = f"{count} games are not played, such as {first}"
            if self._configuration.promise and self.over:
                yield f"{said}, and the contest is over"
            else:
                self.notes.append(said)
        for id, outcome in left.items():
            reason = self._configuration.exclusion_reason(
                outcome.seats, outcome.digests, outcome.deal
            )
            if not reason:
                yield f"game {id} is not in the schedule"

    def _rounds(self, form: Format) -> Iterator[Game]:
        """Yield the games of a format that looks at results, each once, until one is missing."""
        settled, seen = list[Outcome](), set[str]()
        while True:
            games = form.next_games(self._configuration, settled)
            new = [game for game in games if game.id not in seen]
            seen.update(game.id for game in new)
            yield from new
            played = [self._outcomes[game.id] for game in new if game.id in self._outcomes]
            settled += [
                outcome
                for outcome in played
                if outcome.verdict == OK or outcome.voids + 1 >= MOST_VOIDS
            ]
            if not new or len(played) < len(new):
                return

    def _identity(self, game: Game, outcome: Outcome) -> Iterator[str]:
        """Yield how a row differs from the game of the schedule."""
        attempt = self._attempts.get(game.id, outcome.voids)
        wanted = game.again(attempt, outcome.voids)
        for name, value in (
            ("deal_seed", wanted.deal_seed),
            ("deal", wanted.deal),
            ("rotation_set", wanted.rotation_set),
            ("rules", wanted.rules),
            ("seats", tuple(bot.name for bot in wanted.seats)),
            ("digests", tuple(bot.digest for bot in wanted.seats)),
            ("isolation", tuple(bot.isolation for bot in wanted.seats)),
        ):
            if getattr(outcome, name) != value:
                yield f"game {game.id}: its {name} is not the one of the schedule"

    def _records(self) -> Iterator[str]:
        """Replay every game, and compare its row with what that comes to."""
        for outcome in self._outcomes.values():
            if outcome.verdict == VOID:
                continue
            self.games += 1
            try:
                yield from _replayed(outcome)
            except CarcError as error:
                yield str(error)

    def _board(self) -> Iterator[str]:
        try:
            found = board(self._folder)
            if BOARD in self._published:
                computed = json.loads(json.dumps(board_data(found)))
                if not _same(self._published[BOARD], computed):
                    yield f"the ratings in {BOARD} are not those of the games"
            if REPORT in self._published:
                if self._promise is None or self._promise["carc"] != carc.__version__:
                    del self._published[REPORT]  # other versions write it otherwise
                elif not _same_text(self._published[REPORT], page(self._folder, found)):
                    yield f"{REPORT} is not the page of these games"
        except CarcError as error:
            yield str(error)


def _replayed(outcome: Outcome) -> Iterator[str]:
    """Yield how a row differs from the record of its game.

    Raises:
        CarcError: The record cannot be replayed.
    """
    name = f"game {outcome.id}"
    match = read_record(outcome.record, name)
    rules = Rules.from_spec(outcome.rules, players=match.players)
    replay(match, rules, name)
    result = match.result
    verdicts = {fault.seat: fault.verdict for fault in result.faults}
    scored = [
        *(scored for move in match.moves for scored in move.scored),
        *result.final,
    ]
    for what, row, record in (
        ("rules", outcome.rules, match.rules),
        ("seats", outcome.seats, match.seats),
        ("deal", (outcome.deal_seed, ""), (match.seed, match.deal)),
        ("ranks", outcome.ranks, result.ranks),
        ("winners", outcome.winners, result.winners),
        ("scores", outcome.scores, _scores(rules, result.scores)),
        (
            "verdicts",
            outcome.verdicts,
            tuple(verdicts.get(seat, OK) for seat in range(len(outcome.seats))),
        ),
        ("faults", outcome.faults, tuple(attrs.asdict(fault) for fault in result.faults)),
        ("points", outcome.kinds, tuple(points_by_kind(scored, rules.owners, rules.colours))),
    ):
        if row != record:
            yield f"{name}: its {what} are not those of its record"
    yield from _clocks(outcome)


def _scores(rules: Rules, scores: Sequence[int]) -> tuple[int, ...]:
    return tuple(scores[colours[0]] for colours in rules.colours)


def _clocks(outcome: Outcome) -> Iterator[str]:
    """Yield which clocks do not agree with the times of the moves."""
    if not len(outcome.times) == len(outcome.moves) == len(outcome.seats):
        yield f"game {outcome.id}: its moves and their times are not those of each seat"
        return
    for seat, times in enumerate(outcome.times):
        wall = sum(wall for wall, _ in times)
        cpu = sum(cpu for _, cpu in times)
        if len(times) != outcome.moves[seat]:
            yield f"game {outcome.id}: seat {seat} has not as many times as moves"
        elif abs(wall - outcome.wall[seat]) > SECONDS + 1e-6 * len(times) or abs(
            cpu - outcome.cpu[seat]
        ) > SECONDS + 1e-6 * len(times):
            yield f"game {outcome.id}: the clock of seat {seat} is not the sum of its moves"


def _names(folder: Path) -> list[str]:
    """Return the names in a folder, some of them if there are many; none if there is no folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, MOST_NAMES))
    except OSError:
        return []


def _same_text(left: str, right: str) -> bool:
    """Return whether two pages are equal, but for the last digits of numbers with a point."""
    parts = [re.split(r"([0-9]+\.[0-9]+)", text) for text in (left, right)]
    if len(parts[0]) != len(parts[1]):
        return False
    for at, (one, other) in enumerate(zip(*parts, strict=True)):
        places = len(one.partition(".")[2])
        if one != other and not (
            at % 2
            and places == len(other.partition(".")[2])
            and abs(float(one) - float(other)) < 1.5 * 10**-places
        ):
            return False
    return True


def _same(left: Any, right: Any) -> bool:
    """Return whether two pieces of data are equal, numbers within `TOLERANCE`."""
    if isinstance(left, float) or isinstance(right, float):
        both = isinstance(left, int | float) and isinstance(right, int | float)
        return both and isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right)
