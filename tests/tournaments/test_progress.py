"""Progress: on a terminal a bar and the standings, elsewhere plain lines."""

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from carc.tournaments.reports import progress as module
from carc.tournaments.reports.board_table import duration
from carc.tournaments.reports.progress import progress


def test_the_standings_live_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STANDINGS_SECONDS", 0.0)
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=80)
    shown = iter(["first", "second", "third"])
    with progress(console, 0, 4, lambda: Text(next(shown))) as advance:
        advance(2)
        advance(2)
    assert "first" in text.getvalue() and "4/4" in text.getvalue()


def test_plain_lines_elsewhere() -> None:
    text = io.StringIO()
    never: Any = lambda: 1 / 0  # noqa: E731
    with progress(Console(file=text, width=80), 2, 4, never) as advance:
        advance(2)
    first, last = text.getvalue().splitlines()
    assert first == "2 of 4 games are in the ledger already."
    assert last.startswith("4 of 4 games, ")


def test_durations() -> None:
    assert [duration(s) for s in (5, 119, 300, 7200, 200000)] == [
        "5 s",
        "119 s",
        "5 min",
        "2 h",
        "2 d",
    ]
