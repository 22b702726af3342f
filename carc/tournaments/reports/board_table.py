"""The leaderboard as a table, for whatever width there is."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import attrs
from rich import box
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from carc.escape import escape_unprintable
from carc.tournaments.formats import format_of
from carc.tournaments.ledger.ledger import Ledger, running
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.rating.connectivity import circles, islands
from carc.tournaments.rating.ratings import Leaderboard, Range, Standing, board_of
from carc.tournaments.rating.tally import Tally
from carc.tournaments.schedule.configuration import Configuration

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
        return f"{name}{self.rules}, {self.format}, {self.played} of {self.total} games{left}"


def duration(seconds: float) -> str:
    """Return a time in words."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def heading(folder: Path) -> Heading:
    """Return the heading of the tournament in a folder.

    Raises:
        BadLedger: There is no ledger that can be read.
    """
    with Ledger.reading(folder) as ledger:
        configuration = ledger.configuration
        played = ledger.played(configuration)
        total = format_of(configuration).total(configuration)
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
    console = _wide(console)
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
    console = _wide(console)
    console.print(Group(*_details(board, console.width)))


def _wide(console: Console) -> Console:
    if console.is_terminal:
        return console
    return Console(file=console.file, width=FILE_WIDTH, markup=False, emoji=False)


def _parts(board: Leaderboard, width: int) -> Iterator[RenderableType]:
    if board.games:
        yield table(board, width)
        if width >= WIDE and board.standings[0].mu is not None:
            yield Text("cons. is mu - 3 sigma of TrueSkill.")
        if len(board.standings) > 1:
            yield Text(
                "\nDifference to the bot above, and probability that the bot on the left is better "
                "than"
            )
            yield from _comparison(board, width)
        if len(board.standings) > 1 and not board.by_score:
            yield Text("\nShare of the games of both in which the bot on the left came in ahead of")
            yield from _head_to_head(board, width)
    else:
        yield Text("No rotation set is whole yet: nothing to rate.")
    yield Text("\n".join(map(escape_unprintable, notes(board))))


def _columns(headings: Iterable[str]) -> Table:
    """Return a table whose columns but the one of bots are flush right.

    Narrow terminals wrap the widest.
    """
    table = Table(box=box.SIMPLE_HEAD, collapse_padding=True)
    for name in headings:
        justify: JustifyMethod = "left" if name == "bot" else "right"
        table.add_column(escape_unprintable(name), justify=justify, min_width=min(len(name), 12))
    return table


def table(board: Leaderboard, width: int) -> Table:
    """Return the lines of the board; on a narrow terminal without derived columns."""
    narrow = width < WIDE
    table = _columns(
        ("#", "bot", "games", "score", "TrueSkill", "strength", "ranks", "faults")
        if narrow
        else (
            "#",
            "bot",
            "games",
            "wins",
            "score",
            "TrueSkill",
            "cons.",
            "strength",
            "ranks",
            "faults",
        )
    )
    for line in board.standings:
        low, high = line.ranks
        skill = "" if line.mu is None else f"{line.mu:.2f} ± {line.sigma:.2f}"
        cells = {
            "#": str(line.rank),
            "bot": escape_unprintable(line.bot),
            "games": str(line.games),
            "wins": str(line.wins),
            "score": _interval(line.score, 1) if board.by_score else f"{line.score.value:.1f}",
            "TrueSkill": skill.partition(" ")[0] if narrow else skill,
            "cons.": "" if line.conservative is None else f"{line.conservative:.2f}",
            "strength": _interval(line.strength),
            "ranks": str(low) if low == high else f"{low}-{high}",
            "faults": str(sum(line.verdicts.values())),
        }
        table.add_row(*(cells[str(column.header)] for column in table.columns))
    return table


def _comparison(board: Leaderboard, width: int) -> Iterator[Table]:
    digits = 1 if board.by_score else 2
    for others in _fitting([*board.better], width, 6, 30):
        table = _columns(["bot", "above", *others])
        for line in board.standings:
            table.add_row(
                escape_unprintable(line.bot),
                "" if line.behind is None else _interval(line.behind, digits),
                *(
                    "" if other == line.bot else f"{board.better[line.bot][other]:.2f}"
                    for other in others
                ),
            )
        yield table


def _head_to_head(board: Leaderboard, width: int) -> Iterator[Table]:
    bots = [line.bot for line in board.standings]
    for others in _fitting(bots, width, 19, 14):
        table = _columns(["bot", *others])
        for bot in bots:
            met = board.ahead.get(bot, {})
            table.add_row(
                escape_unprintable(bot),
                *(_interval(met[other]) if other in met else "" for other in others),
            )
        yield table


def _fitting(bots: Sequence[str], width: int, least: int, beside: int) -> Iterator[Sequence[str]]:
    """Return the bots in as many portions as are needed to fit the width as columns."""
    longest = max(least, *(min(len(bot), 12) + 2 for bot in bots))
    most = max(1, (width - beside) // longest)
    for at in range(0, len(bots), most):
        yield bots[at : at + most]


def _details(board: Leaderboard, width: int) -> Iterator[RenderableType]:
    for size, by_seat in board.first_seats.items():
        yield Text(f"\nTables of {size}: share of the others that were beaten, by seat")
        table = _columns(["bot", "all", *(f"seat {seat}" for seat in range(size))])
        found: dict[str, list[float | None]] = {
            line.bot: _seats(line, size) for line in board.standings
        }
        for name, cells in [*found.items(), ("all bots", list[float | None](by_seat))]:
            known = [cell for cell in cells if cell is not None]
            mean = sum(known) / len(known) if known else None
            table.add_row(
                escape_unprintable(name), *("" if c is None else f"{c:.2f}" for c in (mean, *cells))
            )
        yield table
    kinds = sorted({kind for line in board.standings for kind in line.kinds})
    if kinds:
        yield Text("\nPoints a game, by what they were scored with")
        for some in _fitting(kinds, width, 8, 14):
            table = _columns(["bot", *some])
            for line in board.standings:
                table.add_row(
                    escape_unprintable(line.bot),
                    *(f"{line.kinds.get(kind, 0):.1f}" for kind in some),
                )
            yield table
    yield Text("\nMilliseconds a move")
    table = _columns(["bot", "wall", "CPU"])
    for line in board.standings:
        table.add_row(
            escape_unprintable(line.bot), f"{1000 * line.wall:.2f}", f"{1000 * line.cpu:.2f}"
        )
    yield table


def _seats(line: Standing, size: int) -> list[float | None]:
    return [line.seats.get((size, seat)) for seat in range(size)]


def _interval(figure: Range, digits: int = 2) -> str:
    return f"{figure.value:.{digits}f} [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"


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
