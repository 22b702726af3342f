"""Report whether carc is compiled, insist on CARC_MODE, and protect the program of the tests."""

import gc
import io
import json
import logging
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.program import Called, Run

from carc.commands.bench import is_compiled


def pytest_report_header() -> str:
    return f"carc is {_mode()}"


def _mode() -> str:
    return "compiled" if is_compiled() else "interpreted"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left = [item for item in items if is_compiled() and item.get_closest_marker("interpreted")]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_collection_finish() -> None:
    # Thousands of tests stay: the collector of garbage need not look through them again and again,
    # nor through what tests share. It took a third of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Note what passed and why others were skipped, where `make test` sums up all its runs."""
    notes = os.environ.get("CARC_TESTED")
    if notes and not hasattr(terminalreporter.config, "workerinput"):
        skipped = [report.longrepr for report in terminalreporter.stats.get("skipped", [])]
        reasons = [str(told[2]).removeprefix("Skipped: ") for told in skipped]
        passed = len(terminalreporter.stats.get("passed", []))
        with Path(notes).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"passed": passed, "skipped": reasons}) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    # A shell's background job ignores Ctrl-C, and so would every program that the tests start and
    # stop by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _protect_the_runner()
    wanted = os.environ.get("CARC_MODE")
    if wanted and wanted != _mode():
        raise pytest.UsageError(f"CARC_MODE asks for {wanted}, but carc is {_mode()}")


def _protect_the_runner() -> None:
    """Refuse signals that would end the tests: to this process, its parent, its group or all.

    The process id of a bot that has ended is 0, which as a target means the sender's own group.
    """
    runners, group = {os.getpid(), os.getppid()}, os.getpgrp()
    kill, killpg = os.kill, os.killpg

    def checked_kill(pid: int, number: int) -> None:
        if number and (pid <= 0 or pid in runners):
            raise AssertionError(f"signal {number} to process {pid} would reach the test runner")
        kill(pid, number)

    def checked_killpg(pgid: int, number: int) -> None:
        if number and pgid in (0, group):
            raise AssertionError(f"signal {number} to group {pgid} would reach the test runner")
        killpg(pgid, number)

    patch = pytest.MonkeyPatch()
    patch.setattr(os, "kill", checked_kill)
    patch.setattr(os, "killpg", checked_killpg)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Call the program in an empty folder."""
    from carc.commands.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def call(*words: str, typed: str = "") -> Called:
        monkeypatch.setattr(sys, "argv", ["carc", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


@pytest.fixture(autouse=True)
def _logging_stays_as_it_was() -> Iterator[None]:
    """A test that silences a logger would make another one, in the same process, fail."""
    root, carc = logging.getLogger(), logging.getLogger("carc")
    before = root.level, carc.level, carc.propagate, list(carc.handlers)
    yield
    assert (root.level, carc.level, carc.propagate, list(carc.handlers)) == before
