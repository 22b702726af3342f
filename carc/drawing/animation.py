"""A match as an animated SVG picture, which plays wherever pictures are shown."""

from collections.abc import Sequence
from html import escape

from carc.drawing import artwork, board_svg
from carc.drawing.geometry import SIZE
from carc.drawing.history import MatchHistory
from carc.drawing.replay_board import layers_of, visible_times
from carc.drawing.style import style

TURN_SECONDS = 0.6
END_SECONDS = 4.0
"""How long the end of the match is shown before the picture starts again."""
_SIZE = 48  # pixels a tile
_LINE, _COLUMN = 66, 420  # height of a line of scores, and the least width of a player in it
_MOST_NAME = 16  # characters
_ALONE = "svg:root{display:block;margin:auto;max-width:100vw;max-height:100vh}"  # in a window


class _Clock:
    """Classes of parts that are visible in some frames of an animation only."""

    def __init__(self, frames: int, seconds: float) -> None:
        self._frames = frames
        self._total = frames * seconds + END_SECONDS
        self._seconds = seconds
        self._names: dict[tuple[int, ...], str] = {}

    def part(self, drawn: str, times: Sequence[int]) -> str:
        """Return a part that is visible in some frames: pairs of the first, and that after."""
        if times[0] == 0 and times[-1] == self._frames and len(times) == 2:
            return drawn
        name = self._names.setdefault(tuple(times), f"k{len(self._names)}")
        return f'<g class="{name}">{drawn}</g>'

    def style(self) -> str:
        """Return the style sheet. Without animation, the last frame is shown."""
        rules = []
        for times, name in self._names.items():
            steps = [] if times[0] == 0 else ["0%{visibility:hidden}"]
            for at, time in enumerate(times):
                if time < self._frames:
                    share = 100 * time * self._seconds / self._total
                    seen = "hidden" if at % 2 else "visible"
                    steps.append(f"{share:.2f}%{{visibility:{seen}}}")
            end = "" if times[-1] == self._frames else "visibility:hidden;"
            animation = f"{name} {self._total:g}s step-end infinite"
            rules.append(
                f"@keyframes {name}{{{''.join(steps)}}}.{name}{{{end}animation:{animation}}}"
            )
        rules.append("@media(prefers-reduced-motion:reduce){g{animation:none!important}}")
        return "".join(rules)


def animation(history: MatchHistory, *, seconds: float = TURN_SECONDS, theme: str = "auto") -> str:
    """Return the picture. It shows the position after each turn, with the scores, again and again.

    Args:
        history: The match.
        seconds: How long each position is shown.
        theme: `light`, `dark`, or `auto`, which follows the preference of the reader.
    """
    ends = [0, *(turn[-1] + 1 for turn in history.turns)]
    positions = [history.positions[end] for end in ends]
    scenes = [board_svg.scene(data, history.tiles) for data in positions]
    clock = _Clock(len(positions), seconds)

    def layer(frames: Sequence[Sequence[str]]) -> str:
        return "".join(clock.part(*each) for each in visible_times(frames).items())

    box = scenes[-1].box
    x, y, width, height = board_svg.view(box)
    lines, scores = _scores(history, [data["scores"] for data in positions], (x, y, width))
    board = "".join(map(layer, layers_of(scenes, positions)))
    texts = layer(scores)
    kinds = scenes[-1].kinds
    top = y - _LINE * lines
    scale = _SIZE / SIZE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {top} {width} {y + height - top}" '
        f'width="{width * scale:g}" height="{(y + height - top) * scale:g}" role="img" '
        f'aria-label="{escape(history.title)}"><style>{_ALONE}{style(theme)}{clock.style()}</style>'
        f"{board_svg.definitions(kinds, history.tiles)}{board}{texts}</svg>"
    )


def _scores(
    history: MatchHistory, scores: Sequence[Sequence[int]], view: tuple[int, int, int]
) -> tuple[int, list[list[str]]]:
    """Return the number of lines that the scores take, and what they show in each frame."""
    x, y, width = view
    columns = max(1, min(len(history.names), width // _COLUMN))
    lines = -(-len(history.names) // columns)
    column = width / columns
    drawn: list[list[str]] = []
    for frame in scores:
        drawn.append([])
        for owner, (name, score) in enumerate(zip(history.names, frame, strict=True)):
            left = x + column * (owner % columns) + 30
            base = y - _LINE * (lines - owner // columns) + 46
            figure = artwork.figure("meeple", owner, False)
            short = name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…"
            at = f'transform="translate({left:.4g} {base - 12})scale(1.4)"'
            drawn[-1] += [
                f"<g {at}>{figure}</g>{_text(short, left + 110, base)}",
                _text(str(score), left + 34, base, "font-weight:700;"),
            ]
    return lines, drawn


def _text(text: str, x: float, y: float, look: str = "") -> str:
    size = f'style="{look}font-size:34px"'
    return f'<text class="c-cp" {size} x="{x:.4g}" y="{y}">{escape(text)}</text>'
