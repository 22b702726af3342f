"""Games on a Dask cluster: the local pool's promises on many machines.

On each Dask worker a local pool plays (`carc.tournaments.running.pool`). So a limit is a game's, a
bot that ends its process is named, and only the games under way are lost. When a worker is lost,
Dask gives its task to another one, which refuses it: its deals may have been seen. Bots go to the
workers by their digests.
"""

import asyncio
import logging
import secrets
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from multiprocessing.process import current_process
from pathlib import Path
from time import sleep
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlparse

import attrs
import dask
import distributed
from distributed.diagnostics.plugin import WorkerPlugin

import carc
from carc import Rules
from carc.bots import by_name, class_path
from carc.tournaments.players.remote import REMOTE
from carc.tournaments.running.log import Log
from carc.tournaments.running.pool import LocalPool, Task, TaskLost
from carc.tournaments.schedule import entrants
from carc.tournaments.schedule.class_digest import own_files
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.submission.content import Content, read
from carc.tournaments.submission.registry import Registry

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)

CONNECT = 10.0  # seconds
ASK = 0.05  # seconds to wait for what is there already


@attrs.frozen
class Parcel:
    """What a worker needs to play a tournament."""

    carc_version: str
    rules: tuple[str, ...]
    rules_version: str
    tables: tuple[int, ...]
    contents: tuple[Content, ...]
    """The bots that live in folders."""
    classes: tuple[tuple[str, str], ...]
    """Specs and digests of the bots that are classes."""

    @classmethod
    def of(cls, configuration: Configuration) -> "Parcel":
        """Return what the games of a configuration need."""
        bots = configuration.bots
        return cls(
            carc.__version__,
            configuration.levels or (configuration.rules,),
            configuration.rules_version,
            configuration.tables,
            tuple(
                read(Registry().content(bot.digest), whole=True)
                for bot in bots
                if bot.isolation not in ("none", REMOTE) and not class_path(bot.spec)
            ),
            tuple((bot.spec, bot.digest) for bot in bots if bot.isolation == "none"),
        )

    def unpack(self) -> str:
        """Make this process able to play; return what is in the way, or an empty text."""
        if carc.__version__ != self.carc_version:
            return f"carc {carc.__version__} is installed there, not {self.carc_version}"
        named = (Rules.from_spec(spec, players=n) for spec in self.rules for n in self.tables)
        version = "/".join(sorted({rules.version for rules in named}))
        if version != self.rules_version:
            return (
                f"{', '.join(self.rules)} is of version {version} there, not {self.rules_version}"
            )
        for content in self.contents:
            Registry().keep(content)
        for spec, digest in self.classes:
            if entrants.enter(spec).digest != digest:
                return f"{spec} is another version there"
        return ""


class _Delivery(WorkerPlugin):
    """Unpacks a parcel on every worker, those included that come later."""

    def __init__(self, parcel: Parcel, number: int) -> None:
        self.name = f"carc-{number}"  # takes the place of what is there of that name
        self._parcel = parcel

    def setup(self, worker: Any) -> None:
        why = self._parcel.unpack()
        if why:
            raise BadTournament(f"the worker {worker.address} cannot play: {why}")


class _Placing(WorkerPlugin):
    """Makes a local pool on every worker, those included that come later."""

    name = "carc"

    def __init__(self, limit: float) -> None:
        self._limit = limit

    def setup(self, worker: Any) -> None:
        folder = tempfile.mkdtemp(dir=worker.local_directory)  # Dask clears that away
        worker.carc = _Place(worker.state.nthreads, self._limit, Path(folder))

    def teardown(self, worker: Any) -> None:
        worker.carc.pool.kill()


class _Place:
    """The local pool of a Dask worker and its log."""

    def __init__(self, jobs: int, limit: float, folder: Path) -> None:
        # Dask's processes may have no children otherwise.
        current_process()._config["daemon"] = False  # type: ignore[attr-defined]
        path = folder / "log"
        self.log = Log(path)
        self.pool = LocalPool(jobs, self.log, limit)
        self._file = path.open(encoding="utf-8", errors="replace")
        self._reading = threading.Lock()

    def news(self) -> str:
        """Return what was logged since this was last called."""
        with self._reading:
            return self._file.read()


@attrs.frozen
class _Answer:
    items: list[Any]
    value: Any
    error: Exception | None
    log: str


def _there(
    token: str, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> _Answer:
    """Do a task on a Dask worker.

    Dask gives a task whose worker is lost to another one. Its deals may have been seen by then, so
    a task that was begun before is not done again: it raises `RuntimeError`.
    """
    worker: Any = distributed.get_worker()
    begun = distributed.Variable(token, client=distributed.get_client())
    with suppress(TimeoutError, asyncio.TimeoutError):
        raise RuntimeError(f"its worker {begun.get(timeout=ASK)} was lost")
    begun.set(worker.address)
    place: _Place = worker.carc
    task = place.pool.submit(fn, *args, **kwargs)
    try:
        value, error = task.result(), None
    except Exception as problem:  # noqa: BLE001 (for the one who gave the task)
        value, error = None, problem
    return _Answer(list(task.items), value, error, place.news())


class DaskPool(Executor):
    """Runs tasks on a Dask cluster, or on one of `jobs` processes made here without an address.

    It behaves as `LocalPool`, but the items of a generator arrive when it ends or its process dies.
    Raises `BadTournament` if the cluster is not there, or if its workers cannot play.
    """

    def __init__(
        self, address: str, configuration: Configuration, log: Log, limit: float, jobs: int
    ) -> None:
        self._log = log
        self._cluster: Any = None
        if not address:
            with dask.config.set({"distributed.worker.daemon": False}):
                self._cluster = distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    dashboard_address=None,
                    # Whoever may speak to a scheduler runs programs as its user.
                    security=distributed.Security.temporary(),
                )
        try:
            self.client = distributed.Client(self._cluster or address, timeout=CONNECT)
        except (OSError, TimeoutError) as error:
            raise BadTournament(f"no Dask scheduler answers at {address}: {error}") from None
        self._files = self._files_of(configuration)
        self._plugins: list[WorkerPlugin] = [_Placing(limit)]
        self._pending: dict[Any, Task[Any]] = {}
        self._tokens: dict[Any, str] = {}
        self._jobs = 0  # 0: to be asked for
        try:
            self._prepare()
            self.deliver(configuration)
        except BadTournament:
            self.shutdown()
            raise

    def _prepare(self) -> None:
        """Tell the scheduler what workers need; `BadTournament` if one of them cannot play."""
        for file in self._files:
            self.client.upload_file(file)
        for plugin in self._plugins:
            self.client.register_plugin(plugin)
        self.client.subscribe_topic("all", self._on_event)
        self._jobs = 0

    def deliver(self, configuration: Configuration) -> None:
        """Send all workers, and those that come later, what games of a configuration need.

        Raises `BadTournament` if one of them cannot play.
        """
        delivery = _Delivery(Parcel.of(configuration), len(self._plugins))
        self.client.register_plugin(delivery)
        self._plugins.append(delivery)

    @property
    def jobs(self) -> int:
        """How many tasks all present workers can do at once.

        Raises `BadTournament` if the scheduler is lost and does not come back.
        """
        if self.client.status != "running":
            self._await_scheduler()
        if not self._jobs:
            self._jobs = max(1, sum(self.client.nthreads().values()))
        return self._jobs

    def _await_scheduler(self) -> None:
        _log.warning("the Dask scheduler is lost")
        while self.client.status == "connecting":  # for `CONNECT` seconds
            sleep(0.1)
        if self.client.status != "running":
            raise BadTournament(
                "the Dask scheduler is lost; what was played is kept: start it and its workers, "
                "and give the same command again"
            )
        _log.info("the Dask scheduler is back")
        self._prepare()  # it may be another

    def _on_event(self, event: tuple[float, Any]) -> None:
        """Handle an event: a worker comes or goes."""
        match event[1]:
            case {"action": "add-worker", "worker": worker}:
                _log.info("the Dask worker %s has come", worker)
                self._jobs = 0
            case {"action": "remove-worker", "worker": worker, "expected": expected}:
                if not expected:
                    _log.warning(
                        "the Dask worker %s is lost; its games are played by others", worker
                    )
                self._jobs = 0

    @staticmethod
    def _files_of(configuration: Configuration) -> set[str]:
        """Return the files of the user's own classes, and of the own modules they import."""
        paths = set()
        for bot in configuration.bots:
            if bot.isolation == "none" and not class_path(bot.spec):
                files = own_files(type(by_name(bot.spec)))
                paths |= {str(file) for file in files if not str(file).startswith(sys.prefix)}
        return paths

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Task[T]:
        """Submit a task, as in `concurrent.futures.Executor`."""
        task: Task[T] = Task()
        token = f"carc-{secrets.token_hex(8)}"
        far = self.client.submit(_there, token, fn, args, kwargs, pure=False)
        self._pending[far] = task
        self._tokens[far] = token
        far.add_done_callback(self._arrived)
        return task

    def _arrived(self, far: Any) -> None:
        task = self._pending.pop(far)
        with suppress(Exception):  # the scheduler may be lost
            distributed.Variable(self._tokens.pop(far), client=self.client).delete()
        if not task.set_running_or_notify_cancel():
            far.release()
            return
        try:
            answer: _Answer = far.result()
        except (distributed.CancelledError, asyncio.CancelledError):
            task.set_exception(TaskLost("the Dask scheduler was lost"))
            return
        except Exception as error:  # noqa: BLE001 (the cluster's, of whatever kind)
            task.set_exception(TaskLost(f"a Dask worker was lost: {error}"))
            return
        finally:
            far.release()  # or Dask would play it again if the worker that holds it is lost
        self._log.write(answer.log)
        task.items.extend(answer.items)
        if answer.error is not None:
            task.set_exception(answer.error)
        else:
            task.set_result(answer.value)

    def kill(self) -> None:
        """End at once; whatever is not done is given up."""
        for far in list(self._pending):
            far.cancel(force=True)
        self.shutdown()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down, as in `concurrent.futures.Executor`."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()


def address_of(executor: str) -> str:
    """Return the scheduler's address in `dask://HOST:PORT`; empty of `dask`, a cluster made here.

    Raises `BadTournament` if this is no executor.
    """
    if executor == "dask":
        return ""
    try:
        parts = urlparse(executor)
        if parts.scheme == "dask" and parts.hostname and parts.port and not parts.username:
            return f"tcp://{parts.netloc}"
    except ValueError:  # no port, or half an address
        pass
    raise BadTournament(f"an executor is written local, dask or dask://HOST:PORT, not {executor!r}")
