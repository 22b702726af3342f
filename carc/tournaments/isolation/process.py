"""The runner's end of a bot's process: pipes, clock, and what is to be said of it when it goes wrong."""

from __future__ import annotations

import ctypes
import json
import os
import re
import select
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from carc.match import BotFault, Void
from carc.tournaments import verdicts
from carc.tournaments.isolation import rooms, sandbox
from carc.tournaments.isolation.meter import TICK, Meter, Turn
from carc.tournaments.isolation.program import Program
from carc.visible import visible

PR_SET_CHILD_SUBREAPER: Final = 36
LAUNCH: Final = 30.0  # seconds for the sandbox to come about, on a very busy machine
DYING: Final = 2.0  # seconds for a process that was told to, or was killed, to be gone
ENDING: Final = 0.5  # seconds for one whose pipe is closed to end, if it has a core
LEAVE: Final = 0.1  # seconds for a bot to end by itself when its game is over
KEPT: Final = 16 << 10  # characters of stderr that are kept of a game
BURST: Final = 0.1  # seconds of CPU time that a bot may be ahead of the time of one core
STOPPING: Final = (
    0.2  # seconds of CPU time that may pass before a process that is told to stop does
)

_NO_MEMORY = re.compile(
    r"MemoryError|bad_alloc|out of memory|cannot allocate memory", re.IGNORECASE
)


class Killed(BotFault):
    """Ended by SIGKILL that was not sent here: by somebody, by the kernel, or by the bot, if it found a way."""


class Process:
    """A bot's program, running for one game; it is stopped whenever nothing is asked of it.

    Start it from a thread that lives as long as it: on Linux it dies with that thread. `ask` raises `carc.match.BotFault`
    with the verdict, or `carc.match.Void` if the machine is to blame; call `close` in any case.
    """

    def __init__(self, program: Program) -> None:
        self.limits = program.limits
        self.begun = monotonic()
        self.wall = self.cpu = 0.0
        """Seconds the last `ask` took: of its time, and of CPU time."""
        self.meter = Meter()
        self._level = program.level
        self._buffer = b""
        self._pidfd = -1
        self._halted = float("inf")  # CPU time when it was told to stop
        self._first = (0, -1)
        self._room = rooms.make(program.folder)
        if program.folder is not None:
            program = attrs.evolve(program, folder=self._room.path / "bot")
        self._errors = (self._room.path / "stderr").open("w+b", buffering=0)
        self._report, report = os.pipe()
        self._info, info = os.pipe()
        if program.level == "namespaces":
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            self._popen = subprocess.Popen(
                sandbox.start(program, self._room.path, report, info),
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
            self._room.leave()
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
        while _readable(self._report, self.begun + LAUNCH):
            more = os.read(self._report, 1 << 10)
            if not more:
                break
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
        turn = Turn(self.meter, seconds)
        try:
            self._write(line, turn)
            answer = self._line(turn)
            if turn.left < 0:
                raise TimeoutError
        except TimeoutError:
            raise self._late(turn, allowed) from None
        finally:
            self._stop()
            wall, self.cpu = turn.wall, turn.cpu
            self.wall = wall - turn.kept if wall > TICK else wall
        self._inspect()
        return answer

    def tell(self, line: bytes) -> None:
        """Send a line that wants no answer, if the bot can still hear it, and let it end by itself."""
        with suppress(BotFault, TimeoutError):
            self._go()
            self._write(line, Turn(self.meter, LEAVE))
        with suppress(OSError):
            self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(LEAVE)

    def close(self) -> None:
        """Kill whatever is left of it, and keep only what it wrote to stderr. What takes long goes on later; never raises."""
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
        self._kept = self.stderr
        for stream in (self._stdin, self._stdout, self._errors):
            with suppress(OSError):
                stream.close()
        for descriptor in (self._report, self._info, self._pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        _dying.append((self._popen, self._first[1]))
        bury(DYING)
        self._room.leave()

    @property
    def memory(self) -> int:
        """The most memory it has used so far, in bytes; 0 once it is gone."""
        return self.meter.use().peak

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

    def _write(self, line: bytes, turn: Turn) -> None:
        while line:
            self._wait(self._stdin.fileno(), select.POLLOUT, turn)
            try:
                line = line[os.write(self._stdin.fileno(), line) :]
            except BrokenPipeError:
                raise self._ended("closed its standard input") from None

    def _line(self, turn: Turn) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > self.limits.reply:
                break
            self._wait(self._stdout.fileno(), select.POLLIN, turn)
            more = os.read(self._stdout.fileno(), 1 << 16)
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

    def _wait(self, descriptor: int, event: int, turn: Turn) -> None:
        """Until a pipe is ready, and see to it meanwhile that the bot stays within its limits, one core's time included.

        Raises `TimeoutError` when its time is up, and `BotFault`.
        """
        poll = select.poll()
        poll.register(descriptor, event)
        while (left := turn.left) > 0:
            if poll.poll(1000 * min(TICK, left)):
                return
            self._inspect()
            ahead = turn.cpu - turn.wall - BURST
            if ahead > 0:
                _signal(self._pidfd, signal.SIGSTOP)
                answered = poll.poll(1000 * ahead)
                _signal(self._pidfd, signal.SIGCONT)
                if answered:
                    return
        raise TimeoutError

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
            self.meter.pid = pid

    def _find_first(self) -> None:
        """Get hold of the first process in the bot's namespace, which bubblewrap names at once."""
        told = b""
        deadline = monotonic() + DYING
        while self._first[0] == 0 and b"}" not in told and _readable(self._info, deadline):
            more = os.read(self._info, 1 << 10)
            if not more:
                return
            told += more
        if b"}" in told:
            first = int(json.loads(told)["child-pid"])
            with suppress(OSError):
                self._first = (first, os.pidfd_open(first))

    def _go(self) -> None:
        self._find()
        ran = self.meter.cpu - self._halted
        if ran > STOPPING:
            raise BotFault(
                verdicts.TIMEOUT,
                f"it computed for {ran:.2f} s after its answer, when it was stopped",
            )
        _signal(self._pidfd, signal.SIGCONT)

    def _stop(self) -> None:
        _signal(self._pidfd, signal.SIGSTOP)
        self._halted = self.meter.cpu

    def _inspect(self) -> None:
        """Raises `BotFault` if it uses more than it may, as far as the kernel does not see to that."""
        use, limits = self.meter.use(), self.limits
        if use.threads > limits.threads:
            raise BotFault(verdicts.CRASH, f"more than {limits.threads} threads")
        if use.memory > limits.memory + limits.scratch:
            raise BotFault(verdicts.MEMORY_LIMIT, f"{use.memory >> 20} MB in memory")
        if excess := self._room.excess(limits.scratch, limits.files):
            raise BotFault(verdicts.OUTPUT_LIMIT, excess)
        self._check_errors()

    def _late(self, turn: Turn, allowed: str) -> BotFault:
        """No answer in time: did it compute?"""
        spent = f"no answer within {allowed}; CPU time {turn.cpu:.2f} s, kept from a core {turn.kept:.2f} s"
        computed = turn.cpu >= (turn.wall - turn.kept) / 2
        return BotFault(verdicts.TIMEOUT if computed else verdicts.STALL, spent)

    def _ended(self, did: str) -> BotFault:
        """A pipe is closed: has the process ended, and how?"""
        code = self._exit_code()
        if code is None:
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
        kind = Killed if code == -signal.SIGKILL else BotFault
        return kind(verdicts.CRASH, detail)

    def _exit_code(self) -> int | None:
        """What it ended with, now that a pipe is closed; None if it lives on. Its pipes are closed before it has ended, and
        where others have the cores that takes as long as they like: so what counts is whether it waits for a core."""
        end, ran = monotonic() + LAUNCH, self.meter.cpu
        while True:
            with suppress(subprocess.TimeoutExpired):
                return self._popen.wait(ENDING)
            lives = self._pidfd >= 0 and not _readable(self._pidfd, 0.0)
            if lives and (not self.meter.ready() or self.meter.cpu - ran > STOPPING):
                return None
            if monotonic() > end:
                return None

    def _check_errors(self) -> None:
        if os.fstat(self._errors.fileno()).st_size >= self.limits.file_size:
            raise BotFault(
                verdicts.OUTPUT_LIMIT, f"more than {self.limits.file_size} bytes on stderr"
            )


_dying: list[tuple[subprocess.Popen[bytes], int]] = []


def bury(seconds: float) -> None:
    """Wait for the end of processes that were killed, and of the first in their namespaces, children by adoption; for so
    long at most. Those that have not ended by then are left to the next time."""
    deadline = monotonic() + seconds
    for popen, first in _dying.copy():
        with suppress(subprocess.TimeoutExpired):
            popen.wait(max(0.0, deadline - monotonic()))
            if first >= 0:
                if not _readable(first, deadline):
                    continue
                with suppress(ChildProcessError):
                    os.waitid(os.P_PIDFD, first, os.WEXITED)
                os.close(first)
            _dying.remove((popen, first))


def _readable(descriptor: int, deadline: float) -> bool:
    """Whether there is something to be read, or the end of it, in time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, deadline - monotonic()) * 1000))


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
