"""Verifying a ladder from a copy of its ledger, without trusting whoever runs it.

One pass over the chain: each outcome is compared with its row, its deal with the secret that was
revealed, its record with what it comes to when it is replayed, and the standings are made anew.
Who met whom is not verified. Memory grows with the bots, not with the games.
"""

from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Final

import attrs

from carc.arena import deals
from carc.arena.ratings import FIRST, Rating, after, without
from carc.bounded import whole_number
from carc.errors import CarcError
from carc.tournaments.contest.comparing import same
from carc.tournaments.contest.replaying import differences
from carc.tournaments.contest.verification import Report
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.chain import Entry, content_digest
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.ledger.standings import PLAYS, Standing
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK, VOID

ORIGIN: Final = (
    "each deal comes from a secret that was committed to before the first game of its epoch, and "
    "from everything in the chain before the game: the organiser, who knows the secret, must be "
    "trusted not to time games and entries for a bot"
)


def verify(folder: Path, published: str = "", *heads: str) -> Report:
    """Verify the ladder in a folder.

    Args:
        folder: Of the ladder.
        published: The link before the first of the chain, if known.
        heads: Links of the chain that were published.

    Raises:
        BadLedger: There is no ladder that can be read.
    """
    with Ledger.reading(folder) as ledger:
        check = _Verification(ledger)
        problems = tuple(check.problems(published, set(heads)))
        return Report(
            games=check.games,
            problems=problems,
            notes=tuple(check.notes()),
            head=check.head,
            promise=check.origin,
            origin=ORIGIN,
            over=False,
        )


@attrs.define
class _Start:
    """A game that was started."""

    number: int
    link: str
    """The link before its start."""
    epoch: int
    entry: int


@attrs.define
class _Bot:
    """What the games so far come to for a bot."""

    identity: Standing
    plays: list[tuple[float, float]]
    """From which entry to which it plays."""
    why: str = ""
    """Digest of why it does not play."""
    rating: Rating = FIRST
    games: int = 0
    wins: int = 0
    score: int = 0
    faults: int = 0
    last: str = ""

    def add(self, outcome: Outcome, seat: int, times: int) -> None:
        """Count a game so often, which is -1 for one that is taken back."""
        self.games += times
        self.wins += times * (seat in outcome.winners)
        self.score += times * outcome.scores[seat]
        self.faults += times * (outcome.verdicts[seat] != OK)


class _Verification:
    """One verification; `problems` goes through all of it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._configuration = ledger.configuration
        self._standings = {standing.bot: standing for standing in ledger.standings.all()}
        self.origin = deals.origin(self._configuration)
        self.head = ""
        self.games = 0
        self._secrets: dict[int, str] = {}
        self._commitments: dict[int, str] = {}
        self._epoch = -1  # that was committed to last
        self._revealed: set[int] = set()
        self._number = self._rows = 0
        self._bots: dict[str, _Bot] = {}
        self._started: dict[str, _Start] = {}
        self._voided: dict[str, list[tuple[Rating, Rating]]] = {}
        self._interrupted = self._unrevealed = self._voids = 0
        self._stages: dict[str, Callable[[Entry], Iterator[str]]] = {
            chain.ENTERED: self._enter,
            chain.RESTED: self._rest,
            chain.COMMITTED: self._commit,
            chain.REVEALED: self._reveal,
            chain.STARTED: self._start,
            chain.RATED: self._end,
            chain.VOID: self._end,
            chain.VOIDED: self._void,
        }

    def problems(self, published: str, heads: set[str]) -> Iterator[str]:
        """Yield what does not agree."""
        if published and published != self.origin:
            yield "this is not the ladder whose line was published"
        heads.discard(self.origin)
        try:
            for entry in self._ledger.entries():
                if entry.stage == chain.VOIDED:
                    self._voided[entry.game] = []
                elif entry.stage == chain.REVEALED:
                    self._secrets[_number(entry.game)] = entry.digest
            before = self.origin
            for entry in chain.followed(self._ledger.entries(), self.origin):
                self.head = before
                stage = self._stages.get(entry.stage)
                if stage is None:
                    yield f"{entry.stage!r:.40} happens to no game and no bot here"
                else:
                    yield from stage(entry)
                heads.discard(entry.link)
                before = entry.link
            self.head = before
        except BadLedger as error:
            yield str(error)
            return
        for _ in heads:
            yield "the chain does not contain the published link"
        if len(self._ledger) != self._rows:
            yield f"{len(self._ledger)} games are in the ledger, and {self._rows} in its chain"
        yield from self._board()

    def notes(self) -> Iterator[str]:
        """Yield what cannot be verified."""
        if gone := self._interrupted + len(self._started):
            yield f"{gone} games were interrupted or are being played: their deals were spent"
        if self._voids:
            yield f"{self._voids} games are void: this host did not let them be played"
        if self._unrevealed:
            yield (
                f"the deals of {self._unrevealed} games are checked when the secret of their epoch "
                "is revealed"
            )
        for game in self._voided:
            yield f"game {game} was voided by the organiser: {self._ledger.outcome(game).detail}"
        inside = [bot for bot, each in self._bots.items() if each.identity.isolation == "none"]
        if inside:
            more = f" and {len(inside) - 5} more" if len(inside) > 5 else ""
            yield f"not isolated, so that they could read the secret: {', '.join(inside[:5])}{more}"

    # -- bots -------------------------------------------------------------------------------------

    def _enter(self, entry: Entry) -> Iterator[str]:
        standing = self._standings.get(entry.game)
        if standing is None:
            yield f"{entry.game:.60} was entered, and its standing is missing"
            return
        if standing.identity != entry.digest:
            yield f"{standing.bot} is not the bot that was entered"
        bot = self._bots.setdefault(standing.bot, _Bot(standing, []))
        if bot.plays and bot.plays[-1][1] == inf:
            yield f"{standing.bot} was entered though it played"
        bot.plays.append((entry.number, inf))

    def _rest(self, entry: Entry) -> Iterator[str]:
        bot = self._bots.get(entry.game)
        if bot is None or bot.plays[-1][1] < inf:
            yield f"{entry.game:.60} was to rest though it did not play"
            return
        bot.plays[-1] = bot.plays[-1][0], entry.number
        bot.why = entry.digest

    # -- epochs -----------------------------------------------------------------------------------

    def _commit(self, entry: Entry) -> Iterator[str]:
        if _number(entry.game) != self._epoch + 1:
            yield f"epoch {entry.game:.20} does not follow epoch {self._epoch}"
        self._epoch = _number(entry.game)
        self._commitments[self._epoch] = entry.digest

    def _reveal(self, entry: Entry) -> Iterator[str]:
        epoch = _number(entry.game)
        if chain.commitment(entry.digest) != self._commitments.get(epoch):
            yield f"the secret of epoch {epoch} is not the one that was committed to"
        self._revealed.add(epoch)
        over = [game for game, start in self._started.items() if start.epoch == epoch]
        for game in over:
            del self._started[game]
        self._interrupted += len(over)

    # -- games ------------------------------------------------------------------------------------

    def _start(self, entry: Entry) -> Iterator[str]:
        if entry.attempt != self._number:
            yield f"game {entry.game} has number {entry.attempt}, not {self._number}"
        if self._epoch < 0 or self._epoch in self._revealed:
            yield f"game {entry.game} was dealt from a secret that was not committed to"
        self._number += 1
        self._started[entry.game] = _Start(self._number - 1, self.head, self._epoch, entry.number)

    def _end(self, entry: Entry) -> Iterator[str]:
        start = self._started.pop(entry.game, None)
        self._rows += 1
        if start is None:
            yield f"game {entry.game} has an outcome without a start, or after its secret was told"
            return
        try:
            outcome = self._ledger.outcome(entry.game)
        except (BadLedger, ValueError) as error:
            yield str(error)
            return
        was_voided = outcome.id in self._voided
        if entry.digest != self._ledger.content_digest(outcome.id, rated=was_voided):
            yield f"game {outcome.id} is not what the chain says was written"
        if was_voided:
            outcome = outcome._replace(verdict=OK, detail="")
        if (entry.stage == chain.VOID) != (outcome.verdict == VOID):
            yield f"game {outcome.id} is void in the chain or in its row, and not in both"
        yield from self._dealt(start, outcome)
        if outcome.verdict == VOID:
            self._voids += 1
            return
        self.games += 1
        try:
            yield from differences(outcome)
        except CarcError as error:
            yield str(error)
        yield from self._rate(entry, outcome)

    def _dealt(self, start: _Start, outcome: Outcome) -> Iterator[str]:
        """Yield how a game differs from the one that was started."""
        name = f"game {outcome.id}"
        bots = [self._bots.get(bot) for bot in outcome.seats]
        for bot, digest in zip(bots, outcome.digests, strict=True):
            if bot is None or bot.identity.digest != digest:
                yield f"{name}: a bot in it was not entered"
                return
            if not any(since < start.entry < until for since, until in bot.plays):
                yield f"{name}: {bot.identity.bot} did not play when it was started"
        players = [(bot.identity.spec, bot.identity.digest) for bot in bots if bot]
        if outcome.id != deals.identity(self._configuration, players, start.number):
            yield f"{name} is not the game of its bots and number"
        if (outcome.deal, outcome.rules) != (start.number, self._configuration.rules):
            yield f"{name}: its number or its rules are not those of the ladder"
        secret = self._secrets.get(start.epoch)
        if secret is None:
            self._unrevealed += 1
        elif outcome.deal_seed != deals.deal_seed(secret, start.link, start.number):
            yield f"{name}: its deal does not follow from the secret and the chain"

    def _rate(self, entry: Entry, outcome: Outcome) -> Iterator[str]:
        bots = [self._bots[bot] for bot in outcome.seats if bot in self._bots]
        if len(bots) != len(outcome.seats):
            return  # told already
        before = [bot.rating for bot in bots]
        rated = after(before, outcome.ranks)
        if outcome.id in self._voided:
            self._voided[outcome.id] = list(zip(before, rated, strict=True))
        for seat, (bot, rating) in enumerate(zip(bots, rated, strict=True)):
            bot.add(outcome, seat, 1)
            bot.last = outcome.finished
            yield from self._changed(entry, bot, rating)

    def _void(self, entry: Entry) -> Iterator[str]:
        rated = self._voided[entry.game]
        if not rated:
            yield f"game {entry.game} was voided before it was rated"
            return
        outcome = self._ledger.outcome(entry.game)
        if outcome.verdict != VOID or entry.digest != self._ledger.content_digest(outcome.id):
            yield f"game {outcome.id} is not as it was voided"
        for seat, (name, (before, told)) in enumerate(zip(outcome.seats, rated, strict=True)):
            bot = self._bots[name]
            bot.add(outcome, seat, -1)
            yield from self._changed(entry, bot, without(bot.rating, before, told))

    def _changed(self, entry: Entry, bot: _Bot, rating: Rating) -> Iterator[str]:
        """Note the rating of a bot after an entry, and compare it with the history."""
        bot.rating = rating
        if not same(
            list(rating), list(self._ledger.standings.rating(bot.identity.bot, entry.number) or ())
        ):
            yield f"the history of {bot.identity.bot} is not that of game {entry.game}"

    def _board(self) -> Iterator[str]:
        """Compare the standings with what the games come to."""
        for name, standing in self._standings.items():
            bot = self._bots.get(name)
            if bot is None:
                yield f"{name} has a standing, and was not entered"
                continue
            plays = bot.plays[-1][1] == inf
            if plays != (standing.state == PLAYS) or (
                not plays and content_digest([standing.state, standing.why]) != bot.why
            ):
                yield f"{name} is {standing.state!r:.20} in its standing, and not in the chain"
            counted = (bot.games, bot.wins, bot.score, bot.faults, bot.last)
            if counted != standing[-5:] or not same(
                list(bot.rating), [standing.mu, standing.sigma]
            ):
                yield f"the standing of {name} is not that of its games"


def _number(text: str) -> int:
    """Return the number of an epoch; raise `BadLedger` if it is none."""
    number = whole_number(text, 17, -1)
    if number < 0:
        raise BadLedger(f"{text!r:.40} in the chain is no epoch")
    return number
