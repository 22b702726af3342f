"""The hostile bots once more, where the runner is not root but an ordinary user, whose id all bots
then have.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from carc.tournaments.isolation.launch import reachable

USER = 61_234  # of nobody
HERE = Path(__file__).parent
FILES = [
    f"test_{name}.py"
    for name in (
        "attacks",
        "channels",
        "contest",
        "control_group",
        "descriptors",
        "hostile",
        "killed",
        "languages",
        "levels",
        "limits",
        "lives",
        "outcome",
        "promise",
        "stopped",
        "void",
    )
]


def python() -> str:
    """This Python, or its like where this one is in a closed folder."""
    for path in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        if Path(path).exists() and reachable(os.path.realpath(path)) and reachable(path):
            return path
    pytest.skip("no Python of this version that an ordinary user may run")


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="carc-user-") as path:
        os.chown(path, USER, USER)
        yield Path(path)


@pytest.mark.long
@pytest.mark.skipif(os.getuid() != 0, reason="the tests are run by an ordinary user already")
@pytest.mark.parametrize("name", FILES)
def test_as_an_ordinary_user(name: str, home: Path) -> None:
    if not reachable(str(HERE / name)):
        pytest.skip("the tests are in a closed folder")
    above = [path for path in sys.path if path]
    done = subprocess.run(
        [python(), "-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider", str(HERE / name)],
        env={
            "HOME": str(home),
            "TMPDIR": str(home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": ":".join(above),
        },
        cwd=HERE.parents[1],
        user=USER,
        group=USER,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
