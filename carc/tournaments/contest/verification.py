"""Verifying a contest without trusting whoever held it: from the deals to the ratings.

Everything is computed again from the records: the deals from the secret, whose hash was published
before the first game; the moves, points and results by replaying; the schedule and the ratings from
the results. The chain of the ledger shows that nothing was taken back in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from pathlib import Path
from typing import Any, Final

import attrs

from carc import Rules, read_record, replay
from carc.bounded import parse_json, read_plain
from carc.errors import CarcError
from carc.tournaments.contest.publication import (
    BOARD,
    COMMITMENT,
    SECRET,
    board_data,
    statement,
)
from carc.tournaments.formats import Format, format_of
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.columns import points_by_kind
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import MOST_VOIDS
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import read
from carc.tournaments.tournament import board

TOLERANCE: Final = 1e-6  # of a rating computed on another machine
SECONDS: Final = 1e-4  # of the times of all moves of a game, each rounded to a microsecond
WITHOUT: Final = {
    COMMITMENT: "nothing was promised in it",
    BOARD: "no ratings were published in it",
    SECRET: "the contest is not over, or was none",
}
MOST_MISSING: Final = 1_000_000  # games of the schedule that are looked for in vain
REGISTRY: Final = "registry"


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
    commitment: str
    """The hash of the contest's secret."""


def verify(folder: Path, commitment: str = "", head: str = "") -> Report:
    """Verify the contest in a folder.

    Args:
        folder: Of the contest.
        commitment: The hash of the secret as it was published before the contest, if known.
        head: A link of the chain that was published, if known.

    Raises:
        BadLedger: There is no contest that can be read.
    """
    with Ledger.reading(folder) as ledger:
        check = _Verification(folder, ledger)
        problems = list(check.problems(commitment, head))
        return Report(check.games, tuple(problems), tuple(check.notes), check.head, check.promised)


class _Verification:
    """One verification; `problems` goes through all steps."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self._folder = folder
        self._ledger = ledger
        self._configuration = ledger.configuration
        self._entries = list(ledger.entries())
        self.games = 0
        self.notes: list[str] = []
        self.promised = chain.commitment(self._configuration.seed)
        self.head = self._entries[-1].link if self._entries else ""
        self._published: dict[str, Any] = {}
        self._attempts: dict[str, int] = {}
        self._outcomes: dict[str, Outcome] = {}

    def problems(self, commitment: str, head: str) -> Iterator[str]:
        """Yield what does not agree."""
        yield from self._publications()
        yield from self._commitment(commitment)
        yield from self._chain(head)
        yield from self._read()
        yield from self._bots()
        yield from self._schedule()
        yield from self._records()
        yield from self._board()

    def _publications(self) -> Iterator[str]:
        """Read the files that were published, and yield which of them are damaged."""
        for name, consequence in WITHOUT.items():
            try:
                self._published[name] = parse_json(read_plain(self._folder / name))
            except FileNotFoundError:
                self.notes.append(f"there is no {name}: {consequence}")
            except (OSError, ValueError) as error:
                yield f"{name} cannot be read: {error}"

    def _commitment(self, published: str) -> Iterator[str]:
        """Compare the secret with what was said about it before the contest and after it."""
        if published and published != self.promised:
            yield "the secret is not the one whose hash was published"
        wanted = statement(self._configuration)
        if self._published.get(COMMITMENT, wanted) != wanted:
            yield f"{COMMITMENT} promises another contest or another secret"
        after = {"secret": self._configuration.seed, "head": self.head}
        if self._published.get(SECRET, after) != after:
            yield f"{SECRET} names another secret or another end of the chain"

    def _chain(self, head: str) -> Iterator[str]:
        if not self._entries:
            if self._configuration.mirrored:
                self.notes.append("deals are mirrored: there is no chain")
            else:
                yield "the chain is missing"
            return
        before = self.promised
        for number, entry in enumerate(self._entries, start=1):
            if entry.number != number:
                yield f"entry {number} of the chain is missing"
                return
            link = chain.link(before, entry.stage, entry.game, entry.attempt, entry.digest)
            if entry.link != link:
                yield f"entry {number} of the chain does not follow from those before"
                return
            before = entry.link
        if head and head not in {self.promised, *(entry.link for entry in self._entries)}:
            yield "the chain does not contain the published link"
        yield from self._stages()

    def _stages(self) -> Iterator[str]:
        """Yield what happened to a game in an order that cannot be."""
        started: dict[str, int] = {}
        ended: dict[str, str] = {}
        following: dict[str, int] = {}
        unshown = 0
        for entry in self._entries:
            game, attempt = entry.game, entry.attempt
            if entry.stage == chain.STARTED:
                if ended.get(game) == chain.RATED:
                    yield f"game {game} was started after it was rated"
                if attempt != following.get(game, 0):
                    yield f"game {game}: attempt {attempt} does not follow the one before"
                unshown += game in started
                started[game], following[game] = attempt, attempt + 1
            elif entry.stage == chain.RETURNED:
                if started.pop(game, None) != attempt:
                    yield f"game {game} was given back though it was not started"
                following[game] = attempt
            elif entry.stage == chain.ADOPTED:
                following[game] = attempt + 1
                ended[game] = chain.RATED
            else:
                if started.pop(game, None) != attempt:
                    yield f"game {game} has an outcome without a start"
                ended[game] = entry.stage
            if entry.stage != chain.RETURNED:
                self._attempts[game] = attempt
        if unshown or started:
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
            if not self._entries:
                continue
            entry = sealed.get(id)
            if entry is None or entry.digest != self._ledger.content_digest(id):
                yield f"game {id} is not what the chain says was written"
            elif (entry.stage == chain.VOID) != (self._outcomes[id].verdict == VOID):
                yield f"game {id} is void in the chain or in its row, and not in both"
        for id in sealed.keys() - set(ids):
            yield f"game {id} is in the chain, and its row is missing"

    def _bots(self) -> Iterator[str]:
        """Compare the content of the bots with their digests, where it is kept with the contest."""
        place = self._folder / REGISTRY
        if not place.is_dir():
            return
        for bot in self._configuration.bots:
            kept = place / bot.digest
            if kept.is_dir():
                try:
                    same = read(kept, whole=True).digest == bot.digest
                except CarcError:
                    same = False
                if not same:
                    yield f"the content of {bot.name} is not the one that was entered"

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
            self.notes.append(f"{count} games are not played, such as {first}")
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
        if BOARD not in self._published:
            return
        try:
            computed = json.loads(json.dumps(board_data(board(self._folder))))
        except CarcError as error:
            yield str(error)
            return
        if not _same(self._published[BOARD], computed):
            yield f"the ratings in {BOARD} are not those of the games"


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
