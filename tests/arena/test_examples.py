"""The example clients play, lose a connection, and say why they may not come in."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.remote_bots import TOKENS, Hall, faults_of, short_game

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "arena"


@pytest.fixture(params=["client.py", "client.mjs"])
def command(request: pytest.FixtureRequest) -> list[str]:
    path = FOLDER / request.param
    if path.suffix == ".py":
        return [sys.executable, "-S", str(path)]
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return ["node", str(path)]


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        yield process
        process.kill()


def test_an_example_is_short(command: list[str]) -> None:
    assert len(Path(command[-1]).read_text().splitlines()) < 100


def test_an_example_plays(hall: Hall, command: list[str]) -> None:
    with running([*command, hall.url, TOKENS["ann"], "x"]) as process:
        for _ in range(2):
            hall.await_present("ann/x@1")
            match = short_game("random", "ann/x@1", clock="start=9")
            assert faults_of(match) == {}
            assert process.stdout is not None
            assert str(match.result.scores[0]) in process.stdout.readline()


def test_an_example_comes_back(hall: Hall, command: list[str]) -> None:
    with running([*command, hall.url, TOKENS["ann"], "x"]):
        hall.await_present("ann/x@1")
        connection = hall.connection("ann/x@1")
        hall.loop.call_soon_threadsafe(connection.end)
        match = short_game("random", "ann/x@1", clock="start=9")
    assert faults_of(match) == {}


def test_an_example_says_why_it_may_not_come_in(hall: Hall, command: list[str]) -> None:
    with running([*command, hall.url, "wrong", "x"]) as process:
        assert process.communicate(timeout=20)[0].strip() == (
            "this token is not known here; an author's token is wanted"
        )
        assert process.returncode == 1
