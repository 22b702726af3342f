"""A small pool of processes that survives the death of any of them.

`concurrent.futures.ProcessPoolExecutor` fails every pending task when one process dies. Here each
process has a thread of its own that gives it one task after another. A task whose process dies
fails alone, and the next is given to a new process. What a task has made so far is not lost with
it: a generator's items arrive one by one.
"""

import faulthandler
import gc
import inspect
import logging
import multiprocessing
import os
import pickle
import queue
import select
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from time import monotonic, sleep
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from multiprocessing_logging import MultiProcessingHandler

from carc.errors import CarcError
from carc.tournaments import player
from carc.tournaments.forks import bind_forks, die_with
from carc.tournaments.log import Log
from carc.tournaments.player import Mover

with suppress(ImportError):  # as on Windows, where there are no tournaments
    import resource

P = ParamSpec("P")
T = TypeVar("T")

_fork = multiprocessing.get_context("fork" if sys.platform != "win32" else None)
_log = logging.getLogger(__name__)

LINES_PATIENCE = 10.0  # seconds to wait for the last lines of a worker's log
KILLED_PATIENCE = 1.0  # of a killed one's
ITEM, ANSWER, FAILURE = range(3)  # what a worker says
LULL = 0.005  # seconds from an item to the next look: where they come in hundreds a second, it finds several
SIZE = 8  # bytes that say how long a message is
CHUNK = 1 << 18  # bytes to read at a time: as many as a pipe holds
PAUSE = 2.0  # seconds without a look, after which this process itself stood still
POLL = 0.5  # seconds between two looks at whether a silent worker lives
EXIT_PATIENCE = 5.0  # seconds for a process whose pipe is closed to end
EXIT_POLL = 0.002
FILES, FILES_A_JOB = (
    64,
    8,
)  # open at once: of a game with five isolated bots, and of the channels to each process


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerDied(Exception):
    """The process died while it was at the task; the message says of what.

    Attributes:
        seat: The seat of the bot that ran inside it at the time. None if none did, or if it is
            not certainly the bot's doing, as when somebody killed the process.
    """

    def __init__(self, message: str, seat: int | None = None) -> None:
        super().__init__(message)
        self.seat = seat


class WorkerStalled(WorkerDied):
    """The process was at the task for too long and was killed."""


class TaskLost(WorkerDied):
    """The task was lost, and nobody knows how much of it was begun."""


class Task(Future[T]):
    """A future that holds what a generator yields before it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.items: deque[Any] = deque()
        """The items, the oldest first; take them from the left at any time."""


class LocalPool(Executor):
    """Runs tasks in `jobs` processes forked from this one.

    A task's exception arrives as `RuntimeError` with the traceback's text. A task that takes longer
    than `limit` seconds, or a generator that yields nothing for so long, fails with
    `WorkerStalled`; one whose process dies fails with `WorkerDied`. Nothing is tried again here.
    Interrupts (SIGINT) are left to this process. On Linux the processes die with it, even if it is
    killed.

    Raises:
        CarcError: Too few files may be open at once.
    """

    def __init__(self, jobs: int, log: Log | None = None, limit: float = inf) -> None:
        _allow_files(FILES + FILES_A_JOB * jobs, jobs)
        self.jobs = jobs
        self._log = log
        self._limit = limit
        self._tasks: queue.SimpleQueue[tuple[Task[Any], Any] | None] = queue.SimpleQueue()
        self._hiring = threading.Lock()
        self._workers: list[_Worker] = []
        self._closed = False
        self._killed = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"worker {number}", daemon=True)
            for number in range(jobs)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Task[T]:
        """Submit a task, as in `concurrent.futures.Executor`.

        The function and its arguments are pickled. The result of a generator is None.
        """
        if self._closed:
            raise RuntimeError("the pool is shut down")
        future: Task[T] = Task()
        self._tasks.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down, as in `concurrent.futures.Executor`."""
        if cancel_futures:
            self._cancel()
        if not self._closed:
            self._closed = True
            for _ in self._threads:
                self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """End at once: cancel tasks not begun; those under way fail with `WorkerDied`."""
        self._killed = True
        self._cancel()
        with self._hiring:
            for worker in self._workers:
                worker.process.kill()
        self.shutdown()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Wait for what is under way, unless something went wrong, such as Ctrl-C."""
        if kind is not None:
            self.kill()
        self.shutdown()

    def _cancel(self) -> None:
        try:
            while True:
                task = self._tasks.get_nowait()
                if task is None:
                    self._tasks.put(None)  # shut down already: the threads' signal to leave
                    return
                task[0].cancel()
        except queue.Empty:
            return

    def _serve(self) -> None:
        """Give a process tasks, and replace it when it dies: the life of one thread."""
        worker: _Worker | None = None
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if worker is None or not worker.process.is_alive():
                    worker = self._replace(worker)
                answered, answer = worker.ask(call, self._limit, future.items)
            except WorkerDied as death:
                if worker is not None:
                    self._leave(worker, killed=True)
                    worker = None
                if not self._killed:
                    _log.warning("%s", death)
                future.set_exception(death)
            except Exception as error:  # noqa: BLE001 (such as a task that cannot be pickled: the caller's to hear)
                future.set_exception(error)
            else:
                if answered:
                    future.set_result(answer)
                else:
                    future.set_exception(RuntimeError(answer))
        if worker is not None:
            worker.dismiss()
            self._leave(worker, killed=False)

    def _replace(self, dead: "_Worker | None") -> "_Worker":
        if dead is not None:
            self._leave(dead, killed=True)
        with self._hiring:  # one fork at a time, so that no process holds another's end of a pipe
            if self._killed:
                raise WorkerDied("the pool was killed")
            worker = _Worker(self._log, [other.pipe for other in self._workers])
            self._workers.append(worker)
        return worker

    def _leave(self, worker: "_Worker", killed: bool) -> None:
        with self._hiring:
            self._workers.remove(worker)
            worker.pipe.close()
        worker.bury(self._log, killed)


class _Inbox:
    """The messages of a process, read as much at a time as there is."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._come = bytearray()

    def take(self) -> list[tuple[int, Any]]:
        """Return the messages that came since, perhaps none that is complete.

        Raises:
            EOFError: No more will come.
        """
        more = os.read(self._pipe.fileno(), CHUNK)
        if not more:
            raise EOFError
        self._come += more
        found, at = [], 0
        while (begin := at + SIZE) <= len(self._come):
            end = begin + int.from_bytes(self._come[at:begin])
            if end > len(self._come):
                break
            found.append(pickle.loads(self._come[begin:end]))
            at = end
        del self._come[:at]
        return found


def _say(pipe: Connection, kind: int, answer: Any) -> None:
    """Send a message to an `_Inbox` in one piece: games may end in hundreds a second."""
    text = pickle.dumps((kind, answer))
    left = memoryview(len(text).to_bytes(SIZE) + text)
    while left:
        left = left[os.write(pipe.fileno(), left) :]


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, log: Log | None, others: list[Connection]) -> None:
        self.pipe, far = _fork.Pipe()
        self._inbox = _Inbox(self.pipe)
        self._poll = select.poll()  # `Connection.poll` makes one each time
        self._poll.register(self.pipe, select.POLLIN)
        self._channel = None if log is None else log.channel()
        voice = None if log is None or self._channel is None else (self._channel, str(log.path))
        self._mover = Mover()
        self.process = _fork.Process(
            target=_work,
            args=(far, [*others, self.pipe], self._mover, voice, os.getpid()),
        )
        with warnings.catch_warnings():
            # Python 3.12 warns of a fork beside threads. The threads here hold no lock that a worker takes.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        far.close()

    def ask(self, call: Any, limit: float, items: deque[Any]) -> tuple[bool, Any]:
        """Send a task; wait for the answer, and for each item before it, for `limit` seconds at
        most.
        """
        try:
            self.pipe.send(call)
            looked = monotonic()
            end = looked + limit
            while True:
                came = self._poll.poll(1000 * min(POLL, max(0.0, end - looked)))
                before, looked = looked, monotonic()
                if came:
                    for kind, answer in self._inbox.take():
                        if kind != ITEM:
                            return kind == ANSWER, answer
                        items.append(answer)
                        end = looked + limit
                    if not self._poll.poll(0):
                        sleep(LULL)
                    continue
                # From look to look: it may have stood still at any point between.
                stood = looked - before - POLL
                if stood > PAUSE:  # this process did; the time is not the task's
                    end += stood
                # A look at the process now and then: if it left a child behind, the pipe does not say that it died.
                if not self.process.is_alive() and not self._poll.poll(0):
                    raise EOFError
                if looked > end:
                    self.process.kill()
                    raise WorkerStalled(
                        f"worker {self.process.pid} gave no answer within {limit:g} s and was killed"
                    )
        except (EOFError, ConnectionError):
            code = self._exit_code()
            told = code not in (-signal.SIGKILL, -signal.SIGTERM)
            seat = self._mover.seat if told else None
            raise WorkerDied(f"worker {self.process.pid} {_cause(code)}", seat) from None

    def _exit_code(self) -> int | None:
        """Return the exit code of the process; None if it lives though its pipe is closed.

        Starting another worker collects dead ones too (`multiprocessing.active_children`); while
        its thread does so nobody else can tell the code, so it is asked for again.
        """
        end = monotonic() + EXIT_PATIENCE
        while (code := self.process.exitcode) is None and monotonic() < end:
            sleep(EXIT_POLL)
        return code

    def dismiss(self) -> None:
        """Tell the process to leave, and wait until it has written its log."""
        try:
            self.pipe.send(None)
        except ConnectionError:
            return
        self.process.join(LINES_PATIENCE)

    def bury(self, log: Log | None, killed: bool) -> None:
        """Make sure that the process is gone, and close its log."""
        self.process.kill()
        self.process.join()
        if log is not None and self._channel is not None:
            log.retire(self._channel, KILLED_PATIENCE if killed else LINES_PATIENCE)


def _allow_files(wanted: int, jobs: int) -> None:
    """Allow so many files to be open at once.

    Raises:
        CarcError: The system does not allow it.
    """
    if sys.platform == "win32":
        return  # where there is no such limit
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY in (allowed, most) or allowed >= wanted:
        return
    if most < wanted:
        fewer = ", or take fewer with --jobs" if jobs > 1 else ""
        raise CarcError(
            f"{most} files may be open at once here, and so many processes want {wanted}: allow it with "
            f"`ulimit -n {wanted}`{fewer}"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"exited with code {code}"


def _work(
    pipe: Connection,
    others: list[Connection],
    mover: Mover,
    voice: tuple[MultiProcessingHandler, str] | None,
    parent: int,
) -> None:
    """Do tasks until told to leave, or until the other end is gone: the life of one process.

    Args:
        pipe: To the parent.
        others: Ends of other workers' pipes, to be closed.
        mover: Where the seat that is to move is noted.
        voice: Where it logs, and the file that gets what it prints.
        parent: The parent's process id.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(parent)
    gc.freeze()  # what is there stays: games make garbage enough to look through
    home = os.getpid()
    bind_forks()
    for other in others:
        other.close()
    logging.getLogger().handlers = []
    if voice is not None:
        channel, path = voice
        _speak_into(path)
        logging.getLogger().handlers = [channel]
    player.mover = mover

    def say(kind: int, answer: Any) -> None:
        if os.getpid() != home:  # a bot forked, and this is the copy
            os._exit(0)
        _say(pipe, kind, answer)

    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        if task is None:
            return
        fn, args, kwargs = task
        try:
            answer = fn(*args, **kwargs)
            if inspect.isgenerator(answer):
                for item in answer:
                    say(ITEM, item)
                answer = None
        except Exception:  # noqa: BLE001 (the task's, for the one who gave it)
            say(FAILURE, traceback.format_exc())
        else:
            say(ANSWER, answer)


def _speak_into(log: str) -> None:
    """Send what is printed here, by C code and crashes too, to the log, not the progress bar."""
    file = open(log, "a", buffering=1, encoding="utf-8")  # noqa: SIM115, PTH123 (open while the process lives)
    for descriptor in (1, 2):
        os.dup2(file.fileno(), descriptor)
    sys.stdout = sys.stderr = file
    faulthandler.enable(file)
