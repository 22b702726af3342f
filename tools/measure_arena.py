"""Measure an arena of remote bots: `PYTHONPATH=tests python tools/measure_arena.py`.

Bots that play at random connect from another process, and all play at once, two at a table. Of each
answer it takes the time from its arrival to the next request of the same game. With `--culprits`
there are more tables, whose bots flood, stall and lie in every second round.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import fmean, median, quantiles
from threading import Event, Thread
from typing import Any

import click
from support.remote_bots import TOKENS, arena
from support.waiting import until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from carc.arena.door import Door
from carc.arena.seats import Seat
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.running.playing import play_one
from carc.tournaments.running.pool import LocalPool
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game


def _connection(url: str, author: str, bot: str) -> connect:
    address = f"{url.replace('http', 'ws', 1)}/arena/play?bot={bot}&version=1"
    headers = {"Authorization": f"Bearer {TOKENS[author]}"}
    return connect(address, additional_headers=headers, compression=None)


async def _answer(line: ClientConnection, message: dict[str, Any]) -> None:
    """Answer as a bot does that plays at random."""
    answer = None
    if message["type"] == "ping":
        answer = {"type": "pong", "id": message["id"]}
    elif message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif message["type"] == "choose":
        action = random.choice(message["legal"])
        answer = {"type": "action", "id": message["id"], "action": action}
    if answer is not None:
        await line.send(json.dumps(answer))


async def _bot(url: str, number: int, author: str, thinks: float = 0.0) -> None:
    async with _connection(url, author, f"b{number}") as line:
        async for text in line:
            message = json.loads(text)
            if message["type"] == "choose":
                await asyncio.sleep(thinks)
            await _answer(line, message)


async def _culprit(url: str, number: int, is_hostile: Any) -> None:
    """Play as others do, or do one of three evils, and come back at once."""
    while True:
        with suppress(OSError, WebSocketException):
            async with _connection(url, "eve", f"c{number}") as line:
                async for text in line:
                    message = json.loads(text)
                    if not is_hostile.is_set() or message["type"] in ("ping", "game"):
                        await _answer(line, message)
                    elif number % 3 == 0:  # it floods
                        for _ in range(300):
                            await line.send("x" * 1000)
                    elif number % 3 == 1:  # it lies
                        await line.send('{"type": "action", "id": 0, "action": "pass"}')
                    # or it stalls
        await asyncio.sleep(0.05)


async def _all(*bots: Any) -> None:
    await asyncio.gather(*bots)


def connect_all(
    url: str, bots: int, authors: Sequence[str] = ("ann",), thinks: float = 0.0
) -> None:
    """Let so many bots play, in turn one of each author, which think for so many seconds."""
    asyncio.run(
        _all(*(_bot(url, number, authors[number % len(authors)], thinks) for number in range(bots)))
    )


def _connect_culprits(url: str, culprits: int, is_hostile: Any) -> None:
    os.nice(19)  # as if on machines of their own
    asyncio.run(_all(*(_culprit(url, number, is_hostile) for number in range(culprits))))


class Times:
    """Notes the seconds from an answer to the next request of its game.

    Args:
        table: Returns where a bot plays, from its spec; empty if that does not matter.
    """

    def __init__(self, table: Callable[[str], str]) -> None:
        self.seconds: list[float] = []
        self._arrived: dict[str, float] = {}
        take, send = Seat.take, Seat._send

        def taken(seat: Seat, answer: Any) -> bool:
            done = take(seat, answer)
            if done and (at := table(seat.bot.spec)):
                self._arrived[at] = time.perf_counter()
            return done

        def sent(seat: Seat) -> None:
            arrived = self._arrived.pop(table(seat.bot.spec), None)
            # Between two games a table waits for the others.
            if arrived is not None and b'"hello"' not in seat._request:
                self.seconds.append(time.perf_counter() - arrived)
            send(seat)

        setattr(Seat, "take", taken)  # noqa: B010 (which mypy would not let be assigned)
        setattr(Seat, "_send", sent)  # noqa: B010


def _table(tables: int, bot: str) -> str:
    """The table of a bot, unless it is a culprit: bots n and tables + n play each other."""
    number = bot.partition("/b")[2].partition("@")[0]
    return str(int(number) % tables) if number else ""


def _game(number: int, tables: int, author: str = "ann/b") -> Game:
    names = [f"{author}{seat}@1" for seat in (number % tables, number % tables + tables)]
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


@contextmanager
def _beside(pool: LocalPool, tables: int) -> Iterator[None]:
    """Have culprits play at tables of their own meanwhile, game after game."""
    over = Event()

    def play(table: int) -> None:
        number = table
        while not over.is_set():
            pool.submit(partial(play_one, _game(number, tables, "eve/c"))).result()
            number += tables

    threads = [Thread(target=play, args=(table,)) for table in range(tables)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@click.command()
@click.option("--bots", default=100, show_default=True)
@click.option("--games", default=4, show_default=True, help="Of each bot, one after another.")
@click.option("--culprits", default=0, show_default=True)
def main(*, bots: int, games: int, culprits: int) -> None:
    """Play, and print what was measured."""
    tables = bots // 2
    times = Times(partial(_table, tables))
    clients = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        arena(Path(folder), door=Door(bots + culprits, bots + culprits)) as hall,
    ):
        is_hostile = clients.Event()
        processes = [
            clients.Process(target=connect_all, args=(hall.url, bots), daemon=True),
            clients.Process(
                target=_connect_culprits, args=(hall.url, culprits, is_hostile), daemon=True
            ),
        ]
        for process in processes:
            process.start()
        until(lambda: len(hall.relay.present()) == bots + culprits, seconds=120)
        begun, own = time.perf_counter(), _spent(resource.RUSAGE_SELF)
        with LocalPool(tables + culprits // 2) as pool:
            if culprits:
                with _beside(pool, culprits // 2):
                    outcomes = _compared(pool, tables, games, times, is_hostile)
            else:
                outcomes = [each for turn in range(games) for each in _round(pool, tables, turn)]
        wall, own = time.perf_counter() - begun, _spent(resource.RUSAGE_SELF) - own
        for process in processes:
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


def _round(pool: LocalPool, tables: int, turn: int) -> list[Outcome]:
    """Play a game at each table."""
    under_way: list[Future[Outcome]] = [
        pool.submit(partial(play_one, _game(turn * tables + table, tables)))
        for table in range(tables)
    ]
    return [each.result() for each in under_way]


def _compared(
    pool: LocalPool, tables: int, games: int, times: Times, is_hostile: Any
) -> list[Outcome]:
    """Play rounds with culprits that are hostile and that are not, in turn, and print how fast."""
    outcomes: list[Outcome] = []
    means: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(2 * games):
        hostile = turn % 4 in (1, 2)  # so that neither always comes first
        (is_hostile.set if hostile else is_hostile.clear)()
        time.sleep(1)
        before = len(times.seconds)
        outcomes += _round(pool, tables, turn)
        means[hostile].append(fmean(times.seconds[before:]))
    ratios = [ill / well for well, ill in zip(*means.values(), strict=True)]
    click.echo(
        f"from an answer to the next request, beside hostile and well-behaved culprits: median "
        f"ratio {median(ratios):.3f} of {', '.join(f'{each:.2f}' for each in sorted(ratios))}"
    )
    return outcomes


if __name__ == "__main__":
    main()
