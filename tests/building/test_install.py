"""What stops an installation is said in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from build_tools import install

ROOT = Path(__file__).parents[2]
NO_INDEX = "ERROR: No matching distribution found for attrs"


def test_an_old_python_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    with pytest.raises(install.InstallError, match=r"^needs Python 3\.11 or newer.* is 3\.10;"):
        install.main("tournament")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (NO_INDEX, "pip reaches no package index; is there a network?"),
        ("The virtual environment was not created: ensurepip is not available", "python3-venv"),
        ("collecting\nERROR: it is Friday\nmore", "ERROR: it is Friday"),
    ],
)
def test_a_failing_step_says_why(
    said: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "LOG", tmp_path / "install.log")
    program = f"print({said!r}); raise SystemExit(1)"
    with pytest.raises(install.InstallError) as caught:
        install.run("installing", [sys.executable, "-c", program])
    assert str(caught.value).startswith("installing failed: ")
    assert why in str(caught.value)
    assert install.LOG.read_text(encoding="utf-8").strip() == said


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    copy = tmp_path / "clone"
    for name in (
        "build_tools/install.py",
        "build_tools/modules.py",
        "pyproject.toml",
        "constraints.txt",
        "setup.py",
    ):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    (copy / "build").write_text("a file where a folder must be", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "build_tools.install"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"carc: cannot write {copy / 'build'}")
    assert len(ran.stderr.splitlines()) == 1


def test_all_is_made_anew_when_there_is_a_compiler_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another environment for `make`, or a compiler installed since."""
    monkeypatch.setenv("CC", "no-such-compiler")
    without = install.digest(), install.digest("attrs")
    monkeypatch.setenv("CC", sys.executable)
    assert not set(without) & {install.digest(), install.digest("attrs")}


def test_extras_of_its_own_are_resolved() -> None:
    project = {
        "name": "carc",
        "dependencies": ["attrs"],
        "optional-dependencies": {
            "web": ["carc[tournament,png]", "jinja2"],
            "tournament": ["numpy"],
            "png": ["resvg-py"],
        },
    }
    assert install.requirements_of(project, "web") == {"attrs", "jinja2", "numpy", "resvg-py"}
