"""How boards and candidates are stored is known to `carc.base` alone: all else asks methods."""

import ast
import re
from pathlib import Path

from carc import Rules

ROOT = Path(__file__).resolve().parents[2]
LAYOUT = re.compile(r"Arrays|\w+(_AT|_BITS|_MASK)")


def arrays() -> list[str]:
    """The attributes of a board that hold its arrays."""
    board = Rules.from_spec("base").start().board
    return [name for name in dir(board) if type(getattr(board, name)).__name__.startswith("vec")]


def layouts_imported(text: str) -> list[str]:
    """The constants of bit layouts that a module imports from the base."""
    if not LAYOUT.search(text):
        return []
    return [
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("carc.base")
        for alias in node.names
        if LAYOUT.fullmatch(alias.name)
    ]


def test_the_arrays_are_found_and_private() -> None:
    assert {"_feature", "_open", "_marks", "_grid", "_frontier", "_supply"} <= set(arrays())
    assert all(name.startswith("_") for name in arrays())


def test_a_layout_is_found() -> None:
    assert layouts_imported("from carc.base.cells import KIND_AT, cell_of") == ["KIND_AT"]


def test_no_array_and_no_bit_layout_is_read_outside_the_base() -> None:
    array = re.compile(rf"\bboard\.({'|'.join(arrays())})\b")
    found = []
    for folder in ("carc", "bots", "examples", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.is_relative_to(ROOT / "carc" / "base"):
                text, where = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
                found += [f"{where}: {match[0]}" for match in array.finditer(text)]
                found += [f"{where}: import {name}" for name in layouts_imported(text)]
    assert not found
