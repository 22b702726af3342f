"""Scores over time as a picture and as text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from carc.base.game.rules import COLOURS
from carc.drawing import art
from carc.drawing.text import LETTERS

_DASHES = ("", "9 4", "3 3", "12 3 3 3", "1 4", "6 6")  # tell lines apart without colour


def as_svg(series: Sequence[Sequence[int]], names: Sequence[str], theme: str = "auto") -> str:
    """A line an owner; a vertical line of class `c-now` at the left is for whoever steps through the match."""
    width, height, left, below = 640, 220, 34, 22
    most = max(10, *(max(line) for line in series))
    least = min(0, *(min(line) for line in series))
    last = max(1, len(series[0]) - 1)

    def at(step: int, score: int) -> str:
        x = left + (width - left - 8) * step / last
        return f"{x:.1f},{height - below - (height - below - 10) * (score - least) / (most - least):.1f}"

    parts = []
    for score in range(0, most + 1, 10 if most < 80 else 20 if most < 200 else 50):
        y = at(0, score).partition(",")[2]
        parts.append(f'<path class="c-gl" d="M{left} {y}H{width - 8}"/>')
        parts.append(
            f'<text class="c-ax" font-size="13" x="{left - 16}" y="{float(y) + 4:g}">{score}</text>'
        )
    for owner, line in enumerate(series):
        points = " ".join(
            at(step, score)
            for step, score in enumerate(line)
            if step in (0, last) or score != line[step - 1] or score != line[step + 1]
        )
        fill = art.OWNERS[owner % 6][0]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{fill}" stroke-width="2.5" stroke-dasharray="{_DASHES[owner % 6]}">'
            f"<title>{COLOURS[owner]} {escape(names[owner])}</title></polyline>"
        )
    parts.append(f'<path class="c-now" d="M{left} 6V{height - below}"/>')
    rules = (
        ".c-gl{stroke:#888;stroke-opacity:.35;stroke-width:1}.c-now{stroke:#ff9f0a;stroke-width:2}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="scores over time"><style>{art.style(theme)}{rules}</style>{"".join(parts)}</svg>'
    )


def as_text(series: Sequence[Sequence[int]], width: int = 64, height: int = 12) -> str:
    """A letter an owner; where several are level the first is seen."""
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
