"""Measure a ladder of many bots and games: `python tools/measure_board.py --games 1000000`.

Who plays whom is chosen by `carc.arena.matching`, games are written as the service writes them, and
meanwhile its pages are asked for. Results are simulated: each bot performs as its strength and
TrueSkill's beta say. All games have the record of one game that was played.
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import click
from starlette.testclient import TestClient

from carc import Rules, play
from carc.arena.ledger import LadderLedger
from carc.arena.matching import Matching
from carc.arena.settings import read_settings
from carc.bots import by_name
from carc.tournaments.outcomes.outcome import Outcome, row
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.tally import BETA, SIGMA
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from carc.web.app import make_app

SETTINGS = "[ladders.many]\n"
AT_ONCE = 8  # games under way; they end together
PAGES = (
    "/ladder/many",
    "/ladder/many?page=50",
    "/ladder/many/games",
    "/ladder/many/bot?bot=bot0",
    "/ladder/many/activity",
)


class Ladder:
    """A ladder of simulated bots."""

    def __init__(self, ledger: LadderLedger, bots: int) -> None:
        self._ledger, self._rng = ledger, random.Random(1)
        self._tables = Matching(2, 1)
        self._bots = {name: Entrant(name, name, name) for name in map("bot{}".format, range(bots))}
        self._skill = {name: self._rng.gauss(0, SIGMA) for name in self._bots}
        for bot in self._bots.values():
            ledger.enter(bot, f"of {bot.name}")
            self._tell(bot.name)
        names = ["random", "random"]
        match = play(Rules.from_spec("base"), [by_name(each, seed=1) for each in names], seed=1)
        self._record = match.to_compact_text()

    def _tell(self, bot: str) -> None:
        standing = self._ledger.standings.of(bot)
        assert standing is not None
        self._tables.enter(bot, standing.mu, standing.sigma, standing.author)

    def play(self) -> float:
        """Play some games at once, and return the seconds from their end until they are rated."""
        games = []
        for _ in range(AT_ONCE):
            names = self._tables.table()
            assert names is not None
            games.append(self._ledger.deal(tuple(self._bots[name] for name in names)))
        outcomes = [self._outcome(game) for game in games]
        begun = time.perf_counter()
        self._ledger.add(map(row, outcomes))
        for bot in {bot.name for game in games for bot in game.seats}:
            self._tell(bot)
        return time.perf_counter() - begun

    def _outcome(self, game: Game) -> Outcome:
        seats = tuple(bot.name for bot in game.seats)
        first, second = (self._rng.gauss(self._skill[bot], BETA) for bot in seats)
        return Outcome(
            id=game.id, rotation_set=game.rotation_set, deal=game.deal, deal_seed=game.deal_seed,
            rules=game.rules, seats=seats, digests=seats, isolation=("none", "none"), verdict=OK,
            ranks=(int(first < second), int(first >= second)), scores=(60, 60),
            winners=(int(first < second),), verdicts=(OK, OK), kinds=({}, {}), moves=(70, 70),
            wall=(0.1, 0.1), cpu=(0.1, 0.1), seconds=0.2, finished="2026-01-01T00:00:00+00:00",
            times=((), ()), stderr=("", ""), record=self._record,
        )  # fmt: skip


@contextmanager
def _laddered(folder: Path) -> Iterator[LadderLedger]:
    (folder / "arena.toml").write_text(SETTINGS)
    (ladder,) = read_settings(folder).ladders
    with LadderLedger.opening(folder / ladder.name, ladder.configuration, 1000) as ledger:
        yield ledger


def _asked(pages: TestClient, path: str) -> float:
    begun = time.perf_counter()
    response = pages.get(path)
    assert response.status_code == 200, f"{path}: {response.status_code}"
    return time.perf_counter() - begun


@click.command()
@click.option("--bots", default=10_000, show_default=True)
@click.option("--games", default=100_000, show_default=True)
@click.option("--looks", default=10, show_default=True, help="How often figures are printed.")
def main(*, bots: int, games: int, looks: int) -> None:
    """Fill a ladder, and print what was measured meanwhile."""
    with tempfile.TemporaryDirectory(prefix="carc-board-") as room:
        folder = Path(room)
        with (
            _laddered(folder) as ledger,
            TestClient(make_app(folder), base_url="http://localhost") as pages,
        ):
            ladder = Ladder(ledger, bots)
            for look in range(1, looks + 1):
                begun, rated = time.perf_counter(), list[float]()
                while look * games > looks * len(rated) * AT_ONCE + (look - 1) * games:
                    rated.append(ladder.play())
                spent = (time.perf_counter() - begun) / len(rated) / AT_ONCE
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
                size = sum(file.stat().st_size for file in (folder / "many").iterdir()) >> 20
                shown = {path: median(_asked(pages, path) for _ in range(5)) for path in PAGES}
                click.echo(
                    f"{len(ledger)} games: {1000 * spent:.2f} ms a game; {AT_ONCE} that end "
                    f"together are rated in {1000 * median(rated):.0f} ms, 99 % in "
                    f"{1000 * quantiles(rated, n=100)[98]:.0f}, all in {1000 * max(rated):.0f}; "
                    f"at most {peak} MB of memory, {size} MB on disk; pages: "
                    + ", ".join(f"{path} {1000 * each:.0f} ms" for path, each in shown.items())
                )


if __name__ == "__main__":
    main()
