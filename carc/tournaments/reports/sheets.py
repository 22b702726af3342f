"""The tables of a board as texts, which terminals and pages show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from carc.tournaments.rating.ratings import Leaderboard, Range, Standing


@attrs.frozen
class Sheet:
    """A table of texts."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    fixed: int = 1
    """The columns that stay where a narrow terminal shows the others in portions."""

    def only(self, *heads: str) -> Sheet:
        """Return some of its columns, in this order."""
        at = [self.heads.index(head) for head in heads]
        return attrs.evolve(self, heads=heads, rows=[[row[i] for i in at] for row in self.rows])

    def portions(self, width: int) -> Iterator[Sheet]:
        """Yield it in as many portions as it takes to fit so many characters."""
        fixed, others = self.heads[: self.fixed], self.heads[self.fixed :]
        cells = [len(cell) for row in self.rows for cell in row[self.fixed :]]
        longest = 2 + max([*cells, *(min(len(head), 12) for head in others)])
        most = max(1, (width - 14 - 16 * (self.fixed - 1)) // longest)
        for at in range(0, len(others), most):
            yield self.only(*fixed, *others[at : at + most])


def standings(board: Leaderboard) -> Sheet:
    """Return the lines of the board, which has some."""
    lines = [_standing(board, line) for line in board.standings]
    return Sheet("Board", tuple(lines[0]), [[*line.values()] for line in lines])


def _standing(board: Leaderboard, line: Standing) -> dict[str, str]:
    low, high = line.ranks
    return {
        "#": str(line.rank),
        "bot": line.bot,
        "games": str(line.games),
        "wins": str(line.wins),
        "score": interval(line.score, 1) if board.by_score else f"{line.score.value:.1f}",
        "TrueSkill": "" if line.mu is None else f"{line.mu:.2f} ± {line.sigma:.2f}",
        "cons.": "" if line.conservative is None else f"{line.conservative:.2f}",
        "strength": interval(line.strength),
        "ranks": str(low) if low == high else f"{low}-{high}",
        "faults": str(line.faults),
    }


def comparisons(board: Leaderboard) -> Iterator[Sheet]:
    """Yield how bots are to each other; nothing of a single one."""
    bots = [line.bot for line in board.standings]
    if len(bots) < 2:
        return
    digits = 1 if board.by_score else 2
    rows = [
        [
            line.bot,
            "" if line.behind is None else interval(line.behind, digits),
            *(f"{board.better[line.bot][bot]:.2f}" if bot != line.bot else "" for bot in bots),
        ]
        for line in board.standings
    ]
    title = "Difference to the bot above, and probability that the bot on the left is better than"
    yield Sheet(title, ("bot", "above", *bots), rows, fixed=2)
    if not board.by_score:
        met = board.ahead
        rows = [
            [one, *(interval(met[one][bot]) if bot in met.get(one, {}) else "" for bot in bots)]
            for one in bots
        ]
        title = "Share of the games of both in which the bot on the left came in ahead of"
        yield Sheet(title, ("bot", *bots), rows)


def details(board: Leaderboard) -> Iterator[Sheet]:
    """Yield results by seat, points by kind, and times of moves."""
    for size, by_seat in board.first_seats.items():
        lines: dict[str, list[float | None]] = {
            line.bot: [line.seats.get((size, seat)) for seat in range(size)]
            for line in board.standings
        }
        rows = [_shares(name, shares) for name, shares in lines.items()]
        rows.append(_shares("all bots", by_seat))
        title = f"Tables of {size}: share of the others that were beaten, by seat"
        yield Sheet(title, ("bot", "all", *(f"seat {seat}" for seat in range(size))), rows)
    kinds = sorted({kind for line in board.standings for kind in line.kinds})
    if kinds:
        rows = [
            [line.bot, *(f"{line.kinds.get(kind, 0):.1f}" for kind in kinds)]
            for line in board.standings
        ]
        yield Sheet("Points a game, by what they were scored with", ("bot", *kinds), rows)
    rows = [
        [line.bot, f"{1000 * line.wall:.2f}", f"{1000 * line.cpu:.2f}"] for line in board.standings
    ]
    yield Sheet("Milliseconds a move", ("bot", "wall", "CPU"), rows)


def _shares(name: str, shares: Sequence[float | None]) -> list[str]:
    """Return a row: the mean of what is known, and all."""
    known = [share for share in shares if share is not None]
    mean = sum(known) / len(known) if known else None
    return [name, *("" if each is None else f"{each:.2f}" for each in (mean, *shares))]


def interval(figure: Range, digits: int = 2) -> str:
    """Return a figure with its interval."""
    return f"{figure.value:.{digits}f} [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"
