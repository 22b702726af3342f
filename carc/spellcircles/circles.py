"""What both modes of The Spell Circles share: the nine tiles, and ghosts drawn into their circles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from carc.base.cells import AROUND
from carc.base.game.actions import Action, chosen_segment, segment_choices
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.steps import Step

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.tiles.tile import TileSet

TILES: Final = Path(__file__).with_name("data") / "circles.txt"


def contradictions(tiles: TileSet) -> list[str] | None:
    """What in a set `circles` contradicts what is known of it; None: another set."""
    from carc.spellcircles.known import check_circles  # noqa: PLC0415 (not for play)

    return check_circles(tiles) if tiles.name == "circles" else None


def circles_on(rules: Rules) -> list[tuple[tuple[int, int], ...]]:
    """For each kind of tile: (segment's index, number of circles) for its mist segments with circles."""
    found: list[tuple[tuple[int, int], ...]] = []
    for tile in rules.catalogue.tiles:
        here = [(i, dict(s.marks).get("circles", 0)) for i, s in enumerate(tile.segments)]
        found.append(tuple((i, n) for i, n in here if n))
    return found


def to_fill(state: State, tile: int, circles: Sequence[tuple[int, int]]) -> list[int]:
    """The circles of a tile just laid that get a ghost, as their mist segments: none in a bank it finishes (SPC-07, SCC-04)."""
    found: list[int] = []
    for index, n in circles:
        segment = state.board.segment_of(tile, index)
        if state.board.is_open(state.board.feature_of(segment)):
            found.extend([segment] * n)
    return found


@mypyc_attr(allow_interpreted_subclasses=True)
class DrawInStep(Step):
    """Each circle of the tile just laid gets a ghost: from the 8 neighbour tiles first, then from the stock (SPC-04, SCC-04).

    The player chooses `lure:X,Y,SEGMENT`, one ghost at a time, where more stand around than are called for.
    """

    def __init__(self) -> None:
        super().__init__("lure")

    def ghosts(self, state: State) -> dict[int, int]:
        """The ghosts that can be lured, by segment; changed when they are."""
        raise NotImplementedError

    def held(self, state: State) -> dict[int, int]:
        """The ghosts in circles, by mist segment; changed when one is drawn in."""
        raise NotImplementedError

    def empty(self, state: State) -> list[int]:
        """The circles still to fill, as their mist segments; each goes from the list when it is filled."""
        raise NotImplementedError

    def from_stock(self, state: State) -> None:
        """Nobody is left around: what is missing comes from the stock."""
        raise NotImplementedError

    def _around(self, state: State) -> list[int]:
        found: list[int] = []
        here = state.board.cell_of(state.board.last_tile)
        for segment in self.ghosts(state):
            if state.board.cell_under(segment) - here in AROUND:
                found.append(segment)
        return state.board.in_order(found)

    def choices(self, state: State, player: int) -> Choices:
        empty = self.empty(state)
        ghosts = self.ghosts(state)
        if len(ghosts) < 2:
            return NO_CHOICES
        found = self._around(state)
        total = sum([ghosts[segment] for segment in found])
        if len(found) < 2 or total <= len(empty):
            return NO_CHOICES
        return Listed(segment_choices(state.board, "lure", found))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        empty = self.empty(state)
        if action is not None:
            self._lure(state, chosen_segment(state.board, action), empty)
            if empty:
                state.push(self, player)
            return
        ghosts = self.ghosts(state)
        for segment in self._around(state):
            while empty and segment in ghosts:
                self._lure(state, segment, empty)
        if empty:
            self.from_stock(state)
            empty.clear()

    def _lure(self, state: State, segment: int, empty: list[int]) -> None:
        ghosts = self.ghosts(state)
        ghosts[segment] -= 1
        if not ghosts[segment]:
            del ghosts[segment]
        self.fill(state, empty)

    def fill(self, state: State, empty: list[int]) -> None:
        """A ghost enters the first empty circle."""
        held = self.held(state)
        circle = empty.pop(0)
        held[circle] = held.get(circle, 0) + 1
