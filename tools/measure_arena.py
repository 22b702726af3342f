"""Measure an arena of remote bots: `PYTHONPATH=tests python tools/measure_arena.py`.

Bots that play at random connect from another process, and all play at once, two at a table. Of each
answer it takes the time from its arrival to the next request of the same game.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import resource
import tempfile
import time
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

import click
from support.remote_bots import TOKENS, arena, until
from websockets.asyncio.client import connect

from carc.arena.door import Door
from carc.arena.seats import Seat
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.running.playing import play_one
from carc.tournaments.running.pool import LocalPool
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game


async def _bot(url: str, number: int) -> None:
    address = f"{url.replace('http', 'ws', 1)}/arena/play?bot=b{number}&version=1"
    headers = {"Authorization": f"Bearer {TOKENS['ann']}"}
    async with connect(address, additional_headers=headers, compression=None) as line:
        async for text in line:
            message, answer = json.loads(text), None
            if message["type"] == "ping":
                answer = {"type": "pong", "id": message["id"]}
            elif message["type"] == "hello":
                answer = {"type": "ready", "protocol": 1}
            elif message["type"] == "choose":
                action = random.choice(message["legal"])
                answer = {"type": "action", "id": message["id"], "action": action}
            if answer is not None:
                await line.send(json.dumps(answer))


async def _bots(url: str, bots: int) -> None:
    await asyncio.gather(*(_bot(url, number) for number in range(bots)))


def _connect(url: str, bots: int) -> None:
    asyncio.run(_bots(url, bots))


class Times:
    """Notes the seconds from an answer to the next request of its game."""

    def __init__(self, tables: int) -> None:
        self.seconds: list[float] = []
        self._tables = tables
        self._arrived: dict[int, float] = {}
        take, send = Seat.take, Seat._send

        def taken(seat: Seat, answer: Any) -> bool:
            done = take(seat, answer)
            if done:
                self._arrived[self._table(seat)] = time.perf_counter()
            return done

        def sent(seat: Seat) -> None:
            arrived = self._arrived.pop(self._table(seat), None)
            # Between two games a table waits for the others.
            if arrived is not None and b'"hello"' not in seat._request:
                self.seconds.append(time.perf_counter() - arrived)
            send(seat)

        setattr(Seat, "take", taken)  # noqa: B010 (which mypy would not let be assigned)
        setattr(Seat, "_send", sent)  # noqa: B010

    def _table(self, seat: Seat) -> int:
        """The number of a bot's table: bots n and tables + n play each other."""
        return int(seat.bot.spec.partition("/b")[2].partition("@")[0]) % self._tables


def _game(number: int, tables: int) -> Game:
    names = [f"ann/b{seat}@1" for seat in (number % tables, number % tables + tables)]
    seats = tuple(Entrant(name, f"remote:{name}", name, "remote") for name in names)
    return Game(
        id=f"{number:032x}",
        rules="base",
        seats=seats,
        deal=number,
        deal_seed=number,
        bot_seeds=(0, 1),
        keeps_deal=True,
        rotation_set=f"{number:032x}",
        clock=str(Clock()),
    )


def _spent(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


@click.command()
@click.option("--bots", default=100, show_default=True)
@click.option("--games", default=4, show_default=True, help="Of each bot, one after another.")
def main(*, bots: int, games: int) -> None:
    """Play, and print what was measured."""
    tables = bots // 2
    times = Times(tables)
    clients = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        arena(Path(folder), door=Door(bots, bots)) as hall,
    ):
        process = clients.Process(target=_connect, args=(hall.url, bots), daemon=True)
        process.start()
        until(lambda: len(hall.relay.present()) == bots, seconds=120)
        begun, own = time.perf_counter(), _spent(resource.RUSAGE_SELF)
        with LocalPool(tables) as pool:
            outcomes = _played(pool, tables, games)
        wall, own = time.perf_counter() - begun, _spent(resource.RUSAGE_SELF) - own
        process.kill()
        process.join()
    decisions = sum(sum(outcome.moves) for outcome in outcomes)
    faults = sum(verdict != "ok" for outcome in outcomes for verdict in outcome.verdicts)
    workers = _spent(resource.RUSAGE_CHILDREN)
    spread = quantiles(times.seconds, n=100)
    click.echo(f"{bots} bots, {len(outcomes)} games, {decisions} decisions in {wall:.1f} s")
    click.echo(f"faults: {faults}")
    click.echo(
        f"from an answer to the next request: median {1000 * spread[49]:.1f} ms, 99 %: "
        f"{1000 * spread[98]:.1f} ms, longest {1000 * max(times.seconds):.1f} ms"
    )
    click.echo(
        f"CPU time of a decision: service {1000 * own / decisions:.2f} ms, workers and clients "
        f"{1000 * workers / decisions:.2f} ms"
    )


def _played(pool: LocalPool, tables: int, games: int) -> list[Outcome]:
    """Play each table's games one after another."""
    outcomes: list[Outcome] = []
    for turn in range(games):
        under_way: list[Future[Outcome]] = [
            pool.submit(partial(play_one, _game(turn * tables + table, tables)))
            for table in range(tables)
        ]
        outcomes += [each.result() for each in under_way]
    return outcomes


if __name__ == "__main__":
    main()
