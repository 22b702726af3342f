"""Measure how fast the pages of a large ladder open: `python tools/measure_ladder_pages.py`.

A ledger of made-up games is written first; `--folder` keeps it. Its ratings are made up, too. The
pages are those of a server in another process, asked for one after another: the first time after
its start, and the median and the longest of the others.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import click

from carc.arena import deals
from carc.arena.ledger import LadderLedger
from carc.arena.settings import read_settings
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.standings import PLAYS, Standing
from carc.tournaments.outcomes.outcome import Outcome, cells, row
from carc.tournaments.running.playing import play_one
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant, enter
from carc.tournaments.schedule.games import Game

PORT: Final = 8767
NAME: Final = "large"
BATCH: Final = 5000
SERVE: Final = "import sys; from carc.commands.main import main; sys.exit(main())"
ROUNDS: Final = 20


class Large:
    """A ladder of made-up bots, filled as fast as SQLite goes."""

    def __init__(self, ledger: LadderLedger, configuration: Configuration, bots: int) -> None:
        self.ledger, self.configuration = ledger, configuration
        self.bots = [
            Entrant(f"a{n % 500}/b{n}@1", f"remote:a{n % 500}/b{n}@1", f"{n:064x}", "remote")
            for n in range(bots)
        ]
        self.random = random.Random(1)
        self.games = dict.fromkeys((bot.name for bot in self.bots), 0)
        real = deals.game(configuration, (enter("random"),) * 2, 0, "", "")
        self.like = play_one(real)  # the others are like this one

    def fill(self, games: int) -> None:
        """Write so many games."""
        database = self.ledger._connection
        database.execute("PRAGMA synchronous = OFF")
        with database:
            for bot in self.bots:
                mu = self.random.gauss(25, 6)
                standing = Standing(
                    bot.name, bot.name.partition("/")[0], bot.spec, bot.digest, bot.isolation,
                    "2026-01-01T00:00:00+00:00", PLAYS, "", mu, 1.0,
                )  # fmt: skip
                marks = ", ".join("?" * len(standing))
                database.execute(f"INSERT INTO standings VALUES ({marks})", standing)
        for first in range(0, games, BATCH):
            with database:
                for number in range(first, min(first + BATCH, games)):
                    self._add(number)
        with database:
            database.executemany(
                "UPDATE standings SET games = ? WHERE bot = ?",
                [(count, bot) for bot, count in self.games.items()],
            )

    def _add(self, number: int) -> None:
        """Write a game with what belongs to it."""
        seats = tuple(self.random.sample(self.bots, 2))
        game = deals.game(self.configuration, seats, number, "", self.ledger._chain.head)
        written = row(self._outcome(game))
        database = self.ledger._connection
        self.ledger._chain.append(chain.STARTED, [(game.id, number, "")])
        for table, packed in ("games", written.game), ("records", written.record):
            columns = cells(packed)
            marks = ", ".join("?" * len(columns))
            database.execute(f"INSERT INTO {table} VALUES ({marks})", columns)
        self.ledger._chain.append(chain.RATED, [(game.id, number, "")])
        for bot in seats:
            self.games[bot.name] += 1
            rating = (25 + self.random.random(), 8 / self.games[bot.name] ** 0.5)
            at = (bot.name, self.ledger._chain.number, game.id, *rating)
            database.execute("INSERT INTO history VALUES (?, ?, ?, ?, ?)", at)

    def _outcome(self, game: Game) -> Outcome:
        first = self.random.randrange(2)
        names = tuple(bot.name for bot in game.seats)
        return self.like._replace(
            id=game.id,
            rotation_set=game.id,
            deal=game.deal,
            deal_seed=game.deal_seed,
            seats=names,
            digests=tuple(bot.digest for bot in game.seats),
            ranks=(first, 1 - first),
            winners=(first,),
            record=self.like.record.replace('["random", "random"]', json.dumps(names)),
        )


def pages(bot: str, game: str) -> list[str]:
    """Return the addresses that are measured."""
    at, api = f"/ladder/{NAME}", f"/api/ladders/{NAME}"
    return [
        at, f"{at}?page=50", f"{at}/bot?bot={bot}", f"{at}/games", f"{at}/games?page=2000",
        f"{at}/games?bot={bot}", f"{at}/activity", f"{at}/live", "/", f"/t/{NAME}",
        f"/t/{NAME}/game/{game}", f"{api}/board", f"{api}/versions?bot={bot}", f"{api}/activity",
        f"{api}/queue", f"{api}/feed?author=a7",
    ]  # fmt: skip


def ask(path: str) -> float:
    """Return the milliseconds until a page is there."""
    connection = HTTPConnection("127.0.0.1", PORT)
    begun = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    took = 1000 * (time.perf_counter() - begun)
    connection.close()
    assert answer.status == 200, (path, answer.status)
    return took


def measure(folder: Path, bot: str, game: str) -> None:
    """Print how long each page takes."""
    command = [sys.executable, "-c", SERVE, "serve", str(folder), "--port", str(PORT)]
    with subprocess.Popen(command) as server:
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                try:
                    ask("/openapi.json")
                    break
                except OSError:
                    time.sleep(0.2)
            for path in pages(bot, game):
                first, *others = (ask(path) for _ in range(ROUNDS))
                click.echo(
                    f"{path:60} first {first:6.0f} ms, median {statistics.median(others):6.1f}, "
                    f"longest {max(others):6.1f}"
                )
        finally:
            server.terminate()


@click.command()
@click.option("--bots", default=10_000, show_default=True)
@click.option("--games", default=200_000, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path))
def main(*, bots: int, games: int, folder: Path | None) -> None:
    """Write a ladder, unless the folder has one, and measure its pages."""
    with nullcontext(str(folder)) if folder else tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.mkdir(parents=True, exist_ok=True)
        (place / "arena.toml").write_text(f"[ladders.{NAME}]\ntable = 2\n")
        configuration = read_settings(place).ladders[0].configuration
        is_new = not (place / NAME).exists()
        with LadderLedger.opening(place / NAME, configuration, games) as ledger:
            large = Large(ledger, configuration, bots)
            begun = time.perf_counter()
            if is_new:
                large.fill(games)
                click.echo(f"written in {time.perf_counter() - begun:.0f} s")
            (game,) = ledger._connection.execute(
                "SELECT id FROM games WHERE rowid = ?", [games // 2]
            ).fetchone()
        measure(place, large.bots[7].name, game)


if __name__ == "__main__":
    main()
