"""The leaderboard as a table."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tournaments.ratings import Leaderboard, Range, Standing

FEW_SETS = 30  # below this many rotation sets intervals tend to be too narrow


def show(board: Leaderboard, console: Console) -> None:
    """Print the board."""
    if not console.is_terminal:
        console = Console(file=console.file, width=160)  # a file has no width to fold lines at
    console.print(Group(*_parts(board)))


def _parts(board: Leaderboard) -> Iterator[RenderableType]:
    if not board.games:
        yield Text("No rotation set is whole yet: nothing to rate.")
    else:
        yield _table(board)
        if len(board.standings) > 1:
            yield Text("Probability that the bot on the left is better:")
            yield _matrix(board)
    yield Text("\n".join(_notes(board)))


def _table(board: Leaderboard) -> Table:
    table = Table(title="Leaderboard", title_justify="left")
    for heading in ("#", "bot", "games", "wins", "score", "TrueSkill", "cons.", "strength"):
        table.add_column(heading, justify="left" if heading == "bot" else "right", no_wrap=True)
    table.add_column("behind the bot above", justify="right", no_wrap=True)
    table.add_column("rank 95 %", justify="right", no_wrap=True)
    table.add_column("faults", justify="right", no_wrap=True)
    for line in board.standings:
        table.add_row(*_cells(line, board.by_score))
    return table


def _cells(line: Standing, by_score: bool) -> Iterator[str]:
    yield str(line.rank)
    yield line.bot
    yield str(line.games)
    yield str(line.wins)
    yield _interval(line.score, 1) if by_score else f"{line.score.value:.1f}"
    yield f"{line.mu:.2f} ± {line.sigma:.2f}"
    yield f"{line.conservative:.2f}"
    yield _interval(line.strength)
    yield "" if line.behind is None else _interval(line.behind)
    low, high = line.ranks
    yield str(low) if low == high else f"{low}-{high}"
    yield str(sum(line.verdicts.values()))


def _interval(figure: Range, digits: int = 2) -> str:
    return f"{figure.value:.{digits}f} ({figure.low:.{digits}f} to {figure.high:.{digits}f})"


def _matrix(board: Leaderboard) -> Table:
    table = Table()
    table.add_column("")
    for bot in board.better:
        table.add_column(bot, justify="right")
    for bot, others in board.better.items():
        table.add_row(
            bot, *("" if other == bot else f"{chance:.2f}" for other, chance in others.items())
        )
    return table


def _notes(board: Leaderboard) -> Iterator[str]:
    yield f"{board.games} games in {board.sets} rotation sets (one deal in all seatings) are rated."
    if board.games:
        sorting = "mean score, for no game told its players apart" if board.by_score else "strength"
        yield (
            f"Sorted by {sorting}. Strength: Plackett-Luce, log odds; 95 % intervals over rotation sets. "
            "cons.: mu - 3 sigma."
        )
    if 0 < board.sets < FEW_SETS:
        yield f"Fewer than {FEW_SETS} rotation sets: the intervals are rough."
    for size, gain in board.gains.items():
        yield f"Tables of {size}: rotating seats left {gain:.2f} of the variance that as many independent games have."
    if board.unfinished:
        yield f"Not rated: {board.unfinished} games of rotation sets that are not whole."
    for line in board.standings:
        if line.verdicts:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in line.verdicts.items())
            yield f"Faults of {line.bot}: {counts} (details in tournament.log)."
    for outcome in board.void:
        reason = (outcome.detail.strip().splitlines() or [""])[-1]
        yield f"Void: game {outcome.id} ({', '.join(outcome.seats)}): {reason}"
