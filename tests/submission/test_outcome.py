"""A game is void only for a cause the host proves its own; nothing undoes what is decided.

docs/security.md, promise 1. `test_lives.py` tries the same at random.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from support.playing import STRONG, Against, Carc, requires
from support.program import python

import carc as carc_package
from carc import Action, State
from carc.bots import by_name
from carc.match import BotFault
from carc.tournaments.isolation import process, resources, sandbox
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Limits, Program
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.players.protocol import RemoteBot

ALL = [pytest.param("process", marks=requires("process"), id="process"), *STRONG]
every_level = pytest.mark.parametrize("level", ALL)

NAMELESS = """
import ctypes
NAME = b"\\xff)\\n R 1 \\xc3"
ctypes.CDLL(None).prctl(15, NAME, 0, 0, 0)
"""
LAST = """
seen = {"over": False}
def choose(m):
    if len(messages) == 60:
        WHAT
    reply(m)
play(choose)"""


# -- what a bot can do to the runner ------------------------------------------------------------


@every_level
@pytest.mark.parametrize("when", ["greeting", "a move"])
def test_a_name_that_is_no_text(against: Against, level: str, when: str) -> None:
    """The runner looks at a bot that is slow to answer: whatever its name is, that is no error."""
    if when == "greeting":
        text = NAMELESS + "time.sleep(0.2)\nplay()"
    else:
        text = f"def choose(m):\n    if len(messages) == 3:{_indented(NAMELESS)}" + (
            "        time.sleep(0.2)\n    reply(m)\nplay(choose)"
        )
    played = against(level, text)
    assert played.verdict == "ok", played.detail


def _indented(text: str) -> str:
    return "".join(f"\n        {line}" for line in text.splitlines()) + "\n"


@every_level
@pytest.mark.parametrize("closed", [0, 1, 2])
def test_closed_streams_at_the_end(against: Against, level: str, closed: int) -> None:
    """With a name that is no text besides: its game is decided, or the bot is at fault."""
    text = NAMELESS + LAST.replace("WHAT", f"os.close({closed})")
    played = against(level, text, clock="bank=60,cap=2,start=20")
    assert played.verdict in ("ok", "malformed", "crash")


@every_level
def test_it_reads_its_own_answers(against: Against, level: str) -> None:
    """What the runner was told is there to be read may be gone when it reads."""
    text = """
import threading
def thief():
    try: fd = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
    except OSError: return
    while True:
        try: os.read(fd, 1 << 16)
        except OSError: pass
threading.Thread(target=thief, daemon=True).start()
play()"""
    played = against(level, text, clock="bank=5,cap=1,start=3")
    assert played.verdict in ("ok", "failed to start", "stall", "timeout", "malformed")


@every_level
def test_it_fills_its_own_input(against: Against, level: str) -> None:
    text = """
def choose(m):
    if len(messages) == 5:
        fd = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
        try:
            while True: os.write(fd, b"x" * 4096)
        except OSError: pass
    reply(m)
play(choose)"""
    played = against(level, text, clock="bank=5,cap=1,start=3")
    assert played.verdict in ("crash", "stall", "timeout", "malformed")


@every_level
@pytest.mark.parametrize("times", [1, 2])
def test_it_kills_itself_at_hello(against: Against, level: str, times: int) -> None:
    """A sandbox that does not come about again after that is the end of the bot, not the game."""
    text = "import signal\nos.kill(os.getpid(), signal.SIGKILL) if True else None\nos._exit(137)"
    assert against(level, text, clock="start=5").verdict == "failed to start"


@every_level
def test_a_program_that_is_cut_off_fails_to_start(folder: Path, level: str) -> None:
    """The kernel reports it as a disk that fails (EIO): the bot's author cut it off."""
    place = folder / "bot"
    place.mkdir()
    program = place / "run"
    program.write_bytes(Path("/bin/true").read_bytes()[:100])
    program.chmod(0o755)
    bot = Process(Program(["./run"], place, level))
    try:
        with pytest.raises(BotFault, match="failed to start"):
            bot.launched()
    finally:
        bot.close()


def stands_still(
    patch: pytest.MonkeyPatch, times: int, seconds: float, when: Callable[[Process], bool]
) -> list[int]:
    """Let the runner stand still before it looks at a bot; an item is there for each time."""
    real, stood = process.Process._polled, list[int]()

    def polled(self: Process, *all: object) -> bool:
        if len(stood) < times and when(self):
            stood.append(1)
            sleep(seconds)
        return bool(real(self, *all))  # type: ignore[arg-type]

    patch.setattr(process.Process, "_polled", polled)
    return stood


def has_answered(bot: Process) -> bool:
    """Whether it has answered hello."""
    return bot.wall > 0


@every_level
def test_a_runner_that_stands_still_costs_a_bot_nothing(
    against: Against, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on with the same game: no deal is shown twice, and nobody is blamed."""
    stood = stands_still(monkeypatch, 2, 1.5, lambda bot: bot._buffer == b"")
    played = against(level, "play()", clock="bank=3,cap=1,start=1,increment=0")
    assert len(stood) == 2
    assert played.verdict == "ok", played.detail
    assert all(wall < 1 for wall, _ in played.times)


@every_level
def test_a_bot_that_computes_while_the_runner_stands_still_pays(
    against: Against, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_still(monkeypatch, 1, 1.5, has_answered)
    text = "def choose(m):\n  while True: pass\nplay(choose)"
    played = against(level, text, clock="bank=1,cap=1,start=9")
    assert played.verdict == "timeout", played.detail


def test_it_removes_its_scratch_folder(against: Against) -> None:
    text = "os.rmdir(os.environ['HOME'])\nplay(lambda m: (time.sleep(0.1), reply(m)))"
    played = against("process", text)
    assert (played.verdict, played.detail) == (
        "failed to start",
        "output limit: its scratch folder is gone",
    )


@every_level
def test_a_runner_that_is_late_costs_a_bot_nothing(
    against: Against, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy host it sees answers later than they came: 15 of them by a fifth of a second."""
    late = stands_still(monkeypatch, 15, 0.2, has_answered)
    played = against(level, "play()", clock="bank=1.5,cap=0.2,start=9,increment=0")
    assert played.verdict == "ok", played.detail
    assert len(late) == 15


# -- what the host lacks ------------------------------------------------------------------------


def test_a_host_with_too_little_is_found_before_the_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [Program(["true"], folder, "process")] * 2
    assert resources.shortage(small) == ""
    for limits, sentence in (
        (Limits(memory=1 << 50), "of memory, not"),
        (Limits(threads=1 << 30), "processes and threads, not"),
        (Limits(scratch=1 << 49, memory=0), "MB"),
    ):
        assert sentence in resources.shortage([Program(["true"], folder, "process", limits)])
    many = 1 << 40
    assert resources.shortage(small, games=many)
    monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")
    flags = os.statvfs("/dev/shm").f_flag
    if flags & os.ST_NOEXEC:
        assert "mounted noexec" in resources.shortage(small)


def test_a_control_groups_limit_of_memory_is_found() -> None:
    """It bounds what bots fill the kernel's memory with, too: names that they look up in vain."""
    groups = resources._groups("memory")
    if not groups:
        pytest.skip("no control group for memory is mounted")
    group = groups[0] / f"carc-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made: {error}")
    limits = [group / limit for limit, _ in resources._MEMORY if (group / limit).exists()]
    if not limits:
        group.rmdir()
        pytest.skip("the group has no limit of memory")
    limits[0].write_text(str(512 << 20))
    code = f"""
from pathlib import Path
Path("{group}/cgroup.procs").write_text("0")
from carc.tournaments.isolation.resources import memory_bound
print(memory_bound())
"""
    try:
        done = python(code)
        assert done.stdout.split() == [str(512 << 20)], done.stderr
    finally:
        group.rmdir()


@pytest.mark.skipif(os.getuid() != 0, reason="needs to mount")
def test_a_temporary_folder_without_programs_is_named(folder: Path) -> None:
    """Where TMPDIR is mounted noexec no bot is blamed: docs/security.md, promise 5."""
    place = folder / "noexec"
    place.mkdir()
    code = f"""
import tempfile
tempfile.tempdir = {str(place)!r}
from pathlib import Path
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.resources import shortage
print(shortage([Program(["./x"], Path({str(folder)!r}), "confined")]))
"""
    script = f'mount -t tmpfs -o noexec,size=200m none {place} && exec {sys.executable} -c "$CODE"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script],
        env={**os.environ, "CODE": code, "PYTHONPATH": str(Path(carc_package.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no mount namespace: {done.stderr}")
    assert "mounted noexec" in done.stdout


def test_a_shortage_voids_the_game_before_a_bot_starts(
    against: Against, monkeypatch: pytest.MonkeyPatch
) -> None:
    from carc.tournaments.players import protocol

    monkeypatch.setattr(protocol, "shortage", lambda programs: "the host has too little of all")
    table = protocol.Table(protocol.Clock())
    with pytest.raises(HostFailure, match="too little of all") as failure:
        table.reserve([Program(["true"], None, "process")])
    assert failure.value.cause == Cause.SHORTAGE


@requires("confined")
def test_a_tournament_says_before_it_begins_what_the_host_lacks(
    carc: Carc, monkeypatch: pytest.MonkeyPatch
) -> None:
    from carc.tournaments import tournament

    carc("new-bot mine")
    real = resources.shortage
    monkeypatch.setattr(tournament, "shortage", lambda bots, games: "no room" if games > 1 else "")
    result = carc("tournament --bots ./mine,random --deals 1 --jobs 3 --out t")
    assert result.code == 2
    assert "the bots of 3 games may use more than there is: no room; --jobs 1 can be" in result.err
    monkeypatch.setattr(tournament, "shortage", real)
    monkeypatch.setattr(resources, "_memory_left", lambda: iter([(1 << 20, "this machine")]))
    result = carc("tournament --bots ./mine,random --deals 1 --jobs 1 --out t")
    assert "this machine leaves 1 MB of memory, not 1088 MB" in result.err
    assert "room for 0 of 2 strangers' bots at once: this machine leaves 1 MB" in carc("doctor").out


@every_level
def test_a_restart_that_fails_is_no_void(
    against: Against, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the first tile is shown, no failure to start a bot again replaces the game."""
    killed: list[RemoteBot] = []

    class Killing:
        bot = by_name("random", seed=1)

        def choose(self, state: State) -> Action:
            if len(killed[0].times) >= 5 and len(killed) == 1:
                killed.append(killed[0])
                os.kill(killed[0]._process.meter.pid, signal.SIGKILL)
                monkeypatch.setattr(sandbox, "start", lambda *all: ["/bin/false"])
            return self.bot.choose(state)

    played = against(level, "play()", opponent=Killing(), inspect=killed.append)
    assert played.verdict == "crash"
    assert "not started again" in played.detail
