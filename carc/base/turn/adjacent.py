"""A choice among the tiles beside a cell or around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from carc.base.cells import AROUND, WIDTH, count_bits, nth_bit
from carc.base.turn.actions import Action, OnCell, on_cell, on_cells
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import Step, note_forced

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State

BESIDE: Final = (-WIDTH, -1, 1, WIDTH)


@mypyc_attr(allow_interpreted_subclasses=True)
class AdjacentCellStep(Step):
    """A choice among the tiles around a cell: `VERB:X,Y`, with the step's name as verb.

    A single one is taken without a decision.
    """

    def __init__(self, verb: str, diagonal: bool) -> None:
        """Make the step; `diagonal`: the tiles over corners count, too."""
        super().__init__(verb)
        self.offsets: vec[i64] = vec[i64](AROUND if diagonal else BESIDE)  # in the order of cells
        self.known_actions: Final = on_cells(verb)

    def around(self, state: State) -> tuple[int, list[int]]:
        """Return the cell in the middle, and the cells that may not be chosen.

        Default: the cell of the last tile, and none.
        """
        return state.board.cell_of(state.board.last_tile), []

    def cell_chosen(self, state: State, player: int, cell: int) -> None:
        """Perform the choice of a cell; -1 if there was none to choose."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the cells to choose from, if there are several."""
        cells = self._cells(state)
        return cells if cells.count > 1 else NO_CHOICES

    def _cells(self, state: State) -> AdjacentCells:
        middle, excluded = self.around(state)
        return AdjacentCells(self, state.board, middle, excluded)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice, or take the only cell there is."""
        if isinstance(action, OnCell):
            self.cell_chosen(state, player, action.cell)
        else:
            self._go_on(state, player, self._cells(state))

    def _go_on(self, state: State, player: int, cells: AdjacentCells) -> None:
        """Take the only cell there is, if any."""
        if state.journal is not None and cells.count:
            note_forced(state, player, cells.action(state, 0).text)
        self.cell_chosen(state, player, cells.cell(0))


@final
@mypyc_attr(free_list_len=1)
class AdjacentCells(Choices):
    """The cells around one on which tiles lie face up, without those excluded."""

    def __init__(
        self, step: AdjacentCellStep, board: Board, middle: i64, excluded: list[int]
    ) -> None:
        offsets = step.offsets
        open_ways = board.tiles_at(middle, offsets)
        for cell in excluded:
            way = i64(cell) - middle
            for at in range(len(offsets)):
                if offsets[at] == way:
                    open_ways &= ~(1 << at)
        super().__init__(count_bits(open_ways))
        self.step: Final = step
        self.middle: Final[i64] = middle
        self.open_ways: Final[i64] = open_ways  # which of the offsets lead to such a cell, as bits

    def cell(self, index: i64) -> int:
        """Return the cell at an index; -1 if there are fewer."""
        if index >= self.count:
            return -1
        return self.middle + self.step.offsets[nth_bit(self.open_ways, index)]

    def action(self, state: State, index: int) -> Action:
        """Return the choice of the cell at an index."""
        return on_cell(self.step.name, self.cell(index), self.step.known_actions)
