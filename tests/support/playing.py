"""What the tests of submitted bots share."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import attrs
import pytest

from carc import Match
from carc.tournaments.isolation import host
from carc.tournaments.isolation.command import reachable
from carc.tournaments.players.protocol import RemoteBot

SPEAKING = """
import json, os, sys, time

messages = []

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(3)
    messages.append(json.loads(line))
    return messages[-1]

def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def reply(message, action=None):
    say({"type": "action", "id": message["id"], "action": action or message["legal"][0]})

def play(choose=reply, over=lambda message: None):
    while True:
        message = hear()
        if message["type"] == "hello":
            say({"type": "ready", "protocol": 1})
        elif message["type"] == "choose":
            choose(message)
        elif message["type"] == "over":
            over(message)
            return

def note(*words):
    print(*words, file=sys.stderr, flush=True)

def attempt(name, action):
    try:
        note("DONE", name, action())
    except BaseException as error:
        note("refused", name, type(error).__name__)
"""


def requires(level: str) -> pytest.MarkDecorator:
    """Skips, with the reason, where the host has no such level."""
    why = host.missing(level)
    return pytest.mark.skipif(bool(why), reason=f"isolation {level}: {why}")


EVERY_STRONG = [
    pytest.param(level, marks=requires(level), id=level) for level in ("confined", "namespaces")
]
# Where the host has both levels, what holds at `namespaces` is repeated at `confined` as a long
# test.
STRONG = [
    pytest.param(
        "confined",
        marks=[requires("confined"), *([] if host.missing("namespaces") else [pytest.mark.long])],
        id="confined",
    ),
    EVERY_STRONG[1],
]


@lru_cache
def grants_mounts(more: int = 0) -> bool:
    """Whether the host grants a process a mount namespace of its own, and more."""
    code = f"""
import ctypes, os, sys
libc = ctypes.CDLL(None)
granted = libc.unshare(0x20000 | {more} | (0x10000000 if os.getuid() else 0)) == 0
sys.exit(not (granted and libc.mount(None, b"/", None, 1 << 14 | 1 << 18, None) == 0))"""
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def needs_mounts(level: str) -> None:
    """Skip what is open at `confined` where they are not granted; docs/security.md says so."""
    if level == "confined" and not grants_mounts():
        pytest.skip("this host grants no mount namespace: that is open then")


def children(parent: int) -> set[int]:
    """The processes of a parent, dead ones that nobody has seen to included."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                ppid = (entry / "stat").read_bytes().rpartition(b")")[2].split()[1]
            except OSError:
                continue
            if int(ppid) == parent:
                found.add(int(entry.name))
    return found


def gone(look: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether there is nothing left to see, by and by."""
    end = monotonic() + seconds
    while look():
        if monotonic() > end:
            return False
        sleep(0.01)
    return True


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail if this takes longer, as opening a pipe does to which nobody writes."""

    def late(*_: object) -> None:
        raise AssertionError(f"it takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def runs(pid: int) -> bool:
    """Whether a thread of a process is not stopped: told to, it sees that when it gets a core."""
    stats = [(thread / "stat").read_bytes() for thread in Path(f"/proc/{pid}/task").iterdir()]
    return any(stat.rpartition(b")")[2].split()[0] != b"T" for stat in stats)


@attrs.frozen
class Played:
    """What came of it: the match, the bot's verdict and its detail, what it printed, its times."""

    match: Match
    verdict: str
    detail: str
    stderr: str
    times: list[tuple[float, float]]


Against = Callable[..., Played]
"""Plays a bot's text against another, as the fixture `against` does."""


def contents(place: Path) -> dict[str, tuple[int, bytes]]:
    """Everything below a folder: modes and bytes."""
    return {
        str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(place.rglob("*"))
    }


@attrs.frozen
class Result:
    """What a call of the program came to."""

    code: int
    out: str
    err: str


Carc = Callable[..., Result]


def attempts(lines: str) -> str:
    """A bot that plays well but tries things at its first move."""
    return f"""
import ctypes, socket, subprocess, signal
libc = ctypes.CDLL(None, use_errno=True)
def choose(m):
    if len(messages) == 3:  # after hello and game
{"".join(f"        {line}" + chr(10) for line in lines.strip().splitlines())}
    reply(m)
play(choose)"""


USER = 61_234  # of nobody


def _python() -> str:
    """This Python, or its like where this one is in a folder that is closed to other users."""
    for path in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        if Path(path).exists() and reachable(os.path.realpath(path)) and reachable(path):
            return path
    pytest.skip("no Python of this version that an ordinary user may run")


def run_as_a_user(
    before: list[str], words: list[str], cwd: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, another program before it, as an ordinary user."""
    is_root = os.getuid() == 0
    as_user: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []} if is_root else {}
    return subprocess.run(
        [*before, _python() if is_root else sys.executable, *words],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(filter(None, sys.path)), **more},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        **as_user,
    )


def lowered(bot: RemoteBot, **limits: int) -> None:
    """Give a bot that has started less than it was promised, which takes less to use up."""
    process: Any = bot._process
    process.limits = attrs.evolve(process.limits, **limits)


def refused(played: Played, count: int) -> None:
    assert played.verdict == "ok"
    assert "DONE" not in played.stderr, played.stderr
    assert played.stderr.count("refused") == count, played.stderr
