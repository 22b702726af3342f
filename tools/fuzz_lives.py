"""Fuzz all that a bot can do to its runner: `python tools/fuzz_lives.py --lives 100000`.

A life is a short game of a bot that misbehaves at moments drawn at random, from greeting to
closing: with its streams, its name, its limits, signals to itself, its end. Whatever it does, the
game ends in a result or in that bot's fault; nobody else is blamed, the host records no error, and
no descriptor stays open.
"""

from __future__ import annotations

import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from carc import Rules, State, play
from carc.bots import by_name
from carc.tournaments.isolation import host, reaping, rooms, sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.outcomes import verdicts
from carc.tournaments.players.protocol import Table

CLOCK = Clock(bank=2.0, increment=0.05, cap=0.25, start=1.5)
LEFT = 3  # tiles, when a life begins
MOMENTS = ("birth", "hello", "ready", "first", "second", "answered", "over", "after")
# Starting it is most of what a life costs, so it imports no json: eval reads the runner's lines.
BOT = r"""
import os, sys
script = eval(sys.argv[1])
JSON = {"true": True, "false": False, "null": None}
HOME = os.environ["HOME"]
asked = 0
def libc():
    import ctypes
    return ctypes.CDLL(None, use_errno=True)
def limit(which, value):
    import resource
    resource.setrlimit(which, (value, value))
def threads(count):
    import threading, time
    threading.stack_size(1 << 16)
    for _ in range(count): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
def forever():
    while True: pass
def steal():
    import threading
    fd = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
    def take():
        while True:
            try: os.read(fd, 1 << 16)
            except OSError: pass
    threading.Thread(target=take, daemon=True).start()
def fill():
    fd = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    while True: os.write(fd, b"x" * 4096)
def do(moment):
    for at, code in script:
        if at == moment:
            try: exec(code, globals())
            except Exception: pass
def say(message):
    os.write(1, repr(message).replace("'", '"').encode() + b"\n")
do("birth")
for line in sys.stdin.buffer:
    message = eval(line, JSON)
    if message["type"] == "hello":
        do("hello")
        say({"type": "ready", "protocol": 1})
        do("ready")
    elif message["type"] == "choose":
        asked += 1
        do("first" if asked == 1 else "second" if asked == 2 else "")
        say({"type": "action", "id": message["id"], "action": message["legal"][0]})
        do("answered" if asked == 1 else "")
    elif message["type"] == "over":
        do("over")
        break
do("after")
"""
RUN = sandbox.python("-c", BOT)

# What costs nobody anything: with these alone a bot has played well.
HARMLESS = (
    "libc().prctl(15, {name!r}, 0, 0, 0)",
    "os.set_blocking(0, True)",
    "os.write(2, {junk!r})",
    "os.close(2)",
    "os.dup2(1, 2) if False else None",
    "os.chdir(HOME)",
    "os.umask({number} & 0o777)",
    "os.nice(1)",
    "open(HOME + '/f', 'w').write('x' * {number})",
    "os.mkdir(HOME + '/d', 0)",
    "__import__('signal').signal(15, lambda *_: None)",
    "limit(4, 0)",
    "libc().prctl(15, {name!r}, 0, 0, 0); __import__('time').sleep(0.05)",
)
HARMFUL = (
    "os.close({stream})",
    "os.dup2({stream}, {other})",
    "os.write(1, {junk!r})",
    "os.write(1, {junk!r} + b'\\n')",
    "os.write(1, b'{{' * 3000 + b'\\n')",
    "os.write(1, b'[' * 60000 + b'\\n')",
    "os.write(1, b'9' * 60000 + b'\\n')",
    "os.write(1, b'x' * 70000)",
    'os.write(1, b\'{{"type": "action", "id": 1, "action": "\\\\ud800"}}\\n\')',
    'os.write(1, b\'{{"type": "ready", "protocol": {number}}}\\n\')',
    "os.write(2, b'x' * 65536) and [os.write(2, b'x' * 65536) for _ in range({number})]",
    "os.set_blocking({stream}, False)",
    "steal()",
    "fill()",
    "os.kill(os.getpid(), {signal})",
    "os._exit({code})",
    "sys.exit({code})",
    "os.execv('/bin/true', ['true'])",
    "os.execv('/bin/cat', ['cat'])",
    "os.execv('/bin/sleep', ['sleep', '9'])",
    "os.execv('/nosuch', ['x'])",
    "libc().pthread_exit(None)",
    "libc().prctl(15, {name!r}, 0, 0, 0); os.close({stream})",
    "libc().prctl(15, {name!r}, 0, 0, 0); __import__('time').sleep(0.4)",
    "__import__('time').sleep(0.4)",
    "forever()",
    "limit({which}, {small})",
    "x = bytearray({number} << 20)",
    "threads({number})",
    "[open(HOME + '/' + str(n), 'w').close() for n in range({number} * 5)]",
    "open(HOME + '/f', 'wb').write(bytes(9 << 20))",
    "[(os.mkdir('x'), os.chdir('x')) for _ in range({number})] if not os.chdir(HOME) else 0",
    "os.rmdir(HOME)",
    "os.ftruncate({stream}, 0)",
    "os.fork()",
    "os.setsid()",
    "os.killpg(0, {signal})",
    "sys.stdin.buffer.readline()",
    "os.read(0, 65536)",
    "raise SystemExit",
    "raise MemoryError",
    "__import__('faulthandler')._sigsegv()",
    "os.abort()",
    "libc().alarm(1)",
    "os.closerange(0, 64)",
)


def scripted(rng: random.Random) -> tuple[list[tuple[str, str]], bool]:
    """Return what a bot does when, and whether it is harmless."""
    harmless = rng.random() < 0.2
    acts = HARMLESS if harmless else (*HARMFUL, *HARMFUL, *HARMLESS)
    script = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        values: dict[str, Any] = {
            "name": bytes(rng.randrange(1, 256) for _ in range(rng.randrange(16))),
            "junk": bytes(rng.randrange(256) for _ in range(rng.randrange(1, 60))),
            "stream": rng.randrange(3),
            "other": rng.randrange(3),
            "number": rng.choice((0, 1, 2, 50, 63, 80, 200)),
            "signal": rng.randrange(1, 65),
            "code": rng.choice((0, 1, 3, 137, 139, 255)),
            "which": rng.randrange(16),
            "small": rng.choice((0, 1, 3, 4096, 1 << 20)),
        }
        # At birth its streams are what the greeting needs, harmless or not.
        script.append((rng.choice(MOMENTS), rng.choice(acts).format(**values)))
    return script, harmless


class Errors(logging.Handler):
    """Keeps the errors that the host or the service records."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.texts.append(self.format(record))


def near_the_end() -> State:
    """Return a position with few tiles left, at which lives begin."""
    rules, rng = Rules.from_spec("base"), random.Random(1)
    state = rules.start()
    while True:
        before = state.copy()
        state.apply(rng.choice(state.legal_actions()))
        if sum(state.to_dict("bag")["bag"].values()) <= LEFT:
            return before


class Lives:
    """Lives bots of a seed, one after another, and looks at what becomes of their games."""

    def __init__(self, levels: list[str], folder: Path) -> None:
        self.verdicts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._levels = levels
        self._start = near_the_end()
        self._folder = folder
        self._errors = Errors()
        self._open = 0  # descriptors

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Note the errors that the host records, and print them nowhere, meanwhile."""
        logger = logging.getLogger("carc")
        logger.addHandler(self._errors)
        logger.propagate = False
        try:
            yield
        finally:
            logger.propagate = True
            logger.removeHandler(self._errors)

    def live(self, seed: int) -> None:
        """Live one life, and note what is wrong with its end."""
        rng = random.Random(seed)
        script, harmless = scripted(rng)
        level = rng.choice(self._levels)
        what = f"life {seed} at {level}: {script}"
        try:
            verdict, others = self._game(script, level, fair=rng.random() < 0.1)
        except Exception as error:  # noqa: BLE001 (which is what is looked for)
            self.wrong.append(f"{what}: {type(error).__name__}: {error}")
            return
        self.verdicts[verdict] += 1
        if verdict not in verdicts.ALL or verdict == verdicts.VOID:
            self.wrong.append(f"{what}: {verdict}")
        if harmless and verdict != verdicts.OK:
            self.wrong.append(f"{what}: it did no harm: {verdict}")
        if others:
            self.wrong.append(f"{what}: others are blamed: {others}")
        if self._errors.texts:
            self.wrong.append(f"{what}: {self._errors.texts}")
            self._errors.texts.clear()
        self._check_descriptors(what)

    def _check_descriptors(self, what: str) -> None:
        """Note it if more is open than after the first life, and nothing is still to be removed."""
        if reaping._dying or rooms._left:
            return
        count = len(list(Path("/proc/self/fd").iterdir()))
        self._open = self._open or count
        if count > self._open:
            self.wrong.append(f"{what}: {count - self._open} descriptors are left open")
            self._open = count

    def _game(self, script: list[tuple[str, str]], level: str, fair: bool) -> tuple[str, list[str]]:
        with Table(CLOCK) as table:
            fuzzed = Program([*RUN, repr(script)], None, level)
            table.reserve([fuzzed])
            other: Any = by_name("random", seed=1)
            if fair:
                other = table.start(Program([*RUN, "[]"], None, level), 0, seed=1)
            bot = table.start(fuzzed, 1, seed=2)
            match = play(
                self._start.rules, [other, bot], seed=3, watch=table.watch, start=self._start
            )
            table.over(match)
        faults = {fault.seat: f"{fault.verdict}: {fault.detail}" for fault in match.result.faults}
        bot.stderr.encode()
        others = [fault for seat, fault in faults.items() if seat != 1]
        return faults.get(1, "ok").partition(":")[0], others

    def end(self) -> None:
        """Note what is left of all these lives on the host."""
        end = time.monotonic() + 30
        while reaping._dying or any(self._folder.iterdir()):
            reaping.reap(1.0)
            rooms.clear()
            if time.monotonic() > end:
                self.wrong.append(f"left behind: {list(self._folder.iterdir())}")
                return


def fuzz(lives: int, seed: int, levels: list[str]) -> Iterator[Lives]:
    """Yield the state of fuzzing after every life."""
    with tempfile.TemporaryDirectory(prefix="carc-lives-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        before, tempfile.tempdir = tempfile.tempdir, name
        try:
            state = Lives(levels, folder)
            with state.listening():
                for number in range(lives):
                    state.live(seed + number)
                    yield state
                state.end()
            yield state
        finally:
            tempfile.tempdir = before


@click.command()
@click.option("--lives", default=1000, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--seconds", default=0.0, help="Stop after so many.  [default: never]")
@click.option("--level", "levels", multiple=True, help="[default: all the host has]")
def main(*, lives: int, seed: int, seconds: float, levels: tuple[str, ...]) -> None:
    """Fuzz the lives of bots, and exit with 1 if one of them undid its game."""
    chosen = list(levels) or [level for level in host.LEVELS[1:] if not host.missing(level)]
    begun = time.monotonic()
    state = None
    for number, state in enumerate(fuzz(lives, seed, chosen), start=1):
        if number % 1000 == 0:
            click.echo(f"{number} lives, {time.monotonic() - begun:.0f} s: {dict(state.verdicts)}")
        if seconds and time.monotonic() - begun > seconds:
            break
    assert state is not None
    click.echo(
        f"{sum(state.verdicts.values())} lives at {', '.join(chosen)} in "
        f"{time.monotonic() - begun:.0f} s: {dict(state.verdicts)}"
    )
    for wrong in state.wrong:
        click.echo(wrong)
    click.echo(f"{len(state.wrong)} wrong")
    sys.exit(bool(state.wrong))


if __name__ == "__main__":
    main()
