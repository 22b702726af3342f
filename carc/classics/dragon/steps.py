"""The steps and choices of The Princess & the Dragon (DRG-02, DRG-03, DRG-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from carc.base.cells import are_close, cell_at
from carc.base.turn.adjacent import AdjacentCellStep
from carc.base.turn.steps import ClaimStep
from carc.classics.mage import Mage

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.choices import Choices
    from carc.classics.dragon import Dragon

MOVES: Final = 6  # DRG-02


class PrincessClaimStep(ClaimStep):
    """DRG-03, where a knight must be sent home: a player who can does nothing else."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__()
        self.dragon: Final = dragon

    def choices(self, state: State, player: int) -> Choices:
        """Return the knights; without any, what may be done otherwise."""
        knights = self.dragon.knights(state)
        return knights if knights.count else super().choices(state, player)


@final
class DragonMoveStep(AdjacentCellStep):
    """DRG-02: the dragon moves by one tile, and the figures there go home."""

    def __init__(self, dragon: Dragon, rules: Rules) -> None:
        super().__init__("dragon", diagonal=False)
        self.dragon: Final = dragon
        # Cells at the start that it does not enter.
        self._walled: Final = [
            cell_at(x, y)
            for kind, x, y in rules.catalogue.start
            if rules.catalogue.tiles[kind].group == "walled"
        ]
        self._mages: Final = [
            each
            for each in rules.expansions
            if isinstance(each, Mage) and each.chosen["dragon"] == "leave"
        ]
        # What has power and is no follower (a barn) stands on a corner, beyond its reach.
        self._eats: Final = [kind.is_follower or not kind.power for kind in rules.follower_kinds]

    def around(self, state: State) -> tuple[int, list[int]]:
        """Return the dragon's cell, and the fairy's and those already visited."""
        own = self.dragon.state_of(state)
        if self._walled:
            return own.dragon, [own.fairy, *own.visited, *self._walled]
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
            if self._eats[kind] and board.count_followers(segment, owner, kind):
                state.take_follower(segment, owner, kind)
        for mage in self._mages:
            mage.flee(state, cell)
