"""The leaderboard as a table."""

from collections.abc import Iterator

from rich import box
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from carc.tournaments.ratings import Leaderboard, Range
from carc.visible import visible

FEW_UNITS = 30  # below this many the intervals are rough


def show(board: Leaderboard, console: Console) -> None:
    """Print the board."""
    if not console.is_terminal:
        # A file has no width to fold lines at.
        console = Console(file=console.file, width=160, markup=False, emoji=False)
    console.print(Group(*_parts(board)))


def _parts(board: Leaderboard) -> Iterator[RenderableType]:
    if board.games:
        yield _table(board)
        if len(board.standings) > 1:
            yield Text(
                "\nDifference to the bot above, and probability that the bot on the left is better than"
            )
            yield _comparison(board)
        if len(board.standings) > 1 and not board.by_score:
            yield Text("\nShare of the games of both in which the bot on the left came in ahead of")
            yield _head_to_head(board)
    else:
        yield Text("No rotation set is whole yet: nothing to rate.")
    yield Text("\n".join(map(visible, notes(board))))


def _columns(*headings: str) -> Table:
    """A table whose columns but the one of bots are flush right; narrow terminals wrap the widest."""
    table = Table(box=box.SIMPLE_HEAD, collapse_padding=True)
    for heading in headings:
        justify: JustifyMethod = "left" if heading == "bot" else "right"
        table.add_column(visible(heading), justify=justify, min_width=len(heading))
    return table


def _table(board: Leaderboard) -> Table:
    table = _columns(
        "#", "bot", "games", "wins", "score", "TrueSkill", "cons.", "strength", "ranks", "faults"
    )
    for line in board.standings:
        low, high = line.ranks
        table.add_row(
            str(line.rank),
            visible(line.bot),
            str(line.games),
            str(line.wins),
            _interval(line.score, 1) if board.by_score else f"{line.score.value:.1f}",
            "" if line.mu is None else f"{line.mu:.2f} ± {line.sigma:.2f}",
            "" if line.conservative is None else f"{line.conservative:.2f}",
            _interval(line.strength),
            str(low) if low == high else f"{low}-{high}",
            str(sum(line.verdicts.values())),
        )
    return table


def _comparison(board: Leaderboard) -> Table:
    table = _columns("bot", "above", *board.better)
    for line in board.standings:
        table.add_row(
            visible(line.bot),
            "" if line.behind is None else _interval(line.behind, 1 if board.by_score else 2),
            *(
                "" if other == line.bot else f"{chance:.2f}"
                for other, chance in board.better[line.bot].items()
            ),
        )
    return table


def _head_to_head(board: Leaderboard) -> Table:
    bots = [line.bot for line in board.standings]
    table = _columns("bot", *bots)
    for bot in bots:
        met = board.ahead.get(bot, {})
        table.add_row(
            visible(bot), *(_interval(met[other]) if other in met else "" for other in bots)
        )
    return table


def _interval(figure: Range, digits: int = 2) -> str:
    return f"{figure.value:.{digits}f} [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"


def notes(board: Leaderboard) -> Iterator[str]:
    """What the board is made of and what is missing from it, in sentences."""
    yield f"{board.games} games in {board.sets} rotation sets (the same bots in all seatings) are rated."
    if board.games:
        yield (
            f"Deals are mirrored: all bots played the same {board.units}."
            if board.mirrored
            else "Every game had a deal of its own."
        )
        sorting = "mean score, for no game told its players apart" if board.by_score else "strength"
        yield (
            f"Sorted by {sorting}. Strength: Plackett-Luce, log odds. cons.: mu - 3 sigma. "
            f"In brackets and ranks: 95 % intervals over {'deals' if board.mirrored else 'rotation sets'}."
        )
        if board.standings[0].mu is None:
            yield "TrueSkill is left out, for it takes long; --trueskill computes it."
    if 0 < board.units < FEW_UNITS:
        yield f"Fewer than {FEW_UNITS} {'deals' if board.mirrored else 'rotation sets'}: the intervals are rough."
    for size, gain in board.gains.items():
        yield f"Tables of {size}: rotating seats left {gain:.2f} of the variance that as many independent games have."
    if board.unfinished:
        yield f"Not rated: {board.unfinished} games of rotation sets that are not whole."
    for reason, count in board.left_out.items():
        yield f"Left out: {count} games {reason}."
    for line in board.standings:
        if line.verdicts:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in line.verdicts.items())
            yield f"Faults of {line.bot}: {counts}; such as: {line.fault[:120]} (more in tournament.log)."
    for outcome in board.void:
        reason = (outcome.detail.strip().splitlines() or [""])[-1]
        yield f"Void: game {outcome.id} ({', '.join(outcome.seats)}): {reason}"
    if board.voids > len(board.void):
        yield f"Void: {board.voids - len(board.void)} games more."
