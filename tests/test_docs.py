"""The docs say what is: every rule has a test, made pages are fresh, code in the docs runs."""

import re
import subprocess
import sys
from pathlib import Path

import make_docs
import make_pictures
import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("rule", list(make_docs.rules()))
def test_every_rule_has_a_test(rule: str) -> None:
    assert make_docs.tests_by_rule().get(rule), f"no test is marked with {rule}"


def test_tests_name_only_rules_there_are() -> None:
    assert set(make_docs.tests_by_rule()) <= set(make_docs.rules())


def test_the_rules_page_is_fresh() -> None:
    assert make_docs.PAGE.read_text(encoding="utf-8") == make_docs.rules_page(), "run `make docs`"


def test_every_tile_set_has_its_picture() -> None:
    paths = [path for path in (ROOT / "carc").rglob("*.txt") if "templates" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    sets = [text.split("\nset ")[1].split()[0] for text in texts if text.startswith("carc-tiles")]
    assert sorted({*sets}) == sorted(make_pictures.SETS)


@pytest.mark.parametrize("name", make_pictures.SETS)
def test_the_pictures_of_tiles_are_fresh(name: str) -> None:
    shown = (make_pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert shown == make_pictures.sheet(name), "run `make docs`"


def test_the_readme_opens_with_a_board_and_a_finished_tournament() -> None:
    told = (ROOT / "README.md").read_text(encoding="utf-8")
    leaderboard = make_pictures.LEADERBOARD.search(told)
    assert leaderboard is not None
    assert told.index("docs/pictures/board.svg") < leaderboard.start()
    played = re.search(r"(\d+) of (\d+) games", told)
    assert played is not None and played[1] == played[2]


def python_of(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", [page for page in PAGES if python_of(page)])
def test_the_code_of_a_page_runs(page: str, tmp_path: Path) -> None:
    for block in python_of(page):
        ran = subprocess.run(
            [sys.executable, "-W", "error", "-c", block],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr


def test_the_site_is_made_without_a_warning(tmp_path: Path) -> None:
    made = [sys.executable, "-m", "sphinx", "-q", "-W", "-c", *map(str, [ROOT / "docs" / "site", ROOT / "docs", tmp_path])]  # fmt: skip
    ran = subprocess.run(made, capture_output=True, text=True, check=False, cwd=tmp_path.parent)
    assert ran.returncode == 0, ran.stderr
    reference = (tmp_path / "api.html").read_text(encoding="utf-8")
    for words in ("An independent copy, without the journal.", "16 bytes that say which position"):
        assert words in reference


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_an_example_is_short_and_runs(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 20
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
