"""Installed expansions: `examples/windmills`, and what `carc new-expansion` makes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.installed import expansions_of, install

import carc
from carc.commands.main import carc as program

ROOT = Path(__file__).resolve().parents[2]
WINDMILLS = ROOT / "examples" / "windmills"
MOST_LINES = 130
HOME = Path(carc.__file__).resolve().parents[1]  # what is tested: sources or the compiled build


def run(*words: object, cwd: Path, path: Path) -> str:
    """What a Python command prints, with a folder of installed packages beside carc."""
    before = {"PYTHONPATH": f"{path}:{HOME}", "PATH": os.environ["PATH"], "HOME": str(cwd)}
    before["PYTHONDONTWRITEBYTECODE"] = "1"
    before["MYPY_CACHE_DIR"] = str(ROOT / "build" / "mypy")  # what was checked once is known
    if HOME == ROOT:  # what is installed mypy finds by itself
        before["MYPYPATH"] = str(HOME)
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd, env=before, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(package: Path, target: Path) -> Path:
    """A folder that a package is installed in, entry points included."""
    pip = ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", target]
    run(*pip, package, cwd=target.parent, path=target)
    return target


@pytest.fixture(scope="module")
def windmills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    room = tmp_path_factory.mktemp("windmills")
    copy = room / "package"
    subprocess.run(["cp", "-r", str(WINDMILLS), str(copy)], check=True)
    return installed(copy, room / "installed")


def test_what_metadata_say_is_had_without_compiling(tmp_path: Path) -> None:
    (tmp_path / "mypyc.py").write_text("raise SystemExit('it is compiled')")
    run(ROOT / "setup.py", "-q", "egg_info", "--egg-base", tmp_path, cwd=ROOT, path=tmp_path)
    assert "Name: carc" in (tmp_path / "carc.egg-info" / "PKG-INFO").read_text(encoding="utf-8")


def test_the_example_passes_its_own_tests(windmills: Path) -> None:
    out = run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        WINDMILLS / "tests",
        cwd=windmills.parent,
        path=windmills,
    )
    assert " passed" in out


def test_the_example_is_strictly_typed(windmills: Path) -> None:
    run("-m", "mypy", cwd=WINDMILLS, path=windmills)


def test_the_example_is_short_and_touches_nothing_private() -> None:
    (module,) = (WINDMILLS / "src" / "carc_windmills").glob("*.py")
    text = module.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST_LINES
    assert not re.search(r"\._[a-z]", re.sub(r"\bself\._\w+", "", text))


def test_a_new_expansion_passes_its_own_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    program.main(["new-expansion", "wells"], standalone_mode=False)
    assert "Created wells" in capsys.readouterr().out
    target = installed(tmp_path / "wells", tmp_path / "installed")
    assert " passed" in run("-m", "pytest", "-q", cwd=tmp_path / "wells", path=target)
    run("-m", "mypy", cwd=tmp_path / "wells", path=target)
    for words in (["check"], ["format", "--check"]):
        run("-m", "ruff", *words, "--no-cache", cwd=tmp_path / "wells", path=target)
    play = "from carc.commands.main import main; main()"
    words = ["play", "--rules", "base+wells", "--bots", "random,random"]
    assert "won by" in run("-c", play, *words, cwd=tmp_path, path=target)


def files_of_the_page() -> dict[str, str]:
    """The files that docs/write-an-expansion.md builds, block by block."""
    page = (ROOT / "docs" / "write-an-expansion.md").read_text(encoding="utf-8")
    files: dict[str, str] = {}
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", page, re.DOTALL):
        between = "\n" if text.startswith(" ") else "\n\n"
        files[name] = f"{files[name]}{between}{text}" if name in files else text
    assert page.count("```py") == page.count("-->\n```py"), "a block belongs to no file"
    return files


def test_the_page_leads_to_an_expansion_that_passes_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of docs/write-an-expansion.md, in place of those of a new expansion."""
    monkeypatch.chdir(tmp_path)
    program.main(["new-expansion", "towers"], standalone_mode=False)
    folder = tmp_path / "towers"
    files = files_of_the_page()
    assert len(files) == 4
    for name, text in files.items():
        assert (folder / name).is_file(), name
        (folder / name).write_text(text, encoding="utf-8")
    target = install(tmp_path / "installed", **expansions_of(folder))
    shutil.copytree(folder / "src", target, dirs_exist_ok=True)
    assert " passed" in run("-m", "pytest", "-q", cwd=folder, path=target)
    run("-m", "mypy", cwd=folder, path=target)
    for words in (["check"], ["format", "--check"]):
        run("-m", "ruff", *words, "--no-cache", cwd=folder, path=target)

    # A rule that is broken is noticed, as the page asks its reader to try.
    (module,) = target.glob("*towers*/__init__.py")
    text = module.read_text(encoding="utf-8")
    assert "<= height" in text
    module.write_text(text.replace("<= height", "< height"), encoding="utf-8")
    with pytest.raises(AssertionError, match="1 failed"):
        run("-m", "pytest", "-q", "-k", "not all_rules", cwd=folder, path=target)


def test_its_style_allows_the_longest_name_and_what_an_expansion_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program.main(["new-expansion", "a" * 40], standalone_mode=False)
    (rules,) = tmp_path.glob("a*/src/*/__init__.py")
    text = rules.read_text(encoding="utf-8")
    declared = '    ONLY_FOR = {"feature_points": ("road",)}\n\n    def tile_sets'
    rules.write_text(text.replace("    def tile_sets", declared), encoding="utf-8")
    run("-m", "ruff", "check", "--no-cache", cwd=tmp_path / ("a" * 40), path=tmp_path)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Wells", "begins with a letter, not 'Wells'"),
        ("ghosts", "ghosts is already installed; choose another name"),
        ("base", "base is already installed"),
        ("there", "there exists already; choose another name or remove it"),
    ],
)
def test_a_name_that_cannot_be_says_why(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").mkdir()
    with pytest.raises(carc.errors.BadRules, match=re.escape(sentence)):
        program.main(["new-expansion", name], standalone_mode=False)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
