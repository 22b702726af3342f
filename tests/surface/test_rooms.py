"""The arrays of a board stay in the core: everything else asks methods."""

import ast
import re
from pathlib import Path

import pytest

from carc import Rules

ROOT = Path(__file__).resolve().parents[2]
INSIDE = {"base"}  # where arrays may be read
ROOMS = sorted(path for path in (ROOT / "carc").iterdir() if path.name not in INSIDE)


def arrays() -> list[str]:
    """The attributes of a board that hold its arrays."""
    board = Rules.from_spec("base").start().board
    return [name for name in dir(board) if type(getattr(board, name)).__name__.startswith("vec")]


def test_the_arrays_are_found_and_private() -> None:
    assert {"_feature", "_open", "_marks", "_grid", "_frontier", "_supply"} <= set(arrays())
    assert all(name.startswith("_") for name in arrays())


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_array_is_read_outside_the_base(room: Path) -> None:
    array = re.compile(rf"\bboard\.({'|'.join(arrays())})\b")
    found = []
    for path in sorted(room.rglob("*.py")) if room.is_dir() else [room]:
        text = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
        where = path.relative_to(ROOT)
        found += [f"{where}: {match[0]}" for match in array.finditer(text)]
        found += [f"{where}: import {name}" for name in bit_layouts_imported(text)]
    assert not found


def bit_layouts_imported(text: str) -> list[str]:
    """The constants of bit layouts that a module imports from the base."""
    return [
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("carc.base")
        for alias in node.names
        if re.search(r"_(AT|BITS|MASK)$", alias.name)
    ]
