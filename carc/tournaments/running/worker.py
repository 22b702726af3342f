"""One process of a pool: what it is told, what it says, and how it ends."""

import faulthandler
import gc
import inspect
import logging
import multiprocessing
import os
import pickle
import select
import signal
import socket
import stat
import sys
import traceback
import warnings
from collections import deque
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic, sleep
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

from carc.tournaments.players import player, shown
from carc.tournaments.players.forks import bind_forks, die_with
from carc.tournaments.players.player import Mover
from carc.tournaments.players.shown import Screen
from carc.tournaments.running.log import Log

_fork = multiprocessing.get_context("fork" if sys.platform != "win32" else None)

LINES_PATIENCE = 10.0  # seconds to wait for the last lines of a worker's log
KILLED_PATIENCE = 1.0  # of a killed one's
ITEM, ANSWER, FAILURE = range(3)  # what a worker says
LULL = (
    0.005  # seconds from an item to the next look: it finds several that come in hundreds a second
)
SIZE = 8  # bytes that say how long a message is
CHUNK = 1 << 18  # bytes to read at a time: as many as a pipe holds
PAUSE = 2.0  # seconds without a look, after which this process itself stood still
POLL = 0.5  # seconds between two looks at whether a silent worker lives
EXIT_PATIENCE = 5.0  # seconds for a process whose pipe is closed to end
EXIT_POLL = 0.002


class WorkerDied(Exception):
    """The process died while it was at the task; the message says of what.

    `seat` is that of the bot that ran inside it at the time. None if none did, or if it is not
    certainly the bot's doing, as when somebody killed the process.
    """

    def __init__(self, message: str, seat: int | None = None) -> None:
        super().__init__(message)
        self.seat = seat


class WorkerStalled(WorkerDied):
    """The process was at the task for too long and was killed."""


class TaskLost(WorkerDied):
    """The task was lost, and nobody knows how much of it was begun."""


class _Inbox:
    """The messages of a process, read as much at a time as there is."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._come = bytearray()

    def take(self) -> list[tuple[int, Any]]:
        """Return the messages that came since, perhaps none that is complete.

        Raises `EOFError` if no more will come.
        """
        more = os.read(self._pipe.fileno(), CHUNK)
        if not more:
            raise EOFError
        self._come += more
        messages, at = [], 0
        while (begin := at + SIZE) <= len(self._come):
            end = begin + int.from_bytes(self._come[at:begin])
            if end > len(self._come):
                break
            messages.append(pickle.loads(self._come[begin:end]))
            at = end
        del self._come[:at]
        return messages


def _say(pipe: Connection, kind: int, answer: Any) -> None:
    """Send a message to an `_Inbox` in one piece: games may end in hundreds a second."""
    text = pickle.dumps((kind, answer))
    left = memoryview(len(text).to_bytes(SIZE) + text)
    while left:
        left = left[os.write(pipe.fileno(), left) :]


class Worker:
    """One process and the pipe to it."""

    def __init__(self, log: Log | None, others: list[Connection]) -> None:
        self.pipe, far = _fork.Pipe()
        self._inbox = _Inbox(self.pipe)
        self._poll = select.poll()  # `Connection.poll` makes one each time
        self._poll.register(self.pipe, select.POLLIN)
        self._channel = None if log is None else log.channel()
        voice = None if log is None or self._channel is None else (self._channel, str(log.path))
        self._mover = Mover()
        self.screen = Screen()
        self.process = _fork.Process(
            target=_work,
            args=(far, [*others, self.pipe], (self._mover, self.screen), voice, os.getpid()),
        )
        with warnings.catch_warnings():
            # Python 3.12 warns of a fork beside threads. These hold no lock that a worker takes:
            # the runner may be in SQLite, which no worker uses.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        far.close()

    def ask(self, call: Any, limit: float, items: deque[Any]) -> tuple[bool, Any]:
        """Send a task, and return whether it was done, with its answer or its traceback.

        The answer, and each item before it, is awaited for `limit` seconds at most. Raises
        `WorkerDied` if the process died, or took too long.
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
                # If it left a child behind, the pipe does not say that it died.
                if not self.process.is_alive() and not self._poll.poll(0):
                    raise EOFError
                if looked > end:
                    self.process.kill()
                    raise WorkerStalled(
                        f"worker {self.process.pid} gave no answer within {limit:g} s "
                        "and was killed"
                    )
        except (EOFError, ConnectionError):
            code = self._exit_code()
            is_own_end = code not in (-signal.SIGKILL, -signal.SIGTERM)
            seat = self._mover.seat if is_own_end else None
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

    def reap(self, log: Log | None, killed: bool) -> None:
        """Make sure that the process is gone, and close its log."""
        self.process.kill()
        self.process.join()
        if log is not None and self._channel is not None:
            log.retire(self._channel, KILLED_PATIENCE if killed else LINES_PATIENCE)


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"exited with code {code}"


def _work(
    pipe: Connection,
    others: list[Connection],
    shared: tuple[Mover, Screen],
    voice: tuple[MultiProcessingHandler, str] | None,
    parent: int,
) -> None:
    """Do tasks until told to leave, or until the other end is gone: the life of one process.

    Args:
        pipe: To the parent.
        others: Ends of other workers' pipes, to be closed.
        shared: Where the seat that is to move is noted, and where games are shown.
        voice: Where it logs, and the file that gets what it prints.
        parent: The parent's process id.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(parent)
    gc.freeze()  # what is there stays: games make garbage enough to look through
    home = os.getpid()
    _serve_nobody()
    bind_forks()
    for other in others:
        other.close()
    logging.getLogger().handlers = []
    if voice is not None:
        channel, path = voice
        _speak_into(path)
        logging.getLogger().handlers = [channel]
    player.mover, shown.screen = shared
    _serve(pipe, home)


def _serve_nobody() -> None:
    """Let go of the connections that the parent serves, or they would live on when it ends them.

    Their descriptors stay taken: objects that were copied with this process know them.
    """
    if sys.platform == "win32":  # where nothing is inherited
        return
    null = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):  # noqa: PTH208
        with suppress(OSError):
            number = int(name)
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                with socket.socket(fileno=os.dup(number)) as inherited:
                    if inherited.getsockname():  # the pools' pipes have none
                        os.dup2(null, number)
    os.close(null)


def _serve(pipe: Connection, home: int) -> None:
    """Do tasks in the process of this id."""

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
    # Open while the process lives.
    file = open(log, "a", buffering=1, encoding="utf-8")  # noqa: SIM115, PTH123
    for descriptor in (1, 2):
        os.dup2(file.fileno(), descriptor)
    sys.stdout = sys.stderr = file
    faulthandler.enable(file)
