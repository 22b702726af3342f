"""Whom the dragon may eat, and what the fairy may bring (DRG-02, DRG-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.board.figures import NOBODY
from carc.base.expansions.estimates import Estimates
from carc.base.turn.scoring import value
from carc.classics.dragon.dragon_state import NOWHERE
from carc.classics.dragon.fairy import FAIRY_SCORED, FAIRY_TURN

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.dragon import Dragon

# So many tiles away followers are near the dragon, or within its reach.
NEAR: Final = 2
REACH: Final = 4


class DragonEstimates(Estimates):
    """The followers near the dragon, and the fairy's companion."""

    DESCRIPTORS = {
        "dragon_near": (-1.5, -1.5, -1.5, -1.5),
        "dragon_near_points": (-0.125, -0.125, -0.125, -0.125),
        "dragon_far": (-0.6, -0.6, -0.6, -0.6),
        "fairy": (1.5, 1.5, 0.75, 0.75),
    }

    def __init__(self, dragon: Dragon) -> None:
        self.dragon: Final = dragon

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what the fairy may bring: points of some turns, and of the scoring (DRG-05)."""
        own = self.dragon.state_of(state)
        if own.companion != NOBODY:
            turns = min(3.0, state.tiles_left / state.rules.players)
            expected[own.companion[1]] += FAIRY_TURN * turns + 0.5 * FAIRY_SCORED
        return expected

    def descriptors(self, state: State) -> list[list[float]]:
        """Return for each owner what the dragon may soon eat, and whether the fairy helps.

        Followers at most two tiles away from the dragon, and what their features are worth; other
        followers at most four tiles away; 1 for the fairy's companion. What the dragon may eat
        counts by the chance that it moves before everybody has had two turns.
        """
        own = self.dragon.state_of(state)
        rows = [[0.0, 0.0, 0.0, 0.0] for _ in range(state.rules.owners)]
        if own.companion != NOBODY:
            rows[own.companion[1]][3] = 1.0
        chance = self._chance_to_move(state)
        if chance == 0.0:
            return rows
        board = state.board
        for segment, owner, _, steps in board.followers_around(own.dragon, REACH):
            if board.cell_under(segment) != own.fairy:
                if steps <= NEAR:
                    rows[owner][0] += chance
                    worth = value(state, board.feature_of(segment), True)
                    rows[owner][1] += chance * float(worth)
                else:
                    rows[owner][2] += chance
        return rows

    def _chance_to_move(self, state: State) -> float:
        """Return the chance that the dragon moves before everybody has had two turns."""
        own, left = self.dragon.state_of(state), state.tiles_left
        if own.dragon == NOWHERE:
            return 0.0
        if own.visited:
            return 1.0
        if not left:
            return 0.0
        tiles = 0
        for kind in self.dragon.dragon_kinds:
            tiles += state.bag[kind]
        others = max(0.0, 1.0 - float(tiles) / left)
        return 1.0 - float(others ** min(2 * state.rules.players, left))
