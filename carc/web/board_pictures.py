"""Pictures of a leaderboard: bars for intervals, colours for results, and a poster."""

from __future__ import annotations

from html import escape

from carc.escape import escape_unprintable
from carc.web.board_cache import Board, Interval

_WIDTH = 130  # of a bar
_MOST_ON_POSTER = 24
_AHEAD, _BEHIND = "33 113 181", "230 125 30"  # told apart by people who see no red or green


def span(board: Board) -> tuple[float, float]:
    """Return the least and the greatest value that the bars of a board must show."""
    shown = [row.score if board.by_score else row.strength for row in board.rows]
    low, high = min(each[1] for each in shown), max(each[2] for each in shown)
    return (low, high) if high > low else (low - 1, high + 1)


def interval_bar(interval: Interval, ends: tuple[float, float], width: int = _WIDTH) -> str:
    """Return a picture of a figure in its interval, on a scale from end to end."""
    value, low, high = (
        4 + (width - 8) * (min(max(each, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0])
        for each in interval
    )
    return (
        f'<svg class="interval" viewBox="0 0 {width} 16" width="{width}" height="16"'
        f' aria-hidden="true"><path d="M0 8H{width}"/><rect x="{low:.1f}" y="4"'
        f' width="{max(high - low, 1):.1f}" height="8" rx="2"/>'
        f'<circle cx="{value:.1f}" cy="8" r="4"/></svg>'
    )


def colour(share: float) -> str:
    """Return the background of a share of games: blue for ahead, orange for behind."""
    strength = round(90 * abs(share - 0.5))
    return f"rgb({_AHEAD if share >= 0.5 else _BEHIND} / {strength}%)"


def poster(name: str, board: Board) -> str:
    """Return the leaderboard as a picture that needs nothing else."""
    rows = board.rows[:_MOST_ON_POSTER]
    height = 118 + 34 * len(rows)
    ends = span(board) if rows else (0.0, 1.0)
    parts = [
        _text(30, 48, 28, name, "font-weight='700'"),
        _text(30, 76, 14, board.heading, "fill='#59616d'"),
    ]
    for number, row in enumerate(rows):
        y = 112 + 34 * number
        shown = row.score if board.by_score else row.strength
        bar = interval_bar(shown, ends, 300).replace('class="interval"', f'x="390" y="{y - 13}"')
        parts += [
            _text(30, y, 17, f"{row.rank}.", "font-weight='700'"),
            _text(70, y, 17, _short(row.bot)),
            f"<g fill='#1d5fae' fill-opacity='.55' stroke='#cfd4dc'>{bar}</g>",
            _text(710, y, 17, f"{shown[0]:.1f}" if board.by_score else f"{shown[0]:.2f}"),
        ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" width="800"'
        f' height="{height}" font-family="system-ui,sans-serif" fill="#20242c">'
        f'<rect width="800" height="{height}" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _short(name: str) -> str:
    return name if len(name) < 33 else f"{name[:31]}…"


def _text(x: int, y: int, size: int, text: str, more: str = "") -> str:
    shown = escape(escape_unprintable(text))
    return f'<text x="{x}" y="{y}" font-size="{size}" {more}>{shown}</text>'
