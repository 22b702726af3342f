"""A tournament on a Dask cluster is the tournament at home, whatever becomes of its workers."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest
from support.runs import SLOW, ledger_of
from support.waiting import until

import carc
from carc.errors import CarcError
from carc.tournaments.running.log import logging_to
from carc.tournaments.running.pool import TaskLost
from carc.tournaments.schedule.configuration import BadTournament, configure
from carc.tournaments.submission.registry import Registry
from carc.tournaments.tournament import board, run_tournament

if TYPE_CHECKING:
    import distributed

    from carc.tournaments.running.cluster import DaskPool, Parcel, address_of

pytestmark = pytest.mark.skipif(not find_spec("distributed"), reason="Dask is not installed")


@pytest.fixture(scope="module", autouse=True)
def dask() -> Iterator[None]:
    """Import it, which takes half a second, where these tests run, and not where others do.

    A cluster made here leaves a `PYTHONHASHSEED` to whatever is started later.
    """
    import distributed

    from carc.tournaments.running.cluster import DaskPool, Parcel, address_of

    globals().update(
        distributed=distributed, DaskPool=DaskPool, Parcel=Parcel, address_of=address_of
    )
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


class Cluster:
    """Dask's programs, started as one starts them on machines."""

    def __init__(self, tmp_path: Path) -> None:
        self._folder = tmp_path
        self._started: list[subprocess.Popen[str]] = []
        self._readers: list[tuple[threading.Thread, IO[str]]] = []
        self.address = self.schedule(0)

    def schedule(self, port: int) -> str:
        """Start a scheduler; gives its address."""
        process = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
        self.scheduler = process
        assert process.stderr
        while True:
            line = process.stderr.readline()
            assert line, "the scheduler does not start"
            if found := re.search(r"Scheduler at: +tcp://([0-9.:]+)", line):
                reader = threading.Thread(target=process.stderr.read, daemon=True)
                reader.start()
                self._readers.append((reader, process.stderr))
                return found[1]

    def work(self) -> None:
        """Start a worker with its nanny, which starts another when it dies."""
        place = self._folder / f"worker{len(self._started)}"
        self._start(
            *["dask_worker", f"tcp://{self.address}", "--nthreads", "1"],
            *["--local-directory", str(place)],
            quiet=True,
        )

    def _start(self, program: str, *arguments: str, quiet: bool = False) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"],
            stderr=subprocess.DEVNULL if quiet else subprocess.PIPE,
            text=True,
            cwd=self._folder,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(carc.__file__).parents[1]),
                "CARC_REGISTRY": str(self._folder / "far"),
            },
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def kill(self) -> None:
        for process in self._started:
            with suppress(ProcessLookupError):  # it ended when it had lost its scheduler
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for reader, stream in self._readers:
            reader.join()
            stream.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers."""
    made = Cluster(tmp_path)
    made.work()
    made.work()
    yield made
    made.kill()


@pytest.fixture
def scheduler(cluster: Cluster) -> str:
    """The address of that cluster."""
    return cluster.address


def workers_of(address: str) -> dict[str, int]:
    with distributed.Client(f"tcp://{address}") as client:
        until(lambda: len(client.run(os.getpid)) == 2, 300)
        return client.run(os.getpid)


@pytest.mark.filterwarnings("ignore")  # Dask's own
@pytest.mark.long
def test_workers_that_are_killed_change_nothing(run_carc, scheduler: str, tmp_path: Path) -> None:
    run_carc.bot("slow", SLOW.replace("0.001", "0.005"))
    command = "tournament --bots slow:Slow,random --deals 10 --seed 1"
    pids = workers_of(scheduler)
    process = run_carc.start(f"{command} --executor dask://{scheduler} --out far")
    for number, pid in enumerate(pids.values()):
        run_carc.await_games("far", 4 + 4 * number)
        os.kill(pid, signal.SIGKILL)  # its nanny starts another
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert run_carc(f"{command} --out home").stdout == out
    far, home = ledger_of(tmp_path / "far"), ledger_of(tmp_path / "home")
    assert [game.record for game in far] == [game.record for game in home]
    assert len(far) == 20
    log = (tmp_path / "far" / "tournament.log").read_text()
    assert set(re.findall(r"the Dask worker (\S+) is lost", log)) == set(pids)
    assert "has come" in log


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_a_scheduler_that_is_started_again_goes_on(
    run_carc, cluster: Cluster, tmp_path: Path
) -> None:
    run_carc.bot("slow", SLOW.replace("0.001", "0.005"))
    command = "tournament --bots slow:Slow,random --deals 10 --seed 1"
    workers_of(cluster.address)
    process = run_carc.start(f"{command} --executor dask://{cluster.address} --out far")
    run_carc.await_games("far", 4)
    cluster.scheduler.kill()
    cluster.schedule(int(cluster.address.partition(":")[2]))
    cluster.work()  # those before end when they have lost their scheduler
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert run_carc(f"{command} --out home").stdout == out
    assert "the Dask scheduler is back" in (tmp_path / "far" / "tournament.log").read_text()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_a_scheduler_that_is_lost_ends_it_and_one_goes_on_elsewhere(
    run_carc, cluster: Cluster, tmp_path: Path
) -> None:
    run_carc.bot("slow", SLOW.replace("0.001", "0.005"))
    command = "tournament --bots slow:Slow,random --deals 10 --seed 1 --out far"
    workers_of(cluster.address)
    process = run_carc.start(f"{command} --executor dask://{cluster.address}")
    run_carc.await_games("far", 4)
    cluster.scheduler.kill()
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "the Dask scheduler is lost; what was played is kept: start it" in err
    assert "Traceback" not in err
    assert 4 <= len(ledger_of(tmp_path / "far")) < 20
    assert run_carc(command).returncode == 0
    assert len(ledger_of(tmp_path / "far")) == 20


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_workers_that_come_later_are_given_games(cluster: Cluster, tmp_path: Path) -> None:
    pids = workers_of(cluster.address)
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1)
    with (
        logging_to(tmp_path / "log") as log,
        DaskPool(f"tcp://{cluster.address}", made, log, 60.0, 1) as pool,
    ):
        assert pool.jobs == len(pids) == 2
        cluster.work()
        until(lambda: pool.jobs == 3)


@pytest.mark.filterwarnings("ignore")
def test_what_the_cluster_gives_up_is_no_workers_death(cluster: Cluster, tmp_path: Path) -> None:
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1)
    with (
        logging_to(tmp_path / "log") as log,
        DaskPool(f"tcp://{cluster.address}", made, log, 60.0, 1) as pool,
    ):
        task = pool.submit(time.sleep, 50)
        far: list[Any] = [distributed.Future(key, pool.client) for key in pool.client.futures]
        pool.client.cancel(far, force=True)
        with pytest.raises(TaskLost):  # so that its games are started again, on other deals
            task.result(timeout=20)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_bots_folder_is_sent_to_workers_that_have_never_seen_it(
    run_carc, scheduler: str, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "bot.toml").write_text(
        'name = "mine"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'
    )
    (mine / "bot.py").write_text("from lots import Random as Bot\n")
    (mine / "lots.py").write_text("from carc.bots.random import Random\n")
    workers_of(scheduler)
    command = "tournament --bots ./mine,random --deals 2 --seed 1 --isolation process"
    assert not (tmp_path / "far").exists()
    away = run_carc(f"{command} --executor dask://{scheduler} --out away")
    assert away.returncode == 0, away.stderr
    assert away.stdout == run_carc(f"{command} --out home").stdout
    played = ledger_of(tmp_path / "away")
    assert [game.record for game in played] == [
        game.record for game in ledger_of(tmp_path / "home")
    ]
    assert {game.verdicts for game in played} == {("ok", "ok")}
    (digest,) = {game.digests[game.seats.index("./mine")] for game in played}
    with pytest.MonkeyPatch.context() as there:
        there.setenv("CARC_REGISTRY", str(tmp_path / "far"))
        assert {file.name for file in Registry().content(digest).iterdir()} == {
            "bot.toml", "bot.py", "lots.py",
        }  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_a_bot_that_ends_processes_is_set_aside_and_logs_arrive(
    run_carc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    run_carc.bot(
        "strange",
        "import logging, os\n"
        "class Crashes:\n    def choose(self, state):\n        os._exit(3)\n"
        "class Talks:\n    def choose(self, state):\n"
        "        logging.getLogger('talks').warning('logged by a bot')\n"
        "        return state.legal_actions()[0]\n",
    )
    result = run_carc(
        "tournament --bots strange:Crashes,strange:Talks --deals 3 --executor dask --jobs 1 --out t"
    )
    assert result.returncode == 0, result.stderr
    crashes = [
        game.verdicts[game.seats.index("strange:Crashes")] for game in ledger_of(tmp_path / "t")
    ]
    assert crashes == ["crash"] * 6
    assert "logged by a bot" in (tmp_path / "t" / "tournament.log").read_text()
    assert [path for path in scratch.rglob("*") if path.name == "log"] == []  # cleared away


@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_strangers_run_nothing_on_the_cluster_made_here(tmp_path: Path) -> None:
    """Neither without keys, nor with keys of their own."""
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1)
    with logging_to(tmp_path / "log") as log, DaskPool("", made, log, 60.0, 1) as pool:
        scheduler: Any = pool.client.scheduler
        address = scheduler.address
        assert address.startswith("tls://")
        assert pool.submit(sum, [1, 2]).result(60) == 3
        for theirs, keys in (
            (address.replace("tls", "tcp"), None),
            (address, distributed.Security.temporary()),
        ):
            with pytest.raises((OSError, TypeError, ValueError, RuntimeError)):
                distributed.Client(theirs, security=keys, timeout=1)


def test_addresses() -> None:
    assert address_of("dask") == ""
    assert address_of("dask://host:8786") == "tcp://host:8786"
    for wrong in ("dask://host", "tcp://host:1", "ray"):
        with pytest.raises(BadTournament, match="local, dask or dask://HOST:PORT, not"):
            address_of(wrong)


def test_a_worker_with_other_versions_is_refused() -> None:
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1)
    parcel = Parcel.of(made)
    assert parcel.unpack() == ""
    import attrs

    assert "carc" in attrs.evolve(parcel, carc_version="99").unpack()
    assert "not 0-old" in attrs.evolve(parcel, rules_version="0-old").unpack()
    changed = (("greedy", "other"), ("random", dict(parcel.classes)["random"]))
    assert "greedy is another version there" in attrs.evolve(parcel, classes=changed).unpack()


@pytest.mark.filterwarnings("ignore")
def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carc.tournaments.running.cluster.CONNECT", 0.5)
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1)
    with pytest.raises(CarcError, match="no Dask scheduler answers at tcp://127"):
        run_tournament(made, tmp_path, executor="dask://127.0.0.1:9")
    assert board(tmp_path).games == 0
