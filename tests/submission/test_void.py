"""Whatever a bot does, the game counts; what it leaves is cleared, by this run or by the next."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest
from support.playing import STRONG, Against, Result, gone, lowered, requires

from carc.tournaments import tournament
from carc.tournaments.isolation import handle, host, process, reaping, rooms, sandbox
from carc.tournaments.isolation.meter import Meter
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program

strong = pytest.mark.parametrize("level", STRONG)

# A process may name itself: here so that a carriage return begins what looks like a line.
NAMED_AND_ENDED = r"""libc.prctl(15, b"\rVmHWM:1", 0, 0, 0); libc.pthread_exit(None)"""

LITTER = {
    "deep": """
os.chdir(HOME)
for _ in range(100_000):
    os.mkdir("x")
    os.chdir("x")""",
    "deep with long names": """
os.chdir(HOME)
for _ in range(100_000):
    os.mkdir("x" * 255)
    os.chdir("x" * 255)""",
    "many files": """
for number in range(2_000_000): open(f"{HOME}/{number}", "w").close()""",
    "many files in many folders": """
for number in range(2_000_000):
    os.mkdir(f"{HOME}/{number}")
    for name in range(20): open(f"{HOME}/{number}/{name}", "w").close()""",
    "large files": """
for number in range(1000): open(f"{HOME}/{number}", "wb").write(bytes(7 << 20))""",
    "large files that are removed": """
kept = []
for number in range(1000):
    kept.append(open(f"{HOME}/{number}", "wb"))
    kept[-1].write(bytes(7 << 20))
    os.unlink(f"{HOME}/{number}")""",
}
CLOSED = """
os.umask(0)
for mode in (0, 0o100, 0o200, 0o300, 0o400, 0o500):
    os.makedirs(f"{HOME}/{mode}/inner/innermost")
    open(f"{HOME}/{mode}/inner/file", "w").close()
    os.open(f"{HOME}/{mode}/closed", os.O_CREAT, 0)
for mode in (0, 0o100, 0o200, 0o300, 0o400, 0o500):
    os.mkdir(f"{HOME}/{mode}/inner/closed", mode)
    os.mkdir(f"{HOME}/closed{mode}", mode)
"""


def when(then: str, lines: str) -> str:
    """A bot that does something at its third move, or when its game is over."""
    body = "".join(f"    {line}\n" for line in lines.strip().splitlines())
    at = {"move": "play(lambda m: (len(messages) == 5 and do(), reply(m)))", "end": "play(over=do)"}
    return f"HOME = os.environ['HOME']\ndef do(*_):\n{body}\n{at[then]}"


@strong
@pytest.mark.parametrize("then", ["move", "end"])
@pytest.mark.parametrize("litter", LITTER.values(), ids=LITTER)
def test_litter(against: Against, level: str, litter: str, then: str) -> None:
    begun = monotonic()
    played = against(level, when(then, litter), "cap=20")
    if then == "end":
        assert played.verdict == "ok"
    else:
        assert played.verdict in ("crash", "output limit"), played.detail
    assert monotonic() - begun < 600


@strong
@pytest.mark.parametrize("then", ["move", "end"])
def test_folders_without_permissions(against: Against, level: str, then: str) -> None:
    assert against(level, when(then, CLOSED), "cap=20").verdict == "ok"


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Other programs want the cores; they end with this process, however it ends."""
    loop = f"import os\nwhile os.getppid() == {os.getpid()}: sum(range(100_000))"
    running = [
        # A session each, as bots have: the kernel may share the cores among sessions.
        subprocess.Popen([sys.executable, "-c", loop], start_new_session=True)
        for _ in range(processes)
    ]
    try:
        sleep(0.3)
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


@pytest.mark.long
@strong
def test_an_endless_loop_on_a_busy_machine_is_its_own_fault(against: Against, level: str) -> None:
    with busy(4 * (os.cpu_count() or 1)):
        played = against(
            level, "def choose(m):\n  while True: pass\nplay(choose)", "cap=0.3,start=9"
        )
    assert played.verdict == "timeout"


@pytest.mark.long
@strong
def test_a_bot_that_is_kept_from_the_cores_has_its_time(against: Against, level: str) -> None:
    """It needs half of its 2 s; beside four others it takes more than twice that."""
    text = """
slow = []
def choose(m):
    if len(messages) < 4:
        begun, end = time.monotonic(), time.process_time() + 1
        while time.process_time() < end: pass
        slow.append(time.monotonic() - begun)
    reply(m)
play(choose, over=lambda m: note(max(slow)))"""
    with busy(4 * (os.cpu_count() or 1)):
        played = against(level, text, "cap=2,start=20")
    assert played.verdict == "ok", played.detail
    assert float(played.stderr) > 2
    assert all(wall < 2 for wall, _ in played.times)


@strong
def test_many_threads_have_no_more_than_one_core(against: Against, level: str) -> None:
    """So they neither think more than others do, nor keep them from thinking."""
    text = """
import hashlib, threading
data = bytes(1 << 20)
def spin():
    while True: hashlib.sha256(data)
def choose(m):
    if len(messages) == 5:
        for _ in range(8): threading.Thread(target=spin, daemon=True).start()
        time.sleep(1)
    reply(m)
play(choose)"""
    played = against(level, text, "cap=5")
    assert played.verdict == "ok", played.detail
    wall, cpu = max(played.times)
    assert cpu < wall + process.BURST + 0.25


@strong
def test_a_bot_that_is_ahead_of_one_core_is_stopped_until_it_is_not(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if it had three, which this machine may not have to spare: of a second it runs a third."""
    monkeypatch.setattr(Meter, "cpu", property(lambda self: 3 * (monotonic() - stopped(begun))))
    begun = monotonic()
    signals: list[tuple[float, int]] = []

    def stopped(since: float) -> float:
        """Seconds gone since then, while it was stopped: no CPU time is had in them."""
        total, last = since, None
        for moment, number in signals:
            if number == signal.SIGSTOP and last is None:
                last = moment
            elif number == signal.SIGCONT and last is not None:
                total, last = total + moment - last, None
        return total + (monotonic() - last if last is not None else 0.0)

    real = handle.send

    def signalled(pidfd: int, number: int) -> None:
        signals.append((monotonic(), number))
        real(pidfd, number)

    monkeypatch.setattr(handle, "send", signalled)
    program = Program(
        sandbox.python("-c", "import time; input(); time.sleep(1); print(1); input()"), None, level
    )
    bot = Process(program)
    with closing(bot):
        bot.launched()
        begun = monotonic()
        signals.clear()
        assert bot.ask(b"x\n", 20, "20 s") == b"1"
        took = monotonic() - begun
        share = (took - (stopped(begun) - begun)) / took
    assert 0.2 < share < 0.6


@strong
@pytest.mark.parametrize(
    "meanwhile",
    ["time.sleep(30)", "libc.pthread_exit(None)", NAMED_AND_ENDED],
    ids=["first thread stays", "first thread ends", "named like a line of its status"],
)
def test_memory_that_no_resource_limit_counts(against: Against, level: str, meanwhile: str) -> None:
    """Written to, then made read-only: no data any more, but there. Here its limit is 164 MB."""
    text = """
import ctypes, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
def choose(m):
    threading.Thread(target=allocate, args=(m,), daemon=True).start()
    MEANWHILE
def allocate(m):
    for _ in range(30):
        place = libc.mmap(None, 10 << 20, 3, 0x22, -1, 0)
        if place in (None, ctypes.c_void_p(-1).value): raise MemoryError
        ctypes.memset(place, 1, 10 << 20)
        libc.mprotect(place, 10 << 20, 1)
    time.sleep(1)
    reply(m)
play(choose)"""
    text, lower = text.replace("MEANWHILE", meanwhile), partial(lowered, memory=100 << 20)
    played = against(level, text, "cap=30", inspect=lower)
    assert played.verdict == "memory limit"
    assert "MB in memory" in played.detail


@strong
def test_a_process_that_does_not_die_at_once_is_buried_later(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its game is over and counts all the same."""
    program = Program(sandbox.python("-c", "print(input()); input()"), None, level)
    bot = Process(program)
    bot.launched()
    assert bot.ask(b"x\n", 20, "20 s") == b"x"
    with monkeypatch.context() as patch:
        patch.setattr(process, "DYING", 0.0)
        bot.close()
    Process(program).close()
    assert not reaping._dying
    assert not Path(f"/proc/{bot.meter.pid}").exists()


@strong
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_next_run_clears_what_the_last_one_left(
    folder: Path, level: str, number: signal.Signals
) -> None:
    """Its litter too; but not the room of a run that goes on."""
    text = f"""
import tempfile, time
tempfile.tempdir = {str(folder)!r}
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.meter import Turn
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
run = "import os, time; os.chdir(os.environ['HOME'])\\n"
run += "for _ in range(20): os.mkdir('x', 0o300); os.chdir('x')\\n"
run += "print(1, flush=True); time.sleep(1000)"
bot = Process(Program(sandbox.python("-c", run), None, {level!r}))
bot.launched()
bot._line(Turn(bot.meter, 20))
print(bot._room.path, flush=True)
time.sleep(1000)
"""
    following = f"""
import tempfile
tempfile.tempdir = {str(folder)!r}
from carc.tournaments.isolation import rooms
rooms.make().leave()
"""

    def next_run() -> None:
        subprocess.run([sys.executable, "-c", following], check=True)

    runners = [
        subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        places = []
        for runner in runners:
            assert runner.stdout is not None
            with runner.stdout:
                places.append(Path(runner.stdout.readline().strip()))
        assert all(place.is_dir() for place in places)
        runners[0].send_signal(number)
        runners[0].wait()
        assert gone(lambda: next_run() or places[0].exists())
        assert places[1].is_dir()
    finally:
        for runner in runners:
            runner.kill()
            runner.wait()
    # A dead runner's bot may outlive it by a moment.
    assert gone(lambda: next_run() or list(folder.iterdir()))


@requires("confined")
def test_the_next_run_clears_what_a_game_beyond_its_limit_left(
    carc: Callable[..., Result], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit kills the process that plays; its bots' rooms are cleared by whoever is next."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(tournament, "MARGIN", 0.0)
    assert carc("new-bot mine").code == 0
    slow = "import time\n\n\nclass Bot:\n    def choose(self, state):\n        time.sleep(60)\n"
    Path("slow.py").write_text(slow)
    clock = "--clock bank=0.2,increment=0,cap=0.2,start=3"
    held = carc(
        f"tournament --bots ./mine,slow:Bot --deals 1 --jobs 1 {clock} --limit 4 --out held"
    )
    assert held.code == 1, held.err
    assert "gave no answer within 4 s and was killed" in held.out + held.err
    left = list(folder.iterdir())
    assert left, "the bot's room was not left behind: nothing is shown"
    assert carc("tournament --bots ./mine,random --deals 1 --jobs 1 --out next").code == 0
    assert gone(lambda: list(folder.iterdir()))


def test_clearing_goes_on_when_it_took_too_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    room = rooms.make()
    for number in range(100):
        (room.path / "scratch" / str(number)).mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(rooms, "CLEARING", 0.0)
        room.leave()
    assert room.path.exists()

    def left() -> bool:
        rooms.make().leave()
        return room.path.exists()

    assert gone(left)


@requires("confined")
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the filter here is for x86-64")
def test_a_host_that_grants_no_namespaces() -> None:
    """Nor to root, as in a container: there the runner itself looks after the scratch folder."""
    code = """
import ctypes, struct, sys
lines = [(0x20, 0, 0, 0), (0x15, 0, 1, 272), (6, 0, 0, 0x50001), (6, 0, 0, 0x7FFF0000)]
code = b"".join(struct.pack("HBBI", *line) for line in lines)
libc = ctypes.CDLL(None)
kept = ctypes.create_string_buffer(code)
program = struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(kept))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0
assert libc.unshare(0x20000) == -1
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
    some = "confined and (litter and move or permissions or ends or 15)"
    tests = ["-m", "", "-k", some, __file__]
    run = [sys.executable, "-P", "-c", code, "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.long
@pytest.mark.skipif(bool(host.missing("process")), reason=host.missing("process"))
def test_too_many_threads_where_the_kernel_counts_a_users(against: Against) -> None:
    """As at `process`, which has no limit of its own: the runner ends the bot."""
    text = """
import threading
threading.stack_size(1 << 16)
def choose(m):
    for _ in range(200): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(60)
play(choose)"""
    played = against("process", text, "cap=30")
    assert (played.verdict, played.detail) == ("crash", "more than 64 threads")
