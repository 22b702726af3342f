"""Bots that mean harm.

For each: the right verdict, a game that ends, and a host as it was (`conftest.against`).
"""

import os
from pathlib import Path
from time import sleep

import pytest
from support.playing import STRONG, Against, attempts, gone, refused, runs

from carc import Action, State
from carc.bots import by_name
from carc.tournaments.players.protocol import RemoteBot

pytestmark = pytest.mark.parametrize("level", STRONG)


# -- too much --------------------------------------------------------------------------------------


THREADS = """
import threading
threading.stack_size(1 << 16)
def choose(m):
    for number in range(10_000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
play(choose)"""
MAPPED = "import mmap\nplay(lambda m: mmap.mmap(-1, 10 << 30))"
ENDLESS = "def choose(m):\n  while True: os.write({}, b'x' * 65536)\nplay(choose)"
BESIDE_GOOD_MOVES = """
def choose(m):
    try:
        while True: os.write(2, b'x' * 65536)
    except OSError:
        reply(m)
play(choose)"""
HUGE = "play(lambda m: open(os.environ['HOME'] + '/f', 'wb').write(bytes(100 << 20)))"
TOO_MUCH = {
    "fork bomb": ("play(lambda m: [os.fork() for _ in m])", "crash", "PermissionError"),
    "thread bomb": (THREADS, "crash", "thread"),
    "ten gigabytes": ("play(lambda m: bytearray(10 << 30))", "memory limit", ""),
    "ten gigabytes that no limit counts": (MAPPED, "crash", "PermissionError"),
    "endless line": (ENDLESS.format(1), "output limit", ""),
    "flood of stderr": (ENDLESS.format(2), "output limit", ""),
    "flood of stderr beside good moves": (BESIDE_GOOD_MOVES, "output limit", ""),
    "huge file": (HUGE, "crash", "File too large"),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much(against: Against, level: str, what: str) -> None:
    text, verdict, detail = TOO_MUCH[what]
    played = against(level, text, clock="cap=20")
    assert played.verdict == verdict
    assert detail in played.detail
    assert len(played.stderr) < 20_000


# -- too long --------------------------------------------------------------------------------------


IGNORES = """
import signal
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except OSError: pass
play(lambda m: time.sleep(1000))"""
SLEEPS = "play({}lambda m: time.sleep(1000))"
COMPUTES = "def choose(m):\n  while True: pass\nplay(choose)"
TOO_LONG = {
    "sleeps at the start": ("time.sleep(1000)", "start=0.8", "failed to start", "within 0.8 s"),
    "sleeps at a move": (SLEEPS.format(""), "cap=0.6", "stall", "the cap of a move"),
    "computes at a move": (COMPUTES, "cap=0.6", "timeout", ""),
    "sleeps at the end": (SLEEPS.format("over="), "cap=2", "ok", ""),
    "ignores signals": (IGNORES, "cap=0.6", "stall", ""),
}


@pytest.mark.parametrize("what", TOO_LONG)
def test_too_long(against: Against, level: str, what: str) -> None:
    text, clock, verdict, detail = TOO_LONG[what]
    played = against(level, text, clock=clock)
    assert played.verdict == verdict
    assert detail in played.detail


def test_a_later_seats_start_is_timed_from_its_own_command(against: Against, level: str) -> None:
    """However long the one before it took."""
    slow = "time.sleep(2)\nplay()"
    played = against(level, "time.sleep(5)\nplay()", clock="start=4", opponent=slow)
    assert played.verdict == "failed to start"
    assert "no answer within 4 s" in played.detail


def test_uses_up_its_bank(against: Against, level: str) -> None:
    text = "def choose(m):\n  time.sleep(0.1)\n  reply(m)\nplay(choose)"
    played = against(level, text, clock="bank=0.5,increment=0,cap=20")
    assert played.verdict == "stall"
    assert "the rest of its bank" in played.detail
    assert len(played.times) <= 6


def test_threads_compute_on_the_opponents_clock(against: Against, level: str) -> None:
    text = """
import threading
def spin():
    while True: pass
threading.Thread(target=spin, daemon=True).start()
play()"""
    watched: list[RemoteBot] = []
    states: list[float] = []

    class Watching:
        """An opponent who looks at what the bot does meanwhile."""

        bot = by_name("random", seed=1)

        def choose(self, state: State) -> Action:
            if len(watched[0].times) > 2 and len(states) < 3:
                pid = watched[0]._process.meter.pid
                assert len(list(Path(f"/proc/{pid}/task").iterdir())) == 2
                assert gone(lambda: runs(pid))
                before = watched[0]._process.meter.cpu
                sleep(0.05)
                states.append(watched[0]._process.meter.cpu - before)
            return self.bot.choose(state)

    played = against(level, text, opponent=Watching(), inspect=watched.append)
    assert played.verdict == "ok"
    assert states == [0.0] * 3, "CPU time while the opponent thinks"


# -- out of turn, out of order ---------------------------------------------------------------------


def test_exits_with_0_in_mid_game(against: Against, level: str) -> None:
    text = "def choose(m):\n  reply(m) if len(messages) < 6 else sys.exit(0)\nplay(choose)"
    played = against(level, text)
    assert (played.verdict, played.detail) == ("crash", "exit code 0")
    assert len(played.times) == 4


def test_dies_of_a_signal(against: Against, level: str) -> None:
    """And the host's program that takes core dumps, if any, is not started: hence a limit of 1."""
    text = """
import resource
core, stack = resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_STACK)
note("CORE", core, "STACK", stack)
play(lambda m: os.abort())"""
    played = against(level, text)
    assert played.verdict == "crash"
    assert "CORE (1, 1) STACK (8388608, 8388608)" in played.stderr, "a stack is no data"
    assert "killed by SIG" in played.detail


BEFORE_IT_IS_ASKED = """
say({'type': 'ready', 'protocol': 1})
say({'type': 'action', 'id': 1, 'action': 'pass'})
play()"""
OUT_OF_TURN = {
    "twice": ("play(lambda m: (reply(m), reply(m)))", "malformed", ""),
    "before it is asked": (BEFORE_IT_IS_ASKED, "malformed", ""),
    "another request": ("play(lambda m: reply({**m, 'id': -99}))", "malformed", "-99"),
    "illegal": ("play(lambda m: reply(m, 'place:30,30,0'))", "illegal", ""),
    "huge": ("play(lambda m: reply(m, 'x' * 1_000_000))", "output limit", ""),
}


@pytest.mark.parametrize("what", OUT_OF_TURN)
def test_an_answer_out_of_turn(against: Against, level: str, what: str) -> None:
    text, verdict, detail = OUT_OF_TURN[what]
    played = against(level, text)
    assert played.verdict == verdict
    assert detail in played.detail


@pytest.mark.parametrize(
    "reply, detail",
    [
        ("b'place:1,0,0'", "not a line of JSON"),
        ("b'[' * 50000", "not a line of JSON"),
        ("bytes([0xFF, 0xFE])", "can't decode byte 0xff"),
        ("answer(m, 7)", "notation, not 7"),
        ("answer(m, 'fly')", "'fly' is no action"),
        ("answer(m, 'x' * 60000)", "is notation, not"),
        ("b'[]'", "expected a message"),
        ("b''", "not a line of JSON"),
    ],
    ids=["no JSON", "deep", "not UTF-8", "number", "no notation", "long", "no object", "empty"],
)
def test_malformed_reply(against: Against, level: str, reply: str, detail: str) -> None:
    text = f"""
def answer(m, action):
    return json.dumps({{"type": "action", "id": m["id"], "action": action}}).encode()
play(lambda m: os.write(1, {reply} + b'\\n'))"""
    played = against(level, text)
    assert played.verdict == "malformed"
    assert detail in played.detail
    assert len(played.detail) < 300


@pytest.mark.parametrize("stream", [0, 1])
def test_closes_a_stream(against: Against, level: str, stream: int) -> None:
    answer = "time.sleep(0)" if stream else "reply(m)"
    text = f"def choose(m):\n  os.close({stream})\n  {answer}\n  time.sleep(1000)\nplay(choose)"
    played = against(level, text, clock="cap=2")
    # bubblewrap holds the pipe open: there the bot merely never answers again.
    assert played.verdict == {"confined": "malformed", "namespaces": "stall"}[level]


# -- where it has no business ----------------------------------------------------------------------


def test_reads_what_is_not_its_own(against: Against, level: str, treasure: Path) -> None:
    home = Path.home()
    tries = f"""
for path in ["/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/1/cmdline",
             "/proc/{os.getpid()}/mem", "/proc/{os.getpid()}/environ", "/proc/{os.getpid()}/maps",
             "{treasure}/ledger/ledger.sqlite", "{treasure}/other-bot/bot.py",
             "{treasure}/home/.ssh/id", "{treasure}/secret.txt", "../treasure/secret.txt"]:
    attempt(path, lambda: open(path, "rb").read(10))
for path in ["/", "/home", "{home}", "{treasure}", "..", "/tmp", "/work", "/etc"]:
    attempt(path, lambda: [name for name in os.listdir(path) if level_of_host(path)])
"""
    # Inside namespaces the root holds only what was put there: nothing of the host.
    own = "level_of_host = lambda path: " + ("True" if level == "confined" else "False")
    text = attempts(tries)
    if level == "namespaces":
        text = text.replace('["/", "/home"', '["/home"')
    refused(against(level, own + text), 20 if level == "confined" else 19)


def test_writes_outside_its_scratch_folder(against: Against, level: str, treasure: Path) -> None:
    tries = f"""
for path in ["{treasure}/secret.txt", "{treasure}/new", "/tmp/carc-hostile",
             "/dev/shm/carc-hostile", "/usr/new", "bot.py", "new.py", "../new",
             "/var/tmp/carc-hostile"]:
    attempt(path, lambda: open(path, "ab").write(b"x"))
secret = b"{treasure}/secret.txt"
attempt("unlink", lambda: os.unlink(secret))
attempt("rename", lambda: os.rename(secret, os.environ["HOME"].encode() + b"/secret"))
attempt("chmod", lambda: os.chmod(secret, 0))
attempt("utime", lambda: os.utime(secret, (0, 0)))
attempt("truncate", lambda: os.truncate(secret, 0))
attempt("link", lambda: os.link(secret, os.environ["HOME"].encode() + b"/secret"))
attempt("mkdir", lambda: os.mkdir("{treasure}/more"))
attempt("mkfifo", lambda: os.mkfifo(os.environ["HOME"] + "/fifo"))
attempt("xattr", lambda: os.setxattr(secret, "user.x", b"y"))
"""
    refused(against(level, attempts(tries)), 18)
    assert not Path("/tmp/carc-hostile").exists()


def test_its_scratch_folder_is_its_own_and_new(against: Against, level: str) -> None:
    text = """
def choose(m):
    if len(messages) == 3:  # after hello and game
        path = os.environ["HOME"] + "/kept"
        note("there" if os.path.exists(path) else "new")
        os.mkdir(os.environ["TMPDIR"] + "/sub")
        open(path, "w").write("mine")
        note(open(path).read())
    reply(m)
play(choose)"""
    for _ in range(2):
        played = against(level, text)
        assert played.verdict == "ok", played.detail
        assert played.stderr.split() == ["new", "mine"]


def test_opens_a_socket(against: Against, level: str) -> None:
    tries = """
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        attempt(family, lambda: socket.socket(family, kind))
attempt("connect", lambda: socket.create_connection(("127.0.0.1", 80), timeout=1))
"""
    refused(against(level, attempts(tries)), 9)


def test_signals_and_slows_others(against: Against, level: str) -> None:
    pid = os.getpid()
    tries = f"""
import resource
for other in ({pid}, {os.getppid()}, os.getppid(), -1, 0):
    attempt(other, lambda: os.kill(other, signal.SIGKILL))
attempt("renice", lambda: os.setpriority(os.PRIO_USER, 0, 19))
attempt("affinity", lambda: os.sched_setaffinity({pid}, [0]))
attempt("prlimit", lambda: resource.prlimit({pid}, resource.RLIMIT_NOFILE, (3, 3)))
attempt("pidfd", lambda: os.pidfd_open({pid}))
for number in (101, 310, 311):  # ptrace, process_vm_readv, process_vm_writev on x86-64
    attempt(number, lambda: 1 / (libc.syscall(number, 16, {pid}, 0, 0, 0, 0) + 1))
"""
    refused(against(level, attempts(tries)), 12)


def test_forks_past_python(against: Against, level: str) -> None:
    tries = """
attempt("fork", lambda: 1 / (libc.fork() + 1))
attempt("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("run", lambda: subprocess.run(["/bin/true"]))
clone = 56 if os.uname().machine == "x86_64" else 220
attempt("clone", lambda: 1 / (libc.syscall(clone, 17, 0, 0, 0, 0) + 1))
attempt("clone3", lambda: 1 / (libc.syscall(435, ctypes.create_string_buffer(88), 88) + 1))
attempt("outlive", lambda: 1 / (libc.prctl(1, 0, 0, 0, 0) + 1))
attempt("namespace", lambda: 1 / (libc.unshare(0x10000000) + 1))
attempt("ring", lambda: 1 / (libc.syscall(425, 8, ctypes.create_string_buffer(120)) + 1))
attempt("shared", lambda: 1 / (libc.shmget(0, 4096, 0o1600) + 1))
attempt("memfd", lambda: os.memfd_create("x"))
"""
    refused(against(level, attempts(tries)), 10)


def test_looks_for_the_deal(against: Against, level: str) -> None:
    """The deal is in no message beyond what was drawn; importing the runner brings no game."""
    text = """
import gc
looked = False
def look(m):
    # At a move: of the time after the game a busy machine may leave a bot nothing.
    global looked
    if not looked and len(messages) > 4:
        looked = True
        for message in messages:
            note("MESSAGE", json.dumps(message))
        try:
            import carc.tournaments.running.runner
        except (ImportError, OSError):
            pass
        lists = [o for o in gc.get_objects() if isinstance(o, list)]
        note("LISTS", sum(o[:1] == ["D"] and len(o) > 60 for o in lists))
        for fd in range(64):
            try: note("OPEN", fd, os.readlink(f"/proc/self/fd/{fd}"))
            except OSError: pass
    reply(m)
play(choose=look)"""
    played = against(level, text)
    assert played.verdict == "ok"
    assert "LISTS 0" in played.stderr
    told = [line for line in played.stderr.splitlines() if line.startswith("OPEN")]
    assert all(int(line.split()[1]) < 3 or "fd" in line or "/" in line for line in told)


def test_reads_the_environment(
    against: Against, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARC_SECRET", "treasure")
    played = against(
        level,
        "play(over=lambda m: note(sorted(os.environ), 'treasure' in str(os.environ), os.getuid()))",
    )
    assert "CARC_SECRET" not in played.stderr
    assert "False" in played.stderr
    if os.getuid() == 0:
        assert int(played.stderr.split()[-1]) > 65536, "a user of its own"
