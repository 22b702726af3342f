"""What a build keeps: C that did not change is not compiled again."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from setuptools import Distribution, Extension

from build_tools import build_ext, c_sources
from build_tools.build_ext import BuildExtensions, compiler_missing

ROOT = Path(__file__).parents[2]
C = """
#include <Python.h>
static struct PyModuleDef module = {{PyModuleDef_HEAD_INIT, "{name}", NULL, {size}, NULL}};
PyMODINIT_FUNC PyInit_{name}(void) {{ return PyModule_Create(&module); }}
"""
TRANSLATE = """
import sys
sys.path.insert(0, sys.argv[1])
import setuptools
from build_tools import c_sources
c_sources.HOTTEST = {}
c_sources._translate(["pack/first.py", "pack/second.py"])
"""
FIRST = (
    "from pack.second import twice\n\ndef greet(n: int) -> str:\n    return 'hello' * twice(n)\n"
)
SECOND = "def twice(n: int) -> int:\n    print('twice', 2.5)\n    return 2 * n\n"


class Build:
    """A project with two C extensions."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        self.names = ["one", "two"]
        for name in self.names:
            self.write(name, 0)
        monkeypatch.setattr(build_ext, "headers_digest", lambda: "")

    def write(self, name: str, size: int) -> None:
        Path(f"{name}.c").write_text(C.format(name=name, size=size), encoding="utf-8")

    def run(self) -> list[str]:
        """Build, and return the names of the C files that were compiled."""
        modules = [Extension(name, [f"{name}.c"]) for name in self.names]
        command = BuildExtensions(Distribution({"name": "pair", "ext_modules": modules}))
        command.ensure_finalized()
        compiled: list[str] = []
        compile_one = command._compile

        def noted(source: str, extension: Extension) -> None:
            compiled.append(source)
            compile_one(source, extension)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(command, "_compile", noted)
            command.run()
        self.libraries = [Path(command.get_ext_fullpath(name)) for name in self.names]
        return sorted(compiled)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    if compiler_missing():
        pytest.skip("there is no C compiler")
    return Build(tmp_path, monkeypatch)


def test_only_what_changed_is_compiled(build: Build) -> None:
    assert build.run() == ["one.c", "two.c"]
    os.utime("one.c", (time.time() + 60,) * 2)  # newer, but the same
    assert build.run() == []
    build.write("two", 8)
    assert build.run() == ["two.c"]
    for name in build.names:
        subprocess.run(
            [sys.executable, "-c", f"import {name}"], cwd=build.libraries[0].parent, check=True
        )


def test_what_includes_mypycs_headers_is_compiled_anew_with_them(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However late in a file they are included: they say where the attributes of objects lie."""
    Path("__native.h").write_text("", encoding="utf-8")
    united = C.format(name="two", size=0) + 100 * "\n" + '#include "__native.h"\n'
    Path("two.c").write_text(united, encoding="utf-8")
    build.run()
    monkeypatch.setattr(build_ext, "headers_digest", lambda: "an attribute more")
    assert build.run() == ["two.c"]


def test_a_library_that_is_gone_is_linked_again(build: Build) -> None:
    build.run()
    build.libraries[0].unlink()
    assert build.run() == []
    assert build.libraries[0].exists()


def test_a_module_that_is_no_longer_compiled_leaves_no_library(build: Build) -> None:
    build.run()
    build.names.remove("two")
    build.run()
    assert [path.name.partition(".")[0] for path in build.libraries[0].parent.iterdir()] == ["one"]


def test_a_compiler_that_fails_leaves_no_library(
    build: Build, capfd: pytest.CaptureFixture[str]
) -> None:
    build.run()
    Path("two.c").write_text("no C at all", encoding="utf-8")
    assert build.run() == ["two.c"]
    assert [library.exists() for library in build.libraries] == [False, False]
    assert "carc will run interpreted" in capfd.readouterr().err


def test_without_a_compiler_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert compiler_missing() == (
        "no C compiler ('no-such-compiler' is not installed; CC names another)"
    )


@pytest.mark.long
def test_the_c_of_a_module_depends_on_no_other_modules_literals(tmp_path: Path) -> None:
    def translated(first: str, second: str) -> str:
        (tmp_path / "pack").mkdir(exist_ok=True)
        (tmp_path / "pack" / "__init__.py").write_text("", encoding="utf-8")
        (tmp_path / "pack" / "first.py").write_text(first, encoding="utf-8")
        (tmp_path / "pack" / "second.py").write_text(second, encoding="utf-8")
        command = [sys.executable, "-c", TRANSLATE, str(ROOT)]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        c_file = tmp_path / c_sources.FOLDER / "__native_pack___second.c"
        return c_file.read_text(encoding="utf-8")

    before = translated(FIRST, SECOND)
    more = "def more() -> str:\n    return 'an earlier string' + str(17.25)\n\n"
    assert translated(FIRST + more, SECOND) == before
    assert translated(FIRST, SECOND + more) != before
