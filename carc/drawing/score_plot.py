"""Scores over time, as a picture and as text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from carc.base.game.rules import COLOURS
from carc.drawing import artwork
from carc.drawing.board_text import LETTERS
from carc.drawing.style import style

_DASHES = ("", "9 4", "3 3", "12 3 3 3", "1 4", "6 6")  # distinguish lines without colour
_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BELOW = 34, 8, 10, 22  # margins
_STYLE = ".c-gl{stroke:#888;stroke-opacity:.35;stroke-width:1}.c-now{stroke:#ff9f0a;stroke-width:2}"


def as_svg(series: Sequence[Sequence[int]], names: Sequence[str], theme: str = "auto") -> str:
    """Return a picture with one line for each owner.

    A vertical line of class `c-now` at the left can be moved by a page that steps through a match.

    Args:
        series: For each owner the score after each move.
        names: The name of each owner.
        theme: `light`, `dark`, or `auto`, which follows the preference of the reader.
    """
    most = max(10, *(max(line) for line in series))
    least = min(0, *(min(line) for line in series))
    last = max(1, len(series[0]) - 1)

    def height(score: int) -> float:
        room = _HEIGHT - _BELOW - _TOP
        return _HEIGHT - _BELOW - room * (score - least) / (most - least)

    parts = []
    for score in range(0, most + 1, 10 if most < 80 else 20 if most < 200 else 50):
        y = height(score)
        parts.append(f'<path class="c-gl" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>')
        at = f'x="{_LEFT - 16}" y="{y + 4:.1f}"'
        parts.append(f'<text class="c-ax" font-size="13" {at}>{score}</text>')
    for owner, line in enumerate(series):
        points = " ".join(
            f"{_LEFT + (_WIDTH - _LEFT - _RIGHT) * step / last:.1f},{height(score):.1f}"
            for step, score in enumerate(line)
            if step in (0, last) or score != line[step - 1] or score != line[step + 1]
        )
        fill = artwork.OWNERS[owner % 6][0]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{fill}" stroke-width="2.5" '
            f'stroke-dasharray="{_DASHES[owner % 6]}">'
            f"<title>{COLOURS[owner]} {escape(names[owner])}</title></polyline>"
        )
    parts.append(f'<path class="c-now" d="M{_LEFT} 6V{_HEIGHT - _BELOW}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="scores over time"><style>{style(theme)}{_STYLE}</style>{"".join(parts)}</svg>'
    )


def as_text(series: Sequence[Sequence[int]], width: int = 64, height: int = 12) -> str:
    """Return a plot with one letter for each owner. Where lines meet the first owner is shown.

    Args:
        series: For each owner the score after each move.
        width: Columns of the plot.
        height: Rows of the plot.
    """
    most = max(1, *(max(line) for line in series))
    least = min(0, *(min(line) for line in series))
    last = max(1, len(series[0]) - 1)
    width = min(width, last + 1)
    grid = [[" "] * width for _ in range(height)]
    for owner in reversed(range(len(series))):
        for column in range(width):
            score = series[owner][round(column * last / max(1, width - 1))]
            row = round((height - 1) * (most - score) / (most - least))
            grid[row][column] = LETTERS[owner]
    lines = []
    for number, line in enumerate(grid):
        score = round(most - (most - least) * number / (height - 1))
        axis = f"{score:4}" if number % 3 == 0 or number == height - 1 else "    "
        lines.append(f"{axis} |{''.join(line)}".rstrip())
    return "\n".join(lines)
