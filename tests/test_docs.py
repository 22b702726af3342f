"""The docs say what is: every rule has a test, made pages are fresh, code in the docs runs."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import expansion_pages
import make_docs
import make_pictures
import pytest
from support.doc_blocks import PAGES, Block, Folder, blocks

from carc import Rules
from carc.commands.bench import is_compiled
from carc.commands.main import MODULES
from carc.tournaments.isolation import host
from carc.web.rules_cards import cards

ROOT = Path(__file__).resolve().parent.parent
LINKED = [
    *PAGES,
    *sorted(ROOT.glob("C*.md")),
    *(ROOT / folder / "README.md" for folder in ("bots", "tournaments", "examples")),
    ROOT / "examples" / "windmills" / "README.md",
]


def test_every_rule_has_a_test_and_tests_name_only_rules_there_are() -> None:
    tested = {rule for rule, tests in make_docs.tests_by_rule().items() if tests}
    assert tested == set(make_docs.rules())


def test_the_rules_page_is_fresh() -> None:
    assert make_docs.PAGE.read_text(encoding="utf-8") == make_docs.rules_page(), "run `make docs`"


def test_every_rule_and_what_was_decided_stands_on_one_page() -> None:
    pages = [make_docs.PAGE, *map(expansion_pages.page, expansion_pages.NAMES)]
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    for name, rule in make_docs.rules().items():
        place = lines.index(f"- **{name}** {rule['text']}")
        assert lines.count(lines[place]) == 1
        below = [f"  - {decided}" for decided in rule.get("decisions", ())]
        assert lines[place + 1 : place + 1 + len(below)] == below


def test_every_tile_set_has_its_picture() -> None:
    paths = [path for path in (ROOT / "carc").rglob("*.txt") if "templates" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    sets = [text.split("\nset ")[1].split()[0] for text in texts if text.startswith("carc-tiles")]
    assert sorted({*sets}) == sorted(make_pictures.SETS)


def test_every_classic_expansion_has_its_page_and_its_line_in_the_index() -> None:
    pages = sorted(page.stem for page in expansion_pages.FOLDER.glob("*.md"))
    assert pages == sorted(make_docs.EXPANSIONS.values()) == list(expansion_pages.NAMES)
    shown = expansion_pages.INDEX.read_text(encoding="utf-8")
    assert shown == make_docs.index_page(), "run `make docs`"
    for name in expansion_pages.NAMES:
        assert f"](expansions/{name}.md)" in shown
        card = (expansion_pages.PICTURES / f"{name}-card.svg").read_text(encoding="utf-8")
        assert card == expansion_pages.thumbnail(name), "run `make pictures`"


@pytest.mark.parametrize("name", expansion_pages.NAMES)
def test_the_page_of_an_expansion_is_complete_and_fresh(name: str) -> None:
    page = expansion_pages.page(name).read_text(encoding="utf-8")
    assert page == make_docs.expansion_page(name), "run `make docs`"
    assert f"](../pictures/expansions/{name}.svg)" in page
    shown = (expansion_pages.PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert shown == expansion_pages.picture(name), "run `make pictures`"
    assert page.index("## Rules") < page.index("<!-- end -->")
    for file in (ROOT / "carc" / "classics" / name).glob("*.txt"):
        (tiles,) = re.findall(r"^set (\S+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert f"](../pictures/{tiles}.svg)" in page
    (card,) = (card for card in cards() if card.name == name)
    for option in card.options:
        (default, words), *others = option.values.items()
        told = f"- {option.title}: {words} (`{option.name}={default}`)"
        assert told + "".join(f"; {words} (`{value}`)" for value, words in others) in page


@pytest.mark.parametrize("name", make_pictures.SETS)
def test_the_pictures_of_tiles_are_fresh(name: str) -> None:
    shown = (make_pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert shown == make_pictures.sheet(name), "run `make docs`"


def test_the_readme_opens_with_the_board_that_make_tournament_prints(tmp_path: Path) -> None:
    """Played anew with the words of the Makefile; interpreted this would take minutes."""
    told = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = make_pictures.LEADERBOARD.search(told)
    assert shown is not None
    assert told.index("docs/pictures/game.svg") < shown.start()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    words = re.search(
        r"\(BIN\)/carc (tournament --rules .*) --deals \$\$deals (.*) --out", makefile
    )
    deals = re.search(r"deals=(\d+); out=runs/shipped;", makefile)
    assert words is not None and deals is not None
    if is_compiled():
        Folder(tmp_path, quick=False).run(
            Block("sh", f"carc {words[1]} --deals {deals[1]} {words[2]} --out shipped\n")
        )
        board = make_pictures.leaderboard(tmp_path / "shipped")
        assert shown[0].removeprefix(shown[1]) == board, "run `make docs`"


@pytest.mark.skipif(bool(host.missing("confined")), reason="bots of the pages play isolated")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda p: p.stem)
def test_the_code_and_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    """In an empty folder, with one deal a tournament and without what takes long."""
    folder = Folder(tmp_path)
    for block in blocks(page):
        folder.run(block)


@pytest.mark.long
@pytest.mark.skipif(bool(host.missing("confined")), reason="bots of the pages play isolated")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda p: p.stem)
def test_the_code_and_the_commands_of_a_page_run_as_written(page: Path, tmp_path: Path) -> None:
    folder = Folder(tmp_path, quick=False)
    for block in blocks(page):
        folder.run(block)


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.run(Block("sh", "carc bots\n"))
    for text in ("carc play --bots nobody\n", "carc tournament --config no.toml\n", "false\n"):
        with pytest.raises(AssertionError, match="exit code"):
            folder.run(Block("sh", text))
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        folder.run(Block("python", "1 / 0\n"))


def test_the_links_of_pages_lead_to_files_and_headings_and_the_files_that_they_name_exist() -> None:
    for page in LINKED:
        text = page.read_text(encoding="utf-8")
        lost = []
        for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
            file = page.parent / target if target else page
            if not file.exists() or (heading and heading not in headings(file)):
                lost.append(f"{target}#{heading}")
        if page.stem != "CHANGELOG":  # which names what is gone
            named = re.findall(r"`((?:carc|tools|docs|build_tools|examples)/[\w./-]*\w)`", text)
            lost += [name for name in named if not (ROOT / name).exists()]
        assert lost == [], page


@cache
def headings(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    found = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_the_methods_that_pages_name_exist() -> None:
    state = Rules.from_spec("base").start()
    objects = {"state": state, "board": state.board, "rules": state.rules, "Rules": Rules}
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("state.apply_action(", "")  # of OpenSpiel
        called = re.findall(r"\b(state|board|rules|Rules)\.(\w+)\(", text)
        assert [name for kind, name in called if not hasattr(objects[kind], name)] == [], page


def test_the_command_line_page_names_every_command() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^- \[?`carc ([\w-]+)`", page, re.MULTILINE)) == set(MODULES)


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^[a-z-]+$", index, re.MULTILINE)
    assert sorted(listed) == sorted(
        p.stem for p in (ROOT / "docs").glob("*.md") if p != ROOT / "docs/index.md"
    )


@pytest.mark.long
def test_the_site_is_made_without_a_warning(tmp_path: Path) -> None:
    # What was made without a warning is not made again, unless its sources changed.
    site = ROOT / "build" / "tested-site"
    made = [sys.executable, "-m", "sphinx", "-q", "-W", "-d", str(site / "read"), "-c"]
    made += map(str, [ROOT / "docs" / "site", ROOT / "docs", site])
    env = {**os.environ, "PYTHONPATH": str(ROOT)}  # the sources: what is compiled has no docstrings
    ran = subprocess.run(made, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
    if ran.returncode:
        shutil.rmtree(site, ignore_errors=True)
    assert ran.returncode == 0, ran.stderr
    reference = (site / "api.html").read_text(encoding="utf-8")
    for words in (
        "Return an independent copy, without the journal.",
        "Return 16 bytes that identify",
    ):
        assert words in reference


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_an_example_is_short_and_runs(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 20
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
