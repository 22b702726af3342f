"""What a person may do now, as things to click: cells for the tile in hand, places on the table, buttons with words.

Known from the notation alone, so that decisions of every expansion are playable.
"""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot

import attrs

from carc.base.game.rules import COLOURS
from carc.drawing import art, svg
from carc.drawing.geometry import SIZE
from carc.drawing.words import target, words
from carc.web.rooms import Room, View

_APART = 36.0  # between choices at one place
_GAP = 1.0  # at least, between two
_PUSHES = 60  # at most, to part choices that overlap
_CLAIM = re.compile(r"claim:\d+,([a-z][a-z0-9_-]*)(?:,([a-z]+))?")


@attrs.frozen
class Cell:
    """A cell that the tile in hand fits, and the quarters it may be turned."""

    x: int
    y: int
    ways: tuple[int, ...]

    @property
    def label(self) -> str:
        """In words."""
        many = f", {len(self.ways)} ways round" if len(self.ways) > 1 else ""
        return f"here, at {self.x},{self.y}{many}"


@attrs.frozen
class Pick:
    """A choice at a place of the table: where, in the table's coordinates, and what it looks like."""

    action: str
    words: str
    x: float
    y: float
    drawing: str  # SVG of our own; empty for what lies there already

    @property
    def radius(self) -> int:
        """Of its ring: a follower to come fits into it, it goes round one that stands there."""
        return 17 if self.drawing else 22


@attrs.frozen
class Button:
    """A choice in words; `kind`: the tile it is about, if it is a draw."""

    action: str
    words: str
    kind: str = ""


@attrs.frozen
class Choices:
    """Everything a person may do now; `every` lists it once more, in words."""

    cells: tuple[Cell, ...] = ()
    picks: tuple[Pick, ...] = ()
    buttons: tuple[Button, ...] = ()
    every: tuple[Button, ...] = ()


def choices(room: Room, view: View, seat: int) -> Choices:
    """The choices of the seat that is asked."""
    cells: dict[tuple[int, int], list[int]] = {}
    placed: dict[tuple[float, float], list[tuple[str, str]]] = {}
    buttons = []
    every = []
    for action in view.legal:
        said = "pass" if action == "pass" else words(action, view.data, room.tiles)
        to = target(action, view.data)
        kind = action.removeprefix("draw:") if action.startswith("draw:") else ""
        every.append(Button(action, said, kind))
        if to.cell is None:
            buttons.append(Button(action, said, kind))
        elif to.rotation is not None:
            cells.setdefault(to.cell, []).append(to.rotation)
        else:
            x, y = _spot(room, view, to.cell, to.segment)
            placed.setdefault((x, y), []).append((action, said))
    picks = []
    for (x, y), some in placed.items():
        first = x - _APART * (len(some) - 1) / 2
        for number, (action, said) in enumerate(some):
            drawing = _drawing(room, action, seat)
            picks.append(Pick(action, said, first + _APART * number, y, drawing))
    picks = _parted(picks)
    return Choices(
        cells=tuple(Cell(x, y, tuple(ways)) for (x, y), ways in cells.items()),
        picks=tuple(picks),
        buttons=tuple(buttons),
        every=tuple(every),
    )


def _parted(picks: list[Pick]) -> list[Pick]:
    """The choices pushed apart until none lies on another: each is to be hit by a finger."""
    spots = [(pick.x, pick.y) for pick in picks]
    for _ in range(_PUSHES):
        still = True
        for a, b in combinations(range(len(spots)), 2):
            (ax, ay), (bx, by) = spots[a], spots[b]
            room = picks[a].radius + picks[b].radius + _GAP
            away = hypot(bx - ax, by - ay)
            if away >= room:
                continue
            still = False
            x, y = ((bx - ax) / away, (by - ay) / away) if away else (1.0, 0.0)
            push = (room + 1 - away) / 2
            spots[a] = ax - push * x, ay - push * y
            spots[b] = bx + push * x, by + push * y
        if still:
            break
    return [
        attrs.evolve(pick, x=round(x, 1), y=round(y, 1))
        for pick, (x, y) in zip(picks, spots, strict=True)
    ]


def _spot(
    room: Room, view: View, cell: tuple[int, int], segment: int | None
) -> tuple[float, float]:
    x, y = 50.0, 50.0
    if segment is not None:
        for laid in view.data["tiles"]:
            if (laid["x"], laid["y"]) == cell:
                x, y = svg.spot(room.tiles[laid["kind"]], laid["rotation"], segment)
    return SIZE * cell[0] + x, SIZE * cell[1] + y


def _drawing(room: Room, action: str, seat: int) -> str:
    """The follower that would be put there; nothing for a choice of what lies there."""
    match = _CLAIM.fullmatch(action)
    if match is None:
        return ""
    owner = COLOURS.index(match[2]) if match[2] else room.table.rules.colours[seat][0]
    return f'<g transform="scale(.8)">{art.figure(match[1], owner, False)}</g>'
