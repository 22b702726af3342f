"""How boards and candidates are stored is known to `carc.base` alone."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYOUT = re.compile(r"Arrays|.*(_AT|_BITS|_MASK)")


def test_no_bit_layout_is_imported_outside_the_core() -> None:
    imported = [
        f"{path.relative_to(ROOT)}:{node.lineno} {name.name}"
        for folder in ("carc", "bots", "examples", "tools")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.is_relative_to(ROOT / "carc" / "base")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("carc.base")
        for name in node.names
        if LAYOUT.fullmatch(name.name)
    ]
    assert imported == []
