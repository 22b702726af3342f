"""The checkout holds no links, and pytest collects all tests wherever it is called from."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = {"build", "runs"}  # by commands of the Makefile


def entries(folder: Path) -> Iterator[Path]:
    """What lies in a folder and below, without hidden folders and what commands make."""
    for entry in os.scandir(folder):
        if entry.name.startswith(".") or entry.name in MADE or entry.name.endswith(".egg-info"):
            continue
        yield Path(entry)
        if entry.is_dir(follow_symlinks=False):
            yield from entries(Path(entry))


def test_there_are_no_links() -> None:
    assert [path for path in entries(ROOT) if path.is_symlink()] == []


@pytest.mark.long
def test_tests_are_collected_with_the_sources_on_the_path() -> None:
    """As `make unit` calls pytest; folders at the top must not hide those in tests/.

    Of each folder its smallest file stands for the others.
    """
    folders = sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")})
    files = [
        min(folder.glob("test_*.py"), key=lambda path: path.stat().st_size) for folder in folders
    ]
    names = {path.relative_to(ROOT).as_posix() for path in files}
    command = ["-m", "pytest", "--collect-only", "-qq", "-m", "", "-p", "no:cacheprovider", *names]
    collected = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CARC_MODE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert collected.returncode == 0, collected.stdout[-3000:]
    counted = {line.partition(":")[0] for line in collected.stdout.splitlines() if ": " in line}
    assert names <= counted
