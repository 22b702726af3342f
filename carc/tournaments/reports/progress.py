"""The progress of a tournament: a bar on a terminal, else a plain line now and then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from carc.tournaments.reports.board_table import duration

LINE_SECONDS = 10.0  # between two plain lines
STANDINGS_SECONDS = 3.0  # between two looks at the standings
SHARE = 50  # and so many times as long as computing them took


class _Rate(ProgressColumn):
    """Shows games per second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f} games/s")


class _Standings:
    """The standings so far, computed now and then: that must take little of the time."""

    def __init__(self, make: Callable[[], RenderableType]) -> None:
        self._make = make
        self._shown: RenderableType = ""
        self._next = monotonic() + STANDINGS_SECONDS

    def look(self) -> RenderableType:
        """Return the standings to show now."""
        begun = monotonic()
        if begun > self._next:
            self._shown = self._make()
            took = monotonic() - begun
            self._next = monotonic() + max(STANDINGS_SECONDS, SHARE * took)
        return self._shown


@contextmanager
def progress(
    console: Console, done: int, total: int, standings: Callable[[], RenderableType] = str
) -> Iterator[Callable[[int], None]]:
    """Show progress from `done` to `total` games, and on a terminal the standings.

    Yields the function to call with the number of games that ended since.
    """
    if done:
        console.print(f"{done} of {total} games are in the ledger already.", soft_wrap=True)
    if console.is_terminal:
        bar = Progress(
            TextColumn("games"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            _Rate(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        task = bar.add_task("", total=total, completed=done)
        lately = _Standings(standings)
        with Live(Group("", bar), console=console, transient=True) as live:

            def show(more: int) -> None:
                bar.advance(task, more)
                live.update(Group(lately.look(), bar))

            yield show
        return

    begun = said = monotonic()
    played = 0

    def line() -> None:
        rate = played / max(monotonic() - begun, 1e-9)
        left = f", {duration(max(0, total - done - played) / rate)} left" if rate else ""
        console.print(f"{done + played} of {total} games, {rate:.1f} games/s{left}", soft_wrap=True)

    def advance(more: int) -> None:
        nonlocal played, said
        played += more
        if monotonic() - said >= LINE_SECONDS:
            said = monotonic()
            line()

    yield advance
    line()
