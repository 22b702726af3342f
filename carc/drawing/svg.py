"""Positions as SVG: each kind of tile is drawn once and used wherever it lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import attrs

from carc.base.tiles.tile import Tile
from carc.drawing import art
from carc.drawing.geometry import SIZE, turned
from carc.drawing.layout import layout
from carc.drawing.position import FACE_DOWN, Data, Piece, pieces
from carc.drawing.tiles import tile_art

Cell = tuple[int, int]
_CLIP = '<clipPath id="c-box"><path d="M0 0h100v100h-100z"/></clipPath>'
WIDE = 11  # columns from which tiles are small, and numbers at the edges as much larger
FIGURE = 1.25  # of figures on the table to those in the tables of art
SMALL = 1.6  # the same where tiles are small
_MOST_INWARDS = 9.0  # by which a figure is moved from the edge of its tile
_BESIDE = 16.0  # from one figure to the next on a segment


@attrs.frozen
class Scene:
    """A position in parts, each a piece of SVG in the coordinates of the table: cell (x, y) is at 100 x, 100 y."""

    tiles: tuple[str, ...]
    pieces: tuple[str, ...]
    box: tuple[int, int, int, int]  # left, top, right, bottom in cells, the last two not included
    kinds: tuple[str, ...]  # of the tiles used


def scene(
    data: Data, tiles: Mapping[str, Tile], free: Iterable[Cell] = (), figure: float = FIGURE
) -> Scene:
    """The tiles and pieces of a position; `free` cells are marked as open to the tile in hand, `figure` is the pieces' scale."""
    under = [
        f'<use href="#c-{laid["kind"]}" transform="{_place(laid)}"/>' for laid in data["tiles"]
    ]
    cells = [(laid["x"], laid["y"]) for laid in data["tiles"]]
    lying = {(laid["x"], laid["y"]): laid for laid in data["tiles"]}
    here: dict[tuple[int, int, int | None], list[Piece]] = {}
    for one in pieces(data):
        if one.kind == FACE_DOWN:
            cells.append((one.x, one.y))
            under.append(_face_down(one.x, one.y))
        else:
            here.setdefault((one.x, one.y, one.segment), []).append(one)
    over: list[str] = []
    for (x, y, segment), some in here.items():
        laid = lying.get((x, y))
        px, py = 50.0, 50.0
        if laid is not None and segment is not None:
            px, py = spot(tiles[laid["kind"]], laid["rotation"], segment)
        kind = tiles[laid["kind"]].segments[segment].kind if laid and segment is not None else ""
        for number, one in enumerate(some):
            aside = _BESIDE * figure * (number - (len(some) - 1) / 2)
            at = f"{SIZE * x + px + aside:.5g} {SIZE * y + py:.5g}"
            over.append(f'<g transform="translate({at})scale({figure})">{piece_art(one, kind)}</g>')
    for x, y in free:
        cells.append((x, y))
        over.append(_free(x, y))
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    box = (min(xs), min(ys), max(xs) + 1, max(ys) + 1)
    return Scene(
        tuple(under), tuple(over), box, tuple(dict.fromkeys(laid["kind"] for laid in data["tiles"]))
    )


def _place(laid: Mapping[str, int]) -> str:
    turn = f"rotate({90 * laid['rotation']} 50 50)" if laid["rotation"] else ""
    return f"translate({SIZE * laid['x']} {SIZE * laid['y']}){turn}"


def spot(tile: Tile, rotation: int, segment: int) -> tuple[float, float]:
    """Where on its tile, turned, a follower on the segment stands: a little inwards where it would reach over the edge."""
    x, y = turned(layout(tile).spots[segment][0], rotation)
    left, top = (24, 14) if tile.segments[segment].kind in art.LYING else (14, 24)
    return _inwards(x, left, 86), _inwards(y, top, 86)


def _inwards(at: float, least: float, most: float) -> float:
    """A coordinate moved between two others, or towards them as far as may be."""
    return at + min(_MOST_INWARDS, max(0.0, least - at)) - min(_MOST_INWARDS, max(0.0, at - most))


def piece_art(one: Piece, kind: str) -> str:
    """A piece on a segment of this kind: a follower's figure, a piece's drawing, or a token; with its count and text."""
    if one.follows:
        owner = one.owner if one.owner is not None else 0
        return art.figure(one.kind, owner, kind in art.LYING)
    drawn = art.PIECES.get(one.kind)
    if drawn is None:
        drawn = (
            art.figure(one.kind, one.owner, False) if one.owner is not None else art.token(one.kind)
        )
    elif one.owner is not None:
        fill, contrast, emblem = art.OWNERS[one.owner % len(art.OWNERS)]
        drawn += f'<circle cx="8" cy="8" r="6.4" fill="{fill}" stroke="#fff"/>'
        drawn += f'<path d="{emblem}" fill="{contrast}" transform="translate(8 8)scale(.7)"/>'
    if one.count > 1:
        drawn += f'<g transform="translate(9 -8)">{art.disc("tk", 6.6)}{art.label(str(one.count), 0, 3.8, 10.5)}</g>'
    if one.text:
        drawn += art.label(one.text, 0, 20, 9)
    return drawn


def _face_down(x: int, y: int) -> str:
    inner = art.shape("bk", "M1 1h98v98h-98z") + art.shape(
        "bp", "M14 14h72v72h-72zM50 24 76 50 50 76 24 50z"
    )
    return f'<g transform="translate({SIZE * x} {SIZE * y})">{inner}{art.label("?", 50, 62, 34, "bq")}</g>'


def _free(x: int, y: int) -> str:
    at = f'x="{SIZE * x + 6}" y="{SIZE * y + 6}" width="88" height="88" rx="9"'
    return f'<rect class="c-tg" {at}/>'


def last_move(x: int, y: int) -> str:
    """The frame about the tile laid last."""
    at = f'x="{SIZE * x + 1.5:g}" y="{SIZE * y + 1.5:g}" width="97" height="97"'
    return f'<rect class="c-la" {at}/><rect class="c-lb" {at}/>'


def definitions(kinds: Iterable[str], tiles: Mapping[str, Tile]) -> str:
    """Each kind of tile once, to be used by `Scene.tiles`."""
    drawn = "".join(f'<g id="c-{name}">{tile_art(tiles[name])}</g>' for name in kinds)
    return f"<defs>{_CLIP}{drawn}</defs>"


def axes(box: tuple[int, int, int, int]) -> str:
    """The numbers of columns and rows along the edges."""
    left, top, right, bottom = box
    margin = _margin(box)
    size = 0.72 * margin
    over, beside = SIZE * top - 0.24 * margin, SIZE * left - 0.56 * margin
    numbers = [art.label(str(x), SIZE * x + 50, over, size, "ax") for x in range(left, right)]
    numbers += [
        art.label(str(y), beside, SIZE * y + 50 + size / 3, size, "ax") for y in range(top, bottom)
    ]
    return "".join(numbers)


def _margin(box: tuple[int, int, int, int]) -> int:
    """The room for the numbers at the edges."""
    return 18 if box[2] - box[0] < WIDE else 36


def view(box: tuple[int, int, int, int], below: int = 0) -> tuple[int, int, int, int]:
    """The view box of a table: left, top, width, height, with room for the numbers and `below` for a caption."""
    left, top, right, bottom = box
    width, height = SIZE * (right - left), SIZE * (bottom - top)
    margin = _margin(box)
    return (
        SIZE * left - margin,
        SIZE * top - margin,
        width + margin + 4,
        height + margin + 4 + below,
    )


def board(
    data: Data,
    tiles: Mapping[str, Tile],
    *,
    caption: str = "",
    free: Sequence[Cell] = (),
    size: int = 60,
    theme: str = "auto",
    last: Cell | None = None,
) -> str:
    """A position as one SVG picture.

    `tiles`: the kinds of tile by name. `size`: pixels a tile. `theme`: `light`, `dark`, or `auto`, which follows the page.
    `free`: cells to mark as open; `last`: the cell to frame, by default that of the tile laid last.
    """
    shown = scene(data, tiles, free, FIGURE if size > 50 else SMALL)
    if last is None and len(data["tiles"]) > 1:
        last = (data["tiles"][-1]["x"], data["tiles"][-1]["y"])
    framed = last_move(*last) if last else ""
    x, y, width, height = view(shown.box, 30 if caption else 0)
    words = art.label(caption, x + _margin(shown.box), y + height - 10, 18, "cp") if caption else ""
    scale = size / SIZE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" width="{width * scale:g}" '
        f'height="{height * scale:g}" role="img" aria-label="{escape(caption or "the table")}">'
        f"<style>{art.style(theme)}</style>{definitions(shown.kinds, tiles)}{axes(shown.box)}"
        f"{''.join(shown.tiles)}{''.join(shown.pieces)}{framed}{words}</svg>"
    )


def sheet(tiles: Sequence[Tile], *, columns: int = 8, size: int = 100, theme: str = "auto") -> str:
    """A tile set as one SVG picture: every kind with its name and the number of its copies below."""
    rows = -(-len(tiles) // columns)
    width, height = columns * 112 + 8, rows * 128 + 8
    drawn = []
    for number, tile in enumerate(tiles):
        at = f"translate({number % columns * 112 + 10} {number // columns * 128 + 8})"
        words = art.label(f"{tile.name} x{tile.copies}", 50, 115, 13, "ax")
        drawn.append(f'<g transform="{at}">{tile_art(tile)}{words}</g>')
    scale = size / SIZE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width * scale:g}" '
        f'height="{height * scale:g}" role="img" aria-label="a set of tiles">'
        f"<style>{art.style(theme)}</style><defs>{_CLIP}</defs>{''.join(drawn)}</svg>"
    )
