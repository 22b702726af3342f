"""The pool loses one task to one death, and every line of its workers' logs arrives."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

import pytest
from support.waiting import until
from support.warm import PYTHONPATH

from carc.tournaments.players import player
from carc.tournaments.running.pool import LocalPool, WorkerDied, WorkerStalled


def double(number: int) -> int:
    return 2 * number


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def fail() -> None:
    raise KeyError("no such tile")


def count_and_die(number: int) -> Iterator[int]:
    yield from range(number)
    os._exit(3)


def say_and_die(sizes: Sequence[int]) -> Iterator[bytes]:
    """Dies with half of the last item said."""
    yield from map(bytes, sizes)
    write = os.write

    def write_half(file: int, data: bytes) -> int:
        write(file, data[: len(data) // 2])
        os._exit(3)

    mock.patch.object(os, "write", write_half).start()
    yield bytes(100)


def count_slowly(number: int) -> Iterator[int]:
    for each in range(number):
        time.sleep(0.5)
        yield each


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def fork() -> Iterator[int]:
    """The child goes on as the parent does, as after an os.fork() in a bot's code."""
    yield os.getpid()
    if os.fork() == 0:
        time.sleep(0.2)
    yield os.getpid()
    yield os.getpid()


def fork_and_sleep() -> int:
    child = os.fork()
    if child == 0:
        time.sleep(60)
    return child


def fork_late_and_die(told: Path) -> None:
    """The child begins when its parent is gone."""
    ask = os.getppid

    def late() -> int:
        time.sleep(0.5)
        return ask()

    os.getppid = late
    child = os.fork()
    if child == 0:
        time.sleep(60)
    told.write_text(str(child))
    os.kill(os.getpid(), signal.SIGKILL)


def move_and_die(how: int) -> None:
    player.mover.now(1)
    os.kill(os.getpid(), how)


def sleep() -> None:
    time.sleep(60)


def test_a_death_fails_one_task_and_no_other() -> None:
    with LocalPool(2) as pool:
        before = [pool.submit(double, number) for number in range(20)]
        deaths = [pool.submit(die, signal.SIGKILL), pool.submit(die, signal.SIGTERM)]
        after = [pool.submit(double, number) for number in range(20)]
        assert [future.result(10) for future in before + after] == [*range(0, 40, 2)] * 2
        with pytest.raises(WorkerDied, match="was killed by SIGKILL"):
            deaths[0].result(10)
        with pytest.raises(WorkerDied, match="was killed by SIGTERM"):
            deaths[1].result(10)


def test_a_death_that_another_thread_learns_of_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts a process collects the dead; until told what it found, nobody else is."""
    collect = os.waitpid

    def slowly(pid: int, options: int) -> tuple[int, int]:
        found = collect(pid, options)
        if found[0]:
            time.sleep(0.2)
        return found

    over = threading.Event()

    def collect_all() -> None:
        while not over.wait(0.001):
            multiprocessing.active_children()

    monkeypatch.setattr(os, "waitpid", slowly)
    other = threading.Thread(target=collect_all)
    other.start()
    try:
        with LocalPool(1) as pool:
            for _ in range(5):
                with pytest.raises(WorkerDied, match="was killed by SIGTERM"):
                    pool.submit(die, signal.SIGTERM).result(30)
    finally:
        over.set()
        other.join()


def test_a_process_that_leaves_is_replaced() -> None:
    with LocalPool(1) as pool:
        with pytest.raises(WorkerDied, match="exited with code 3"):
            pool.submit(os._exit, 3).result(10)
        assert pool.submit(double, 4).result(10) == 8


def test_a_task_that_takes_too_long_is_ended() -> None:
    with LocalPool(1, limit=1.5) as pool:
        with pytest.raises(WorkerStalled, match=r"no answer within 1\.5 s"):
            pool.submit(sleep).result(10)
        assert pool.submit(double, 4).result(10) == 8


def test_what_a_generator_yields_arrives_though_its_process_dies() -> None:
    with LocalPool(1) as pool:
        task = pool.submit(count_and_die, 3)
        with pytest.raises(WorkerDied, match="exited with code 3"):
            task.result(10)
        assert list(task.items) == [0, 1, 2]


def test_items_of_any_size_arrive_whole_and_in_order() -> None:
    """Some fill a pipe many times, others come together; one that died sent nothing."""
    sizes = [1, 3_000_000, *range(200), 262_143, 262_144, 262_145, 0]
    with LocalPool(1) as pool:
        task = pool.submit(say_and_die, sizes)
        with pytest.raises(WorkerDied):
            task.result()
        assert [*task.items] == [bytes(size) for size in sizes]


def test_the_limit_is_an_item_s() -> None:
    with LocalPool(1, limit=1.7) as pool:
        task = pool.submit(count_slowly, 4)
        assert task.result(10) is None
        assert list(task.items) == [0, 1, 2, 3]


def started(code: str) -> "subprocess.Popen[str]":
    """A program in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
    )


def test_the_time_this_process_stands_still_is_not_the_task_s() -> None:
    code = (
        "import time\n"
        "from carc.tournaments.running.pool import LocalPool\n"
        "def nap():\n"
        "    for _ in range(8):\n"
        "        time.sleep(0.25)\n"
        "with LocalPool(1, limit=5) as pool:\n"
        "    task = pool.submit(nap)\n"
        "    print('begun', flush=True)\n"
        "    print(task.result())\n"
    )
    with started(code) as program:
        assert program.stdout
        assert program.stdout.readline() == "begun\n"
        time.sleep(0.5)
        os.killpg(program.pid, signal.SIGSTOP)
        time.sleep(5.5)
        os.killpg(program.pid, signal.SIGCONT)
        assert program.stdout.readline() == "None\n"


def test_a_standstill_between_two_looks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    alive = multiprocessing.process.BaseProcess.is_alive
    stands = iter([3.0])

    def stand(process: multiprocessing.process.BaseProcess) -> bool:
        time.sleep(next(stands, 0.0))
        return alive(process)

    with LocalPool(1, limit=2) as pool:
        monkeypatch.setattr(multiprocessing.process.BaseProcess, "is_alive", stand)
        task = pool.submit(nap, 4.0)
        assert task.result(30) == 4.0


def test_a_bot_that_forks_neither_answers_twice_nor_leaves_anything_behind() -> None:
    with LocalPool(1) as pool:
        task = pool.submit(fork)
        task.result(10)
        time.sleep(0.4)
        assert len(task.items) == 3
        assert len(set(task.items)) == 1
        child = pool.submit(fork_and_sleep).result(10)
        os.kill(child, 0)
        pool.kill()
    until(lambda: not lives(child))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
def test_what_is_forked_as_its_worker_ends_ends_too(tmp_path: Path) -> None:
    """The child of a starved host: it has not begun when its parent is killed."""
    told = tmp_path / "child"
    with LocalPool(1) as pool, pytest.raises(WorkerDied, match="SIGKILL"):
        pool.submit(fork_late_and_die, told).result(10)
    child = int(told.read_text())
    until(lambda: not lives(child))


def lives(pid: int) -> bool:
    try:
        return "State:\tZ" not in (Path("/proc") / str(pid) / "status").read_text()
    except FileNotFoundError:
        return False


def test_who_was_to_move_when_a_worker_died() -> None:
    with LocalPool(1) as pool:
        for how, seat in ((signal.SIGUSR1, 1), (signal.SIGKILL, None)):  # anybody may kill
            with pytest.raises(WorkerDied) as death:
                pool.submit(move_and_die, how).result(10)
            assert death.value.seat == seat


def test_an_exception_comes_back_in_full() -> None:
    with LocalPool(1) as pool:
        with pytest.raises(RuntimeError, match=r"in fail\n.*\n.*KeyError: 'no such tile'"):
            pool.submit(fail).result(10)
        with pytest.raises(Exception, match=r"pickle|local object"):
            pool.submit(lambda: 0).result(10)
        assert pool.submit(double, 4).result(10) == 8


def test_interrupts_are_left_to_the_program() -> None:
    with LocalPool(1) as pool:
        pool.submit(die, signal.SIGINT).result(10)


def test_kill_ends_what_is_under_way() -> None:
    with LocalPool(1) as pool:
        under_way, waiting = pool.submit(sleep), pool.submit(sleep)
        while not under_way.running():
            time.sleep(0.01)
        pool.kill()
        assert waiting.cancelled()
        with pytest.raises(WorkerDied):
            under_way.result(10)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
def test_workers_die_with_the_program() -> None:
    code = (
        "import os, time\n"
        "from carc.tournaments.running.pool import LocalPool\n"
        "pool = LocalPool(2)\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "pool.submit(time.sleep, 60); pool.submit(time.sleep, 60)\n"
        "time.sleep(60)\n"
    )
    with started(code) as program:
        assert program.stdout
        worker = Path("/proc") / program.stdout.readline().strip()
        time.sleep(0.2)
        assert worker.exists()
        program.kill()
    until(lambda: not lives(int(worker.name)))


FORKS = """import os, pathlib, time

class Forks:
    def __init__(self):
        if os.fork() == 0:
            pathlib.Path(f"forked-{os.getpid()}").touch()
            time.sleep(float(pathlib.Path("asleep").read_text()))
    def choose(self, state):
        return state.legal_actions()[0]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
@pytest.mark.parametrize("asleep", [0, 600])
def test_what_a_bot_forks_while_it_is_made_does_nothing_and_ends(
    run_carc, tmp_path: Path, asleep: int
) -> None:
    """Asleep it would keep the program's output open; awake it would play the tournament again."""
    run_carc.bot("forks", FORKS)
    (tmp_path / "asleep").write_text(str(asleep))
    result = run_carc("tournament --bots forks:Forks,random --deals 1 --seed 1 --out t")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("2 of 2 games") == 1
    forked = [int(path.name.partition("-")[2]) for path in tmp_path.glob("forked-*")]
    assert len(forked) >= 2, "made on trial and in a worker at least"
    until(lambda: not any(map(lives, forked)))
