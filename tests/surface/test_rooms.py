"""The arrays of a board stay in the core: everything else asks methods."""

import re
from pathlib import Path

import pytest

from carc import Rules

ROOT = Path(__file__).resolve().parents[2]
INSIDE = {"base", "learn"}  # where arrays may be read
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
    layout = re.compile(
        rf"\bboard\.({'|'.join(arrays())}"
        rf")\b|_(?:AT|BITS|MASK)\b.*import|import.*_(?:AT|BITS|MASK)\b"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in (sorted(room.rglob("*.py")) if room.is_dir() else [room])
        if path.suffix == ".py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if layout.search(line)
    ]
    assert not found
