"""Levels of isolation: the same play, nothing lower than asked for, whose a late answer is."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from support.playing import EVERY_STRONG, STRONG, gone, grants_mounts, requires, run_as_a_user, runs
from support.program import python

from carc import Rules, play
from carc.bots import by_name
from carc.match import BotFault, Void
from carc.tournaments.isolation import host, landlock, launch, meter, sandbox, seccomp
from carc.tournaments.isolation.clock import BadClock, Clock
from carc.tournaments.isolation.handle import Handle
from carc.tournaments.isolation.meter import Meter, Turn
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.sandbox import NoIsolation
from carc.tournaments.players.protocol import Table

ALL = [pytest.param("process", marks=requires("process"), id="process"), *EVERY_STRONG]


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize("rules", ["base", "base+ghosts"])
def test_the_same_bot_plays_the_same_game_in_the_process_and_isolated(
    level: str, rules: str
) -> None:
    """With the same seeds; so its own state, made from the actions it was told, is the runner's."""
    named = Rules.from_spec(rules)
    inside = play(named, [by_name("random", 1), by_name("random", 2)], seed=3, names=["a", "b"])
    program = Program(sandbox.python("-m", "carc.bots.sdk", "random"), None, level)
    with Table(Clock()) as table:
        bot = table.start(program, seat=1, seed=2)
        isolated = play(
            named, [by_name("random", 1), bot], seed=3, names=["a", "b"], watch=table.watch
        )
        table.over(isolated)
    assert isolated == inside
    assert len(bot.times) == sum(move.player == 1 for move in isolated.moves)
    assert all(wall > 0 and cpu >= 0 for wall, cpu in bot.times)


@pytest.mark.parametrize("level", STRONG)
def test_garbage_is_collected_while_a_bot_plays(level: str, folder: Path) -> None:
    """It is not while the bot starts, which takes less time so."""
    text = """
import gc
class Bot:
    def choose(self, state):
        print(gc.isenabled())
        return state.legal_actions()[0]
"""
    (folder / "bot.py").write_text(text)
    program = Program(sandbox.python("-m", "carc.bots.sdk", "bot:Bot"), folder, level)
    with Table(Clock()) as table:
        bot = table.start(program, seat=0, seed=1)
        match = play(
            Rules.from_spec("base"), [bot, by_name("random", 1)], seed=1, watch=table.watch
        )
        table.over(match)
    assert match.result.faults == ()
    assert set(bot.stderr.split()) == {"True"}


@pytest.mark.parametrize("level", EVERY_STRONG)
def test_a_bot_dies_with_its_runner(level: str) -> None:
    """Killed with SIGKILL, the runner cannot clean up; the kernel does."""
    text = f"""
import os, sys, time
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.meter import Turn
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
sleeper = sandbox.python("-c", "import time; print(1, flush=True); time.sleep(1000)")
bot = Process(Program(sleeper, None, {level!r}))
bot.launched()
bot._line(Turn(bot.meter, 20))
bot.handle.find()
first = bot.handle._named().get("child-pid", bot.meter.pid)
print(bot._room.path, bot.meter.pid, first, flush=True)
time.sleep(1000)
"""
    runner = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    assert runner.stdout is not None
    with runner.stdout:
        room, *processes = runner.stdout.readline().split()
    assert all(Path(f"/proc/{pid}").exists() for pid in processes)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    shutil.rmtree(room)

    assert gone(lambda: any(map(alive, processes)))


def alive(pid: str) -> bool:
    """Whether a process still has memory; who waits for it is not the bot's."""
    try:
        return "\nVmSize:" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


ORPHANED = """
import os, time
from carc.tournaments.isolation import launch
def parent(): return open("/proc/self/stat").read().rpartition(")")[2].split()[1]
fork = os.fork
def lost():
    outer, child = str(os.getpid()), fork()
    if child:
        print(child, flush=True)
        os._exit(0)
    while parent() == outer: time.sleep(0.001)
    return 0
launch.posix.fork = lost
launch.enclosed()
launch.enter(os.open("/dev/null", os.O_WRONLY))
"""


def test_a_bot_whose_starter_ends_meanwhile_does_not_begin() -> None:
    """Who made its namespace is gone before the kernel was told to end it with that process."""
    if not host.numbered_apart("confined"):
        pytest.skip("this host grants no namespace of processes")
    done = python(ORPHANED)
    assert done.stderr == ""
    assert gone(lambda: alive(done.stdout.strip()))


@pytest.mark.parametrize("level", EVERY_STRONG)
def test_a_bot_may_signal_itself_and_ask_after_itself(level: str) -> None:
    text = (
        "import os; own = os.getpid(); print(input(), os.kill(own, 0), os.getsid(own), flush=True)"
    )
    with closing(Process(Program(sandbox.python("-c", text), None, level))) as bot:
        bot.launched()
        assert bot.ask(b"x\n", 20, "20 s").startswith(b"x None ")


def test_levels_are_had_wherever_the_host_has_what_they_take() -> None:
    """Tests of a level are left out where the host lacks it; a fault in carc is no such lack."""
    if landlock.abi() and os.uname().machine in seccomp.ARCHITECTURES:
        assert host.missing("confined") == ""
        assert host.numbered_apart("confined") == grants_mounts(launch.CLONE_NEWPID)
        if shutil.which("bwrap") and grants_mounts(launch.CLONE_NEWPID):
            assert host.missing("namespaces") == ""


@pytest.mark.skipif(not grants_mounts(), reason="the host grants no namespaces")
def test_where_mounts_are_refused_it_has_no_namespace_and_can_make_threads() -> None:
    """As by AppArmor in a container."""
    refused = """
call = launch.call
launch.call = lambda name, *words: -1 if name == "mount" else call(name, *words)"""
    assert _enclosed(refused) == "(False, False)\n"


def _enclosed(condition: str) -> str:
    text = f"""
import threading
from carc.tournaments.isolation import launch
{condition}
print(launch.enclosed())
threading.Thread().start()"""
    done = python(text)
    assert done.stderr == ""
    return done.stdout


def test_a_process_that_has_no_children_yet_is_not_taken_for_the_bot() -> None:
    with subprocess.Popen(["sleep", "60"]) as first:
        reader, writer = os.pipe()
        os.write(writer, b'{"child-pid": %d}' % first.pid)
        handle = Handle(os.getpid(), reader)
        handle.find()
        assert handle.meter.pid == 0
        for descriptor in (reader, writer, handle.first):
            os.close(descriptor)
        handle.close()
        first.kill()


@pytest.mark.parametrize("level", EVERY_STRONG)
def test_what_a_bot_leaves_is_the_runners_to_wait_for(level: str) -> None:
    """In a container nobody else does."""
    text = f"""
import ctypes
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
Process(Program(["true"], None, {level!r})).close()
answer = ctypes.c_int()
ctypes.CDLL(None).prctl(37, ctypes.byref(answer), 0, 0, 0)  # PR_GET_CHILD_SUBREAPER
print(answer.value)"""
    assert python(text).stdout == "1\n"


def test_a_level_the_host_lacks_is_an_error_and_never_a_lower_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *args, **named: None)
    host._tried.cache_clear()
    try:
        with pytest.raises(
            NoIsolation, match="'namespaces' cannot be had on this host: bubblewrap"
        ):
            host.require("namespaces")
        monkeypatch.setattr(landlock, "abi", lambda: 0)
        host._tried.cache_clear()
        with pytest.raises(NoIsolation, match="the kernel offers no Landlock"):
            host.require("confined")
        with pytest.raises(NoIsolation, match="strangers' bots need isolation"):
            host.strongest()
    finally:
        host._tried.cache_clear()
    with pytest.raises(NoIsolation, match="levels are none, process, confined, namespaces"):
        host.require("total")


@pytest.mark.parametrize("level", EVERY_STRONG)
def test_a_command_that_is_not_there_fails_to_start(level: str) -> None:
    bot = Process(Program(["no-such-program"], None, level))
    try:
        with pytest.raises(BotFault, match="failed to start: no-such-program: No such file"):
            bot.launched()
    finally:
        bot.close()


def test_a_sandbox_that_does_not_come_about_is_no_fault_of_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "DEVICES", ("/proc/self/fd/9999",))
    monkeypatch.setattr(sandbox, "start", lambda *args, **named: ["/bin/false"])
    bot = Process(Program(["true"], None, "confined"))
    try:
        with pytest.raises(Void, match="did not come about"):
            bot.launched()
    finally:
        bot.close()


class Told(Meter):
    """What the kernel would tell: of each second gone the bot computes and waits so much."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, computes: float, *waits: float) -> None:
        super().__init__()
        self.computes, self.waits, self.gone = computes, waits, 0.0
        monkeypatch.setattr(meter, "monotonic", lambda: 7 + self.gone)

    @property
    def cpu(self) -> float:
        return 3 + self.computes * self.gone

    def waited(self) -> dict[str, float]:
        return {str(thread): 5 + part * self.gone for thread, part in enumerate(self.waits)}


@pytest.mark.parametrize(
    "computes, waits, counts",
    [
        (1.0, [0.0], 1.0),
        (0.0, [0.0], 1.0),  # it sleeps
        (0.2, [0.8], 0.2),  # another program has most of the core
        (0.2, [0.3], 0.7),
        (2.0, [0.97] * 60, 1.0),  # on two cores, in its own way
        (1.0, [0.97] * 60, 1.0),
        (0.5, [0.98] * 60, 0.5),  # and beside others
        (0.1, [0.2, 0.4], 0.6),  # threads that wait at the same time wait once
    ],
)
def test_a_bot_that_was_kept_from_the_cores_is_given_its_time(
    monkeypatch: pytest.MonkeyPatch, computes: float, waits: list[float], counts: float
) -> None:
    """Of a second that passes so much counts: never less than what it computed."""
    told = Told(monkeypatch, computes, *waits)
    turn = Turn(told, 0.65)
    told.gone = 1.0
    assert turn.wall - turn.kept == pytest.approx(counts)
    assert (turn.left > 0) == (counts < 0.65)


@pytest.mark.parametrize(
    "computes, waits, verdict",
    [(0.9, 0.05, "timeout"), (0.3, 0.65, "timeout"), (0.0, 0.0, "stall"), (0.1, 0.3, "stall")],
)
def test_a_late_answer_is_called_by_what_the_bot_did(
    monkeypatch: pytest.MonkeyPatch, computes: float, waits: float, verdict: str
) -> None:
    bot = Process(Program(["/bin/true"], None, "process"))
    with closing(bot):
        told = Told(monkeypatch, computes, waits)
        turn = Turn(told, 0.01)
        told.gone = 0.05
        assert bot._late(turn, "0.01 s").verdict == verdict


NAMED = """
import ctypes, os
libc = ctypes.CDLL(None)
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
os.chdir(os.environ["HOME"])
with open("n" * 250, "wb+") as file:
    for _ in range(300): libc.mmap(None, 4096, 1, 2, file.fileno(), 0)
print(input(), flush=True)
input()
"""


def test_a_long_list_of_mappings_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """By names of files a bot makes it hundreds of MB long; it counts as the longest there is."""
    most = int(Path("/proc/sys/vm/max_map_count").read_text())
    for longest, least in ((1 << 20, 300), (1 << 15, most)):
        monkeypatch.setattr(meter, "LONGEST", longest)
        with closing(Process(Program(sandbox.python("-c", NAMED), None, "process"))) as bot:
            bot.launched()
            bot.ask(b"x\n", 20, "20 s")
            assert least <= Meter(bot.meter.pid)._mapped() <= max(least, 600)


def test_clocks_are_written_as_they_are_read() -> None:
    assert str(Clock.named("cap=2, bank=30")) == "bank=30,increment=0.1,cap=2,start=10"
    assert Clock.named(str(Clock(bank=5))) == Clock(bank=5)
    for text in ("", "cap=2,", "60", "bank=x", "cap=0", "bank=-1", "bank=nan", "time=3"):
        with pytest.raises(BadClock, match="is no part of a clock"):
            Clock.named(text)


def test_a_stopped_process_is_gone_when_closed() -> None:
    bot = Process(Program(sandbox.python("-c", "print(input()); input()"), None, "process"))
    with closing(bot):
        bot.launched()
        assert bot.ask(b"x\n", 20, "20 s") == b"x"
        pid = bot.meter.pid
        assert gone(lambda: runs(pid))  # until it gets a core, it does not see that it is to stop
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


WITHOUT = """
from pathlib import Path
Path("/proc/sys/user/max_pid_namespaces").write_text("0")
from carc.tournaments.isolation import host, sandbox
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
look = sandbox.python("-c", "import os; input(); print(os.path.exists('/proc/1'))")
process = Process(Program(look, None, "confined"))
process.launched()
print([host.missing("confined"), host.numbered_apart("confined"), process.ask(b"x\\n", 20, "")])
process.close()
"""


def test_confined_is_had_where_no_namespace_of_processes_is() -> None:
    """As where an administrator allows an ordinary user none."""
    if not host.numbered_apart("confined"):
        pytest.skip("that is so here")
    own = ["unshare", "--user", "--map-current-user", "--keep-caps"]
    done = run_as_a_user(own, ["-c", WITHOUT], Path("/"), HOME="/tmp")
    assert done.stdout == "['', False, b'False']\n", done.stderr
