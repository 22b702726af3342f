"""The ledger of a ladder as pages and the API read it: no answer takes longer with more games.

There are no indices (`carc.tournaments.ledger.file`): games are found by their number, their id, or
in the history of a bot.
"""

from collections.abc import Iterable, Iterator, Sequence

from carc.tournaments.ledger import chain
from carc.tournaments.ledger.chain import Entry
from carc.tournaments.ledger.file import marks
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.ledger.standings import PLAYS
from carc.tournaments.outcomes.outcome import PLAIN, Outcome

EVENTS = (chain.ENTERED, chain.RESTED, chain.RATED, chain.VOID, chain.VOIDED)
"""The stages of the chain that are news; the others are about deals."""
LOOKED_AT = 10_000
"""Games of a bot among which faults are looked for."""


class LadderReader(Ledger):
    """The ledger of a ladder, open to read. Open it with `LadderReader.reading`.

    Its configuration is without the bots, of which there may be very many.
    """

    lists_bots = False

    def head(self) -> tuple[str, int]:
        """Return the last link of the chain and its number; empty and 0 if there is none."""
        for entry in self.tail(1):
            return entry.link, entry.number
        return "", 0

    def tail(self, most: int, stages: Sequence[str] = ()) -> Iterator[Entry]:
        """Yield the last entries of the chain, the latest first, of some stages or all."""
        asked, values = "", list(stages)
        if stages:
            asked = f"WHERE stage IN ({marks(len(stages))}) "
        rows = self._connection.execute(
            f"SELECT * FROM chain {asked}ORDER BY number DESC LIMIT ?", [*values, most]
        )
        yield from map(Entry._make, rows)

    def count_of(self, bot: str) -> int:
        """Return how many games a bot has played; one that was taken back counts twice."""
        ((count,),) = self._connection.execute("SELECT COUNT(*) FROM history WHERE bot = ?", [bot])
        return int(count)

    @property
    def ended(self) -> int:
        """How many games have ended, void ones included."""
        ((last,),) = self._connection.execute("SELECT MAX(rowid) FROM games")
        return last or 0

    def latest(self, most: int, first: int = 0) -> list[str]:
        """Return the ids of so many games from the so-manieth on, the latest first."""
        rows = self._connection.execute(
            "SELECT id FROM games WHERE rowid <= ? ORDER BY rowid DESC LIMIT ?",
            [self.ended - first, most],
        )
        return [id for (id,) in rows]

    def latest_of(self, bots: Sequence[str], most: int, first: int = 0) -> list[str]:
        """Return the ids of games of some bots in the same way."""
        rows = self._connection.execute(
            f"SELECT game FROM history WHERE bot IN ({marks(len(bots))}) "
            "ORDER BY entry DESC LIMIT ? OFFSET ?",
            [*bots, most, first],
        )
        return list(dict.fromkeys(id for (id,) in rows))

    def faulty(self, bots: Sequence[str], most: int) -> list[str]:
        """Return the ids of the last games of some bots in which they were at fault.

        No more than the last `LOOKED_AT` games are looked at.
        """
        rows = self._connection.execute(
            f"SELECT game FROM (SELECT * FROM history WHERE bot IN ({marks(len(bots))}) "
            "ORDER BY entry DESC LIMIT ?) AS last JOIN games ON games.id = last.game "
            "WHERE faults != '[]' AND EXISTS (SELECT 1 FROM json_each(faults) AS fault WHERE bot = "
            "json_extract(seats, '$[' || json_extract(fault.value, '$.seat') || ']')) "
            "ORDER BY entry DESC LIMIT ?",
            [*bots, LOOKED_AT, most],
        )
        return list(dict.fromkeys(id for (id,) in rows))

    def some(self, games: Iterable[str]) -> Iterator[Outcome]:
        """Yield games by their ids, without times, stderr and record, or raise `BadLedger`."""
        asked = f"SELECT {', '.join(PLAIN)}, digest FROM games WHERE id = ?"
        for game in games:
            for *values, digest in self._connection.execute(asked, [game]):
                self._check(game, values, digest)
                yield self._outcome(values)

    def among_best(self, bots: int, games: int) -> Iterator[Outcome]:
        """Yield the last games of each of the best bots that they played among themselves."""
        best = {standing.bot for standing in self.standings.page(bots, state=PLAYS)}
        ids = dict.fromkeys(id for bot in sorted(best) for id in self.latest_of([bot], games))
        yield from (game for game in self.some(ids) if best.issuperset(game.seats))

    def history(self, bot: str, points: int) -> list[tuple[int, float, float]]:
        """Return the rating of a bot after its first game and at about so many later moments.

        These are as far from each other in the chain; of each there is told how many games the bot
        had played, mu and sigma.
        """
        ((first, last),) = self._connection.execute(
            "SELECT MIN(entry), MAX(entry) FROM history WHERE bot = ?", [bot]
        )
        found: list[tuple[int, float, float]] = []
        games = before = 0
        for part in range(points + 1) if last else ():
            ((entry, mu, sigma),) = self._connection.execute(
                "SELECT entry, mu, sigma FROM history WHERE bot = ? AND entry <= ? "
                "ORDER BY entry DESC LIMIT 1",
                [bot, first + (last - first) * part // points],
            )
            ((more,),) = self._connection.execute(
                "SELECT COUNT(*) FROM history WHERE bot = ? AND entry > ? AND entry <= ?",
                [bot, before, entry],
            )
            if more:
                games, before = games + more, entry
                found.append((games, mu, sigma))
        return found
