"""Measure spectators of an arena: `PYTHONPATH=tests python tools/measure_spectators.py`.

Bots that play at random connect from another process. From a third one spectators look at their
games as pages do: each asks for a game, and then for its news. Rounds with and without them
alternate. Of each answer of a bot it takes the time from its arrival to the next request of the
same game, and of each round the CPU time and the memory of the service.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import re
import resource
import tempfile
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

import click
from measure_arena import Times, connect_all
from support.remote_bots import HASHES
from support.waiting import until

from carc.arena.matching import Matching
from carc.arena.service import Arena
from carc.commands.serve import server
from carc.web.app import make_app
from carc.web.remote_bots import SERVER

SETTINGS = """
jobs = {jobs}
[limits]
bots = 1000
connections = 1000
[ladders.two]
takes = "remote"
"""


class Client:
    """A connection of a spectator that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: Any = None

    async def ask(self, path: str, *, reads: bool = True) -> tuple[int, str]:
        """Return the status and the body of an answer; who does not read has none."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        if not reads:
            return 0, ""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(length[1])) if length else b""
        return int(head.split()[1]), body.decode()


async def _spectate(port: int, looks: Any, counts: Any) -> None:
    """Look at one game after another, as pages do, while spectators are wanted."""
    client = Client(port)
    while True:
        if not looks.is_set():
            await asyncio.sleep(0.2)
            continue
        _, listed = await client.ask("/api/ladders/two/live")
        games = re.findall(r'"id":"(\w+)"', listed)
        if not games:
            await asyncio.sleep(0.2)
            continue
        code, text = await client.ask(f"/live/{random.choice(games)}")
        while code == 200 and looks.is_set() and 'data-over="yes"' not in text:
            counts.value += 1
            version = re.findall(r'data-version="(\d+)"', text)
            place = re.findall(r'data-address="([^"]+)"', text)
            if not (version and place):
                break
            code = 204
            while code == 204 and looks.is_set():
                code, text = await client.ask(f"{place[0]}/news?since={version[0]}")


async def _stall(port: int, looks: Any, counts: Any) -> None:
    """Ask for a page every few seconds, on one connection, and read none."""
    client = Client(port)
    while True:
        await asyncio.sleep(5)
        with suppress(OSError):
            if looks.is_set():
                await client.ask("/ladder/two", reads=False)


def _look(port: int, spectators: int, slow: int, looks: Any, counts: Any) -> None:
    os.nice(15)  # as if on machines of their own

    async def all_of_them() -> None:
        await asyncio.gather(
            *(_spectate(port, looks, counts) for _ in range(spectators)),
            *(_stall(port, looks, counts) for _ in range(slow)),
        )

    asyncio.run(all_of_them())


def _memory() -> float:
    """The memory of this process, in MB."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize() / 2**20


@click.command()
@click.option("--bots", default=20, show_default=True)
@click.option("--spectators", default=200, show_default=True)
@click.option("--slow", default=20, show_default=True, help="More, who read nothing.")
@click.option("--thinks", default=0.1, show_default=True, help="Seconds of a bot's answer.")
@click.option("--rounds", default=3, show_default=True)
@click.option("--seconds", default=15.0, show_default=True)
def main(
    *, bots: int, spectators: int, slow: int, thinks: float, rounds: int, seconds: float
) -> None:
    """Play, and print what was measured."""
    clients = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "arena.toml").write_text(SETTINGS.format(jobs=bots // 2))
        text = "".join(f'[{author}]\ntoken = "{hash}"\n' for author, hash in HASHES.items())
        (folder / "authors.toml").write_text(text)
        arena = Arena(folder, partial(Matching, seed=1))
        arena.start()
        app = make_app(folder, hosts=["127.0.0.1"], author=arena.author, arena=arena)
        app.state.door._burst = 1000
        pages = server(app, port=0, **SERVER)
        thread = threading.Thread(target=pages.run)
        thread.start()
        until(lambda: pages.started)
        port = pages.servers[0].sockets[0].getsockname()[1]
        looks, counts = clients.Event(), clients.Value("q", 0, lock=False)
        watchers = clients.Process(
            target=_look, args=(port, spectators, slow, looks, counts), daemon=True
        )
        authors = clients.Process(
            target=connect_all,
            args=(f"http://127.0.0.1:{port}", bots, ("ann", "eve"), thinks),
            daemon=True,
        )
        times = Times(lambda spec: _game_of(arena, spec))
        for process in watchers, authors:
            process.start()
        until(lambda: len(arena.games("two")) > bots // 4, seconds=120)
        try:
            for turn in range(2 * rounds):
                looked = turn % 2
                (looks.set if looked else looks.clear)()
                time.sleep(2)
                _round(times, counts, seconds, spectators if looked else 0)
        finally:
            for process in watchers, authors:
                process.kill()
                process.join()
            pages.should_exit = True
            arena.close(at_once=True)
            thread.join()


def _game_of(arena: Arena, spec: str) -> str:
    for running in arena.games("two"):
        if any(bot.spec == spec for bot in running.game.seats):
            return running.game.id
    return ""


def _round(times: Times, counts: Any, seconds: float, spectators: int) -> None:
    """Print what a round was like."""
    times.seconds.clear()
    before, parts, begun = time.process_time(), counts.value, time.perf_counter()
    time.sleep(seconds)
    wall = time.perf_counter() - begun
    spread = quantiles(times.seconds, n=100)
    click.echo(
        f"{spectators} spectators: {len(times.seconds)} answers, median {1000 * spread[49]:.1f}"
        f" ms, 99 %: {1000 * spread[98]:.1f} ms, longest {1000 * max(times.seconds):.0f} ms; "
        f"{counts.value - parts} positions; service "
        f"{100 * (time.process_time() - before) / wall:.0f} % of a core, {_memory():.0f} MB"
    )


if __name__ == "__main__":
    main()
