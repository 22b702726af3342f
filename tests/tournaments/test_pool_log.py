"""What workers log and print arrives, whatever becomes of them."""

import errno
import logging
import multiprocessing
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from carc.errors import CarcError
from carc.tournaments.running.log import logging_to
from carc.tournaments.running.pool import LocalPool


def double(number: int) -> int:
    return 2 * number


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def write(task: int, lines: int) -> int:
    for line in range(lines):
        logging.getLogger("test").info("task %d line %d.", task, line)
    return os.getpid()


def test_every_line_of_every_worker_arrives_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "tournament.log"
    with logging_to(path) as log:
        logging.getLogger("test").info("the program itself")
        with LocalPool(3, log) as pool:
            futures = [pool.submit(write, task, 500) for task in range(12)]
            pids = {future.result(30) for future in futures}
    lines = path.read_text().splitlines()
    found = Counter(line.partition("INFO test: ")[2] for line in lines)
    wanted = {f"task {task} line {line}." for task in range(12) for line in range(500)}
    assert found == Counter([*wanted, "the program itself"])
    assert {int(line.split()[2]) for line in lines} == pids | {os.getpid()}


def test_a_system_without_semaphores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where /dev/shm is not there or may not be written."""

    def refuse() -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    sentence = r"no semaphores \(Function not implemented\).*/dev/shm"
    with logging_to(tmp_path / "one.log") as log:
        monkeypatch.setattr(multiprocessing, "Queue", refuse)
        with pytest.raises(CarcError, match=sentence), LocalPool(1, log) as pool:  # used up since
            pool.submit(double, 1).result()
    with pytest.raises(CarcError, match=sentence), logging_to(tmp_path / "two.log"):
        pass


def test_a_killed_worker_takes_no_other_s_lines_along(tmp_path: Path) -> None:
    path = tmp_path / "tournament.log"
    with logging_to(path) as log, LocalPool(2, log) as pool:
        for task in range(6):
            pool.submit(write, task, 200)
            pool.submit(die, signal.SIGKILL)
    lines = path.read_text().splitlines()
    assert sum("was killed by SIGKILL" in line for line in lines) == 6, lines
    # Only the tasks of a worker that was killed later may lack lines, at their end.
    for task in range(6):
        own = [line.rpartition(" ")[2] for line in lines if f" task {task} " in line]
        assert own == [f"{number}." for number in range(len(own))]


def test_a_log_that_rotates_is_bounded_and_its_last_lines_are_there(tmp_path: Path) -> None:
    """What workers print, too, though they opened the file before it was full."""
    path = tmp_path / "arena.log"
    with logging_to(path, 5_000) as log, LocalPool(1, log) as pool:
        for task in range(16):
            pool.submit(write, task, 50).result(30)
        while "task 15 line 49." not in path.read_text():
            time.sleep(0.01)
        pool.submit(print, "the last word").result(30)
    kept = sorted(tmp_path.iterdir())
    assert [file.name for file in kept] == ["arena.log", *(f"arena.log.{n}" for n in range(1, 6))]
    assert max(file.stat().st_size for file in kept) <= 5_000
    lines = "".join(file.read_text() for file in reversed(kept)).splitlines()
    told = [line.partition("INFO test: ")[2] for line in lines if "INFO test: " in line]
    wanted = [f"task {task} line {line}." for task in range(16) for line in range(50)]
    assert told == wanted[-len(told) :]
    assert "the last word" in lines


def test_what_a_worker_prints_goes_to_the_log(tmp_path: Path) -> None:
    path = tmp_path / "tournament.log"
    with logging_to(path) as log, LocalPool(1, log) as pool:
        pool.submit(print, "hello from a bot").result(10)
        pool.submit(os.system, "echo hello from its child").result(10)
    assert "hello from a bot\n" in path.read_text()
    assert "hello from its child\n" in path.read_text()
