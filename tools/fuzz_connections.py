"""Fuzz all that a remote bot can do to its arena: `python tools/fuzz_connections.py --lives 1000`.

Give it `PYTHONPATH=tests`. A life is a short game of a bot whose connections misbehave at moments
drawn at random. Whatever they do, the game ends in a result or in that bot's fault; nobody else is
blamed, no game is void, the service records no error, and nothing of the bot stays.
"""

from __future__ import annotations

import logging
import os
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
from fuzz_lives import Errors
from support.raw_lines import BINARY, PING, PONG, TEXT, Line
from support.remote_bots import Hall, Talk, arena, faults_of, short_game

from carc.arena import relay
from carc.arena.door import Door
from carc.match import Void
from carc.tournaments.outcomes import verdicts

CLOCK = "bank=3,increment=0.05,cap=0.4,start=1.5"
PATIENT = "bank=60,increment=0.05,cap=30,start=30"
"""The clock of a harmless bot: what a busy machine takes for its coming back is no fault here."""
MOMENTS = ("ping", "hello", "ready", "game", "first", "second", "answered", "over")
GONE = 5.0
"""Seconds of the relay's own time for all of a bot to be gone after its game.

Who says more on the stream of plain HTTP has it read no further, so that only a ping shows that it
is gone.
"""


class Life:
    """The life of a bot: its connections in one game."""

    def __init__(self, hall: Hall, name: str, rng: random.Random) -> None:
        self._hall, self._name, self._rng = hall, name, rng
        self._http = rng.random() < 0.3
        self.harmless = rng.random() < 0.25
        acts = HARMLESS if self.harmless else (*HARMFUL, *HARMFUL, *HARMLESS)
        self._script = [
            (rng.choice(MOMENTS), rng.choice(acts)) for _ in range(rng.choice((1, 1, 1, 2, 3)))
        ]
        self._session = "first"
        self._comes_back = self.harmless or rng.random() < 0.6
        self._last: dict[str, Any] = {}
        self._asked = 0
        self._lines: list[Line] = []
        self._is_over = False

    def end(self) -> None:
        """Have it end: the game is over."""
        self._is_over = True
        for line in self._lines:
            with suppress(OSError):
                line.socket.shutdown(socket.SHUT_RDWR)

    def __str__(self) -> str:
        acts = [f"{moment}: {act.__name__}" for moment, act in self._script]
        return f"{'HTTP' if self._http else 'WebSocket'} {acts}, back: {self._comes_back}"

    def live(self) -> None:
        """Connect, and come back if it is this bot's way, until the game is over."""
        for _ in range(6 if self._comes_back else 1):
            if self._is_over:
                break
            try:
                with suppress(OSError, ValueError):
                    if self._play(self._connect(self._session)):
                        break
            except Stop:
                break
        for line in self._lines:
            line.cut()

    def _connect(self, session: str) -> Line:
        line = Line(self._hall, self._name, session, self._rng, self._http)
        self._lines.append(line)
        if self._is_over:  # since it began to connect, so that nobody else ends it
            raise Stop
        return line

    def _play(self, line: Line) -> bool:
        while True:
            message = line.hear()
            self._last = message
            match message["type"]:
                case "ping":
                    self._do("ping", line)
                    line.tell(type="pong", id=message["id"])
                case "hello":
                    self._do("hello", line)
                    line.tell(type="ready", protocol=1)
                    self._do("ready", line)
                case "game":
                    self._do("game", line)
                case "choose":
                    self._asked += 1
                    self._do({1: "first", 2: "second"}.get(self._asked, ""), line)
                    line.tell(type="action", id=message["id"], action=message["legal"][0])
                    self._do("answered" if self._asked == 1 else "", line)
                case "over" | "end":
                    self._do("over", line)
                    return True

    def _do(self, moment: str, line: Line) -> None:
        for each in [each for each in self._script if each[0] == moment]:
            if each in self._script:
                self._script.remove(each)
                each[1](self, line)

    # -- what it does -----------------------------------------------------------------------------

    def rest(self, line: Line) -> None:
        time.sleep(self._rng.random() * 0.05)

    def lose(self, line: Line) -> None:
        line.cut(self._rng.random() < 0.5)

    def leave(self, line: Line) -> None:
        self._script = [each for each in self._script if each[1] is not Life.leave]  # once
        line.tell(type="leave")

    def knock(self, line: Line) -> None:
        """Speak of the WebSocket itself; or, with plain HTTP, as a guest of another session."""
        if self._http:
            with suppress(OSError):
                other = Line(self._hall, f"{self._name}-other", "s", self._rng, True)
                other.cut()
            return
        line.say(b"are you there", self._rng.choice((PING, PONG)))

    def pieces(self, line: Line) -> None:
        """Answer as others do: in pieces, with spaces, with more than was asked for."""
        if self._http:
            return
        line.say(b"", PONG)
        line.say(b"x" * 125, PONG)

    def junk(self, line: Line) -> None:
        line.say(self._rng.randbytes(self._rng.randrange(60)), self._rng.choice((TEXT, BINARY)))

    def words(self, line: Line) -> None:
        line.say(
            self._rng.choice(
                (
                    b"", b"\n", b"\n\n\n", b"null", b"[]", b"{}", b"thinking...", b"\xef\xbb\xbf{}",
                    b"[" * 60000, b"9" * 60000, b"x" * 65537, b"x" * 140000, b'{"type":"pong"}',
                    b'{"type":"leave"}\n{"type":"leave"}', b'{"type":"pong","id":{}}',
                    b'{"type":"ready","protocol":2}', b'{"type":"ready","protocol":1}',
                    b'{"type":"action","id":true,"action":"pass"}',
                    b'{"type":"action","id":1e999,"action":"pass"}',
                    b'{"type":"action","id":1,"action":"\\ud800"}', b'{"type":"over"}',
                )
            )
        )  # fmt: skip

    def nearly(self, line: Line) -> None:
        """Answer nearly right."""
        number = self._last.get("id", 0)
        action: Any = self._rng.choice(("pass", "place:99,99,0", "", "\0", 5, None, ["pass"], {}))
        line.tell(type="action", id=self._rng.choice((number, number + 1, -1)), action=action)

    def twice(self, line: Line) -> None:
        for _ in range(2):
            line.tell(
                type="action", id=self._last.get("id"), action=self._last.get("legal", "x")[0]
            )

    def flood(self, line: Line) -> None:
        for _ in range(3 if self._http else 300):
            line.say(b"x" * self._rng.randrange(2000))

    def frames(self, line: Line) -> None:
        if self._http:
            line.socket.sendall(self._rng.choice((b"x" * 9000, b"GET / HTTP/1.1\r\n", b"\r\n")))
            return
        line.say(
            self._rng.randbytes(self._rng.randrange(125)), self._rng.randrange(16),
            self._rng.random() < 0.5, self._rng.random() < 0.5,
        )  # fmt: skip

    def half(self, line: Line) -> None:
        line.socket.sendall(b"\x81\xfe\x10\x00\0\0\0\0half of a frame")

    def deaf(self, line: Line) -> None:
        line.socket.shutdown(self._rng.choice((socket.SHUT_WR, socket.SHUT_RD)))

    def stall(self, line: Line) -> None:
        time.sleep(self._rng.choice((0.3, 0.6, 1.7)))

    def forget(self, line: Line) -> None:
        self._session = f"s{self._rng.randrange(1000)}"
        line.cut()

    def double(self, line: Line) -> None:
        """Have another connection beside this one, which goes on."""
        session = self._rng.choice((self._session, "other"))
        self._connect(session)

    def stop(self, line: Line) -> None:
        raise Stop


class Stop(Exception):
    """It does not come back."""


Act = Callable[[Life, Line], None]
HARMLESS: tuple[Act, ...] = (Life.rest, Life.lose, Life.leave, Life.knock, Life.pieces)
HARMFUL: tuple[Act, ...] = (
    Life.junk, Life.words, Life.words, Life.nearly, Life.nearly, Life.twice, Life.flood,
    Life.frames, Life.frames, Life.half, Life.deaf, Life.stall, Life.forget, Life.double, Life.stop,
    Life.lose,
)  # fmt: skip


class Lives:
    """Lives bots, and looks at what becomes of their games."""

    def __init__(self, hall: Hall) -> None:
        self.verdicts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._hall = hall
        self._chosen = set[str]()  # bots whose games begin or are played
        hall.relay.is_chosen = self._chosen.__contains__
        self._fair = threading.Lock()  # one fair remote bot at a time

    def live(self, seed: int) -> None:
        """Live one life, and note what is wrong with its end."""
        rng = random.Random(seed)
        name = f"x{seed}"
        life = Life(self._hall, name, rng)
        thread = threading.Thread(target=life.live)
        chosen, spec = self._chosen, f"remote:ann/{name}@1"
        chosen.add(spec)
        thread.start()
        what = f"life {seed}: {life}"
        try:
            clock = PATIENT if life.harmless else CLOCK
            faults = self._game(f"ann/{name}@1", clock, fair=rng.random() < 0.2)
        except Void as void:
            self.wrong.append(f"{what}: void: {void}")
            return
        except Exception as error:  # noqa: BLE001 (which is what is looked for)
            self.wrong.append(f"{what}: {type(error).__name__}: {error}")
            return
        finally:
            chosen.remove(spec)
            life.end()
            thread.join(60)
            if thread.is_alive():
                self.wrong.append(f"{what}: its life goes on")
        verdict = faults.get(1, "ok").partition(":")[0]
        self.verdicts[verdict] += 1
        if verdict not in verdicts.ALL or verdict == verdicts.VOID:
            self.wrong.append(f"{what}: {verdict}")
        if life.harmless and verdict != verdicts.OK:
            self.wrong.append(f"{what}: it did no harm: {faults[1]}")
        if 0 in faults:
            self.wrong.append(f"{what}: another is blamed: {faults[0]}")
        now = self._hall.relay._stopwatch.now
        end = now() + GONE
        while spec in self._hall.relay._bots:
            time.sleep(0.01)
            if now() > end:
                self.wrong.append(f"{what}: it stays with the relay")
                return

    def _game(self, bot: str, clock: str, fair: bool) -> dict[int, str]:
        if not fair:
            return faults_of(short_game("random", bot, clock=clock))
        with self._fair:
            talk = Talk(self._hall, "fair", "eve")
            thread = threading.Thread(target=talk.play)
            thread.start()
            with talk.socket:
                self._hall.await_present("eve/fair@1")
                faults = faults_of(short_game("eve/fair@1", bot, clock=clock))
            thread.join(20)
            return faults


@contextmanager
def fuzzing() -> Iterator[tuple[Lives, Errors]]:
    """Yield lives in an arena of their own, and the errors that it records."""
    errors = Errors()
    relay.PING, relay.SILENCE = 0.5, 1.0  # type: ignore[misc]
    with (
        tempfile.TemporaryDirectory() as folder,
        arena(Path(folder), door=Door(10**6, 10**9)) as hall,
    ):
        for name in ("carc", "uvicorn.error", "asyncio"):
            logging.getLogger(name).addHandler(errors)
        try:
            yield Lives(hall), errors
        finally:
            for name in ("carc", "uvicorn.error", "asyncio"):
                logging.getLogger(name).removeHandler(errors)


def _tell(wrong: list[str], told: int) -> int:
    """Print what is wrong, but for what was told, and return how much is told now."""
    for each in wrong[told:]:
        click.echo(each)
    return len(wrong)


@click.command()
@click.option("--lives", default=1000, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--at-once", default=4, show_default=True)
def main(*, lives: int, seed: int, at_once: int) -> None:
    """Fuzz the lives of connections, and exit with 1 if one of them undid its game."""
    begun, before = time.monotonic(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    told = 0
    with fuzzing() as (state, errors):
        with ThreadPoolExecutor(at_once) as threads:
            for number, _ in enumerate(threads.map(state.live, range(seed, seed + lives)), 1):
                if number % 200 == 0:
                    spent = time.monotonic() - begun
                    bad = len(state.wrong) + len(errors.texts)
                    click.echo(f"{number} lives, {spent:.0f} s, {bad} wrong: {state.verdicts}")
                told = _tell(state.wrong, told)
        state.wrong += errors.texts
    if (left := len(os.listdir("/proc/self/fd")) - before) > at_once:  # noqa: PTH208
        state.wrong.append(f"{left} descriptors stay open")
    _tell(state.wrong, told)
    total = sum(state.verdicts.values())
    click.echo(f"{total} lives in {time.monotonic() - begun:.0f} s: {dict(state.verdicts)}")
    click.echo(f"{len(state.wrong)} wrong")
    sys.exit(bool(state.wrong))


if __name__ == "__main__":
    main()
