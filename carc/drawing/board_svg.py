"""Positions as SVG. Each kind of tile is drawn once and used wherever it lies."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import attrs

from carc.base.tiles.tile import Tile
from carc.drawing import artwork
from carc.drawing.geometry import SIZE, Point, mix, turned
from carc.drawing.pieces import FACE_DOWN, Data, Piece, pieces
from carc.drawing.style import disc, label, shape, style
from carc.drawing.tile_layout import tile_layout
from carc.drawing.tile_svg import tile_svg

Cell = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in cells; the last two are excluded."""

WIDE = 11
"""Columns from which tiles are small on a page, and numbers at the edges therefore larger."""
PIECE_SCALE = 1.25
"""From the drawings of artwork.svg to pieces on the board."""
LARGE_PIECE_SCALE = 1.6
"""The same where tiles are small."""

_CLIP = '<clipPath id="c-box"><path d="M0 0h100v100h-100z"/></clipPath>'
_MOST_INWARDS = 9.0  # how far a figure may be moved from the edge of its tile
_SPACING = 16.0  # between figures on a segment


@attrs.frozen
class Scene:
    """A position in parts, each an SVG element. Cell (x, y) begins at (100 x, 100 y).

    Attributes:
        tiles: The tiles.
        pieces: What lies on them.
        box: The cells in the scene.
        kinds: The kinds of tile in it.
    """

    tiles: tuple[str, ...]
    pieces: tuple[str, ...]
    box: Box
    kinds: tuple[str, ...]


def scene(
    data: Data,
    tiles: Mapping[str, Tile],
    free: Iterable[Cell] = (),
    scale: float = PIECE_SCALE,
    colours: Sequence[int] = (),
) -> Scene:
    """Return the tiles and pieces of a position.

    Args:
        data: The position.
        tiles: The kinds of tile by name.
        free: Cells to mark as open to the tile in hand.
        scale: The scale of the pieces.
        colours: The index of a colour for each owner; by default the owner's own.
    """
    placed = {(tile["x"], tile["y"]): tile for tile in data["tiles"]}
    under = [
        f'<use href="#{_name(tiles[tile["kind"]], tile["rotation"])}" transform="{_place(tile)}"/>'
        for tile in data["tiles"]
    ]
    cells = list(placed)
    by_place: dict[tuple[int, int, int | None], list[Piece]] = {}
    for piece in _recoloured(pieces(data), colours):
        if piece.kind == FACE_DOWN:
            cells.append((piece.x, piece.y))
            under.append(_face_down(piece.x, piece.y))
        else:
            by_place.setdefault((piece.x, piece.y, piece.segment), []).append(piece)
    over: list[str] = []
    for (x, y, segment), some in by_place.items():
        over += _pieces_at(some, tiles, placed.get((x, y)), segment, scale)
    for x, y in free:
        cells.append((x, y))
        over.append(_free(x, y))
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    box = (min(xs), min(ys), max(xs) + 1, max(ys) + 1)
    kinds = tuple(dict.fromkeys(tile["kind"] for tile in data["tiles"]))
    return Scene(tuple(under), tuple(over), box, kinds)


def _recoloured(some: list[Piece], colours: Sequence[int]) -> list[Piece]:
    if not colours:
        return some
    return [
        piece if piece.owner is None else attrs.evolve(piece, owner=colours[piece.owner])
        for piece in some
    ]


def _pieces_at(
    some: Sequence[Piece],
    tiles: Mapping[str, Tile],
    placed: Data | None,
    segment: int | None,
    scale: float,
) -> list[str]:
    """Return the pieces of one place side by side."""
    x, y = 50.0, 50.0
    kind = ""
    if placed is not None and segment is not None:
        tile = tiles[placed["kind"]]
        x, y = spot(tile, placed["rotation"], segment)
        kind = tile.segments[segment].kind
    drawn = []
    for number, piece in enumerate(some):
        aside = _SPACING * scale * (number - (len(some) - 1) / 2)
        if placed is not None and piece.to is not None:
            end = spot(tiles[placed["kind"]], placed["rotation"], piece.to)
            drawn.append(_line((SIZE * piece.x, SIZE * piece.y), (x, y), end))
            x, y = mix(mix((x, y), end, 0.5), (50.0, 50.0), 0.5)
        at = f"{SIZE * piece.x + x + aside:.5g} {SIZE * piece.y + y:.5g}"
        drawn.append(f'<g transform="translate({at})scale({scale})">{piece_svg(piece, kind)}</g>')
    return drawn


def _line(corner: Point, start: Point, end: Point) -> str:
    """Return the line between the two places of a tile that a piece joins, past its middle."""
    first, middle, last = (
        f"{corner[0] + x:.5g} {corner[1] + y:.5g}" for x, y in (start, (50.0, 50.0), end)
    )
    look = 'fill="none" stroke="#8a5a34" stroke-width="5" stroke-linecap="round"'
    return f'<path d="M{first}Q{middle} {last}" {look}/>'


def _name(tile: Tile, rotation: int) -> str:
    """Return the name of the drawing in `definitions`: with text there is one for each rotation."""
    return f"c-{tile.name}@{rotation}" if rotation and _has_text(tile) else f"c-{tile.name}"


def _has_text(tile: Tile) -> bool:
    return "<text" in tile_svg(tile)


def _place(placed: Mapping[str, int]) -> str:
    turn = f"rotate({90 * placed['rotation']} 50 50)" if placed["rotation"] else ""
    return f"translate({SIZE * placed['x']} {SIZE * placed['y']}){turn}"


def spot(tile: Tile, rotation: int, segment: int) -> tuple[float, float]:
    """Return where a follower on a segment stands on its rotated tile.

    It is moved a little inwards where it would reach over the edge.
    """
    x, y = turned(tile_layout(tile).spots[segment][0], rotation)
    left, top = (24, 14) if tile.segments[segment].kind in artwork.LYING else (14, 24)
    return _inwards(x, left, 86), _inwards(y, top, 86)


def _inwards(at: float, least: float, most: float) -> float:
    """Move a coordinate towards an interval, by at most `_MOST_INWARDS`."""
    return at + min(_MOST_INWARDS, max(0.0, least - at)) - min(_MOST_INWARDS, max(0.0, at - most))


def piece_svg(piece: Piece, kind: str) -> str:
    """Return the drawing of a piece with its count and text, on a kind of segment or none."""
    if piece.is_follower:
        owner = piece.owner if piece.owner is not None else 0
        return artwork.figure(piece.kind, owner, kind in artwork.LYING)
    drawn = artwork.drawing("piece", piece.kind)
    if not drawn:
        drawn = (
            artwork.token(piece.kind)
            if piece.owner is None
            else artwork.figure(piece.kind, piece.owner, False)
        )
    elif piece.owner is not None:
        fill, contrast, emblem = artwork.OWNERS[piece.owner % len(artwork.OWNERS)]
        drawn += f'<circle cx="8" cy="8" r="6.4" fill="{fill}" stroke="#fff"/>'
        drawn += f'<path d="{emblem}" fill="{contrast}" transform="translate(8 8)scale(.7)"/>'
    if piece.count > 1:
        count = disc("tk", 6.6) + label(str(piece.count), 0, 3.8, 10.5)
        drawn += f'<g transform="translate(9 -8)">{count}</g>'
    if piece.text:
        drawn += label(piece.text, 0, 20, 9)
    return drawn


def _face_down(x: int, y: int) -> str:
    back = shape("bk", "M1 1h98v98h-98z") + shape(
        "bp", "M14 14h72v72h-72zM50 24 76 50 50 76 24 50z"
    )
    question = label("?", 50, 62, 34, "bq")
    return f'<g transform="translate({SIZE * x} {SIZE * y})">{back}{question}</g>'


def _free(x: int, y: int) -> str:
    at = f'x="{SIZE * x + 6}" y="{SIZE * y + 6}" width="88" height="88" rx="9"'
    return f'<rect class="c-tg" {at}/>'


def last_move(x: int, y: int) -> str:
    """Return the frame around the tile placed last."""
    at = f'x="{SIZE * x + 1.5:g}" y="{SIZE * y + 1.5:g}" width="97" height="97"'
    return f'<rect class="c-la" {at}/><rect class="c-lb" {at}/>'


def definitions(kinds: Iterable[str], tiles: Mapping[str, Tile]) -> str:
    """Return each kind of tile once, or for each rotation if it has text, for `Scene.tiles`."""
    drawn = "".join(
        f'<g id="{_name(tiles[name], rotation)}">{tile_svg(tiles[name], rotation)}</g>'
        for name in kinds
        for rotation in range(4 if _has_text(tiles[name]) else 1)
    )
    return f"<defs>{_CLIP}{drawn}</defs>"


def axes(box: Box) -> str:
    """Return the numbers of columns and rows along the edges."""
    left, top, right, bottom = box
    margin = _margin(box)
    size = 0.72 * margin
    over, beside = SIZE * top - 0.24 * margin, SIZE * left - 0.56 * margin
    numbers = [label(str(x), SIZE * x + 50, over, size, "ax") for x in range(left, right)]
    numbers += [
        label(str(y), beside, SIZE * y + 50 + size / 3, size, "ax") for y in range(top, bottom)
    ]
    return "".join(numbers)


def _margin(box: Box) -> int:
    """Return the room for the numbers at the edges."""
    return 18 if box[2] - box[0] < WIDE else 36


def view(box: Box, below: int = 0) -> tuple[int, int, int, int]:
    """Return the view box of a board, left, top, width, height, with room for a caption below."""
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
    """Return a position as one SVG picture.

    Args:
        data: The position.
        tiles: The kinds of tile by name.
        caption: A line of text below the board.
        free: Cells to mark as open.
        size: Pixels a tile.
        theme: `light`, `dark`, or `auto`, which follows the preference of the reader.
        last: The cell to frame, by default that of the tile placed last.
    """
    parts = scene(data, tiles, free, PIECE_SCALE if size > 50 else LARGE_PIECE_SCALE)
    if last is None and len(data["tiles"]) > 1:
        last = (data["tiles"][-1]["x"], data["tiles"][-1]["y"])
    framed = last_move(*last) if last else ""
    x, y, width, height = view(parts.box, 30 if caption else 0)
    words = label(caption, x + _margin(parts.box), y + height - 10, 18, "cp") if caption else ""
    inner = (
        f"{definitions(parts.kinds, tiles)}{axes(parts.box)}"
        f"{''.join(parts.tiles)}{''.join(parts.pieces)}{framed}{words}"
    )
    return _picture((x, y, width, height), size / SIZE, caption or "the board", theme, inner)


def tile_sheet(
    tiles: Sequence[Tile], *, columns: int = 8, size: int = 100, theme: str = "auto"
) -> str:
    """Return a tile set as one SVG picture: every kind with its name and number of copies."""
    rows = -(-len(tiles) // columns)
    width, height = columns * 112 + 8, rows * 128 + 8
    drawn = []
    for number, tile in enumerate(tiles):
        at = f"translate({number % columns * 112 + 10} {number // columns * 128 + 8})"
        words = label(f"{tile.name} x{tile.copies}", 50, 115, 13, "ax")
        drawn.append(f'<g transform="{at}">{tile_svg(tile)}{words}</g>')
    inner = f"<defs>{_CLIP}</defs>{''.join(drawn)}"
    return _picture((0, 0, width, height), size / SIZE, "a set of tiles", theme, inner)


def _picture(
    box: tuple[int, int, int, int], scale: float, name: str, theme: str, inner: str
) -> str:
    x, y, width, height = box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" '
        f'width="{width * scale:g}" height="{height * scale:g}" role="img" '
        f'aria-label="{escape(name)}"><style>{style(theme)}</style>{inner}</svg>'
    )
