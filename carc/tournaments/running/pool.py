"""A small pool of processes that survives the death of any of them.

`concurrent.futures.ProcessPoolExecutor` fails every pending task when one process dies. Here each
process has a thread of its own that gives it one task after another. A task whose process dies
fails alone, and the next is given to a new process. What a task has made so far is not lost with
it: a generator's items arrive one by one.
"""

import logging
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from math import inf
from typing import Any, ParamSpec, TypeVar

from carc.errors import CarcError
from carc.tournaments.running.log import Log
from carc.tournaments.running.worker import TaskLost, Worker, WorkerDied, WorkerStalled

with suppress(ImportError):  # as on Windows, where there are no tournaments
    import resource

__all__ = ["LocalPool", "Task", "TaskLost", "WorkerDied", "WorkerStalled", "cores"]

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)

# Open at once: of a game with five isolated bots, one of whose scratch folders is looked at, 32
# folders deep; and of the channels to each process.
FILES, FILES_A_JOB = 160, 8


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    killed. Raises `CarcError` if too few files may be open at once.
    """

    def __init__(self, jobs: int, log: Log | None = None, limit: float = inf) -> None:
        _allow_files(FILES + FILES_A_JOB * jobs, jobs)
        self.jobs = jobs
        self._log = log
        self._limit = limit
        self._tasks: queue.SimpleQueue[tuple[Task[Any], Any] | None] = queue.SimpleQueue()
        self._hiring = threading.Lock()
        self._workers: list[Worker] = []
        self._closed = False
        self._killed = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"worker {number}", daemon=True)
            for number in range(jobs)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def workers(self) -> int:
        """How many processes there are now."""
        return len(self._workers)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Task[T]:
        """Submit a task, as in `concurrent.futures.Executor`.

        The function and its arguments are pickled. The result of a generator is None.
        """
        if self._closed:
            raise RuntimeError("the pool is shut down")
        future: Task[T] = Task()
        self._tasks.put((future, (fn, args, kwargs)))
        return future

    def actions(self, game: str) -> list[str]:
        """Return the actions so far of a game that a process shows; none if none does."""
        with self._hiring:
            screens = [worker.screen for worker in self._workers]
        return next((found for each in screens if (found := each.actions(game)) is not None), [])

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

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
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
        worker: Worker | None = None
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
            except Exception as error:  # noqa: BLE001 (such as one that cannot be pickled)
                future.set_exception(error)
            else:
                if answered:
                    future.set_result(answer)
                else:
                    future.set_exception(RuntimeError(answer))
        if worker is not None:
            worker.dismiss()
            self._leave(worker, killed=False)

    def _replace(self, dead: "Worker | None") -> "Worker":
        if dead is not None:
            self._leave(dead, killed=True)
        with self._hiring:  # one fork at a time, so that no process holds another's end of a pipe
            if self._killed:
                raise WorkerDied("the pool was killed")
            worker = Worker(self._log, [other.pipe for other in self._workers])
            self._workers.append(worker)
        return worker

    def _leave(self, worker: "Worker", killed: bool) -> None:
        with self._hiring:
            self._workers.remove(worker)
            worker.pipe.close()
        worker.reap(self._log, killed)


def _allow_files(wanted: int, jobs: int) -> None:
    """Allow so many files to be open at once, or raise `CarcError`."""
    if sys.platform == "win32":
        return  # where there is no such limit
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY in (allowed, most) or allowed >= wanted:
        return
    if most < wanted:
        fewer = ", or take fewer with --jobs" if jobs > 1 else ""
        raise CarcError(
            f"{most} files may be open at once here, and so many processes want {wanted}: "
            f"allow it with `ulimit -n {wanted}`{fewer}"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
