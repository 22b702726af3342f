"""The command that compiles: what it leaves behind when the compiler fails or a module goes."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import setuptools

ROOT = Path(__file__).resolve().parents[2]
Built = Callable[..., list[str]]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    """Compile one C file to an extension in `tmp_path`; return the libraries that are there."""
    monkeypatch.setenv("CARC_INTERPRETED", "1")
    monkeypatch.setattr(setuptools, "setup", lambda **_: None)
    command: Any = runpy.run_path(str(ROOT / "setup.py"))["BuildExtensions"]
    monkeypatch.chdir(tmp_path)

    def build(*names: str, code: str = "int one(void) { return 1; }\n") -> list[str]:
        (tmp_path / "one.c").write_text(code)
        extensions = [setuptools.Extension(name, ["one.c"]) for name in names]
        made = command(setuptools.Distribution({"ext_modules": extensions}))
        made.build_lib, made.build_temp, made.force = "lib", "temp", True
        made.ensure_finalized()
        made.run()
        return sorted(path.name.partition(".")[0] for path in Path("lib").rglob("*.so"))

    return build


def test_the_library_of_a_module_that_is_gone_goes(built: Built) -> None:
    """Python would import it before the source."""
    assert built("one", "two") == ["one", "two"]
    assert built("two") == ["two"]


def test_a_compiler_that_fails_leaves_everything_interpreted(
    built: Built, capfd: pytest.CaptureFixture[str]
) -> None:
    """Libraries of an earlier build go, too: they may not fit today's sources."""
    assert built("one") == ["one"]
    assert built("one", code="no C\n") == []
    assert "carc will run interpreted, 30 times slower" in capfd.readouterr().err


def test_a_compiler_that_is_not_there_leaves_everything_interpreted(
    built: Built, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert built("one") == []
    assert "carc will run interpreted" in capfd.readouterr().err
