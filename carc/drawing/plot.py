"""What plots share: lines over the moves of a match, and bars of figures in their intervals."""

from collections.abc import Iterable
from html import escape

from carc.drawing.style import style

WIDTH, HEIGHT = 640, 150
LEFT, RIGHT, TOP, BELOW = 34, 8, 10, 10
"""The margins of a plot."""
DASHES = ("", "9 4", "3 3", "12 3 3 3", "1 4", "6 6")
"""The dashes of each owner's line: they distinguish lines without colour."""

Interval = Iterable[float]
"""A figure and the ends of its 95 % interval."""

_STYLE = ".c-gl{stroke:#888;stroke-opacity:.35;stroke-width:1}.c-now{stroke:#ff9f0a;stroke-width:2}"


def across(number: int, last: int) -> float:
    """Return the place of position `number` of 0 to `last`."""
    return LEFT + (WIDTH - LEFT - RIGHT) * number / max(1, last)


def up(share: float) -> float:
    """Return the height of a share of what the plot shows, 0 to 1."""
    return TOP + (HEIGHT - TOP - BELOW) * (1 - share)


def grid_line(y: float, text: str) -> str:
    """Return a horizontal line with a label at its left."""
    return (
        f'<path class="c-gl" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        f'<text class="c-ax" font-size="13" x="{LEFT - 17}" y="{y + 4:.1f}">{escape(text)}</text>'
    )


def line(points: Iterable[tuple[float, float]], owner: int, fill: str, title: str) -> str:
    """Return the line of an owner."""
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{joined}" fill="none" stroke="{fill}" stroke-width="2.5" '
        f'stroke-dasharray="{DASHES[owner % 6]}"><title>{escape(title)}</title></polyline>'
    )


def plot(name: str, parts: Iterable[str], theme: str) -> str:
    """Return a plot with a vertical line of class `c-now`, which a page can move."""
    now = f'<path class="c-now" d="M{LEFT} 6V{HEIGHT - BELOW}"/>'
    inner = f"<style>{style(theme)}{_STYLE}</style>{''.join(parts)}{now}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(name)}">{inner}</svg>'
    )


def span(intervals: Iterable[Interval]) -> tuple[float, float]:
    """Return the ends of a scale on which intervals are shown as bars, of one at least."""
    _, lows, highs = zip(*intervals, strict=True)
    low, high = min(lows), max(highs)
    return (low, high) if high > low else (low - 1, high + 1)


def bar(interval: Interval, ends: tuple[float, float], width: int = 130) -> str:
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
