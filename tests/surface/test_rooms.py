"""The state's layout stays in its room: only `carc/base` reads its arrays, everything else asks
methods.
"""

import re
from pathlib import Path

import pytest

from carc import Rules

ROOT = Path(__file__).resolve().parents[2]
INSIDE = {"base", "learn"}  # where arrays may be read
ROOMS = sorted(path for path in (ROOT / "carc").iterdir() if path.name not in INSIDE)


def arrays() -> list[str]:
    """The attributes of a state that hold its layout."""
    state = Rules.named("base").start()
    kinds = {name: type(getattr(state, name)).__name__ for name in dir(state) if name[0] != "_"}
    return [name for name, kind in kinds.items() if kind.startswith("vec")]


def test_the_arrays_are_found() -> None:
    assert {"feature", "open", "marks", "grid", "frontier", "centres", "supply"} <= set(arrays())


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_array_is_read_outside_the_base(room: Path) -> None:
    read = re.compile(rf"\b(?:state|after|drawn)\.({'|'.join(arrays())})\b(?!\()")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in (sorted(room.rglob("*.py")) if room.is_dir() else [room])
        if path.suffix == ".py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if read.search(line)
    ]
    assert not found
