"""Scores over time, as a picture and as text."""

from collections.abc import Sequence

from carc.base.game.rules import COLOURS
from carc.drawing import artwork, plot
from carc.drawing.board_text import LETTERS


def as_svg(series: Sequence[Sequence[int]], names: Sequence[str], theme: str = "auto") -> str:
    """Return a picture with a line for each owner: the score after each move.

    A vertical line of class `c-now` at the left can be moved by a page that steps through a match.
    """
    most = max(10, *(max(line) for line in series))
    least = min(0, *(min(line) for line in series))
    last = len(series[0]) - 1

    def height(score: int) -> float:
        return plot.up((score - least) / (most - least))

    step = 10 if most < 40 else 20 if most < 100 else 50
    parts = [plot.grid_line(height(score), str(score)) for score in range(0, most + 1, step)]
    for owner, line in enumerate(series):
        points = [
            (plot.across(number, last), height(score))
            for number, score in enumerate(line)
            if number in (0, last) or score != line[number - 1] or score != line[number + 1]
        ]
        fill = artwork.OWNERS[owner % 6][0]
        parts.append(plot.line(points, owner, fill, f"{COLOURS[owner]} {names[owner]}"))
    return plot.plot("scores over time", parts, theme)


def as_text(series: Sequence[Sequence[int]], width: int = 64, height: int = 12) -> str:
    """Return a plot with one letter for each owner. Where lines meet the first owner is shown."""
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
