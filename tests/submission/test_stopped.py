"""A bot that is stopped stays stopped: while the opponent thinks, it has no CPU time."""

import os
import signal
from textwrap import dedent, indent
from time import sleep

import pytest
from support.playing import STRONG, Against, gone, runs

from carc import Action, State
from carc.bots import by_name
from carc.tournaments.players.protocol import RemoteBot

pytestmark = pytest.mark.parametrize("level", STRONG)

SPINNING = """
import ctypes, fcntl, mmap, signal, struct, threading
libc = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"
HOME = os.environ["HOME"]

# Not ignored, so that a timer goes on.
signal.signal(signal.SIGCONT, lambda *_: None)

def spin():
    while True: pass

def keep(doing):
    def loop():
        while True: doing()
    threading.Thread(target=loop, daemon=True).start()

def awake():
{wake}

try:
    awake()
except (OSError, AttributeError) as error:
    note("refused", error)
threading.Thread(target=spin, daemon=True).start()
play()
"""

WAKING = {
    "nothing": "pass",
    "timer": """
    event = struct.pack("QiiQ6Q", 0, signal.SIGCONT, 0, *[0] * 7)
    timer = ctypes.c_int()
    if libc.timer_create(1, event, ctypes.byref(timer)):
        raise OSError(ctypes.get_errno(), "timer_create")
    period = struct.pack("qqqq", 0, 70_000_000, 0, 70_000_000)
    libc.timer_settime(ctypes.c_void_p(timer.value), 0, period, None)""",
    "kernel's timer": """
    event = struct.pack("QiiQ6Q", 0, signal.SIGCONT, 0, *[0] * 7)
    timer = ctypes.c_int()
    create, settime = (222, 223) if X86 else (107, 110)
    if libc.syscall(create, 1, event, ctypes.byref(timer)):
        raise OSError(ctypes.get_errno(), "timer_create")
    period = struct.pack("qqqq", 0, 70_000_000, 0, 70_000_000)
    libc.syscall(settime, timer.value, 0, period, None)""",
    "a notice of its folder": """
    open(HOME + "/a", "w").close()
    folder = os.open(HOME, os.O_RDONLY)
    fcntl.fcntl(folder, 10, signal.SIGCONT)
    fcntl.fcntl(folder, fcntl.F_NOTIFY, 0x8000003F)
    keep(lambda: os.rename(HOME + "/a", HOME + "/b") or os.rename(HOME + "/b", HOME + "/a"))""",
    "a lease": """
    file = os.open(HOME + "/file", os.O_RDWR | os.O_CREAT)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    raise AssertionError("it was given")""",
    "a pipe": """
    hear, say = os.pipe()
    fcntl.fcntl(hear, 10, signal.SIGCONT)
    fcntl.fcntl(hear, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(hear, fcntl.F_SETFL, os.O_ASYNC)
    for _ in range(3): keep(lambda: os.write(say, b"x") and os.read(hear, 1))""",
    "a queue": """
    event = struct.pack("QiiQ6Q", 0, signal.SIGCONT, 0, *[0] * 7)
    if libc.syscall(244 if X86 else 184, 0, event):
        raise OSError(ctypes.get_errno(), "mq_notify")""",
    "threads that wake it": """
    os.kill(os.getpid(), signal.SIGCONT)
    for _ in range(4): keep(lambda: libc.kill(os.getpid(), signal.SIGCONT))""",
    "threads that wake a thread": """
    number = 234 if X86 else 131
    me = os.getpid()
    for _ in range(4): keep(lambda: libc.syscall(number, me, me, signal.SIGCONT))""",
    "alarms": """
    signal.signal(signal.SIGALRM, lambda *_: libc.kill(os.getpid(), signal.SIGCONT))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)""",
}


class Watching:
    """An opponent that takes its time, and looks at what the bot does meanwhile."""

    def __init__(self) -> None:
        self.bot = by_name("random", seed=1)
        self.watched: list[RemoteBot] = []
        self.meanwhile: list[float] = []

    def choose(self, state: State) -> Action:
        if len(self.watched[0].times) > 2 and len(self.meanwhile) < 3:
            meter = self.watched[0]._process.meter
            gone(lambda: runs(meter.pid), 20)
            before = meter.cpu
            assert before > 0
            sleep(0.1)
            self.meanwhile.append(meter.cpu - before)
        return self.bot.choose(state)


@pytest.mark.parametrize("wake", WAKING.values(), ids=WAKING)
def test_nothing_wakes_it(against: Against, level: str, wake: str) -> None:
    opponent = Watching()
    text = SPINNING.replace("{wake}", indent(dedent(wake), "    "))
    played = against(level, text, "cap=5", opponent=opponent, inspect=opponent.watched.append)
    assert max(opponent.meanwhile, default=0.0) < 0.002, played.stderr
    assert played.verdict == "ok", played.detail
    assert len(opponent.meanwhile) == 3


def test_whatever_wakes_it_is_noticed(against: Against, level: str) -> None:
    """As if there were a way after all: here this test sends the signal."""

    class Waking(Watching):
        def choose(self, state: State) -> Action:
            if len(self.watched[0].times) > 2 and not self.meanwhile:
                meter = self.watched[0]._process.meter
                self.meanwhile.append(meter.cpu)
                os.kill(meter.pid, signal.SIGCONT)
                assert gone(lambda: meter.cpu < self.meanwhile[0] + 0.4, 20)
            return self.bot.choose(state)

    opponent = Waking()
    text = SPINNING.replace("{wake}", "    pass")
    played = against(level, text, "cap=5", opponent=opponent, inspect=opponent.watched.append)
    assert played.verdict == "timeout"
    assert "after its answer, when it was stopped" in played.detail
