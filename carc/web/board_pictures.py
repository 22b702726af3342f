"""Pictures of a leaderboard: bars for intervals, colours for results, and a poster."""

from collections.abc import Mapping, Sequence
from html import escape

from carc.drawing import plot
from carc.escape import escape_unprintable
from carc.tournaments.rating.history import HistoryPoint
from carc.web.board_cache import Board
from carc.web.rendering import filled

_MOST_ON_POSTER = 24
MOST_CURVES = 6
"""Bots whose strength over the games is drawn in one picture."""
_CURVE_WIDTH, _CURVE_LEFT, _CURVE_RIGHT, _CURVE_TOP, _CURVE_BOTTOM = 720, 42, 530, 8, 190
_COLOURS = ("#d0453d", "#10895e", "#3b7de0", "#a97b00", "#8a63d2", "#c2528b")  # on light and dark
_AHEAD, _BEHIND = "33 113 181", "230 125 30"  # told apart by people who see no red or green


def span(board: Board) -> tuple[float, float]:
    """Return the least and the greatest value that the bars of a board must show."""
    return plot.span(row.score if board.by_score else row.strength for row in board.rows)


def colour(share: float) -> str:
    """Return the background of a share of games: blue for ahead, orange for behind."""
    strength = round(90 * abs(share - 0.5))
    return f"rgb({_AHEAD if share >= 0.5 else _BEHIND} / {strength}%)"


def curves(history: Sequence[HistoryPoint], bots: Sequence[str], board: Sequence[str]) -> str:
    """Return a picture of the strengths of some bots while the tournament was played.

    Args:
        history: The strengths.
        bots: The bots, at most `MOST_CURVES` of which are drawn.
        board: All bots, best first. A bot's place tells its colour, so it is the same everywhere.
    """
    bots = [bot for bot in bots if history and bot in history[-1].strengths][:MOST_CURVES]
    if not bots or len(history) < 2:
        return ""
    values = [each.strengths[bot] for each in history for bot in bots if bot in each.strengths]
    low, high = min(values), max(values)
    most = history[-1].games

    def at(games: int, value: float) -> tuple[float, float]:
        x = _CURVE_LEFT + (_CURVE_RIGHT - _CURVE_LEFT) * games / most
        return x, _CURVE_TOP + (_CURVE_BOTTOM - _CURVE_TOP) * (high - value) / ((high - low) or 1)

    ends = _apart({bot: at(most, history[-1].strengths[bot])[1] for bot in bots})
    drawn = []
    for bot in bots:
        number = board.index(bot) % len(_COLOURS)
        points = [at(each.games, each.strengths[bot]) for each in history if bot in each.strengths]
        drawn.append(plot.line(points, number, _COLOURS[number], escape_unprintable(bot)))
        (x, y) = points[-1]
        drawn.append(f'<path d="M{x + 2:.1f} {y:.1f}L{_CURVE_RIGHT + 13} {ends[bot]:.1f}"/>')
        drawn.append(_text(_CURVE_RIGHT + 16, round(ends[bot] + 5), 13, _short(bot, 22)))
    axis = _CURVE_BOTTOM + 8
    foot = _text(_CURVE_LEFT, axis + 18, 13, "0 games")
    foot += _text(_CURVE_RIGHT, axis + 18, 13, f"{most} games", "text-anchor='end'")
    scale = _text(0, _CURVE_TOP + 5, 13, f"{high:.1f}") + _text(0, _CURVE_BOTTOM, 13, f"{low:.1f}")
    return (
        f'<svg class="curves" viewBox="0 0 {_CURVE_WIDTH} {axis + 24}" width="{_CURVE_WIDTH}"'
        f' role="img" aria-label="strength while the tournament was played">'
        f'<path d="M{_CURVE_LEFT} {axis}H{_CURVE_RIGHT}"/>{"".join(drawn)}{foot}{scale}</svg>'
    )


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """Return heights of names, moved down where they would overlap."""
    placed, free = {}, 0.0
    for bot, y in sorted(heights.items(), key=lambda each: each[1]):
        placed[bot] = max(y, free)
        free = placed[bot] + 16
    return placed


def poster(name: str, board: Board) -> str:
    """Return the leaderboard as a picture that needs nothing else."""
    rows = board.rows[:_MOST_ON_POSTER]
    return filled(
        "poster.svg",
        name=name,
        heading=board.heading,
        rows=rows,
        by_score=board.by_score,
        ends=span(board) if rows else (0.0, 1.0),
        bar=plot.bar,
        short=_short,
    )


def _short(name: str, most: int = 32) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _text(x: int, y: int, size: int, text: str, more: str = "") -> str:
    shown = escape(escape_unprintable(text))
    return f'<text x="{x}" y="{y}" font-size="{size}" {more}>{shown}</text>'
