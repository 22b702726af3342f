"""A person's legal actions as things to click: cells, places on the board, buttons.

They are derived from the notation alone, so decisions of every expansion can be made.
"""

import re
from itertools import combinations
from math import hypot

import attrs

from carc.drawing import board_svg
from carc.drawing.descriptions import Target, claimed, imperative, target
from carc.drawing.geometry import SIZE
from carc.web.feature_views import FeatureView
from carc.web.live_table import LiveTable
from carc.web.table_view import TableView

_GAP = 1.0  # at least, between the rings of two choices
_MOST_ROUNDS = 60  # of pushing choices apart


@attrs.frozen
class CellChoice:
    """A cell that the tile in hand fits, and the rotations in which it does."""

    x: int
    y: int
    rotations: tuple[int, ...]

    @property
    def label(self) -> str:
        """The choice in words."""
        count = len(self.rotations)
        return f"({self.x}, {self.y}){f', {count} rotations' if count > 1 else ''}"


@attrs.frozen
class BoardChoice:
    """A place on the board, and the actions that point at it.

    Attributes:
        actions: The actions in notation.
        words: Each action as a command.
        x: The place in the coordinates of the board.
        y: The place in the coordinates of the board.
        drawing: SVG of the first follower to be placed; empty for a choice of what is there.
        feature: The feature that it points at, if that is on the tile placed last.
    """

    actions: tuple[str, ...]
    words: tuple[str, ...]
    x: float
    y: float
    drawing: str
    feature: FeatureView | None = None

    @property
    def label(self) -> str:
        """The choice in words, with what the feature is worth."""
        words = " or ".join(self.words)
        return f"{words} ({self.feature.words})" if self.feature else words

    @property
    def verb(self) -> str:
        """What its first action does, in notation."""
        return self.actions[0].partition(":")[0]

    @property
    def radius(self) -> int:
        """The radius of its ring: a follower fits into it, or it goes around what is there."""
        return 17 if self.drawing else 22


@attrs.frozen
class ButtonChoice:
    """An action as a button with words, and the kind of tile if it is a draw."""

    action: str
    words: str
    kind: str = ""


@attrs.frozen
class ActionMenu:
    """All legal actions of a person.

    Attributes:
        cells: Where the tile in hand may be placed.
        on_board: Places on the board that other actions point at.
        buttons: Actions that do not.
        every: All actions once more, as buttons.
    """

    cells: tuple[CellChoice, ...] = ()
    on_board: tuple[BoardChoice, ...] = ()
    buttons: tuple[ButtonChoice, ...] = ()
    every: tuple[ButtonChoice, ...] = ()


def action_menu(table: LiveTable, view: TableView, seat: int) -> ActionMenu:
    """Return the legal actions of the seat that decides."""
    cells: dict[tuple[int, int], list[int]] = {}
    by_place: dict[tuple[float, float], list[tuple[str, str, FeatureView | None]]] = {}
    buttons = []
    every = []
    for action in view.legal:
        words = imperative(table.words_for(action, view.data))
        to = target(action, view.data)
        kind = action.removeprefix("draw:") if action.startswith("draw:") else ""
        feature = _feature(view, to)
        worth = f" ({re.sub('^[^,:]*[,:] ', '', feature.words)})" if feature else ""
        every.append(ButtonChoice(action, words + worth, kind))
        if to.cell is None:
            buttons.append(ButtonChoice(action, words, kind))
        elif to.rotation is not None:
            cells.setdefault(to.cell, []).append(to.rotation)
        else:
            place = _spot(table, view, to.cell, to.segment)
            by_place.setdefault(place, []).append((action, words, feature))
    on_board = []
    for (x, y), some in by_place.items():
        actions, commands, features = zip(*some, strict=True)
        drawing = _drawing(table, actions[0], seat)
        on_board.append(BoardChoice(actions, commands, x, y, drawing, features[0]))
    return ActionMenu(
        cells=tuple(CellChoice(x, y, tuple(rotations)) for (x, y), rotations in cells.items()),
        on_board=tuple(_apart(on_board)),
        buttons=tuple(buttons),
        every=tuple(every),
    )


def _feature(view: TableView, to: Target) -> FeatureView | None:
    """Return the feature of the tile placed last that an action points at."""
    if to.cell is None or to.rotation is not None:
        return None
    return view.features.get((*to.cell, -1 if to.segment is None else to.segment))


def _apart(some: list[BoardChoice]) -> list[BoardChoice]:
    """Push choices apart until none overlap, so that each can be hit with a finger."""
    spots = [(choice.x, choice.y) for choice in some]
    for _ in range(_MOST_ROUNDS):
        moved = False
        for a, b in combinations(range(len(spots)), 2):
            (ax, ay), (bx, by) = spots[a], spots[b]
            room = some[a].radius + some[b].radius + _GAP
            distance = hypot(bx - ax, by - ay)
            if distance >= room:
                continue
            moved = True
            x, y = ((bx - ax) / distance, (by - ay) / distance) if distance else (1.0, 0.0)
            push = (room + 1 - distance) / 2
            spots[a] = ax - push * x, ay - push * y
            spots[b] = bx + push * x, by + push * y
        if not moved:
            break
    return [
        attrs.evolve(choice, x=round(x, 1), y=round(y, 1))
        for choice, (x, y) in zip(some, spots, strict=True)
    ]


def _spot(
    table: LiveTable, view: TableView, cell: tuple[int, int], segment: int | None
) -> tuple[float, float]:
    x, y = 50.0, 50.0
    if segment is not None:
        for tile in view.data["tiles"]:
            if (tile["x"], tile["y"]) == cell:
                x, y = board_svg.spot(table.tiles[tile["kind"]], tile["rotation"], segment)
    return SIZE * cell[0] + x, SIZE * cell[1] + y


def _drawing(table: LiveTable, action: str, seat: int) -> str:
    """Return the follower that a claim would place; empty for other actions."""
    claim = claimed(action, table.match.rules.colours[seat][0])
    if claim is None:
        return ""
    _, kind, owner = claim
    return f'<g transform="scale(.8)">{table.palette.figure(kind, owner)}</g>'
