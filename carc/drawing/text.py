"""Positions as text: three lines of five characters a tile, in colour where there is any."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from carc.base.game.rules import COLOURS
from carc.base.tiles.tile import Segment, Tile
from carc.drawing.position import FACE_DOWN, Data, Piece, pieces

if TYPE_CHECKING:
    from rich.text import Text

LEGEND = (
    "# city  | - + road  o roads end  . field  ~ under mist  M monastery and others by initial  "
    "a-f followers  * listed below"
)
# How Rich shows each sort of character, and the followers of each owner.
_STYLES = {"#": "yellow", "|": "bold white", "-": "bold white", "+": "bold white", "o": "bold white",
           ".": "green", "~": "cyan", "*": "bold bright_white", "?": "dim"}  # fmt: skip
_OWNERS = ("bold white on red", "bold black on green", "bold white on blue", "bold black on yellow",
           "bold white on grey30", "bold black on magenta")  # fmt: skip
_LAST = "on grey23"  # beneath the tile laid last
LETTERS = "abcdef"

# Where a side and the middle of a tile are in its text.
_SIDES = ((0, 2), (1, 4), (2, 2), (1, 0))
_MIDDLE = (1, 2)
_WIDE, _HIGH = 5, 3


def _rotated(edges: Sequence[int], rotation: int) -> list[int]:
    return [(edge + rotation) % 4 for edge in edges]


def _through(sides: Sequence[int]) -> str:
    """What a road is in the middle of its tile: it runs on, turns, or ends."""
    if len(sides) == 1:
        return "o"
    return "+" if (sides[0] - sides[1]) % 2 else "-|"[sides[0] % 2 == 0]


def _over(tile: Tile, segment: Segment) -> bool:
    """Whether a segment lies over edges that are another kind's."""
    letter = segment.kind[:1].upper()
    return (
        bool(segment.edges)
        and segment.kind not in ("city", "road", "field", "river")
        and (any(tile.edges[edge] != letter for edge in segment.edges))
    )


def _tile_text(tile: Tile, rotation: int) -> list[list[str]]:
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
        elif segment.kind == "road" and sides:
            for side in sides:
                y, x = _SIDES[side]
                mark = "|" if side in (0, 2) else "-"
                grid[y][x] = mark
                if side in (1, 3):
                    grid[y][3 if side == 1 else 1] = mark
            grid[_MIDDLE[0]][_MIDDLE[1]] = _through(sides)
    for segment in tile.segments:
        if _over(tile, segment):
            for side in _rotated(segment.edges, rotation):
                y, x = _SIDES[side]
                for at in (1, 3) if side in (0, 2) else (x,):
                    grid[y][at] = "~"
                if grid[y][x] == ".":
                    grid[y][x] = "~"
        elif not segment.edges and not segment.halves and segment.kind != "field":
            grid[_MIDDLE[0]][_MIDDLE[1]] = segment.kind[0].upper()
    return grid


def _spot(tile: Tile, segment: Segment, rotation: int) -> tuple[int, int]:
    """Where in the tile's text a follower on the segment is shown."""
    if segment.edges:
        return _SIDES[_rotated(segment.edges, rotation)[0]]
    if segment.halves:
        return ((0, 3), (2, 4), (2, 1), (0, 1))[_rotated((segment.halves[0] // 2,), rotation)[0]]
    return _MIDDLE


@attrs.frozen
class Board:
    """The table as lines of characters, each with the style it is shown in."""

    lines: tuple[tuple[tuple[str, str], ...], ...]
    notes: tuple[str, ...]

    def plain(self) -> str:
        """Without colour."""
        return "\n".join("".join(char for char, _ in line).rstrip() for line in self.lines)

    def rich(self) -> Text:
        """With colour."""
        from rich.text import Text  # noqa: PLC0415 (only a terminal needs it)

        text = Text()
        for number, line in enumerate(self.lines):
            text.append("\n" if number else "")
            length = len("".join(char for char, _ in line).rstrip())
            for style, run in itertools.groupby(line[:length], key=lambda one: one[1]):
                text.append("".join(char for char, _ in run), style)
        return text


def board(data: Data, tiles: Mapping[str, Tile], free: Sequence[tuple[int, int]] = ()) -> Board:
    """The tiles and pieces of a position, with coordinates along the edges; `free` cells are marked as open."""
    lying = pieces(data)
    hidden = [(one.x, one.y) for one in lying if one.kind == FACE_DOWN]
    cells = [*((tile["x"], tile["y"]) for tile in data["tiles"]), *hidden, *free]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    right, bottom = max(x for x, _ in cells), max(y for _, y in cells)
    margin = 1 + max(len(str(y)) for y in (top, bottom))
    width = margin + _WIDE * (right - left + 1)
    grid = [[(" ", "")] * width for _ in range(1 + _HIGH * (bottom - top + 1))]

    def corner(x: int, y: int) -> tuple[int, int]:
        return 1 + _HIGH * (y - top), margin + _WIDE * (x - left)

    def put(row: int, column: int, text: str, style: str = "") -> None:
        for i, char in enumerate(text):
            grid[row][column + i] = (char, style or _STYLES.get(char, "bold"))

    for x in range(left, right + 1):
        put(0, corner(x, top)[1], f"{x:^{_WIDE}}", "dim")
    for y in range(top, bottom + 1):
        put(corner(left, y)[0] + 1, 0, f"{y:>{margin - 1}}", "dim")
    laid = {(tile["x"], tile["y"]): tile for tile in data["tiles"]}
    last = data["tiles"][-1]
    for (x, y), one in laid.items():
        row, column = corner(x, y)
        for dy, line in enumerate(_tile_text(tiles[one["kind"]], one["rotation"])):
            put(row + dy, column, "".join(line))
            if one is last:
                for at in range(column, column + _WIDE):
                    char, style = grid[row + dy][at]
                    grid[row + dy][at] = (char, f"{style} {_LAST}")
    for x, y in free:
        row, column = corner(x, y)
        put(row + 1, column + 1, "[ ]", "bold cyan")
    for x, y in hidden:
        row, column = corner(x, y)
        for dy in range(_HIGH):
            put(row + dy, column, "?" * _WIDE)
    notes = []
    for piece in sorted(lying, key=lambda one: one.follows):
        if piece.kind == FACE_DOWN:
            continue
        under = laid.get((piece.x, piece.y))
        dy, dx = _MIDDLE
        on = ""
        if under is not None and piece.segment is not None:
            tile = tiles[under["kind"]]
            segment = tile.segments[piece.segment]
            on = f" ({segment.kind})"
            dy, dx = _spot(tile, segment, under["rotation"])
        row, column = corner(piece.x, piece.y)
        if piece.follows and piece.owner is not None:
            put(row + dy, column + dx, LETTERS[piece.owner], _OWNERS[piece.owner])
        else:
            put(row + dy, column + dx, "*")
            notes.append(_told(piece) + on)
    return Board(tuple(tuple(line) for line in grid), tuple(notes))


def _told(piece: Piece) -> str:
    """A piece that has no letter of its own, in words."""
    many = f" x{piece.count}" if piece.count > 1 else ""
    whose = f" {COLOURS[piece.owner]}" if piece.owner is not None else ""
    named = f" {piece.text}" if piece.text else ""
    return f"{piece.kind}{named}{whose}{many} at {piece.x},{piece.y}"


def caption(data: Data, names: Sequence[str] = ()) -> str:
    """Scores, tiles not drawn and what is to be decided, in one line; `names` of who plays, by owner."""
    owners = (
        " ".join(
            part
            for part in (LETTERS[owner], COLOURS[owner], names[owner] if names else "", str(score))
            if part
        )
        for owner, score in enumerate(data["scores"])
    )
    return f"{', '.join(owners)}; {sum(data['bag'].values())} tiles not drawn; {_doing(data)}"


def _doing(data: Data) -> str:
    if data["winners"] is not None:
        return "the game is over"
    hand = f" ({data['tile_in_hand']})" if data["tile_in_hand"] else ""
    return f"to decide: {data['decision']}{hand}"


def by_owner(colours: Sequence[Sequence[int]], seats: Sequence[str]) -> list[str]:
    """The names of who plays by owner, from those by seat and the owners each seat commands."""
    found: dict[int, str] = {
        owner: name for owners, name in zip(colours, seats, strict=True) for owner in owners
    }
    return [found[owner] for owner in sorted(found)]


def tile_lines(tile: Tile, rotation: int = 0) -> list[str]:
    """A tile of its own, three lines of five characters."""
    return ["".join(line) for line in _tile_text(tile, rotation)]


def page(
    data: Data,
    tiles: Mapping[str, Tile],
    names: Sequence[str] = (),
    free: Sequence[tuple[int, int]] = (),
) -> tuple[Board, str]:
    """The board, and what is said below it."""
    shown = board(data, tiles, free)
    below = [f"* {note}" for note in shown.notes]
    return shown, "\n".join([*below, caption(data, names), LEGEND])


def text(data: Mapping[str, Any], tiles: Mapping[str, Tile], names: Sequence[str] = ()) -> str:
    """The whole of it without colour."""
    shown, below = page(data, tiles, names)
    return f"{shown.plain()}\n\n{below}"
