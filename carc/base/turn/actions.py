"""Actions: what chance or a player may do.

Actions are frozen and interned. Two actions are equal if their texts are; `Rules.parse` is the
inverse of `str`. An action carries its effect: `perform`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast, final

from mypy_extensions import i64, mypyc_attr

from carc.base.cells import ORIGIN, REACH, WIDTH, WIDTH_BITS, cell_at, xy

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


T = TypeVar("T")


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Action:
    """Something chance or a player may do; `text` is its notation (`docs/notation.md`)."""

    def __init__(self, text: str) -> None:
        self.text: Final = text

    def perform(self, state: State, player: int) -> None:
        """Perform the action. A choice whose meaning the step knows leaves this to the step."""

    def seen_by(self, player: int) -> str:
        """Return what a player reads of it, or `CHANCE`, as which others look on; its text."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Action) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Action:
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle the action as its text if it has `rules`, else as the arguments of its class.

        Each argument must be kept as an attribute of that name; override this where it is not.

        Raises:
            TypeError: The effect is a function. Send the text; `Rules.parse` reads it.
        """
        rules = getattr(self, "rules", None)
        if rules is not None:
            return _parsed, (rules, self.text)
        cls = type(self)
        names = list(inspect.signature(cls).parameters)
        values = [getattr(self, name, inspect) for name in names]
        if any(value is inspect or callable(value) for value in values):
            raise TypeError(
                f"{self.text} cannot be pickled: send str(action), rules.parse reads it"
            )
        return cls, tuple(values)


def _parsed(rules: Rules, text: str) -> Action:
    return rules.parse(text)


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Draw(Action):
    """Chance draws a tile: `draw:KIND`.

    Attributes:
        tile: The name of its kind.
        kind: The number of its kind in the rules' catalogue.
    """

    def __init__(self, tile: str, kind: int) -> None:
        super().__init__(f"draw:{tile}")
        self.tile: Final = tile
        self.kind: Final = kind

    def perform(self, state: State, player: int) -> None:
        state._draw(self.kind)


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Place(Action):
    """Lay the drawn tile: `place:X,Y,R`, rotated by R quarter turns clockwise."""

    def __init__(self, cell: int, rotation: int) -> None:
        x, y = xy(cell)
        super().__init__(f"place:{x},{y},{rotation}")
        self.cell: Final = cell
        self.rotation: Final = rotation

    @property
    def x(self) -> int:
        """How far east of the start tile the tile goes."""
        return xy(self.cell)[0]

    @property
    def y(self) -> int:
        """How far south of the start tile the tile goes."""
        return xy(self.cell)[1]

    def perform(self, state: State, player: int) -> None:
        kind = state.tile_in_hand
        state.tile_in_hand = -1
        state._lay(kind, self.cell, self.rotation)


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Claim(Action):
    """Put a follower on a segment of the tile just laid: `claim:SEGMENT,KIND`.

    `,COLOUR` follows if the player has several colours.

    Attributes:
        segment: The index of the segment in the tile's data.
        follower: The kind of follower.
        owner: The colour; -1 if the player has only one.
    """

    def __init__(self, segment: int, follower: int, owner: int, text: str) -> None:
        super().__init__(text)
        self.segment: Final = segment
        self.follower: Final = follower
        self.owner: Final = owner

    def perform(self, state: State, player: int) -> None:
        owner = self.owner if self.owner >= 0 else state.rules.colours[player][0]
        state.put_follower(
            state.board.segment_of(state.board.last_tile, self.segment), owner, self.follower
        )


@mypyc_attr(allow_interpreted_subclasses=True)
class Pass(Action):
    """Decline what is offered: `pass`."""

    def __init__(self) -> None:
        super().__init__("pass")

    def __reduce__(self) -> str | tuple[Any, ...]:
        return "PASS"


PASS: Final = Pass()


def in_order(claims: list[Claim]) -> list[Claim]:
    """Return claims by segment, owner, kind of follower."""
    ordered: list[Claim] = []
    for claim in claims:
        at: i64 = len(ordered)
        while at > 0 and follows(ordered[at - 1], claim):
            at -= 1
        ordered.insert(at, claim)
    return ordered


def follows(claim: Claim, other: Claim) -> bool:
    """Return True if a claim comes after another one."""
    if claim.segment != other.segment:
        return claim.segment > other.segment
    if claim.owner != other.owner:
        return claim.owner > other.owner
    return claim.follower > other.follower


# By cell and rotation: placements near the start, which are asked for most, and all others.
_NEAR: Final = 32
_CLOSE: Final = 16
_CLOSE_CORNER: Final = ORIGIN - _CLOSE * WIDTH - _CLOSE
_CORNER: Final = ORIGIN - _NEAR * WIDTH - _NEAR
_near: Final[list[Place | None]] = [None] * (4 * _NEAR * _NEAR * 4)
_far: Final[dict[int, Place]] = {}


def place_on(cell: i64, rotation: i64) -> Place:
    """Return the placement on a cell, rotated by quarter turns clockwise; made once."""
    at = cell - _CORNER
    if at < 0 or at >= 2 * _NEAR * WIDTH or at & (WIDTH - 1) >= 2 * _NEAR:
        key = cell * 4 + rotation
        if key not in _far:
            _far[key] = Place(cell, rotation)
        return _far[key]
    at = ((at >> WIDTH_BITS) * 2 * _NEAR + (at & (WIDTH - 1))) * 4 + rotation
    action = _near[at]
    if action is None:
        action = Place(cell, rotation)
        _near[at] = action
    return action


def place(x: int, y: int, rotation: int) -> Place:
    """Return the placement at (x, y), rotated by quarter turns clockwise."""
    return place_on(cell_at(x, y), rotation)


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class OnSegment(Action):
    """A choice among segments or of who stands there: `VERB:X,Y,SEGMENT`.

    Expansions bring the verbs.

    Attributes:
        verb: The word in the notation.
        cell: The cell of the tile.
        index: The index of the segment in the tile's data.
        layer: Tells apart choices of one segment that are offered together
            (`Expansion.segment_layers`).
    """

    def __init__(self, verb: str, cell: int, index: int, layer: int = 0, text: str = "") -> None:
        x, y = xy(cell)
        super().__init__(text or f"{verb}:{x},{y},{index}")
        self.verb: Final = verb
        self.cell: Final = cell
        self.index: Final = index
        self.layer: Final = layer


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class OnCell(Action):
    """A choice among cells: `VERB:X,Y`. Expansions bring the verbs."""

    def __init__(self, verb: str, cell: int) -> None:
        x, y = xy(cell)
        super().__init__(f"{verb}:{x},{y}")
        self.verb: Final = verb
        self.cell: Final = cell


@final
class ByCell(Generic[T]):
    """A table of things by cell and a number from 0.

    Those near the start lie in lists, one for each number: faster than a dict. `numbers`: how many
    a cell has, mostly.
    """

    def __init__(self, numbers: int = 16) -> None:
        self._nothing: list[T | None] = [None] * (4 * _CLOSE * _CLOSE)
        self._near: list[list[T | None]] = [self._nothing] * numbers
        self._far: dict[tuple[int, int], T] = {}

    def _place(self, cell: i64, number: i64) -> i64:
        """Return the place in the list of a number; -1: not near the start."""
        at = cell - _CLOSE_CORNER
        if at < 0 or at >= 2 * _CLOSE * WIDTH or at & (WIDTH - 1) >= 2 * _CLOSE:
            return -1
        if number >= len(self._near):
            return -1
        return (at >> WIDTH_BITS) * 2 * _CLOSE + (at & (WIDTH - 1))

    def find(self, cell: i64, number: i64) -> T | None:
        """Return what is kept there, if anything."""
        place = self._place(cell, number)
        return self._far.get((cell, number)) if place < 0 else self._near[number][place]

    def keep(self, cell: i64, number: i64, thing: T) -> None:
        """Keep something there."""
        place = self._place(cell, number)
        if place < 0:
            self._far[cell, number] = thing
            return
        if self._near[number] is self._nothing:
            self._near[number] = self._nothing.copy()
        self._near[number][place] = thing


_on_segment: Final[dict[str, list[ByCell[OnSegment]]]] = {}  # verb -> by layer
_on_cell: Final[dict[str, ByCell[OnCell]]] = {}
_CHOICE: Final = re.compile(r"([a-z]+):(-?\d{1,3}),(-?\d{1,3})(?:,(\d{1,2}))?")


def on_segment(verb: str, cell: int, index: int, layer: int = 0) -> OnSegment:
    """Return the choice of a segment, by the cell and its index in the tile's data; made once."""
    layers = _on_segment.get(verb)
    if layers is None:
        layers = _on_segment[verb] = []
    while len(layers) <= layer:
        layers.append(ByCell())
    action = layers[layer].find(cell, index)
    if action is None:
        action = OnSegment(verb, cell, index, layer)
        layers[layer].keep(cell, index, action)
    return action


def on_cells(verb: str) -> ByCell[OnCell]:
    """Return the choices of cells made so far for a verb."""
    known = _on_cell.get(verb)
    if known is None:
        known = _on_cell[verb] = ByCell(1)
    return known


def on_cell(verb: str, cell: int, known: ByCell[OnCell] | None = None) -> OnCell:
    """Return the choice of a cell; made once. `known`: what `on_cells` returned for the verb."""
    if known is None:
        known = on_cells(verb)
    action = known.find(cell, 0)
    if action is None:
        action = OnCell(verb, cell)
        known.keep(cell, 0, action)
    return action


def parse_choice(
    text: str, on_segments: Sequence[str], on_cells: Sequence[str] = ()
) -> Action | None:
    """Return the choice of a segment or cell that `text` denotes; None for other verbs."""
    match = _CHOICE.fullmatch(text)
    if match is None or match[1] not in (on_cells if match[4] is None else on_segments):
        return None
    x, y = int(match[2]), int(match[3])
    if max(abs(x), abs(y)) > REACH:
        return None
    action: Action
    if match[4] is None:
        action = on_cell(match[1], cell_at(x, y))
    else:
        action = on_segment(match[1], cell_at(x, y), int(match[4]))
    return action if action.text == text else None


def segment_choices(
    board: Board, verb: str, segments: Sequence[int], layer: int = 0
) -> list[Action]:
    """Return the choices of these segments, in the order given."""
    return [segment_choice(board, verb, segment, layer) for segment in segments]


def segment_choice(board: Board, verb: str, segment: int, layer: int = 0) -> Action:
    """Return the choice of a segment; `layer` tells apart choices of one segment."""
    tile = board.tile_under(segment)
    return on_segment(verb, board.cell_of(tile), segment - board.segment_of(tile, 0), layer)


def chosen_segment(board: Board, action: Action) -> int:
    """Return the segment that a choice of a segment names."""
    on = cast(OnSegment, action)
    return board.segment_of(board.tile_on_cell(on.cell), on.index)
