"""The steps in which players lay their abbeys (ABM-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.choices import NO_CHOICES, Choices, placements_on
from carc.base.turn.steps import DrawStep, Step, allowed_placements
from carc.classics.steps import pass_over

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.abbey import Abbey


class AbbeyStep(Step):
    """ABM-01: the player may take the abbey into the hand instead of drawing a tile."""

    def __init__(self, abbey: Abbey) -> None:
        super().__init__("abbey")
        self.abbey: Final = abbey

    def choices(self, state: State, player: int) -> Choices:
        """Return the choice, if the player has an abbey and a place for it."""
        own = self.abbey.state_of(state)
        over = own.asked > state.rules.players
        if own.abbeys[player] == 0 or over or state.tile_in_hand >= 0:
            return NO_CHOICES
        if not state.board.has_enclosed_cell():
            return NO_CHOICES
        places = placements_on(state.board.enclosed_cells())
        places = allowed_placements(state, self.abbey.tile, places)
        return self.abbey.may_lay if places.count else NO_CHOICES


class AbbeyDrawStep(DrawStep):
    """ABM-01: before the game ends, each player may lay an abbey."""

    def __init__(self, abbey: Abbey) -> None:
        super().__init__()
        self.abbey: Final = abbey

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Draw a tile; without any, go on to the next player's abbey.

        After the turn of a player who has a tile, all are asked anew.
        """
        own = self.abbey.state_of(state)
        ends = action is None and state.tile_in_hand < 0
        if ends and own.asked < state.rules.players and any(own.abbeys):
            pass_over(state)
        else:
            super().apply(state, player, action)
            if state.tile_in_hand not in (-1, self.abbey.tile):
                own.asked = 0
