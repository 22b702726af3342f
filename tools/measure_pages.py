"""Measure how fast the pages of a table are.

Usage: `python tools/measure_pages.py [SPECTATORS] [MOVES]`. A server runs in a process of its own.
A client plays both seats of a table, and so many spectators wait for news. Rounds with and without
them alternate. Printed are the milliseconds from sending a move to the whole answer, which is the
new position, and how long it takes until the last spectator has it.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlencode

ROUNDS = 6
PAUSE = 0.4
"""Seconds between two moves. People take longer."""
ARRIVAL = 3.0
"""Seconds until all spectators are there."""
SPECTATORS_STAY = 9.0
"""Seconds for which they are there."""
PORT = 8765
PATIENCE = 30.0
"""Seconds within which the server must listen."""
SERVE = "import sys; from carc.commands.main import main; sys.exit(main())"


class Client:
    """A connection that is kept open."""

    def __init__(self) -> None:
        """Begin without a connection."""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self) -> None:
        """Connect as soon as the server listens."""
        end = time.monotonic() + PATIENCE
        while self._streams is None:
            try:
                self._streams = await asyncio.open_connection("127.0.0.1", PORT)
            except OSError:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.1)

    async def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Return status, headers and body of an answer."""
        await self.connect()
        assert self._streams is not None
        reader, writer = self._streams
        body = urlencode(form or {}).encode()
        method = "GET" if form is None else "POST"
        kind = "application/x-www-form-urlencoded"
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nX-Carc: part\r\n"
            f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        text = await reader.readexactly(int(length[1])) if length else b""
        return int(head.split()[1]), head, text.decode()

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()


async def spectate(address: str, count: int) -> None:
    """Wait for news as so many pages do. Print when each change came first and last."""
    times: dict[str, list[float]] = {}

    async def watch() -> None:
        client = Client()
        version = version_of((await client.ask(address))[2])
        while True:
            code, _, text = await client.ask(f"{address}/news?since={version}")
            if code == 200:
                version = version_of(text)
                times.setdefault(version, []).append(time.perf_counter())

    tasks = [asyncio.create_task(watch()) for _ in range(count)]
    await asyncio.sleep(SPECTATORS_STAY)
    for task in tasks:
        task.cancel()
    whole = [1000 * (max(some) - min(some)) for some in times.values() if len(some) == count]
    if whole:
        print(f"from the first spectator to the last: median {statistics.median(whole):.0f} ms")


def version_of(text: str) -> str:
    """Return the version of a table's page."""
    found = re.search(r'data-version="(\d+)"', text)
    assert found is not None, text[:300]
    return found[1]


async def open_table(client: Client) -> list[str]:
    """Open a table for two people and return the addresses of their seats."""
    form = {"rules": "base+inns+dragon", "seat0": "person", "seat1": "person", "seed": "5"}
    _, head, _ = await client.ask("/open", form)
    first = re.search(r"location: (\S+)", head, re.IGNORECASE)
    assert first is not None, head
    _, _, text = await client.ask(first[1])
    second = re.search(r'data-address="(/table/[^"/]+/[^"]+)"', text)
    assert second is not None
    return [first[1], second[1]]


async def play(client: Client, seats: list[str], moves: int) -> list[float]:
    """Play moves for both people. Return the milliseconds of each."""
    took: list[float] = []
    while len(took) < moves:
        for seat in seats:
            _, _, text = await client.ask(seat)
            actions = re.findall(r'<button name="action" value="([^"]+:[^"]+|pass)">', text)
            if 'data-decides="yes"' not in text or not actions:
                continue
            form = {"action": actions[len(actions) // 2], "version": version_of(text)}
            began = time.perf_counter()
            code, _, _ = await client.ask(seat, form)
            took.append(1000 * (time.perf_counter() - began))
            assert code == 200, code
            await asyncio.sleep(PAUSE)
    return took


async def measure(count: int, moves: int) -> None:
    """Print what is measured."""
    client = Client()
    await client.connect()
    seats = await open_table(client)
    await play(client, seats, 20)
    alone: list[float] = []
    watched: list[float] = []
    for _ in range(ROUNDS):
        alone += await play(client, seats, moves)
        spectators = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "spectate", seats[0].rpartition("/")[0], str(count)
        )
        await asyncio.sleep(ARRIVAL)
        watched += await play(client, seats, moves)
        await spectators.wait()
    for name, some in (("alone", alone), (f"with {count} spectators", watched)):
        quantiles = statistics.quantiles(some, n=20)
        print(
            f"{name}: median {statistics.median(some):.1f} ms, 95 % within {quantiles[-1]:.1f} ms"
        )
    print(f"ratio of the medians: {statistics.median(watched) / statistics.median(alone):.2f}")


def main(count: str = "200", moves: str = "8", *_: str) -> None:
    """Start a server and measure; or be the spectators of a table."""
    if count == "spectate":
        address, number = sys.argv[2:]
        asyncio.run(spectate(address, int(number)))
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVE, "serve", folder, "--port", str(PORT)]
        with subprocess.Popen(command) as server:
            try:
                asyncio.run(measure(int(count), int(moves)))
            finally:
                server.terminate()


if __name__ == "__main__":
    main(*sys.argv[1:])
