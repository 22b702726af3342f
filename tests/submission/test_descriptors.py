"""However a bot's process ends, or fails to start, the runner keeps nothing of it open."""

import gc
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.playing import EVERY_STRONG, STRONG, children, gone, requires
from support.program import python

from carc.match import BotFault, Void
from carc.tournaments.isolation import handle, reaping, rooms, sandbox
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.sandbox import NoIsolation

ALL = [pytest.param("process", marks=requires("process"), id="process"), *STRONG]
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def descriptors() -> dict[str, str]:
    """Return what each open descriptor of this process refers to."""
    here = {}
    for path in list(Path("/proc/self/fd").iterdir()):
        with suppress(FileNotFoundError):  # the one that listed them
            here[path.name] = str(path.readlink())
    return here


@pytest.fixture(autouse=True)
def nothing_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compare descriptors, children and folders before and after; collect what nobody closed."""
    folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    reaping.reap(60.0)
    gc.collect()
    before, others = descriptors(), children(os.getpid())
    yield
    monkeypatch.undo()
    reaping.reap(60.0)
    assert gone(lambda: rooms.clear() or list(folder.iterdir()))
    assert descriptors() == before
    assert children(os.getpid()) == others
    gc.collect()  # a stream that is closed here is a ResourceWarning, and that an error


def program(level: str, *command: str, code: str = ECHO) -> Program:
    return Program(list(command) or sandbox.python("-c", code), None, level)


def ask(bot: Process) -> None:
    bot.launched()
    bot.ask(b"x\n", 20, "20 s")


def ask_in_vain(bot: Process) -> None:
    bot.launched()
    bot.ask(b"x\n", 0.3, "0.3 s")


def play(bot: Process) -> None:
    ask(bot)
    bot.tell(b"over\n")


def kill(bot: Process) -> None:
    ask(bot)
    signal.pidfd_send_signal(bot.handle._bot, signal.SIGKILL)


def kill_what_was_started(bot: Process) -> None:
    ask(bot)
    bot._popen.kill()


def close_twice(bot: Process) -> None:
    ask(bot)
    bot.close()


ENDS: dict[str, tuple[Callable[[Process], None], str]] = {
    "closed at once": (lambda bot: None, ECHO),
    "closed when it is ready": (Process.launched, ECHO),
    "closed after a move": (ask, ECHO),
    "closed twice": (close_twice, ECHO),
    "told that the game is over": (play, ECHO),
    "killed": (kill, ECHO),
    "its sandbox killed": (kill_what_was_started, ECHO),
    "exits": (ask, "raise SystemExit(3)"),
    "closes its streams": (ask_in_vain, "import os, time; os.closerange(0, 3); time.sleep(60)"),
    "closes its stderr": (ask, f"import os; os.close(2)\n{ECHO}"),
    "writes too much": (ask, "import os\nwhile True: os.write(1, b'x' * 65536)"),
    "writes too much to stderr": (ask, "import os\nwhile True: os.write(2, b'x' * 65536)"),
    "leaves its group": (ask, f"import os\nos.getpid() == os.getpgid(0) or os.setsid()\n{ECHO}"),
    "leaves a process behind": (ask, f"import os, time\nos.fork() or time.sleep(60)\n{ECHO}"),
}


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize("end", ENDS)
def test_nothing_stays_open_however_it_ends(level: str, end: str) -> None:
    work, code = ENDS[end]
    bot = Process(program(level, code=code))
    try:
        work(bot)
    except BotFault:
        pass
    finally:
        bot.close()


@pytest.mark.parametrize("level", ALL)
def test_a_command_that_does_not_exist(level: str) -> None:
    bot = Process(program(level, "/nosuch"))
    with pytest.raises(BotFault, match="failed to start"):
        bot.launched()
    bot.close()


def failing(real: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Return a function that fails as if too many files were open, the so manieth time."""
    left = iter(range(1, number + 1))

    def call(*args: Any, **named: Any) -> Any:
        if next(left, 0) == number:
            raise OSError(24, "Too many open files")
        return real(*args, **named)

    return call


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_pipe_that_cannot_be_made(
    level: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "pipe", failing(os.pipe, number))
    with pytest.raises(Void, match=r"no process could be made: .*Too many open files"):
        Process(program(level))


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize(
    "place, name", [(subprocess, "Popen"), (handle.os, "pidfd_open"), (os, "set_blocking")]
)
def test_a_process_that_cannot_be_made_or_held(
    level: str, place: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first pipe that is made not to block is stderr's, the second the bot's input.
    number = 2 if name == "set_blocking" else 1
    monkeypatch.setattr(place, name, failing(getattr(place, name), number))
    with pytest.raises(Void, match="no process could be made"):
        Process(program(level))


@pytest.mark.parametrize("level", ALL)
def test_a_sandbox_that_the_host_lacks(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*all: object) -> list[str]:
        raise NoIsolation("there is none")

    monkeypatch.setattr(sandbox, "start", refuse)
    with pytest.raises(NoIsolation):
        Process(program(level))


def test_a_room_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "flock", failing(rooms.flock, 1))
    with pytest.raises(Void, match="its room could not be made"):
        Process(program("process"))


def test_a_scratch_folder_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    room = rooms.make()
    (room.path / "scratch" / "inner").mkdir()
    for number in (1, 2):
        with monkeypatch.context() as patch:
            patch.setattr(os, "scandir", failing(os.scandir, number))
            try:
                room.excess(1 << 20, 100)
            except OSError:
                assert number == 1
    room.leave()


@pytest.mark.parametrize("level", ["process", pytest.param("confined", marks=requires("confined"))])
def test_the_process_is_not_waited_for_before_its_group_is_killed(level: str) -> None:
    """Its id would be free for another process, which would be killed in its place."""
    bot = Process(program(level, code="raise SystemExit(7)"))
    with pytest.raises(BotFault, match="exit code 7"):
        ask(bot)
    assert bot._popen.returncode is None
    assert Path(f"/proc/{bot._popen.pid}").exists()
    assert bot.meter.pid and Path(f"/proc/{bot.meter.pid}").exists()
    bot.close()
    assert bot._popen.returncode == 7


@requires("confined")
def test_as_many_files_may_be_open_as_a_game_needs() -> None:
    """Of five bots, one with folders as deep as they may be: no bot reaches the limit."""
    code = f"""
import resource
from carc.tournaments.isolation import rooms, sandbox
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.running.pool import FILES
resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
text = "import os; os.chdir(os.environ['HOME'])\\n"
text += "for _ in range({rooms.DEPTH - 1}): os.mkdir('x'); os.chdir('x')\\n"
text += "for number in range(50): open(str(number), 'w').close()\\n"
text += "print(input(), flush=True); input()"
bots = []
for _ in range(5):
    bots.append(Process(Program(sandbox.python("-c", text), None, "process")))
    bots[-1].launched()
    bots[-1].ask(b"x\\n", 60, "60 s")
for bot in bots:
    assert bot._room.excess(1 << 30, 100) == ""
    assert "more than 60 files" in bot._room.excess(1 << 30, 60)
    bot.close()
"""
    assert python(code).stderr == ""


@pytest.mark.parametrize("level", EVERY_STRONG)
def test_what_a_sandbox_left_in_its_group_is_killed(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As bubblewrap does if it is killed before its child knows that it is to die with it."""
    monkeypatch.setattr(handle, "NAMING", 0.1)
    monkeypatch.setattr(sandbox, "start", lambda *all: ["/bin/sh", "-c", "sleep 600 & wait"])
    bot = Process(program(level))
    group = bot._popen.pid
    assert gone(lambda: len(members(group)) < 2)
    bot.close()
    assert gone(lambda: members(group))


def members(group: int) -> set[int]:
    """Return the processes of a group."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[2]) == group:
                    found.add(int(entry.name))
    return found
