"""Positions as text: three lines of five characters a tile, in colour on a terminal."""

import itertools
import os
from collections.abc import Mapping, Sequence

import attrs

from carc.base.game.rules import COLOURS
from carc.base.tiles.tile import GATE, Segment, Tile
from carc.drawing.pieces import FACE_DOWN, SIDE_NAMES, Data, Piece, pieces

Cell = tuple[int, int]

LEGEND = (
    "# city  | - + road  o road end  . field  ~ mist  M monastery, others by initial  "
    "a-f followers  * see the list"
)
LETTERS = "abcdef"
"""The letter of each owner."""

# Styles: bold or dim, a colour, and "on" another colour; by character and by owner.
_STYLES = {
    "#": "yellow",
    "|": "bold white",
    "-": "bold white",
    "+": "bold white",
    "o": "bold white",
    ".": "green",
    "~": "cyan",
    "*": "bold bright_white",
    "?": "dim",
}
_OWNERS = (
    "bold white on red",
    "bold black on green",
    "bold white on blue",
    "bold black on yellow",
    "bold white on dark_grey",
    "bold black on magenta",
)
_LAST = "on darker_grey"  # beneath the tile placed last

# Row and column of each side, and of the middle, in the text of a tile.
_SIDES = ((0, 2), (1, 4), (2, 2), (1, 0))
_MIDDLE = (1, 2)
_WIDE, _HIGH = 5, 3


def _rotated(edges: Sequence[int], rotation: int) -> list[int]:
    return [(edge + rotation) % 4 for edge in edges]


def _road_middle(sides: Sequence[int]) -> str:
    """Return the middle of a tile with a road: it goes straight on, turns, or ends."""
    if len(sides) == 1:
        return "o"
    return "+" if (sides[0] - sides[1]) % 2 else "-|"[sides[0] % 2 == 0]


def _is_overlay(tile: Tile, segment: Segment) -> bool:
    """Return True if a segment lies over edges of another kind."""
    letter = segment.kind[:1].upper()
    return (
        bool(segment.edges)
        and segment.kind not in ("city", "road", "field", "river")
        and (any(tile.edges[edge] != letter for edge in segment.edges))
    )


def _tile_text(tile: Tile, rotation: int) -> list[list[str]]:
    """Return three lines of five characters."""
    grid = [list(" ... "), list("....."), list(" ... ")]
    for segment in tile.segments:
        sides = _rotated(segment.edges, rotation)
        if segment.kind == "city":
            _put_city(grid, sides)
        elif segment.kind == "road" and sides:
            _put_road(grid, sides)
    for edge, letter in enumerate(tile.edges):
        if letter == GATE:
            y, x = _SIDES[_rotated((edge,), rotation)[0]]
            grid[y][x] = "="
    for segment in tile.segments:
        if _is_overlay(tile, segment):
            _put_overlay(grid, _rotated(segment.edges, rotation))
        elif not segment.edges and not segment.halves and segment.kind != "field":
            grid[_MIDDLE[0]][_MIDDLE[1]] = segment.kind[0].upper()
    return grid


def _put_city(grid: list[list[str]], sides: Sequence[int]) -> None:
    for side in sides:
        y, x = _SIDES[side]
        grid[y][x] = "#"
        if side in (0, 2):
            grid[y][1:4] = "###"
    if len(sides) > 1:
        grid[_MIDDLE[0]][1:4] = "###"


def _put_road(grid: list[list[str]], sides: Sequence[int]) -> None:
    for side in sides:
        y, x = _SIDES[side]
        mark = "|" if side in (0, 2) else "-"
        grid[y][x] = mark
        if side in (1, 3):
            grid[y][3 if side == 1 else 1] = mark
    grid[_MIDDLE[0]][_MIDDLE[1]] = _road_middle(sides)


def _put_overlay(grid: list[list[str]], sides: Sequence[int]) -> None:
    for side in sides:
        y, x = _SIDES[side]
        for at in (1, 3) if side in (0, 2) else (x,):
            grid[y][at] = "~"
        if grid[y][x] == ".":
            grid[y][x] = "~"


def _spot(segment: Segment, rotation: int) -> tuple[int, int]:
    """Return row and column of a follower on the segment in the text of its tile."""
    if segment.edges:
        return _SIDES[_rotated(segment.edges, rotation)[0]]
    if segment.halves:
        return ((0, 3), (2, 4), (2, 1), (0, 1))[_rotated((segment.halves[0] // 2,), rotation)[0]]
    return _MIDDLE


@attrs.frozen
class BoardText:
    """A board as lines of characters, each with its style; a note for each piece shown as `*`."""

    lines: tuple[tuple[tuple[str, str], ...], ...]
    notes: tuple[str, ...]

    def plain(self) -> str:
        """Return the lines without colour."""
        return "\n".join("".join(char for char, _ in line).rstrip() for line in self.lines)

    def coloured(self) -> str:
        """Return the lines with terminal codes for colours, or without if NO_COLOR is set."""
        if os.environ.get("NO_COLOR"):
            return self.plain()
        lines = []
        for line in self.lines:
            length = len("".join(char for char, _ in line).rstrip())
            runs = itertools.groupby(line[:length], key=lambda each: each[1])
            lines.append(
                "".join(_painted("".join(c for c, _ in run), style) for style, run in runs)
            )
        return "\n".join(lines)


# What terminals take (ECMA-48): numbers between ESC [ and m. A background is 10 more.
_CODES = {"bold": "1", "dim": "2", "bright_white": "97"}
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_CODES |= {colour: str(30 + number) for number, colour in enumerate(_COLOURS)}
_BACKGROUNDS = {colour: str(40 + number) for number, colour in enumerate(_COLOURS)}
_BACKGROUNDS |= {"dark_grey": "48;5;239", "darker_grey": "48;5;237"}


def _painted(text: str, style: str) -> str:
    before, _, background = f" {style}".partition(" on ")
    codes = [_CODES[word] for word in before.split()]
    codes += [_BACKGROUNDS[word] for word in background.split() if word != "on"]
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


class _Canvas:
    """A grid of characters with coordinates along its edges."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.left, self.top = min(x for x, _ in cells), min(y for _, y in cells)
        right, bottom = max(x for x, _ in cells), max(y for _, y in cells)
        self.margin = 1 + max(len(str(y)) for y in (self.top, bottom))
        width = self.margin + _WIDE * (right - self.left + 1)
        self.grid = [[(" ", "")] * width for _ in range(1 + _HIGH * (bottom - self.top + 1))]
        for x in range(self.left, right + 1):
            self.put(0, self.corner((x, self.top))[1], f"{x:^{_WIDE}}", "dim")
        for y in range(self.top, bottom + 1):
            self.put(self.corner((self.left, y))[0] + 1, 0, f"{y:>{self.margin - 1}}", "dim")

    def corner(self, cell: Cell) -> tuple[int, int]:
        """Return row and column of the first character of a cell."""
        return 1 + _HIGH * (cell[1] - self.top), self.margin + _WIDE * (cell[0] - self.left)

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        for i, char in enumerate(text):
            self.grid[row][column + i] = (char, style or _STYLES.get(char, "bold"))

    def put_tile(self, cell: Cell, lines: Sequence[Sequence[str]], background: str) -> None:
        row, column = self.corner(cell)
        for dy, line in enumerate(lines):
            self.put(row + dy, column, "".join(line))
            for at in range(column, column + _WIDE) if background else ():
                char, style = self.grid[row + dy][at]
                self.grid[row + dy][at] = (char, f"{style} {background}")


def board(data: Data, tiles: Mapping[str, Tile], free: Sequence[Cell] = ()) -> BoardText:
    """Return the tiles and pieces of a position, and some free cells, with coordinates."""
    on_board = pieces(data)
    hidden = [(piece.x, piece.y) for piece in on_board if piece.kind == FACE_DOWN]
    placed = {(tile["x"], tile["y"]): tile for tile in data["tiles"]}
    canvas = _Canvas([*placed, *hidden, *free])
    last = data["tiles"][-1]
    for cell, tile in placed.items():
        lines = _tile_text(tiles[tile["kind"]], tile["rotation"])
        canvas.put_tile(cell, lines, _LAST if tile is last else "")
    for cell in free:
        row, column = canvas.corner(cell)
        canvas.put(row + 1, column + 1, "[ ]", "bold cyan")
    for cell in hidden:
        canvas.put_tile(cell, ["?" * _WIDE] * _HIGH, "")
    notes = []
    for piece in sorted(on_board, key=lambda piece: piece.is_follower):
        if piece.kind == FACE_DOWN:
            continue
        under = placed.get((piece.x, piece.y))
        dy, dx = _MIDDLE
        on = ""
        if under is not None and piece.segment is not None:
            segment = tiles[under["kind"]].segments[piece.segment]
            on = f" ({segment.kind}{_towards(piece, tiles[under['kind']], under['rotation'])})"
            dy, dx = _spot(segment, under["rotation"])
        row, column = canvas.corner((piece.x, piece.y))
        if piece.is_follower and piece.owner is not None:
            canvas.put(row + dy, column + dx, LETTERS[piece.owner], _OWNERS[piece.owner])
        else:
            canvas.put(row + dy, column + dx, "*")
            notes.append(_note(piece) + on)
    return BoardText(tuple(tuple(line) for line in canvas.grid), tuple(notes))


def _towards(piece: Piece, tile: Tile, rotation: int) -> str:
    """Return where a piece reaches from and to, such as ` in the north, to the east`."""
    if piece.segment is None or piece.to is None:
        return ""
    ends = [tile.segments[index].edges for index in (piece.segment, piece.to)]
    one, other = (SIDE_NAMES[_rotated(edges, rotation)[0]] if edges else "middle" for edges in ends)
    return f" in the {one}, to the {other}"


def _note(piece: Piece) -> str:
    text = f" {piece.text}" if piece.text else ""
    owner = f" {COLOURS[piece.owner]}" if piece.owner is not None else ""
    count = f" x{piece.count}" if piece.count > 1 else ""
    return f"{piece.kind}{text}{owner}{count} at ({piece.x}, {piece.y})"


def caption(data: Data, names: Sequence[str] = ()) -> str:
    """Return scores with the names of owners, tiles left and the decision in one line."""
    owners = (
        " ".join(
            part
            for part in (LETTERS[owner], COLOURS[owner], names[owner] if names else "", str(score))
            if part
        )
        for owner, score in enumerate(data["scores"])
    )
    left = sum(data["bag"].values())
    return f"{', '.join(owners)}; {left} tile{'s' if left != 1 else ''} left; {_decision(data)}"


def _decision(data: Data) -> str:
    if data["winners"] is not None:
        return "the game is over"
    hand = f" {data['tile_in_hand']}" if data["tile_in_hand"] else ""
    return f"next: {data['decision']}{hand}"


def names_by_owner(colours: Sequence[Sequence[int]], seats: Sequence[str]) -> list[str]:
    """Return the name of each owner: that of the seat that commands it."""
    names: dict[int, str] = {
        owner: name for owners, name in zip(colours, seats, strict=True) for owner in owners
    }
    return [names[owner] for owner in sorted(names)]


def tile_lines(tile: Tile, rotation: int = 0) -> list[str]:
    """Return a single tile, three lines of five characters."""
    return ["".join(line) for line in _tile_text(tile, rotation)]


def board_with_caption(
    data: Data,
    tiles: Mapping[str, Tile],
    names: Sequence[str] = (),
    free: Sequence[Cell] = (),
) -> tuple[BoardText, str]:
    """Return the board, and the text below it: notes, caption and legend."""
    lines = board(data, tiles, free)
    below = [f"* {note}" for note in lines.notes]
    return lines, "\n".join([*below, caption(data, names), LEGEND])


def text(data: Data, tiles: Mapping[str, Tile], names: Sequence[str] = ()) -> str:
    """Return the board and the text below it, without colour."""
    lines, below = board_with_caption(data, tiles, names)
    return f"{lines.plain()}\n\n{below}"
