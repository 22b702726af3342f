"""Data from outside is read and parsed by `carc.bounded` alone: nowhere else a file is opened."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READERS = {"read_text", "read_bytes", "open", "fdopen", "load", "loads", "raw_decode", "parse"}
PARSERS = {"json", "tomllib", "pickle", "marshal", "ast", "ElementTree"}
OWN = {"journal", "tables", "self", "files"}  # what else has a method `open`, or is the package

# Why each of these may open or parse something.
ALLOWED = {
    "carc/bounded.py": "it is the reader",
    **dict.fromkeys(
        (
            "carc/base/evaluation/learned_weights.py",
            "carc/bots/ladder.py",
            "carc/commands/bots.py",
            "carc/commands/new_expansion.py",
            "carc/drawing/artwork.py",
            "carc/drawing/style.py",
            "carc/formats/jcz/tiles.py",
            "carc/puzzles/puzzle.py",
            "carc/web/suggestions.py",
        ),
        "a file of carc or of an installed expansion",
    ),
    **dict.fromkeys(
        (
            "carc/tournaments/isolation/control_group.py",
            "carc/tournaments/isolation/handle.py",
            "carc/tournaments/isolation/launch.py",
            "carc/tournaments/isolation/meter.py",
            "carc/tournaments/isolation/resources.py",
        ),
        "what the kernel or bubblewrap tells",
    ),
    "carc/tournaments/isolation/rooms.py": "folders that are to be cleared",
    "carc/tournaments/submission/content.py": "reads within bounds of its own, by descriptors",
    "carc/web/uploads.py": "archives, which are counted and measured first",
    "carc/bots/mcts.py": "what its own helpers found",
    "carc/bots/sdk.py": "the null device",
    "carc/commands/main.py": "the null device",
    "carc/bots/session.py": "in a bot's process: what the runner says",
    "carc/files.py": "writes",
    "carc/tournaments/running/log.py": "writes",
    "carc/tournaments/running/worker.py": "writes",
    "carc/tournaments/running/cluster.py": "the log that its own process writes",
    "carc/arena/authors.py": "a lock",
    "carc/arena/backup.py": "writes",
    "carc/tournaments/ledger/file.py": "a lock",
    "carc/tournaments/ledger/meta.py": "data of its own, made plain",
    "carc/tournaments/contest/promise.py": "data of its own, made plain",
    "carc/tournaments/contest/publication.py": "data of its own, made plain",
    "carc/tournaments/contest/verification.py": "data of its own, made plain",
    "carc/learn/dataset.py": "datasets of whoever trains, as large as his disk allows; no pickles",
    "carc/tournaments/outcomes/outcome.py": "columns of a ledger, which SQLite bounds",
    "carc/tournaments/schedule/class_digest.py": "Python files that run here anyway",
}


def readings(text: str) -> Iterator[int]:
    """The lines on which something is opened or parsed."""
    if not re.search(rf"\b({'|'.join(READERS)})\(", text):
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            yield node.lineno
        elif isinstance(called, ast.Attribute) and called.attr in READERS:
            name = ast.unparse(called.value).rpartition(".")[2]
            is_reading = called.attr not in ("load", "loads", "parse") or name in PARSERS
            if name not in OWN and is_reading:
                yield node.lineno


def test_nothing_from_outside_is_read_without_bounds() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "carc").rglob("*.py"))
        if str(path.relative_to(ROOT)) not in ALLOWED
        for line in readings(path.read_text(encoding="utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("path.read_text()", 1),
        ("Path('x').open('rb').read()", 1),
        ("with open('x') as f: pass", 1),
        ("os.open('x', 0)", 1),
        ("json.loads(text)", 1),
        ("tomllib.load(file)", 1),
        ("read_text(path)", 0),
        ("parse_json(text)", 0),
        ("state.journal.open()", 0),
        ("rules.parse(text)", 0),
    ],
)
def test_what_counts_as_reading(text: str, count: int) -> None:
    assert len(list(readings(text))) == count
