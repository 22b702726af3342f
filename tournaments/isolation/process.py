"""The runner's end of a bot's process: pipes, clock, and what is to be said of it when it goes wrong."""

from __future__ import annotations

import ctypes
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from time import clock_gettime, monotonic
from typing import Final

import attrs

from carc.match import BotFault, Void
from carc.tournaments import verdicts
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.launch import reachable
from carc.tournaments.isolation.program import Program
from carc.visible import visible

PR_SET_CHILD_SUBREAPER: Final = 36
LAUNCH: Final = 30.0  # seconds for the sandbox to come about, on a very busy machine
DYING: Final = 2.0  # seconds for a process that was told to, or was killed, to be gone
LEAVE: Final = 0.1  # seconds for a bot to end by itself when its game is over
KEPT: Final = 16 << 10  # characters of stderr that are kept of a game

_NO_MEMORY = re.compile(
    r"MemoryError|bad_alloc|out of memory|cannot allocate memory", re.IGNORECASE
)


class Process:
    """A bot's program, running for one game; it is stopped whenever nothing is asked of it.

    Start it from a thread that lives as long as it: on Linux it dies with that thread. `ask` raises `carc.match.BotFault`
    with the verdict, or `carc.match.Void` if the machine is to blame; call `close` in any case.
    """

    def __init__(self, program: Program) -> None:
        self.limits = program.limits
        self.begun = monotonic()
        self.wall = self.cpu = 0.0
        """Seconds the last `ask` took."""
        self._level = program.level
        self._buffer = b""
        self._pidfd = -1
        self._pid = 0
        self._first = (0, -1)
        # Others may pass through it to what the bot's own user is given, but not look around in it.
        self._room = Path(tempfile.mkdtemp(prefix="carc-bot-"))
        self._room.chmod(0o711)
        for name in ("scratch", "packages"):
            (self._room / name).mkdir()
        (self._room / "packages").chmod(0o755)
        folder = program.folder
        if folder is not None and program.level == "confined" and not reachable(str(folder)):
            copied = Path(shutil.copytree(folder, self._room / "bot"))
            program = attrs.evolve(program, folder=copied)
        self._errors = (self._room / "stderr").open("w+b", buffering=0)
        self._report, report = os.pipe()
        self._info, info = os.pipe()
        if program.level == "namespaces":
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            self._popen = subprocess.Popen(
                sandbox.start(program, self._room, report, info),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                cwd="/",
                env={},
                pass_fds=(report, info),
                start_new_session=True,
            )
        except BaseException:
            for descriptor in (self._report, self._info):
                os.close(descriptor)
            self._errors.close()
            shutil.rmtree(self._room, ignore_errors=True)
            raise
        finally:
            os.close(report)
            os.close(info)
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._stdin = self._popen.stdin
        self._stdout = self._popen.stdout
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)

    # -- talking ----------------------------------------------------------------------------------------------------

    def launched(self) -> None:
        """Wait until the bot's own command runs. Until then all is this package's doing, and none of the bot's."""
        told = b""
        with suppress(TimeoutError):
            while more := self._read(self._report, self.begun + LAUNCH):
                told += more
        if told == b"+":
            return
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(DYING)
        if told.startswith(b"+"):
            raise BotFault(verdicts.FAILED_TO_START, told[1:].decode(errors="replace"))
        why = told.decode(errors="replace") or self.stderr.strip() or "it was not ready in time"
        raise Void(f"isolation {self._level!r} did not come about: {why}")

    def ask(self, line: bytes, seconds: float, allowed: str) -> bytes:
        """Send a line, return the line that answers it; `allowed` says in words what the seconds are."""
        self._go()
        if self._buffer or self._unasked():
            raise BotFault(verdicts.MALFORMED, f"it spoke unasked: {_shown(self._buffer)}")
        begun, cpu, waited = monotonic(), self.cpu_so_far, self._waited()
        try:
            self._write(line, begun + seconds)
            answer = self._line(begun + seconds)
            if monotonic() > begun + seconds:
                raise TimeoutError
        except TimeoutError:
            raise self._late(monotonic() - begun, self.cpu_so_far - cpu, waited, allowed) from None
        finally:
            self.wall, self.cpu = monotonic() - begun, self.cpu_so_far - cpu
            _signal(self._pidfd, signal.SIGSTOP)
        self._check_errors()
        return answer

    def tell(self, line: bytes) -> None:
        """Send a line that wants no answer, if the bot can still hear it, and let it end by itself."""
        self._go()
        with suppress(BotFault, TimeoutError):
            self._write(line, monotonic() + LEAVE)
        with suppress(OSError):
            self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(LEAVE)

    def close(self) -> None:
        """Kill whatever is left of it, and keep only what it wrote to stderr."""
        if self._errors.closed:
            return
        if self._level == "namespaces":
            # The namespace's first process takes all others along. bubblewrap does not wait for it, but leaves it to
            # this process, as its subreaper.
            self._find_first()
            _signal(self._first[1], signal.SIGKILL)
        if self._level == "process":
            with suppress(ProcessLookupError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()
        try:
            self._popen.wait(DYING)
            _bury(self._first[1])
        except subprocess.TimeoutExpired:
            raise Void(f"process {self._popen.pid} of a bot cannot be killed") from None
        finally:
            self._kept = self.stderr
            for stream in (self._stdin, self._stdout, self._errors):
                with suppress(OSError):
                    stream.close()
            for descriptor in (self._report, self._info, self._pidfd, self._first[1]):
                if descriptor >= 0:
                    os.close(descriptor)
            shutil.rmtree(self._room, ignore_errors=True)

    @property
    def memory(self) -> int:
        """The most memory it has used so far, in bytes; 0 once it is gone."""
        with suppress(OSError):
            for line in Path(f"/proc/{self._pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) << 10
        return 0

    @property
    def stderr(self) -> str:
        """What it wrote to stderr: the beginning and the end of it, with what a terminal would obey as escapes."""
        if self._errors.closed:
            return self._kept
        half = KEPT // 2
        size = os.fstat(self._errors.fileno()).st_size
        if size <= KEPT:
            return _plain(os.pread(self._errors.fileno(), KEPT, 0))
        first = _plain(os.pread(self._errors.fileno(), half, 0))
        last = _plain(os.pread(self._errors.fileno(), half, size - half))
        return f"{first}\n[... {size - KEPT} bytes left out ...]\n{last}"

    # -- pipes ------------------------------------------------------------------------------------------------------

    def _write(self, line: bytes, deadline: float) -> None:
        poll = select.poll()
        poll.register(self._stdin, select.POLLOUT)
        while line:
            if not poll.poll(max(0.0, deadline - monotonic()) * 1000):
                raise TimeoutError
            try:
                line = line[os.write(self._stdin.fileno(), line) :]
            except BrokenPipeError:
                raise self._ended("closed its standard input") from None

    def _line(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > self.limits.reply:
                break
            more = self._read(self._stdout.fileno(), deadline)
            if not more:
                raise self._ended("closed its standard output")
            self._buffer += more
        line, newline, rest = self._buffer.partition(b"\n")
        if len(line) > self.limits.reply or not newline:
            raise BotFault(
                verdicts.OUTPUT_LIMIT,
                f"a line of more than {self.limits.reply} bytes: {_shown(line)}",
            )
        self._buffer = rest
        return line

    def _read(self, descriptor: int, deadline: float) -> bytes:
        """Some bytes, none at the end of the stream; `TimeoutError` when there are none in time."""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if not poll.poll(max(0.0, deadline - monotonic()) * 1000):
            raise TimeoutError
        return os.read(descriptor, 1 << 16)

    def _unasked(self) -> bool:
        try:
            self._buffer += os.read(self._stdout.fileno(), 1 << 16)
        except BlockingIOError:
            return False
        return bool(self._buffer)

    # -- the process ------------------------------------------------------------------------------------------------

    def _find(self) -> None:
        """Get hold of the process that is the bot, once its own command runs.

        With bubblewrap it is the child of the first process in its namespace, whose end is the end of all in it.
        """
        if self._pidfd >= 0:
            return
        pid = self._popen.pid
        if self._level == "namespaces":
            self._find_first()
            first = self._first[0]
            with suppress(OSError):
                found = Path(f"/proc/{first}/task/{first}/children").read_text().split()
                pid = int(found[0]) if found else 0
        with suppress(OSError):  # it has ended
            self._pidfd = os.pidfd_open(pid)
            self._pid = pid

    def _find_first(self) -> None:
        """Get hold of the first process in the bot's namespace, which bubblewrap names at once."""
        told = b""
        with suppress(TimeoutError):
            deadline = monotonic() + DYING
            while self._first[0] == 0 and b"}" not in told:
                more = self._read(self._info, deadline)
                if not more:
                    return
                told += more
        if b"}" in told:
            first = int(json.loads(told)["child-pid"])
            with suppress(OSError):
                self._first = (first, os.pidfd_open(first))

    def _go(self) -> None:
        self._find()
        _signal(self._pidfd, signal.SIGCONT)

    @property
    def cpu_so_far(self) -> float:
        """Seconds of CPU time of all its threads since it was started; 0 once it is gone."""
        if not self._pid:
            return 0.0
        try:
            return clock_gettime(
                (~self._pid << 3) | 2
            )  # the clock of a process: Linux, clock_getcpuclockid(3)
        except OSError:
            return 0.0

    def _waited(self) -> dict[str, float]:
        """Seconds that each of its threads was ready to run and had no core."""
        found = {}
        with suppress(OSError):
            for thread in Path(f"/proc/{self._pid}/task").iterdir():
                with suppress(OSError):
                    found[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
        return found

    def _late(
        self, wall: float, cpu: float, before: dict[str, float], allowed: str
    ) -> BotFault | Void:
        """No answer in time: whose fault is it?"""
        # One thread's wait, not the sum: the bot could make the sum as long as it likes.
        waited = max(
            (total - before.get(thread, 0.0) for thread, total in self._waited().items()),
            default=0.0,
        )
        spent = (
            f"no answer within {allowed}; CPU time {cpu:.2f} s, waited for a core {waited:.2f} s"
        )
        if cpu + waited < wall / 2:
            return BotFault(verdicts.STALL, spent)
        if waited > cpu:  # other programs had more of the core than the bot
            return Void(f"the machine was too busy: {spent}")
        return BotFault(verdicts.TIMEOUT, spent)

    def _ended(self, did: str) -> BotFault:
        """A pipe is closed: has the process ended, and how?"""
        try:
            code = self._popen.wait(DYING / 4)
        except subprocess.TimeoutExpired:
            return BotFault(verdicts.MALFORMED, f"it {did}")
        if self._level == "namespaces" and code > 128:
            code = 128 - code
        how = f"exit code {code}" if code >= 0 else f"killed by {_name(-code)}"
        words = self.stderr.strip().splitlines()[-10:]
        detail = f"{how}: {words[-1]}" if words else how
        if code == -signal.SIGXFSZ:
            return BotFault(verdicts.OUTPUT_LIMIT, detail)
        if code == -signal.SIGXCPU:
            return BotFault(verdicts.TIMEOUT, detail)
        if _NO_MEMORY.search("\n".join(words)):
            return BotFault(verdicts.MEMORY_LIMIT, detail)
        try:
            self._check_errors()
        except BotFault as fault:
            return fault
        return BotFault(verdicts.CRASH, detail)

    def _check_errors(self) -> None:
        if os.fstat(self._errors.fileno()).st_size >= self.limits.file_size:
            raise BotFault(
                verdicts.OUTPUT_LIMIT, f"more than {self.limits.file_size} bytes on stderr"
            )


def _bury(pidfd: int) -> None:
    """Wait for the end of a process that may be this one's child by adoption."""
    if pidfd < 0:
        return
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    if not poll.poll(DYING * 1000):
        raise subprocess.TimeoutExpired("bwrap", DYING)
    with suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED)


def _signal(pidfd: int, number: int) -> None:
    if pidfd >= 0:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, number)


def _plain(text: bytes) -> str:
    return visible(text.decode(errors="replace"), keep="\n\t")


def _shown(text: bytes) -> str:
    return visible(repr(text[:80].decode(errors="replace")))


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
