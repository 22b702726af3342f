"""What both modes of The Spell Circles share: tiles, and ghosts drawn into circles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from carc.base.cells import around
from carc.base.turn.actions import Action, chosen_segment, segment_choices
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.tiles.tile import TileSet

TILES: Final = Path(__file__).with_name("data") / "circles.txt"


def contradictions(tiles: TileSet) -> list[str] | None:
    """Return what contradicts the known circle tiles; None for another set."""
    from carc.spellcircles.known import check_circles  # noqa: PLC0415 (not for play)

    return check_circles(tiles) if tiles.name == "circles" else None


def circles_on(rules: Rules) -> list[tuple[tuple[int, int], ...]]:
    """Return for each kind of tile its segments with circles: index, number of circles."""
    circles: list[tuple[tuple[int, int], ...]] = []
    for tile in rules.catalogue.tiles:
        here = [(i, dict(s.marks).get("circles", 0)) for i, s in enumerate(tile.segments)]
        circles.append(tuple((i, n) for i, n in here if n))
    return circles


def to_fill(state: State, tile: int, circles: Sequence[tuple[int, int]]) -> list[int]:
    """Return the circles of the last tile that get a ghost, each by its mist segment.

    Those in a bank that the tile finishes get none (SPC-07, SCC-04).
    """
    segments: list[int] = []
    for index, n in circles:
        segment = state.board.segment_of(tile, index)
        if state.board.is_open(state.board.feature_of(segment)):
            segments.extend([segment] * n)
    return segments


class DrawInStep(Step):
    """Each circle of the last tile gets a ghost (SPC-04, SCC-04).

    Ghosts come from the eight neighbour tiles first, then from the stock. If more are around than
    circles are empty, the player chooses one at a time: `lure:X,Y,SEGMENT`.
    """

    def __init__(self) -> None:
        """Make the step."""
        super().__init__("lure")

    def ghosts(self, state: State) -> dict[int, int]:
        """Return the ghosts that can be lured, by segment; the step changes it."""
        raise NotImplementedError

    def held(self, state: State) -> dict[int, int]:
        """Return the ghosts in circles, by mist segment; the step changes it."""
        raise NotImplementedError

    def empty(self, state: State) -> list[int]:
        """Return the circles still to fill, each by its mist segment; the step removes them."""
        raise NotImplementedError

    def from_stock(self, state: State) -> None:
        """Fill the circles that are left from the stock."""
        raise NotImplementedError

    def _around(self, state: State) -> list[int]:
        """Return the segments with ghosts on the neighbour tiles."""
        segments: list[int] = []
        near = around(state.board.cell_of(state.board.last_tile))
        for segment in self.ghosts(state):
            if state.board.cell_under(segment) in near:
                segments.append(segment)
        return state.board.in_order(segments)

    def choices(self, state: State, player: int) -> Choices:
        """Return the ghosts to choose from."""
        empty = self.empty(state)
        ghosts = self.ghosts(state)
        if len(ghosts) < 2:
            return NO_CHOICES
        around = self._around(state)
        total = sum([ghosts[segment] for segment in around])
        if len(around) < 2 or total <= len(empty):
            return NO_CHOICES
        return Listed(segment_choices(state.board, "lure", around))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Draw in the chosen ghost; without a choice all that are around, then the stock's."""
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
        """Put a ghost into the first empty circle."""
        held = self.held(state)
        circle = empty.pop(0)
        held[circle] = held.get(circle, 0) + 1
