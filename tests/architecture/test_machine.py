"""Rules of expansions are written in words of the game: how a board packs things, they never see.

A reader who knows only the rulebook meets no bit, no vector of machine integers and no table of
`carc.base` in them. What a rule needs, the board offers as a question with a name.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPANSIONS = [
    ROOT / "carc" / name for name in ("classics", "expansion_ghosts", "mists", "spellcircles")
]
MACHINE = (
    *("librt", "mypy_extensions", "carc.base.board.arrays", "carc.base.board.vectors"),
    *("carc.base.board.tile_laying", "carc.base.tiles.catalogue"),
)
# Of a module, what others may see of it.
OPEN = {
    "carc.base.board.candidates": {"Candidates"},
    "carc.base.cells": {
        *("are_close", "are_within", "around", "around_at", "at_sides", "beyond", "cell_at"),
        *("steps_between", "xy"),
    },
}


def machine_in(text: str) -> Iterator[str]:
    """What a module uses of the machine: what it imports, and shifts of bits."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.startswith(MACHINE))
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module.startswith(MACHINE):
                yield module
            seen = OPEN.get(module, {one.name for one in node.names})
            yield from (one.name for one in node.names if one.name not in seen)
        elif isinstance(node, ast.LShift | ast.RShift):
            yield "a shift"


def test_no_expansion_sees_the_machine() -> None:
    paths = [path for folder in EXPANSIONS for path in folder.rglob("*.py")]
    assert {path.parent.name for path in paths} >= {"tower", "mists", "estimates", "spellcircles"}
    for path in paths:
        assert list(machine_in(path.read_text(encoding="utf-8"))) == [], path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from librt.vecs import vec", ["librt.vecs"]),
        ("import mypy_extensions", ["mypy_extensions"]),
        ("from carc.base.cells import xy, WIDTH", ["WIDTH"]),
        ("from carc.base.board.candidates import Candidates", []),
        ("at = bits >> 1", ["a shift"]),
        ("bits |= 1 << at\nbits <<= 1", ["a shift", "a shift"]),
    ],
)
def test_what_counts_as_the_machine(text: str, found: list[str]) -> None:
    assert sorted(machine_in(text)) == found
