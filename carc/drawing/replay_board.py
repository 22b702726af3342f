"""The board of a replay: every part of every position once, with the positions that show it."""

from collections.abc import Iterable, Sequence

from carc.drawing import board_svg
from carc.drawing.history import MatchHistory
from carc.drawing.pieces import Data
from carc.drawing.style import style

_START_CELLS = 2  # room around the first tile, in a browser without scripts


def replay_board(history: MatchHistory, extra_kinds: Iterable[str] = ()) -> tuple[str, list[str]]:
    """Return the board as SVG, and for each position its box as `left top right bottom`.

    Extra kinds of tile are defined although no position shows them.
    """
    tiles = history.tiles
    scenes = [board_svg.scene(data, tiles) for data in history.positions]
    layers = "".join(map(_timed, layers_of(scenes, history.positions)))
    kinds = dict.fromkeys(kind for scene in scenes for kind in scene.kinds)
    kinds.update(dict.fromkeys(extra_kinds))
    left, top, right, bottom = scenes[0].box
    x, y, width, height = board_svg.view(
        (
            left - _START_CELLS,
            top - _START_CELLS,
            right + _START_CELLS,
            bottom + _START_CELLS,
        )
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" role="img" '
        f'aria-label="the board"><style>{style("auto")}</style>'
        f"{board_svg.definitions(kinds, tiles)}{layers}"
        '<g class="carc-better"></g><g class="carc-axes"></g></svg>'
    )
    return svg, [" ".join(map(str, scene.box)) for scene in scenes]


def layers_of(
    scenes: Sequence[board_svg.Scene], positions: Sequence[Data]
) -> list[Sequence[Sequence[str]]]:
    """Return for each position the tiles, the pieces, and the frame of the tile placed last."""
    last = [data["tiles"][-1] for data in positions[1:]]
    frames = [[], *([board_svg.last_move(tile["x"], tile["y"])] for tile in last)]
    return [[each.tiles for each in scenes], [each.pieces for each in scenes], frames]


def visible_times(layers: Sequence[Iterable[str]]) -> dict[str, list[int]]:
    """Return when each part of a layer is visible: pairs of positions, first and after last.

    Of each position it gets the parts that are visible in it.
    """
    seen: dict[str, list[int]] = {}
    for number, parts in enumerate(layers):
        for part in parts:
            times = seen.setdefault(part, [])
            if times and times[-1] == number:
                times[-1] = number + 1
            else:
                times += [number, number + 1]
    return seen


def _timed(layers: Sequence[Iterable[str]]) -> str:
    """Return the parts of a layer, each with its times in `data-t`."""
    drawn = []
    for part, times in visible_times(layers).items():
        mark = f'data-t="{" ".join(map(str, times))}"'
        hidden = "" if times[0] == 0 else ' style="display:none"'
        drawn.append(f"<g {mark}{hidden}>{part}</g>")
    return "".join(drawn)
