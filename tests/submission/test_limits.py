"""Each limit of docs/security.md, measured on the host while a bot tries to pass it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import sleep

import pytest
from support.playing import STRONG, Against, lowered

pytestmark = pytest.mark.parametrize("level", STRONG)


class Watch:
    """Looks again and again at what a test's rooms take on disk, and how much was written there."""

    def __init__(self, folder: Path) -> None:
        self.most = 0
        self._folder = folder
        self._end = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.is_set():
            size = 0
            for place, _, names in os.walk(self._folder):
                for name in names:
                    try:
                        size += (Path(place) / name).lstat().st_blocks * 512
                    except OSError:
                        continue
            self.most = max(self.most, size)
            sleep(0.001)


@pytest.fixture
def watch(against: Against) -> Iterator[Watch]:
    """`against` has put the rooms of bots into a folder of the test's own."""
    with Watch(Path(tempfile.gettempdir())) as looking:
        yield looking


REWRITE = """
def choose(m):
    if len(messages) == 5:
        for _ in range(60):
            os.write(2, b"x" * (7 << 20))
            for undo in (lambda: os.ftruncate(2, 0), lambda: os.lseek(2, 0, 0), lambda: os.fsync(2),
                         lambda: os.pwrite(2, b"gone", 0), lambda: os.sync(),
                         lambda: open("/proc/self/fd/2", "w").close()):
                try: undo()
                except (OSError, AttributeError): pass
    reply(m)
play(choose)"""
ERASE = """
def choose(m):
    if len(messages) == 5:
        note("it was me")
        for undo in (lambda: os.ftruncate(2, 0), lambda: os.lseek(2, 0, 0),
                     lambda: os.pwrite(2, b"????????", 0),
                     lambda: os.read(os.open("/proc/self/fd/2", os.O_RDONLY | os.O_NONBLOCK), 0)):
            try: undo()
            except OSError: pass
    reply(m)
play(choose)"""


def test_stderr_is_no_way_to_a_disk(against: Against, level: str, watch: Watch) -> None:
    """420 MB were written in one move by emptying the file; now there is no file."""
    played = against(level, REWRITE, "cap=20")
    assert (played.verdict, played.detail) == (
        "output limit",
        f"more than {8 << 20} bytes on stderr",
    )
    assert len(played.stderr) < 20_000
    assert watch.most < 1 << 20, "its room is its own folder, and nothing of stderr"


def test_what_was_written_to_stderr_cannot_be_taken_back(against: Against, level: str) -> None:
    played = against(level, ERASE)
    assert played.verdict == "ok"
    assert "it was me" in played.stderr


def test_the_scratch_folder(against: Against, level: str, watch: Watch) -> None:
    text = """
def choose(m):
    if len(messages) == 5:
        try:
            for n in range(200): open(os.environ["HOME"] + f"/{n}", "wb").write(bytes(1 << 20))
        except OSError as error: note(error)
        note(sum(os.stat(os.environ["HOME"] + f"/{n}").st_size for n in range(64)) >> 20, "MB")
    reply(m)
play(choose)"""
    played = against(level, text, "cap=20")
    assert played.verdict in ("ok", "output limit", "crash")
    assert watch.most < 80 << 20


@pytest.mark.parametrize("what", ["threads", "memory", "descriptors"])
def test_what_the_kernel_limits(against: Against, level: str, what: str) -> None:
    text = {
        "threads": """
import threading
threading.stack_size(1 << 16)
def many():
    made = 0
    try:
        while True:
            threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
            made += 1
    except RuntimeError: return made""",
        "memory": """
def many():
    kept = []
    try:
        while True: kept.append(bytearray(16 << 20))
    except MemoryError: return 16 * len(kept)""",
        "descriptors": """
def many():
    kept = []
    try:
        while True: kept.append(os.dup(0))
    except OSError: return len(kept)""",
    }[what]
    text += """
def choose(m):
    if len(messages) == 3: note("had", many())
    reply(m)
play(choose)"""
    most = {"threads": 64, "memory": 1024, "descriptors": 64}[what]
    played = against(level, text, "cap=20")
    if played.verdict == "ok":
        had = int(played.stderr.split()[1])
        assert had <= most
        assert what != "threads" or had == most - 1, "with its first one, whoever its user is"
    else:
        assert played.verdict in ("crash", "memory limit")


MMAP = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]"""

TABLES = (
    MMAP
    + """
def choose(m):
    if len(messages) == 5:
        for n in range(40_000):  # one page in each GB: its tables are three times as large
            at = libc.mmap((1 << 44) + (n << 30), 4096, 1, 0x22 | 0x100000, -1, 0)
            ctypes.string_at(at, 1)
        note("480 MB of tables")
        time.sleep(1)
    reply(m)
play(choose)"""
)


def test_the_kernels_tables_of_its_memory_count(against: Against, level: str) -> None:
    """No page of its own is in memory; here its limit is 164 MB."""
    played = against(level, TABLES, "cap=20", inspect=partial(lowered, memory=100 << 20))
    assert played.verdict == "memory limit", played.stderr
    assert 164 <= int(played.detail.split()[0]) < 600


MAPPINGS = (
    MMAP
    + """
def choose(m):
    if len(messages) == 5:
        for n in range(50_000): libc.mmap((1 << 44) + (n << 13), 4096, 1, 0x22 | 0x100000, -1, 0)
        note("50,000 mappings")
        end = time.process_time() + 0.5
        while time.process_time() < end: pass
    reply(m)
play(choose)"""
)


def test_its_mappings_count(against: Against, level: str) -> None:
    """None of them has a page in memory. The kernel keeps 192 bytes for each, and a tree of them:
    12 MB of 50,000. Here 14 MB are allowed, of which Python takes 6.
    """
    lower = partial(lowered, memory=14 << 20, scratch=0)
    played = against(level, MAPPINGS, "cap=20", inspect=lower)
    assert played.verdict == "memory limit", (played.detail, played.stderr)


BUFFERS = """
import ctypes, socket
def fill(make, write):
    kept, size = [], 0
    try:
        while True:
            kept.append(make())
            try:
                while True: size += write(kept[-1])
            except BlockingIOError: pass
    except OSError: pass
    return size
def pair():
    one, other = socket.socketpair()
    one.setblocking(False)
    return one, other
def pipe():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    return open(reader, "rb"), open(writer, "wb", 0)
def choose(m):
    if len(messages) == 5:
        note(fill(pair, lambda ends: ends[0].send(bytes(1 << 15))))
        note(fill(pipe, lambda ends: os.write(ends[1].fileno(), bytes(4096))))
    reply(m)
play(choose)"""


def test_what_the_kernel_keeps_in_buffers_is_little(against: Against, level: str) -> None:
    """Sixty descriptors hold it, and no buffer can be made larger; 13 MB were measured."""
    played = against(level, BUFFERS, "cap=20")
    assert played.verdict == "ok", played.detail
    assert 1 << 20 < sum(map(int, played.stderr.split())) < 32 << 20
