"""The runner's end of a bot's process: its pipes, its clock, and its verdict when it goes wrong."""

import logging
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from time import monotonic
from typing import Final

import attrs

from carc.escape import quote_start
from carc.match import BotFault
from carc.tournaments.isolation import control_group, reaping, rooms, sandbox
from carc.tournaments.isolation.exit_verdict import fault_of
from carc.tournaments.isolation.handle import Handle
from carc.tournaments.isolation.meter import TICK, Turn
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.stderr import Stderr
from carc.tournaments.outcomes import remedies, verdicts
from carc.tournaments.outcomes.stages import Cause, HostFailure

_log = logging.getLogger(__name__)

LAUNCH: Final = 30.0  # seconds for the sandbox to come about, on a very busy machine
DYING: Final = 2.0  # seconds for a process that was told to end, or was killed, to be gone
ENDING: Final = 0.5  # seconds for one whose pipe is closed to end, if it has a core
LEAVE: Final = 0.1  # seconds for a bot to end by itself when its game is over
PAUSE: Final = 0.05  # seconds by which a look at the bot is late, from which on no bot pays for it
NOTED: Final = 0.5  # seconds of these that are worth a line in the log
BURST: Final = 0.1  # seconds of CPU time that a bot may be ahead of the time of one core
STOPPING: Final = 0.2  # seconds of CPU time that may pass before a process stops when told to


class Process:
    """A bot's program, running for one game; it is stopped whenever nothing is asked of it.

    Start it from a thread that lives as long as it: on Linux it dies with that thread. Call `close`
    in any case. Raises `HostFailure` if the host could not make the process.
    """

    def __init__(self, program: Program) -> None:
        self.limits = program.limits
        self.begun = monotonic()
        self.wall = self.cpu = 0.0
        """Seconds the last `ask` took: of its time, and of CPU time."""
        self._level = program.level
        self._buffer = b""
        self._halted = float("inf")  # CPU time when it was told to stop
        self._closed = False
        self._looked = (0.0, 0.0)  # time and CPU time at the last look
        with ExitStack() as undo:
            try:
                self._room = rooms.make(program.folder)
            except OSError as error:
                raise HostFailure(Cause.SANDBOX, f"its room could not be made: {error}") from error
            undo.callback(self._room.leave)
            if program.folder is not None:
                program = attrs.evolve(program, folder=self._room.path / "bot")
            try:
                self._group = control_group.make(self.limits)
                undo.callback(self._group.remove)
                self._start(program, undo)
            except OSError as error:
                raise HostFailure(Cause.SANDBOX, f"no process could be made: {error}") from error
            undo.pop_all()

    def _start(self, program: Program, undo: ExitStack) -> None:
        """Start the program with its pipes; what fails half-way is undone."""
        with ExitStack() as far:  # the bot's ends of the pipes
            self._errors = Stderr(self.limits.file_size)
            undo.callback(self._errors.close)
            far.callback(self._errors.close_writer)
            self._report, report = os.pipe()
            undo.callback(os.close, self._report)
            far.callback(os.close, report)
            self._info, info = os.pipe()
            undo.callback(os.close, self._info)
            far.callback(os.close, info)
            self._popen = self._started(program, report, info)
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._stdin, self._stdout = self._popen.stdin, self._popen.stdout
        undo.callback(self._bury, ())
        undo.callback(self._kill)
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)
        self.handle = Handle(self._popen.pid, self._info)
        self.meter = self.handle.meter

    def _started(self, program: Program, report: int, info: int) -> subprocess.Popen[bytes]:
        if program.level != "process":
            reaping.adopt_orphans()
        return subprocess.Popen(
            self._group.entered(sandbox.start(program, self._room.path, report, info)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors.writer,
            bufsize=0,
            cwd="/",
            env={},
            pass_fds=(report, info),
            start_new_session=True,
        )

    # -- talking ----------------------------------------------------------------------------------

    def launched(self) -> None:
        """Wait until the bot's own command runs; until then none of the bot's code does.

        Raises `HostFailure` if the sandbox did not come about, `BotFault` if the command cannot
        run.
        """
        said = b""
        if reaping.closed(self._report, self.begun + LAUNCH):
            said = os.read(self._report, 1 << 16)
        if said == b"+":
            return
        self._await_end(DYING)
        if said.startswith(b"+!"):
            words = said[2:].decode(errors="replace")
            raise HostFailure(Cause.SANDBOX, f"its command could not be executed: {words}")
        if said.startswith(b"+"):
            raise BotFault(verdicts.FAILED_TO_START, said[1:].decode(errors="replace"))
        why = said.decode(errors="replace") or self.stderr.strip() or "it was not ready in time"
        raise HostFailure(Cause.SANDBOX, f"isolation {self._level!r} did not come about: {why}")

    def ask(self, line: bytes, seconds: float, allowed: str) -> bytes:
        """Send a line and return the line that answers it.

        Args:
            line: What to send.
            seconds: The time it has.
            allowed: The same in words, for the verdict.

        Raises:
            BotFault: It did not answer, or did what it may not.
        """
        self._go()
        if self._buffer or self._unasked():
            raise BotFault(verdicts.MALFORMED, remedies.unasked(self._buffer))
        turn = self._turn(seconds)
        try:
            self._write(line, turn)
            answer = self._line(turn)
            self._look(turn)
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
        """Send a line that wants no answer, if the bot still listens, and let it end by itself."""
        with suppress(BotFault, TimeoutError):
            self._go()
            self._write(line, self._turn(LEAVE))
        with suppress(OSError):
            self._stdin.close()
        self._await_end(LEAVE)

    def close(self, why: str = "") -> None:
        """Kill whatever is left of it, untold why. What takes long goes on later; never raises."""
        if self._closed:
            return
        self._closed = True
        # The namespace's first process takes all others along. Whoever made the namespace is killed
        # before it could wait for it, and leaves it to this process, as its subreaper.
        self.handle.kill_all()
        self._kill()
        self._errors.drain()
        self._errors.close()
        for descriptor in (self._report, self._info):
            os.close(descriptor)
        self._bury(self.handle.close())
        self._room.leave()

    def _kill(self) -> None:
        """Kill the process that was started, and its group.

        Killed while it makes its namespace, bubblewrap leaves a child that waits for ever.
        """
        # Nobody has waited for it yet, so its id is still its own.
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()

    def _bury(self, ends: Sequence[int]) -> None:
        """Close its pipes and wait for its end, and for those of these descriptors."""
        for stream in (self._stdin, self._stdout):
            with suppress(OSError):
                stream.close()
        reaping.add(self._popen, ends, self._group)
        reaping.reap(DYING)

    @property
    def memory(self) -> int:
        """The most memory it has used so far, in bytes; 0 once it is gone."""
        return self.meter.use().peak

    @property
    def stderr(self) -> str:
        """What it wrote to stderr: the beginning and the end of it."""
        self._errors.drain()
        return self._errors.text

    # -- pipes ------------------------------------------------------------------------------------

    def _write(self, line: bytes, turn: Turn) -> None:
        while line:
            self._wait(self._stdin.fileno(), select.POLLOUT, turn)
            try:
                line = line[os.write(self._stdin.fileno(), line) :]
            except BlockingIOError:
                continue  # it filled its own input meanwhile
            except BrokenPipeError:
                raise self._ended("closed its standard input") from None

    def _line(self, turn: Turn) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > self.limits.reply:
                break
            self._wait(self._stdout.fileno(), select.POLLIN, turn)
            try:
                more = os.read(self._stdout.fileno(), 1 << 16)
            except BlockingIOError:
                continue  # it read its own output meanwhile
            if not more:
                raise self._ended("closed its standard output")
            self._buffer += more
        line, newline, rest = self._buffer.partition(b"\n")
        if len(line) > self.limits.reply or not newline:
            why = f"a line of more than {self.limits.reply} bytes: {quote_start(line)}"
            raise BotFault(verdicts.OUTPUT_LIMIT, why)
        self._buffer = rest
        return line

    def _wait(self, descriptor: int, event: int, turn: Turn) -> None:
        """Wait until a pipe is ready; see to it that the bot stays within its limits meanwhile.

        Raises `TimeoutError` if its time is up, `BotFault` if it uses more than it may.
        """
        poll = select.poll()
        poll.register(descriptor, event)
        if self._errors.open:
            poll.register(self._errors, select.POLLIN)
        while (left := turn.left) > 0:
            if self._polled(poll, descriptor, min(TICK, left), turn):
                return
            ahead = turn.cpu - turn.wall - BURST
            if ahead > 0:
                self.handle.send(signal.SIGSTOP)
                answered = self._polled(poll, descriptor, ahead, turn)
                self.handle.send(signal.SIGCONT)
                if answered:
                    return
        raise TimeoutError

    def _polled(self, poll: select.poll, descriptor: int, seconds: float, turn: Turn) -> bool:
        """Return whether a pipe is ready in so many seconds; empty stderr, inspect otherwise."""
        ready = [number for number, _ in poll.poll(1000 * seconds)]
        self._look(turn, seconds)
        if self._errors.open and self._errors.fileno() in ready:
            number = self._errors.fileno()
            self._errors.drain()
            self._check_errors()
            if not self._errors.open:
                poll.unregister(number)
        if not ready:
            self._inspect()
        return descriptor in ready

    def _turn(self, seconds: float) -> Turn:
        self._looked = (monotonic(), self.meter.cpu)
        return Turn(self.meter, seconds)

    def _look(self, turn: Turn, waited: float = 0.0) -> None:
        """Take out of a turn the time that this process itself stood still since the last look.

        Between the two it was to wait so many seconds.
        """
        now, cpu = monotonic(), self.meter.cpu
        before, cpu_before = self._looked
        late = now - before - waited
        if late > NOTED:
            _log.warning("all stood still for %.1f s, which no bot pays for", late)
        if late > PAUSE:
            turn.pause(late, cpu - cpu_before)
        self._looked = (now, cpu)

    def _unasked(self) -> bool:
        try:
            self._buffer += os.read(self._stdout.fileno(), 1 << 16)
        except BlockingIOError:
            return False
        return bool(self._buffer)

    # -- the process ------------------------------------------------------------------------------

    def _go(self) -> None:
        self.handle.find()
        ran = self.meter.cpu - self._halted
        if ran > STOPPING:
            why = f"it computed for {ran:.2f} s after its answer, when it was stopped"
            raise BotFault(verdicts.TIMEOUT, why)
        self.handle.send(signal.SIGCONT)

    def _stop(self) -> None:
        self.handle.send(signal.SIGSTOP)
        self._halted = self.meter.cpu

    def _inspect(self) -> None:
        """Raise `BotFault` if it uses more than it may, where the kernel does not see to that."""
        use, limits = self.meter.use(), self.limits
        if use.threads > limits.threads:
            raise BotFault(verdicts.CRASH, f"more than {limits.threads} threads")
        if use.memory > limits.memory + limits.scratch:
            raise BotFault(verdicts.MEMORY_LIMIT, f"{use.memory >> 20} MB in memory")
        # With own mounts its scratch folder cannot be seen from here, and has a limit of its own.
        shown = self.handle.first < 0
        if shown and (excess := self._room.excess(limits.scratch, limits.files)):
            raise BotFault(verdicts.OUTPUT_LIMIT, excess)
        self._check_errors()

    def _check_errors(self) -> None:
        if self._errors.is_too_long:
            most = self.limits.file_size
            raise BotFault(verdicts.OUTPUT_LIMIT, f"more than {most} bytes on stderr")

    def _late(self, turn: Turn, allowed: str) -> BotFault:
        """Return the fault of a bot without an answer in time: did it compute?"""
        spent = f"CPU time {turn.cpu:.2f} s, kept from a core {turn.kept:.2f} s"
        computed = turn.cpu >= (turn.wall - turn.kept) / 2
        verdict, written = verdicts.TIMEOUT, self._buffer
        if not computed:
            verdict = verdicts.STALL
            with suppress(OSError):  # it may have an answer that it did not flush
                self._stdin.close()
                reaping.closed(self._stdout.fileno(), monotonic() + ENDING)
                written += os.read(self._stdout.fileno(), 1 << 16)
        told = f"no answer within {allowed}; {spent}"
        return BotFault(verdict, f"{told}; {remedies.kept_back(written)}" if written else told)

    def _ended(self, did: str) -> BotFault:
        """Return the fault of a bot with a closed pipe: has its process ended, and how?"""
        code = self._exit_code()
        if code is None:
            return BotFault(verdicts.MALFORMED, f"it {did}")
        if self._group.exceeded:
            return BotFault(verdicts.MEMORY_LIMIT, "with what the kernel keeps for it")
        if self.handle.first >= 0 and code > 128:
            code = 128 - code
        return fault_of(code, self.stderr, self._errors.is_too_long)

    def _exit_code(self) -> int | None:
        """Return what it ended with, now that a pipe is closed; None if it lives on.

        Its pipes are closed before it has ended, and where others have the cores that takes as
        long as they like: so what counts is whether it waits for a core.
        """
        end, ran = monotonic() + LAUNCH, self.meter.cpu
        while not self._await_end(ENDING):
            if self.handle.lives and (not self.meter.ready() or self.meter.cpu - ran > STOPPING):
                return None
            if monotonic() > end:
                return None
        # Not waited for: its id must stay its own until `close` has killed its group.
        ended = os.waitid(os.P_PIDFD, self.handle.started, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def _await_end(self, seconds: float) -> bool:
        """Return whether it ends in so many seconds, while its stderr is read."""
        deadline = monotonic() + seconds
        while True:
            poll = select.poll()
            poll.register(self.handle.started, select.POLLIN)
            if self._errors.open and not self._errors.is_too_long:
                poll.register(self._errors, select.POLLIN)
            ready = [number for number, _ in poll.poll(1000 * max(0.0, deadline - monotonic()))]
            self._errors.drain()
            if self.handle.started in ready:
                return True
            if monotonic() >= deadline:
                return False
