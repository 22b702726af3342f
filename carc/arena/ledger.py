"""The ledger of a ladder: games of bots that come and go, and the standings with each of them.

Whatever happens is an entry of the chain, and the rows that follow from it are written in the same
transaction. A secret is kept (`carc.tournaments.ledger.private`) before its commitment is an entry.
A game that has no outcome when the ladder is opened again was interrupted: its deal is spent.
"""

from __future__ import annotations

import pickle
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from carc.arena import deals
from carc.arena.ratings import FIRST, Rating, after, without
from carc.bounded import parse_json
from carc.errors import BadBot
from carc.tournaments.identifiers import digest_of
from carc.tournaments.ledger import chain, meta
from carc.tournaments.ledger.chain import Chain, content_digest
from carc.tournaments.ledger.file import marks
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.ledger.private import Private
from carc.tournaments.ledger.standings import OUT, PAUSED, PLAYS, RESTS, TABLES, Standing
from carc.tournaments.outcomes.outcome import PLAIN, Outcome, Row, cells, outcome_of
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game

BANNED: Final = "its author is banned: "
"""How the reason begins why a bot rests whose author is banned."""
_VERDICT, _DETAIL = PLAIN.index("verdict"), PLAIN.index("detail")


class LadderLedger(Ledger):
    """The ledger of a ladder, open to write. Open it with `LadderLedger.opening`."""

    _chain: Chain
    _private: Private

    @classmethod
    @contextmanager
    def opening(
        cls, folder: Path, configuration: Configuration, epoch: int
    ) -> Iterator[LadderLedger]:
        """Open the ledger in a ladder's folder, made where there is none, for one process.

        Args:
            folder: Of the ladder.
            configuration: Of the ladder, without bots.
            epoch: How many games are dealt with one secret.

        Raises:
            BadLedger: It is of another ladder or a tournament, in use, or no ledger.
        """
        with cls.writing(folder, configuration) as ledger, Private.writing(folder) as kept:
            ledger._open(configuration, kept, epoch)
            yield ledger

    def _begin(self, configuration: Configuration) -> None:
        self._begin_chain(deals.origin(configuration))

    def _open(self, configuration: Configuration, kept: Private, epoch: int) -> None:
        """Read the little that has to be known, and reveal what earlier runs left unrevealed."""
        self._connection.execute("PRAGMA synchronous = FULL")
        self._settled = configuration
        self._private, self._most = kept, epoch
        self._void = set()  # no game is written twice
        with self._connection:
            for table in TABLES:
                self._connection.execute(table)
        self._number = self._last(chain.STARTED, "attempt") + 1
        self._epoch = self._last(chain.COMMITTED, "game")
        self._secret = ""  # the epoch's, once it has begun
        self._left = 0  # games of the epoch
        self._under_way: dict[str, int] = {}  # games by id: their epochs
        self._forget()
        self._reveal()

    def _last(self, stage: str, column: str) -> int:
        """Return a number in the last entry of a stage; -1 if there is none."""
        found = self._connection.execute(
            f"SELECT {column} FROM chain WHERE stage = ? ORDER BY number DESC LIMIT 1", [stage]
        ).fetchone()
        return int(found[0]) if found else -1

    # -- games ------------------------------------------------------------------------------------

    def deal(self, seats: tuple[Entrant, ...]) -> Game:
        """Start a game of these bots: its deal is spent, and is no other game's.

        Even if the machine loses power: a ladder that is opened again deals with a new secret.
        """
        self._connection.execute("PRAGMA synchronous = NORMAL")  # quick
        with self._connection:
            if not self._left:
                self._commit()
            game = deals.game(self._settled, seats, self._number, self._secret, self._chain.head)
            self._chain.append(chain.STARTED, [(game.id, self._number, "")])
        self._connection.execute("PRAGMA synchronous = FULL")
        self._attempts[game.id] = self._number
        self._under_way[game.id] = self._epoch
        self._number += 1
        self._left -= 1
        return game

    def add(self, rows: Iterable[Row]) -> None:
        """Write the outcomes of games, and with them the standings of their players."""
        public, printed = [], []
        for row in rows:
            told, stderr = _apart(row)
            public.append(told)
            printed += [(row.id, stderr)] if stderr else []
        if printed:
            self._private.print(printed)
        super().add(public)
        self._reveal()

    def _sealed(self, game: Sequence[object]) -> None:
        """Rate a game whose outcome is the last entry of the chain."""
        outcome = outcome_of(game[: len(PLAIN)])
        self._under_way.pop(outcome.id, None)
        if outcome.verdict == VOID:
            return
        rated = after([self._rating(bot) for bot in outcome.seats], outcome.ranks)
        for seat, (bot, rating) in enumerate(zip(outcome.seats, rated, strict=True)):
            self._rate(bot, outcome.id, rating)
            self._count(bot, outcome, seat, 1)
            self._connection.execute(
                "UPDATE standings SET last = ? WHERE bot = ?", [outcome.finished, bot]
            )

    def void(self, game: str, reason: str) -> tuple[str, ...]:
        """Take a rated game back, and return its players; the reason is published.

        Raises `BadLedger` if there is no such game, or if it does not count.
        """
        outcome = self.outcome(game)
        if outcome.verdict != OK:
            raise BadLedger(f"game {outcome.id} does not count: {outcome.detail:.200}")
        with self._connection:
            row = [
                *self._connection.execute(
                    f"SELECT {', '.join(PLAIN)} FROM games WHERE id = ?", [outcome.id]
                ).fetchone()
            ]
            row[_VERDICT], row[_DETAIL] = VOID, reason
            self._connection.execute(
                "UPDATE games SET verdict = ?, detail = ?, digest = ? WHERE id = ?",
                [VOID, reason, digest_of(row), outcome.id],
            )
            entry = (outcome.id, outcome.deal, self.content_digest(outcome.id))
            self._chain.append(chain.VOIDED, [entry])
            for seat, bot in enumerate(outcome.seats):
                self._rate(bot, outcome.id, self._without(bot, outcome.id))
                self._count(bot, outcome, seat, -1)
        return outcome.seats

    # -- ratings ----------------------------------------------------------------------------------

    def _rating(self, bot: str) -> Rating:
        mu, sigma = self._connection.execute(
            "SELECT mu, sigma FROM standings WHERE bot = ?", [bot]
        ).fetchone()
        return mu, sigma

    def _rate(self, bot: str, game: str, rating: Rating) -> None:
        """Write a rating that follows from the last entry of the chain."""
        self._connection.execute(
            "INSERT INTO history VALUES (?, ?, ?, ?, ?)", [bot, self._chain.number, game, *rating]
        )
        self._connection.execute(
            "UPDATE standings SET mu = ?, sigma = ? WHERE bot = ?", [*rating, bot]
        )

    def _count(self, bot: str, outcome: Outcome, seat: int, times: int) -> None:
        """Count a game of a bot so often, which is -1 for one that is taken back."""
        self._connection.execute(
            "UPDATE standings SET games = games + ?, wins = wins + ?, score = score + ?, "
            "faults = faults + ? WHERE bot = ?",
            [
                times,
                times * (seat in outcome.winners),
                times * outcome.scores[seat],
                times * (outcome.verdicts[seat] != OK),
                bot,
            ],
        )

    def _without(self, bot: str, game: str) -> Rating:
        """Return the rating of a bot without what a game told."""
        entry, *rated = self._connection.execute(
            "SELECT entry, mu, sigma FROM history WHERE bot = ? AND game = ?", [bot, game]
        ).fetchone()
        before = self._connection.execute(
            "SELECT mu, sigma FROM history WHERE bot = ? AND entry < ? ORDER BY entry DESC LIMIT 1",
            [bot, entry],
        ).fetchone()
        mu, sigma = rated
        return without(self._rating(bot), before or FIRST, (mu, sigma))

    # -- bots -------------------------------------------------------------------------------------

    def enter(self, entrant: Entrant, author: str = "", *, organiser: bool = True) -> list[str]:
        """Let a bot play from now on, and return the other versions of it, which rest now.

        Args:
            entrant: The bot.
            author: Whose it is; empty for the organiser's own.
            organiser: Whether the organiser enters it, or its author.

        Raises:
            BadBot: It plays already, another has its name, or the organiser took it out.
        """
        new = Standing(
            entrant.name, author, entrant.spec, entrant.digest, entrant.isolation,
            _now(), PLAYS, "", *FIRST,
        )  # fmt: skip
        before = self.standings.of(new.bot)
        if before is not None:
            if before.state == PLAYS and before.identity == new.identity:
                raise BadBot(f"{new.bot} plays in this ladder already")
            if before.identity != new.identity:
                raise BadBot(
                    f"another bot {new.bot} is in this ladder, with other content, isolation or "
                    "author; enter it as a new version"
                )
            if before.state == OUT and not organiser:
                raise BadBot(f"the organiser took {new.bot} out: {before.why}")
        versions = self.standings.versions(new.name) if "@" in new.bot else ()
        others = [other.bot for other in versions]
        with self._connection:
            for other in others:
                self._rest(other, RESTS, f"{new.bot} plays instead")
            if before is not None:
                self._connection.execute(
                    "UPDATE standings SET state = ?, why = '' WHERE bot = ?", [PLAYS, new.bot]
                )
            else:
                self._connection.execute(f"INSERT INTO standings VALUES ({marks(len(new))})", new)
            self._chain.append(chain.ENTERED, [(new.bot, 0, new.identity)])
        return others

    def remove(self, bot: str, why: str) -> None:
        """Take a bot out until the organiser enters it again, as `rest` does."""
        self.rest(bot, why, OUT)

    def rest(self, bot: str, why: str, state: str = RESTS) -> None:
        """Let a bot play no more until it is entered again.

        Args:
            bot: The bot.
            why: Is published.
            state: `out` if only the organiser is to enter it again, else `rests`.

        Raises:
            BadBot: It does not play.
        """
        standing = self.standings.of(bot)
        if standing is None or standing.state != PLAYS:
            raise BadBot(f"no bot {bot!r} plays in this ladder")
        with self._connection:
            self._rest(bot, state, why)

    def ban(self, author: str, why: str) -> list[str]:
        """Let all bots of an author rest, and return them; the reason is published."""
        playing = [each.bot for each in self.standings.of_author(author) if each.state == PLAYS]
        with self._connection:
            for bot in playing:
                self._rest(bot, RESTS, f"{BANNED}{why}")
        return playing

    def unban(self, author: str) -> list[Standing]:
        """Let the bots of an author play again that rest since a ban, and return them."""
        resting = [
            each
            for each in self.standings.of_author(author)
            if each.state == RESTS
            and each.why.startswith(BANNED)
            and not self.standings.versions(each.name)
        ]
        for each in resting:
            self.enter(Entrant(each.bot, each.spec, each.digest, each.isolation), author)
        return resting

    # -- pauses -----------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        """Whether no game may begin, which a restart does not change."""
        return PAUSED in self.settings

    def pause(self) -> None:
        """Note that no game may begin until it is resumed."""
        self._note({PAUSED: _now(), **self.settings})

    def resume(self) -> None:
        """Note that games may begin."""
        self._note({name: value for name, value in self.settings.items() if name != PAUSED})

    def _note(self, settings: Mapping[str, str]) -> None:
        with self._connection:
            meta.write(self._connection, {**self._meta(), "settings": settings})

    def _rest(self, bot: str, state: str, why: str) -> None:
        self._connection.execute(
            "UPDATE standings SET state = ?, why = ? WHERE bot = ?", [state, why, bot]
        )
        self._chain.append(chain.RESTED, [(bot, 0, content_digest([state, why]))])

    # -- epochs -----------------------------------------------------------------------------------

    def _commit(self) -> None:
        """Begin an epoch: keep its secret, and then commit to it."""
        self._epoch += 1
        self._secret, self._left = secrets.token_hex(32), self._most
        self._private.keep(self._epoch, self._secret)
        entry = (str(self._epoch), 0, chain.commitment(self._secret))
        self._chain.append(chain.COMMITTED, [entry])

    def end(self) -> None:
        """End the epoch: its secret is revealed, unless games of it are under way."""
        self._left = 0
        self._reveal()

    def _reveal(self) -> None:
        """Reveal the secrets of epochs whose games have all ended."""
        busy = Counter(self._under_way.values())
        if self._left:
            busy[self._epoch] += 1
        kept = self._private.secrets()
        over = [(str(epoch), 0, kept[epoch]) for epoch in sorted(kept.keys() - busy.keys())]
        if over:
            with self._connection:
                self._chain.append(chain.REVEALED, over)
            self._private.forget(kept.keys() - busy.keys())

    def _forget(self) -> None:
        """Forget what a process that was killed kept and did not commit to, or had revealed."""
        if kept := self._private.secrets():
            rows = self._connection.execute(
                "SELECT game FROM chain WHERE stage = ?", [chain.REVEALED]
            )
            told = {int(epoch) for (epoch,) in rows}
            self._private.forget(e for e in kept if e > self._epoch or e in told)


def _apart(row: Row) -> tuple[Row, str]:
    """Return a row as everybody may read it, and what was printed; empty if nothing was."""
    id, times, stderr, record, _ = cells(row.record)
    if not any(parse_json(str(stderr))):
        return row, ""
    public = [times, "[]", record]
    return row._replace(record=pickle.dumps((id, *public, digest_of(public)))), str(stderr)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
