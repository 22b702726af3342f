"""How far the tournament is: a bar on a terminal, else a plain line now and then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
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

LINE_SECONDS = 10.0  # between two plain lines


class _Rate(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f} games/s")


@contextmanager
def progress(console: Console, done: int, total: int) -> Iterator[Callable[[int], None]]:
    """Shows progress from `done` to `total` games; gives the function to call with how many more are done."""
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
            console=console,
        )
        with bar:
            task = bar.add_task("", total=total, completed=done)
            yield lambda more: bar.advance(task, more)
        return

    begun = said = monotonic()
    played = 0

    def line() -> None:
        rate = played / max(monotonic() - begun, 1e-9)
        left = f", {(total - done - played) / rate:.0f} s left" if rate else ""
        console.print(f"{done + played} of {total} games, {rate:.1f} games/s{left}", soft_wrap=True)

    def advance(more: int) -> None:
        nonlocal played, said
        played += more
        if monotonic() - said >= LINE_SECONDS:
            said = monotonic()
            line()

    yield advance
    line()
