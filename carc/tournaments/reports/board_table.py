"""The leaderboard as a table, for whatever width there is."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

import attrs
from rich import box
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from carc.escape import escape_unprintable
from carc.tournaments.ledger.ledger import Ledger, running
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.pairing import format_of
from carc.tournaments.rating.connectivity import circles, islands
from carc.tournaments.rating.ratings import Leaderboard, board_of
from carc.tournaments.rating.tally import Tally
from carc.tournaments.reports import sheets
from carc.tournaments.reports.sheets import Sheet
from carc.tournaments.schedule.configuration import ARENA, Configuration

ROUGHLY = 50  # samples of the bootstrap, for standings that change every few seconds
FEW_UNITS = 30  # below this many the intervals are rough
WIDE = 100  # columns that the whole board needs
FILE_WIDTH = 160  # a file has no width to fold lines at


@attrs.frozen
class Heading:
    """The title of a board."""

    title: str
    rules: str
    format: str
    played: int
    total: int
    """The most games there can be."""
    left: float | None
    """Seconds that are left, if it is being played."""

    def __str__(self) -> str:
        name = f"{self.title}: " if self.title else ""
        left = "" if self.left is None else f", about {duration(self.left)} left"
        many = self.played if self.format == ARENA else f"{self.played} of {self.total}"
        return f"{name}{self.rules}, {self.format}, {many} games{left}"


def duration(seconds: float) -> str:
    """Return a time in words."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def heading(folder: Path) -> Heading:
    """Return the heading of the tournament in a folder, or raise `BadLedger`."""
    with Ledger.reading(folder) as ledger:
        configuration = ledger.configuration
        played = ledger.played(configuration)
        total = played if configuration.is_arena else format_of(configuration).total(configuration)
        left = None
        if played < total and running(folder) and (lately := ledger.lately()):
            first, last = (datetime.fromisoformat(text) for text in (lately[-1], lately[0]))
            spent = (last - first).total_seconds()
            left = spent / (len(lately) - 1) * (total - played) if len(lately) > 1 else None
    return Heading(
        configuration.title, configuration.rules, configuration.format, played, total, left
    )


def show(board: Leaderboard, console: Console, head: Heading | None = None) -> None:
    """Print the board."""
    console = wide(console)
    if head is not None:
        console.print(Text(escape_unprintable(head)), soft_wrap=True)
    console.print(Group(*_parts(board, console.width)))


def standings(
    outcomes: Iterable[Outcome], configuration: Configuration, width: int
) -> RenderableType:
    """Return a rough table of the games so far; empty if none can be rated yet."""
    board = board_of(Tally(False, configuration).add_all(outcomes), ROUGHLY)
    return table(board, width) if board.games else ""


def show_details(board: Leaderboard, console: Console) -> None:
    """Print results by seat, points by kind, and times of moves."""
    console = wide(console)
    console.print(Group(*_titled(sheets.details(board), console.width)))


def wide(console: Console) -> Console:
    """Return a console that folds no lines where it is no terminal."""
    if console.is_terminal:
        return console
    return Console(file=console.file, width=FILE_WIDTH, markup=False, emoji=False)


def _parts(board: Leaderboard, width: int) -> Iterator[RenderableType]:
    if board.games:
        yield table(board, width)
        if width >= WIDE and board.standings[0].mu is not None:
            yield Text("cons. is mu - 3 sigma of TrueSkill.")
        yield from _titled(sheets.comparisons(board), width)
    else:
        yield Text("No rotation set is whole yet: nothing to rate.")
    yield Text("\n".join(map(escape_unprintable, notes(board))))


def table(board: Leaderboard, width: int) -> Table:
    """Return the lines of the board; on a narrow terminal without derived columns."""
    sheet = sheets.standings(board)
    if width >= WIDE:
        return _table(sheet)
    few = sheet.only("#", "bot", "games", "score", "TrueSkill", "strength", "ranks", "faults")
    skill = few.heads.index("TrueSkill")
    rows = [[*row[:skill], row[skill].partition(" ")[0], *row[skill + 1 :]] for row in few.rows]
    return _table(attrs.evolve(few, rows=rows))


def _titled(found: Iterable[Sheet], width: int) -> Iterator[RenderableType]:
    for sheet in found:
        yield Text(f"\n{sheet.title}")
        yield from map(_table, sheet.portions(width))


def _table(sheet: Sheet) -> Table:
    """Return a table whose columns but the one of bots are flush right.

    Narrow terminals wrap the widest.
    """
    made = Table(box=box.SIMPLE_HEAD, collapse_padding=True)
    for name in sheet.heads:
        justify: JustifyMethod = "left" if name == "bot" else "right"
        made.add_column(escape_unprintable(name), justify=justify, min_width=min(len(name), 12))
    for row in sheet.rows:
        made.add_row(*map(escape_unprintable, row))
    return made


def notes(board: Leaderboard) -> Iterator[str]:
    """Return sentences that say what the board is made of, and what is missing."""
    sets = f" in {board.sets} rotation sets (the same bots in all seatings)"
    yield f"{board.games} games{sets if board.sets != board.games else ''} are rated."
    if board.games:
        yield (
            f"Deals are mirrored: all bots played the same {board.units} deals."
            if board.mirrored
            else "Every game had its own deal."
        )
        order = "strength"
        if board.by_score:
            order = "mean score, because no game ranked one player above another"
        yield (
            f"Sorted by {order}. A bot whose strength (Plackett-Luce) is 1 more comes in ahead in "
            "73 % of the games. Brackets and ranges of ranks are 95 % intervals over "
            f"{'deals' if board.mirrored else 'rotation sets'}."
        )
        if board.standings[0].mu is None:
            yield "TrueSkill is left out because it takes long; --trueskill computes it."
    if 0 < board.units < FEW_UNITS:
        what = "deals" if board.mirrored else "rotation sets"
        yield f"With fewer than {FEW_UNITS} {what}, the intervals are rough."
    for size, gain in board.gains.items():
        if gain < 1 and board.units >= FEW_UNITS:
            yield (
                f"Tables of {size}: because seats rotate, {100 * gain:.0f} % of the games suffice "
                "for the same intervals."
            )
    if board.unfinished:
        yield f"Not rated: {board.unfinished} games of incomplete rotation sets."
    if len(groups := islands(board)) > 1:
        names = "; ".join(", ".join(group) for group in groups)
        yield f"No game connects these groups, so they cannot be compared: {names}."
    for circle in circles(board):
        yield f"Circle: {' beats '.join([*circle, circle[0]])}."
    for reason, count in board.left_out.items():
        yield f"Left out: {count} games {reason}."
    for line in board.standings:
        if line.verdicts:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in line.verdicts.items())
            yield (
                f"Faults of {line.bot}: {counts}; for example: {line.fault[:120]} (more in "
                "tournament.log)."
            )
    for outcome in board.void:
        reason = (outcome.detail.strip().splitlines() or [""])[-1]
        yield f"Void: game {outcome.id} ({', '.join(outcome.seats)}): {reason}"
    if board.voids > len(board.void):
        yield f"Void: {board.voids - len(board.void)} more games."
