"""What both modes of The Spell Circles share: tiles, and ghosts drawn into circles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from carc.base.cells import are_close
from carc.base.expansions.expansion import Expansion
from carc.base.expansions.type_variables import S_co
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import Action, chosen_segment, segment_choices
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.expansion_ghosts.mist import take_ghost

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

TILES: Final = Path(__file__).with_name("data") / "circles.txt"


class Circles(Expansion[S_co]):
    """The nine tiles, whose circles hold ghosts."""

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """SCC-01, SPC-01: add the nine tiles."""
        return [*sets, read(TILES)]

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        from carc.spellcircles.printed_tiles import check_circles  # noqa: PLC0415 (not for play)

        return check_circles(tiles) if tiles.name == "circles" else None

    def bind(self, rules: Rules) -> None:
        """Look up for each kind of tile its segments with circles: index, number of circles."""
        self.circles: list[tuple[tuple[int, int], ...]] = []
        for tile in rules.catalogue.tiles:
            here = [(i, dict(s.marks).get("circles", 0)) for i, s in enumerate(tile.segments)]
            self.circles.append(tuple((i, n) for i, n in here if n))

    def _to_fill(self, state: State, tile: int) -> list[int]:
        """Return the circles of the last tile that get a ghost, each by its mist segment.

        Those in a bank that the tile finishes get none (SPC-07, SCC-04).
        """
        segments: list[int] = []
        for index, n in self.circles[state.board.kind_of_tile(tile)]:
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
        super().__init__("lure")

    def lured(self, state: State) -> tuple[dict[int, int], dict[int, int], list[int]]:
        """Return what the step changes.

        The ghosts that can be lured, by segment; those in circles, by mist segment; the circles
        still to fill, each by its mist segment.
        """
        raise NotImplementedError

    def fill_from_stock(self, state: State) -> None:
        """Fill the circles that are left from the stock."""
        raise NotImplementedError

    def choices(self, state: State, player: int) -> Choices:
        """Return the ghosts to choose from."""
        ghosts, _, empty = self.lured(state)
        if len(ghosts) < 2:
            return NO_CHOICES
        around = _around(state, ghosts)
        total = sum([ghosts[segment] for segment in around])
        if len(around) < 2 or total <= len(empty):
            return NO_CHOICES
        return Listed(segment_choices(state.board, "lure", around))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Draw in the chosen ghost; without a choice all that are around, then the stock's."""
        ghosts, held, empty = self.lured(state)
        if action is not None:
            take_ghost(ghosts, chosen_segment(state.board, action))
            fill(held, empty)
            if empty:
                state.push(self, player)
            return
        for segment in _around(state, ghosts):
            while empty and segment in ghosts:
                take_ghost(ghosts, segment)
                fill(held, empty)
        if empty:
            self.fill_from_stock(state)
            empty.clear()


def _around(state: State, ghosts: dict[int, int]) -> list[int]:
    """Return those segments with ghosts on the neighbour tiles; on the tile itself is none yet."""
    board = state.board
    here = board.cell_of(board.last_tile)
    return board.in_order([one for one in ghosts if are_close(board.cell_under(one), here)])


def fill(held: dict[int, int], empty: list[int]) -> None:
    """Put a ghost into the first empty circle."""
    circle = empty.pop(0)
    held[circle] = held.get(circle, 0) + 1
