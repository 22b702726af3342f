"""How large files, functions, lines and the public face of a class may be."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from carc import Expansion, Rules

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = [ROOT / "carc", ROOT / "bots", ROOT / "tools"]
MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_COLUMNS, MOST_NAMES = 400, 50, 100, 45
EXPANSIONS = [
    ROOT / "carc" / name for name in ("classics", "expansion_ghosts", "mists", "spellcircles")
]
MOST_LINES_OF_RULES = 150
# What bots expect, and what is known of printed tiles.
NO_RULES = {"estimates", "printed_tiles"}


def sources(*places: Path, suffixes: tuple[str, ...] = (".py",)) -> Iterator[Path]:
    """The source files in these folders."""
    for place in places:
        paths = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (path for path in paths if path.suffix in suffixes and path.is_file())


def too_long(paths: Iterable[Path], most: int) -> str:
    """The files with more lines, in a sentence."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return ", ".join(
        f"{path.relative_to(ROOT)} has {count} of {most} lines: split it by what it is about"
        for path, count in lines.items()
        if count > most
    )


def test_no_file_is_too_long() -> None:
    paths = sources(*PRODUCT, ROOT / "tests", suffixes=(".py", ".js", ".css", ".html"))
    assert not too_long(paths, MOST_LINES)


def test_no_module_of_rules_is_too_long() -> None:
    """Rules are read beside a rulebook, one at a time."""
    modules = [
        path for path in sources(*EXPANSIONS) if not NO_RULES & {path.stem, path.parent.name}
    ]
    assert ROOT / "carc" / "classics" / "dragon" / "fairy.py" in modules
    assert not too_long(modules, MOST_LINES_OF_RULES)


def test_no_function_is_too_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sources(*PRODUCT)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize(
    "place", ["carc", "bots", "build_tools", "examples", "setup.py", "tests", "tools"]
)
def test_no_line_is_too_long(place: str) -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources(ROOT / place)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > MOST_COLUMNS
    ]
    assert long == []


@pytest.mark.parametrize(
    "value", [Rules.from_spec("base").start(), Expansion()], ids=["State", "Expansion"]
)
def test_the_public_face_is_small(value: object) -> None:
    names = [name for name in dir(value) if not name.startswith("_")]
    assert len(names) <= MOST_NAMES, f"{len(names)}: {names}"
