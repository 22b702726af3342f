"""Kill processes of an arena: `python tools/kill_arena.py --times 200`.

The service, its workers and the clients of remote bots are killed at random moments, and those that
somebody starts by hand or by systemd are started again. What was rated stays rated, no deal is
played twice, the board is that of the ledger (`carc verify`), and no process is left.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

import click
from kill_processes import children, environment, grandchildren

from carc.arena.authors import Authors
from carc.arena.verification import verify
from carc.errors import CarcError
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

PROGRAM = "from carc.commands.main import main; main()"
PATIENCE = 120.0  # seconds for a game to be rated, and for processes to be gone
LONGEST = 2.0  # seconds between two kills
SHARES = {"service": 0.4, "worker": 0.4, "client": 0.2}
SETTINGS = """
jobs = 2
epoch = 20

[ladders.two]
bots = ["mine"]
clock = "bank=20,increment=0.1,cap=5,start=10"
"""
BOT = """
import json, random, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif message["type"] == "choose":
        time.sleep(0.002)
        answer = {"type": "action", "id": message["id"], "action": random.choice(message["legal"])}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""
MANIFEST = 'name = "mine"\nversion = "1"\ncommand = ["python3", "bot.py", "{mark}"]\n'


class Arena:
    """An arena in a folder, with its service and its clients as processes."""

    def __init__(self, room: Path, clients: int) -> None:
        """Make the folder; `begin` starts it."""
        self.folder = room / "arena"
        self.folder.mkdir()
        (self.folder / "arena.toml").write_text(SETTINGS)
        self._mark = f"mark-{os.getpid()}-{random.randbytes(6).hex()}"  # of all processes
        self._environment = {**environment(room), "CARC_REGISTRY": str(self.folder / "registry")}
        bot = room / "mine"
        bot.mkdir()
        (bot / "bot.py").write_text(BOT)
        (bot / "bot.toml").write_text(MANIFEST.format(mark=self._mark))
        Registry(self.folder / "registry").add(read(bot), "eve")
        self._command = f"{sys.executable} -S {bot / 'bot.py'} {self._mark}"
        self._token = Authors(self.folder).add("ann")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._output = room / "output"
        self.service: subprocess.Popen[bytes]
        self.clients: list[subprocess.Popen[bytes]] = []
        self._many = clients

    def begin(self) -> None:
        """Start all of it."""
        self.start_service()
        self.clients = [self.client(number) for number in range(self._many)]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        with self._output.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, *words],
                env={**self._environment, "CARC_MARK": self._mark},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def start_service(self) -> None:
        """Start the service, as systemd does again and again."""
        self.service = self._start("arena", "run", str(self.folder), "--port", str(self._port))

    def client(self, number: int) -> subprocess.Popen[bytes]:
        """Start the client of a remote bot."""
        return self._start(
            "connect", f"http://127.0.0.1:{self._port}", self._command,
            "--token", self._token, "--name", f"far{number}",
        )  # fmt: skip

    def rated(self) -> dict[str, str]:
        """Return the digests of what was rated, by game."""
        with suppress(CarcError), Ledger.reading(self.folder / "two") as ledger:
            entries = list(ledger.entries())
            return {each.game: each.digest for each in entries if each.stage == chain.RATED}
        return {}

    def has_more_than(self, games: int) -> bool:
        """Return whether more games are rated."""
        return len(self.rated()) > games

    def processes(self) -> list[int]:
        """Return the living processes of the arena and its bots."""
        found, mark = [], self._mark.encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                with suppress(OSError):
                    words = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                    if mark in words:
                        found.append(int(entry.name))
        return found

    def end(self) -> None:
        """End all of it, as its organiser and the bots' authors do."""
        for client in self.clients:
            client.kill()
            client.wait()
        self.service.send_signal(signal.SIGTERM)
        self.service.wait(PATIENCE)


def tree(root: int) -> set[int]:
    """Return a process and its descendants."""
    return {root, *children(root), *grandchildren(root)}


def await_that(met: Callable[[], object], what: str) -> None:
    """Wait until this holds."""
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def kill(arena: Arena, kind: str, rng: random.Random) -> None:
    """Kill a process of a kind, and start again what is not started by another."""
    if kind == "worker":
        if workers := children(arena.service.pid):
            with suppress(ProcessLookupError):
                os.kill(rng.choice(workers), signal.SIGKILL)
        return
    at = rng.randrange(len(arena.clients))
    process = arena.service if kind == "service" else arena.clients[at]
    gone = tree(process.pid)
    before = arena.rated()
    process.kill()
    process.wait()
    after = arena.rated()
    assert before.items() <= after.items(), "what was rated is lost, or another"
    if kind == "service":
        arena.start_service()
    else:
        arena.clients[at] = arena.client(at)
    await_that(lambda: not gone & {*arena.processes()}, f"the {kind} leaves processes behind")


def differences(arena: Arena, seen: Iterable[tuple[str, str]]) -> list[str]:
    """Return what is wrong with the ledger in the end."""
    place = arena.folder / "two"
    wrong = list(verify(place).problems)
    with Ledger.reading(place) as ledger:
        entries = list(ledger.entries())
        deals = Counter(outcome.deal_seed for outcome in ledger.outcomes())
    ended = Counter(each.game for each in entries if each.stage in (chain.RATED, chain.VOID))
    started = Counter(each.game for each in entries if each.stage == chain.STARTED)
    for what, counts in (("deal", deals), ("start", started), ("end", ended)):
        wrong += [f"{what} {each}: {many} times" for each, many in counts.items() if many > 1]
    final = arena.rated()
    wrong += [f"{game} is lost" for game, digest in seen if final.get(game) != digest]
    return wrong


def disturb(room: Path, times: int, seed: int, clients: int = 3) -> str:
    """Play while processes are killed, and return a sentence that says what was seen.

    Raises:
        AssertionError: Something is lost, wrong or left.
    """
    arena = Arena(room, clients)
    try:
        return _disturbed(arena, times, seed)
    finally:
        for process in arena.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _disturbed(arena: Arena, times: int, seed: int) -> str:
    rng, killed = random.Random(seed), Counter[str]()
    seen: set[tuple[str, str]] = set()
    begun = time.monotonic()
    arena.begin()
    await_that(arena.rated, "no game is rated")
    for number in range(times):
        time.sleep(rng.uniform(0, LONGEST))
        kind = rng.choices([*SHARES], [*SHARES.values()])[0]
        kill(arena, kind, rng)
        killed[kind] += 1
        seen |= arena.rated().items()
        if number % 10 == 9 or number == times - 1:  # it goes on by itself
            many = len(seen)
            await_that(partial(arena.has_more_than, many), "no game is rated any more")
            click.echo(f"{number + 1} kills, {many} games, {time.monotonic() - begun:.0f} s")
    arena.end()
    await_that(lambda: not arena.processes(), "processes are left")
    assert not (wrong := differences(arena, seen)), "\n".join(wrong)
    return (
        f"seed {seed}: {times} kills ({dict(killed)}) in {time.monotonic() - begun:.0f} s; "
        f"{len(arena.rated())} games are rated and verified, none is lost, nothing is left"
    )


@click.command()
@click.option("--times", default=20, show_default=True, help="Kills.")
@click.option("--seed", default=1, show_default=True, help="Decides the moments.")
def main(*, times: int, seed: int) -> None:
    """Kill the service of an arena, its workers and its clients, and look at what is left."""
    with tempfile.TemporaryDirectory(prefix="carc-kills-") as room:
        click.echo(disturb(Path(room), times, seed))


if __name__ == "__main__":
    main()
