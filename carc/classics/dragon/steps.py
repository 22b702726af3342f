"""The steps and choices of The Princess & the Dragon (DRG-02, DRG-03, DRG-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from carc.base.cells import are_close
from carc.base.turn.adjacent import AdjacentCellStep
from carc.base.turn.steps import ClaimStep

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.choices import Choices
    from carc.classics.dragon import Dragon

MOVES: Final = 6  # DRG-02


class PrincessClaimStep(ClaimStep):
    """DRG-03, where a knight must be sent home: a player who can does nothing else."""

    def __init__(self, dragon: Dragon) -> None:
        """Make the step."""
        super().__init__()
        self.dragon: Final = dragon

    def choices(self, state: State, player: int) -> Choices:
        """Return the knights; without any, what may be done otherwise."""
        knights = self.dragon.knights(state)
        return knights if knights.count else super().choices(state, player)


@final
class DragonMoveStep(AdjacentCellStep):
    """DRG-02: the dragon moves by one tile, and the figures there go home."""

    def __init__(self, dragon: Dragon) -> None:
        """Make the step."""
        super().__init__("dragon", diagonal=False)
        self.dragon: Final = dragon

    def around(self, state: State) -> tuple[int, list[int]]:
        """Return the dragon's cell, and the fairy's and those already visited."""
        own = self.dragon.state_of(state)
        if self.dragon.walled:
            return own.dragon, [own.fairy, *own.visited, *self.dragon.walled]
        if are_close(own.fairy, own.dragon):
            return own.dragon, [own.fairy, *own.visited]
        return own.dragon, own.visited  # measured: most moves need no list of their own

    def cell_chosen(self, state: State, player: int, cell: int) -> None:
        """Move the dragon; the next player moves it on. It rests after six tiles, or if stuck."""
        own = self.dragon.state_of(state)
        if cell < 0:
            own.visited.clear()
            return
        own.dragon = cell
        own.visited.append(cell)
        self._eat(state, cell)
        if len(own.visited) > MOVES:
            own.visited.clear()
            return
        following = (player + 1) % state.rules.players
        ways = self._cells(state)
        if ways.count > 1:
            state.push(self, following)
        else:
            self._go_on(state, following, ways)

    def _eat(self, state: State, cell: int) -> None:
        """Send the figures on a tile home."""
        board = state.board
        for segment, owner, kind in board.followers_on_tile(board.tile_on_cell(cell)):
            # Some go home with others, so they may be gone.
            if self.dragon.eats[kind] and board.count_followers(segment, owner, kind):
                state.take_follower(segment, owner, kind)
        for mage in self.dragon.mages:
            mage.flee(state, cell)
