"""Actions in words, and where on the table they point; both from the notation (`docs/notation.md`) and the position alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from carc.base.tiles.tile import Tile
from carc.drawing.position import Data

_PLACE = re.compile(r"place:(-?\d+),(-?\d+),([0-3])")
_CLAIM = re.compile(r"claim:(\d+),([a-z][a-z0-9_-]*)(?:,([a-z]+))?")
_SEGMENT = re.compile(r"([a-z]+):(-?\d+),(-?\d+),(\d+)")
_CELL = re.compile(r"([a-z]+):(-?\d+),(-?\d+)")
_TURNS = ("", ", turned a quarter", ", turned half", ", turned three quarters")


@attrs.frozen
class Target:
    """What an action points at: a cell, with a rotation for the tile in hand, or with a segment; or nothing on the table."""

    cell: tuple[int, int] | None = None
    rotation: int | None = None
    segment: int | None = None


def target(action: str, before: Data) -> Target:
    """Where the action points, in the position it is taken in."""
    if match := _PLACE.fullmatch(action):
        return Target((int(match[1]), int(match[2])), rotation=int(match[3]))
    if match := _CLAIM.fullmatch(action):
        last = before["tiles"][-1]
        return Target((last["x"], last["y"]), segment=int(match[1]))
    if match := _SEGMENT.fullmatch(action):
        return Target((int(match[2]), int(match[3])), segment=int(match[4]))
    if match := _CELL.fullmatch(action):
        return Target((int(match[2]), int(match[3])))
    return Target()


def _kind(tiles: Mapping[str, Tile], before: Data, cell: tuple[int, int], segment: int) -> str:
    """The kind of a segment on the table; empty if there is none."""
    for laid in before["tiles"]:
        if (laid["x"], laid["y"]) == cell:
            segments = tiles[laid["kind"]].segments
            return segments[segment].kind if segment < len(segments) else ""
    return ""


def words(action: str, before: Data, tiles: Mapping[str, Tile]) -> str:
    """The action as one says it: `lays D at 1,0, turned half`. What no rule here knows is said by its verb and place."""
    if action == "pass":
        return "passes"
    verb, _, rest = action.partition(":")
    if verb == "draw":
        return f"draws {rest}"
    to = target(action, before)
    if to.cell is not None and to.rotation is not None:
        hand = before["tile_in_hand"] or "a tile"
        return f"lays {hand} at {to.cell[0]},{to.cell[1]}{_TURNS[to.rotation]}"
    if match := _CLAIM.fullmatch(action):
        assert to.cell is not None and to.segment is not None
        kind = _kind(tiles, before, to.cell, to.segment) or f"segment {to.segment}"
        colour = f"{match[3]} " if match[3] else ""
        return (
            f"puts a {colour}{match[2]} on the {kind}{_which(tiles, before, to.cell, to.segment)}"
        )
    if to.cell is not None:
        place = f"{to.cell[0]},{to.cell[1]}"
        if to.segment is not None:
            kind = _kind(tiles, before, to.cell, to.segment) or f"segment {to.segment}"
            return f"{verb}: the {kind} at {place}{_which(tiles, before, to.cell, to.segment)}"
        return f"{verb}: the tile at {place}"
    return f"{verb}: {rest.replace('+', ' and ').replace(',', ', ')}" if rest else verb


_SIDES = ("north", "east", "south", "west")


def _which(tiles: Mapping[str, Tile], before: Data, cell: tuple[int, int], segment: int) -> str:
    """Tells a segment from others of its kind on the tile: by the sides it reaches, or by its number."""
    for laid in before["tiles"]:
        if (laid["x"], laid["y"]) == cell:
            segments = tiles[laid["kind"]].segments
            if segment >= len(segments):
                return ""
            mine = segments[segment]
            alike = [one for one in segments if one.kind == mine.kind]
            if len(alike) < 2:
                return ""
            edges = dict.fromkeys([*mine.edges, *(half // 2 for half in mine.halves)])
            sides = [_SIDES[(edge + laid["rotation"]) % 4] for edge in edges]
            return f" in the {' and '.join(sides)}" if sides else f" number {segment}"
    return ""
