"""Positions drawn for people: as text and as SVG, in a schematic art of this project's own.

Both read `State.to_dict()` and the tiles' data, and draw whatever features and pieces they find there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from carc.base.rules import COLOURS

if TYPE_CHECKING:
    from carc.base.state import State
    from carc.base.tiles import Segment, Tile

# A tile is 3 lines of 5 characters; where a side and the middle are.
_SIDES = ((0, 2), (1, 4), (2, 2), (1, 0))
_MIDDLE = (1, 2)

LEGEND = "# city  | - + road  o roads end  . field  ~ under mist  M monastery and others by initial  a-f followers"


def _rotated(edges: tuple[int, ...], rotation: int) -> list[int]:
    return [(edge + rotation) % 4 for edge in edges]


def _through(sides: list[int]) -> str:
    """What a road is in the middle of its tile: it runs on, turns, or ends."""
    if len(sides) == 1:
        return "o"
    return "+" if (sides[0] - sides[1]) % 2 else "-|"[sides[0] % 2 == 0]


def _tile_text(tile: Tile, rotation: int, overlays: set[str]) -> list[list[str]]:
    """Three lines of five characters."""
    grid = [list(" ... "), list("....."), list(" ... ")]
    for segment in tile.segments:
        sides = _rotated(segment.edges, rotation)
        if segment.kind == "city":
            for side in sides:
                y, x = _SIDES[side]
                grid[y][x] = "#"
                if side in (0, 2):
                    grid[y][1:4] = "###"
            if len(sides) > 1:
                grid[_MIDDLE[0]][1:4] = "###"
        elif segment.kind == "road":
            for side in sides:
                y, x = _SIDES[side]
                mark = "|" if side in (0, 2) else "-"
                grid[y][x] = mark
                if side in (1, 3):
                    grid[y][3 if side == 1 else 1] = mark
            grid[_MIDDLE[0]][_MIDDLE[1]] = _through(sides)
    for segment in tile.segments:
        if segment.kind in overlays:
            for side in _rotated(segment.edges, rotation):
                y, x = _SIDES[side]
                for at in (1, 3) if side in (0, 2) else (x,):
                    grid[y][at] = "~"
                if grid[y][x] == ".":
                    grid[y][x] = "~"
        elif not segment.edges and not segment.halves:
            grid[_MIDDLE[0]][_MIDDLE[1]] = segment.kind[0].upper()
    return grid


def _spot(tile: Tile, segment: Segment, rotation: int) -> tuple[int, int]:
    """Where in the tile's text a follower on the segment is shown."""
    if segment.edges:
        return _SIDES[_rotated(segment.edges, rotation)[0]]
    if segment.halves:
        return ((0, 3), (2, 4), (2, 1), (0, 1))[_rotated((segment.halves[0] // 2,), rotation)[0]]
    return _MIDDLE


def draw_text(state: State) -> str:
    """The table as text: three lines a tile, followers by the letter of their colour, scores below."""
    data = state.to_dict()
    catalogue = state.rules.catalogue
    overlays = {kind.name for kind in catalogue.kinds if kind.overlay}
    xs = [tile["x"] for tile in data["tiles"]] + [x for x, _ in data.get("hidden", ())]
    ys = [tile["y"] for tile in data["tiles"]] + [y for _, y in data.get("hidden", ())]
    left, top = min(xs), min(ys)
    lines = [[" "] * (5 * (max(xs) - left + 1)) for _ in range(3 * (max(ys) - top + 1))]
    kinds = {}
    for laid in data["tiles"]:
        tile = catalogue.tiles[catalogue.index[laid["kind"]]]
        kinds[laid["x"], laid["y"]] = (tile, laid["rotation"])
        for dy, row in enumerate(_tile_text(tile, laid["rotation"], overlays)):
            at = 5 * (laid["x"] - left)
            lines[3 * (laid["y"] - top) + dy][at : at + 5] = row
    for x, y in data.get("hidden", ()):
        for dy in range(3):
            lines[3 * (y - top) + dy][5 * (x - left) : 5 * (x - left) + 5] = "?????"
    for one in _followers(data):
        tile, rotation = kinds[one["x"], one["y"]]
        dy, dx = _spot(tile, tile.segments[one["segment"]], rotation)
        lines[3 * (one["y"] - top) + dy][5 * (one["x"] - left) + dx] = "abcdef"[one["owner"]]
    board = "\n".join("".join(line).rstrip() for line in lines)
    return f"{board}\n\n{_caption(data)}\n{LEGEND}"


def _followers(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for feature in data["features"] for one in feature["followers"]]


def _caption(data: dict[str, Any]) -> str:
    scores = ", ".join(
        f"{'abcdef'[owner]} {COLOURS[owner]} {score}" for owner, score in enumerate(data["scores"])
    )
    left = sum(data["bag"].values())
    if data["winners"] is not None:
        doing = "the game is over"
    else:
        doing = f"to decide: {data['decision']}"
        if data["tile_in_hand"]:
            doing += f" ({data['tile_in_hand']})"
    return f"{scores}; {left} tiles unseen; {doing}"


_SIZE = 60
_PIECES = ("#c22", "#282", "#24c", "#dc2", "#222", "#d6a")
_MIDPOINTS = ((30, 0), (60, 30), (30, 60), (0, 30))
_CORNERS = ((0, 0), (60, 0), (60, 60), (0, 60))  # the corner before each side, clockwise


def _tile_svg(tile: Tile, rotation: int, overlays: set[str]) -> str:
    """One tile in a box of 60 by 60."""
    parts = ['<rect width="60" height="60" fill="#9c6" stroke="#573" stroke-width="0.6"/>']
    for segment in tile.segments:
        sides = sorted(_rotated(segment.edges, rotation))
        if segment.kind == "city":
            for side in sides:
                (x1, y1), (x2, y2) = _CORNERS[side], _CORNERS[(side + 1) % 4]
                mx, my = (30, 30) if len(sides) > 1 else _toward(_MIDPOINTS[side], 0.55)
                parts.append(f'<path d="M{x1} {y1}L{x2} {y2}L{mx} {my}z" fill="#b83"/>')
            for mark in range(dict(segment.marks).get("coat_of_arms", 0)):
                x, y = _toward(_MIDPOINTS[sides[0]], 0.35)
                parts.append(
                    f'<rect x="{x - 4 + 3 * mark}" y="{y - 4}" width="8" height="8" fill="#25c"/>'
                )
        elif segment.kind == "road":
            for side in sides:
                x, y = _MIDPOINTS[side]
                parts.append(f'<path d="M{x} {y}L30 30" stroke="#fff" stroke-width="5"/>')
            if len(sides) == 1:
                parts.append('<circle cx="30" cy="30" r="5" fill="#a65" stroke="#fff"/>')
    for segment in tile.segments:
        if segment.kind in overlays:
            for side in _rotated(segment.edges, rotation):
                (x1, y1), (x2, y2) = _CORNERS[side], _CORNERS[(side + 1) % 4]
                parts.append(
                    f'<path d="M{x1} {y1}L{x2} {y2}L30 30z" fill="#dde" fill-opacity="0.75"/>'
                )
    for segment in tile.segments:
        if not segment.edges and not segment.halves:
            parts.append('<rect x="19" y="19" width="22" height="22" rx="3" fill="#eec"/>')
            parts.append(_label(30, 35, segment.kind[:2].capitalize(), 12))
    return "".join(parts)


def _toward(point: tuple[int, int], part: float) -> tuple[float, float]:
    """A point on the way from a side's midpoint to the middle."""
    x, y = point
    return x + (30 - x) * part, y + (30 - y) * part


def _label(x: float, y: float, text: str, size: int, fill: str = "#222") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" '
        f'font-family="sans-serif" fill="{fill}">{escape(text)}</text>'
    )


def draw_svg(state: State) -> str:
    """The table as an SVG picture: followers as discs in their colour, other pieces (ghosts, ...) as counted labels."""
    data = state.to_dict()
    catalogue = state.rules.catalogue
    overlays = {kind.name for kind in catalogue.kinds if kind.overlay}
    cells = [(tile["x"], tile["y"]) for tile in data["tiles"]]
    cells += [(x, y) for x, y in data.get("hidden", ())]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    width = _SIZE * (max(x for x, _ in cells) - left + 1)
    height = _SIZE * (max(y for _, y in cells) - top + 1)
    parts = []
    kinds = {}
    for laid in data["tiles"]:
        tile = catalogue.tiles[catalogue.index[laid["kind"]]]
        kinds[laid["x"], laid["y"]] = (tile, laid["rotation"])
        at = f"translate({_SIZE * (laid['x'] - left)} {_SIZE * (laid['y'] - top)})"
        parts.append(f'<g transform="{at}">{_tile_svg(tile, laid["rotation"], overlays)}</g>')
    for x, y in data.get("hidden", ()):
        px, py = _SIZE * (x - left), _SIZE * (y - top)
        parts.append(f'<rect x="{px}" y="{py}" width="60" height="60" fill="#555"/>')
        parts.append(_label(px + 30, py + 40, "?", 28, "#ddd"))

    def spot(one: dict[str, Any]) -> tuple[float, float]:
        tile, rotation = kinds[one["x"], one["y"]]
        dy, dx = _spot(tile, tile.segments[one["segment"]], rotation)
        aside = 13 if (dy, dx) == _MIDDLE else 0  # beside the building's name
        px = _SIZE * (one["x"] - left) + 8 + dx * 11 - aside
        return px, _SIZE * (one["y"] - top) + 9 + dy * 21 + aside

    for one in _followers(data):
        x, y = spot(one)
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="7" fill="{_PIECES[one["owner"]]}" stroke="#fff"/>'
        )
        parts.append(_label(x, y + 4, one["kind"][0].upper(), 10, "#fff"))
    for key in ("ghosts", "circles"):
        for one in data.get(key, ()):
            x, y = spot(one)
            parts.append(f'<circle cx="{x + 9}" cy="{y - 6}" r="6" fill="#fff" stroke="#66a"/>')
            parts.append(_label(x + 9, y - 2, str(one["ghosts"]), 9, "#44a"))
    caption = _label(width / 2, height + 18, _caption(data), 13)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 26}" '
        f'width="{width}" height="{height + 26}">{"".join(parts)}{caption}</svg>'
    )
