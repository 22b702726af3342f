"""Verifying a contest without trusting whoever held it: from the promise to the ratings.

Everything is computed again from the records: what is played and with which deals from the promise,
whose hash was published before the first game; the moves, points and results by replaying; the
schedule and the ratings from the results. The chain of the ledger follows from the promise, and
shows that nothing was taken back in between.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

import carc
from carc.errors import CarcError
from carc.tournaments.contest.comparing import same, same_text
from carc.tournaments.contest.publication import BOARD, REPORT, board_data
from carc.tournaments.contest.published import Published
from carc.tournaments.contest.replaying import differences
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.ledger.meta import plain
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import MOST_VOIDS
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.pairing import Format, format_of
from carc.tournaments.reports.html_page import page
from carc.tournaments.schedule.games import Game
from carc.tournaments.tournament import board

MOST_MISSING: Final = 1_000_000  # games of the schedule that are looked for in vain
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
            promise=check.published.line,
            origin=check.published.origin,
            over=check.published.is_over,
        )


class _Verification:
    """One verification; `problems` goes through all steps."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self._folder = folder
        self._ledger = ledger
        self._configuration = ledger.configuration
        self._entries = list(ledger.entries())
        self.games = 0
        self.head = self._entries[-1].link if self._entries else ""
        self.published = Published(folder, self._configuration)
        self.notes = self.published.notes
        self._starts: Counter[str] = Counter()
        self._attempts: dict[str, int] = {}
        self._outcomes: dict[str, Outcome] = {}

    def problems(self, published: str, heads: Sequence[str]) -> Iterator[str]:
        """Yield what does not agree."""
        yield from self.published.problems(published, self._entries)
        promised, version = self.published.promised, self._ledger.version
        if promised is not None and promised["carc"] != version:
            yield f"carc {version:.20} wrote the ledger, not {promised['carc']:.20} as promised"
        yield from self._chain(heads)
        yield from self._read()
        if self._configuration.promise:
            yield from self._begun_again()
        yield from self._schedule()
        yield from self._records()
        yield from self._board()
        if unchecked := self.published.unchecked():
            self.notes.append(unchecked)

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
        known = {self.published.line, *(entry.link for entry in self._entries)}
        for head in heads:
            if head not in known:
                yield "the chain does not contain the published link"
        if not self._entries:
            if self._configuration.promise and not (self.published.is_over or len(self._ledger)):
                self.notes.append("no game was begun")
            elif self._configuration.mirrored and not self._configuration.promise:
                self.notes.append("deals are mirrored: there is no chain")
            else:
                yield "the chain is missing"
            return
        try:
            deque(chain.followed(self._entries, self.published.line), maxlen=0)
        except BadLedger as error:
            yield str(error)
        else:
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
            elif entry.stage == chain.RETURNED and not self._configuration.promise:
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

    def _schedule(self) -> Iterator[str]:
        """Walk through the schedule, and compare each game with the row of it."""
        form = format_of(self._configuration)
        walk = self._rounds(form) if form.rounds else form.next_games(self._configuration, ())
        left = dict(self._outcomes)
        last = max((outcome.deal for outcome in self._outcomes.values()), default=-1)
        missing, first = 0, ""
        is_over = bool(self._configuration.promise) and self.published.is_over
        for game in walk:
            outcome = left.pop(game.id, None)
            if outcome is not None:
                yield from self._identity(game, outcome)
                if outcome.verdict == VOID:
                    said = f"game {game.id} is void: {outcome.detail}"[:200]
                    if is_over:
                        yield f"{said}; a contest is over when no game is"
                    else:
                        self.notes.append(said)
                continue
            missing, first = missing + 1, first or game.id
            if missing > MOST_MISSING or (not form.rounds and game.deal > last):
                break  # a schedule has up to a billion deals, whatever was played of it
        if missing:
            many = "more than" if missing > MOST_MISSING else "at least"
            total = form.total(self._configuration) - len(self._outcomes) + len(left)
            count = f"{many} {missing}" if form.rounds else total
            said = f"{count} games are not played, such as {first}"
            if is_over:
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
                yield from differences(outcome)
            except CarcError as error:
                yield str(error)

    def _board(self) -> Iterator[str]:
        published, promised = self.published.data, self.published.promised
        if promised is None or promised["carc"] != carc.__version__:
            published.pop(REPORT, None)  # other versions write it otherwise
        try:
            found = board(self._folder)
            if BOARD in published:
                computed = plain(board_data(found))
                if not same(published[BOARD], computed):
                    yield f"the ratings in {BOARD} are not those of the games"
            if REPORT in published and not same_text(published[REPORT], page(self._folder, found)):
                yield f"{REPORT} is not the page of these games"
        except CarcError as error:
            yield str(error)
