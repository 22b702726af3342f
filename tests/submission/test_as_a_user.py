"""The hostile bots once more, where the runner is an ordinary user, whose id all bots have."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.playing import USER, run_as_a_user

from carc.tournaments.isolation.command import reachable

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
    words = ["-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider", str(HERE / name)]
    done = run_as_a_user([], words, HERE.parents[1], HOME=str(home), TMPDIR=str(home))
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
