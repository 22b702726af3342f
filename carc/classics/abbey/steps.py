"""The steps of Abbey & Mayor: to lay an abbey (ABM-01), to move a wagon on (ABM-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import DrawStep, Step, allowed_placements
from carc.classics.steps import pass_over, turn_order

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.abbey import Abbey


class AbbeyStep(Step):
    """ABM-01: the player may take the abbey into the hand instead of drawing a tile."""

    def __init__(self, abbey: Abbey) -> None:
        """Make the step."""
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
        places = allowed_placements(state, self.abbey.tile, self.abbey.enclosed(state))
        return self.abbey.may_lay if places.count else NO_CHOICES


class AbbeyDrawStep(DrawStep):
    """ABM-01: before the game ends, each player may lay an abbey."""

    def __init__(self, abbey: Abbey) -> None:
        """Make the step."""
        super().__init__()
        self.abbey: Final = abbey

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Draw a tile; without any, go on to the next player's abbey.

        After the turn of a player who has a tile, all are asked anew.
        """
        own = self.abbey.state_of(state)
        ends = action is None and state.tile_in_hand < 0
        if ends and own.asked < state.rules.players and any(own.abbeys):
            pass_over(state, self.abbey.end_step)
        else:
            super().apply(state, player, action)
            if state.tile_in_hand not in (-1, self.abbey.tile):
                own.asked = 0


class FarmersStep(Step):
    """ABM-04: the farmers beside a barn score."""

    def __init__(self, name: str, abbey: Abbey, *, in_scoring: bool = False) -> None:
        """Make the step."""
        super().__init__(name, in_scoring=in_scoring)
        self.abbey: Final = abbey

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score them; the barn is no longer new."""
        own = self.abbey.state_of(state)
        self.abbey.barns.score_farmers(state, own.barn)
        own.barn = -1


class WagonsStep(Step):
    """ABM-03: the owners of scored wagons decide, beginning with the active player."""

    def __init__(self, abbey: Abbey) -> None:
        """Make the step."""
        super().__init__("wagons", in_scoring=True)
        self.abbey: Final = abbey

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Ask whoever may move a wagon on."""
        own = self.abbey.state_of(state)
        if any(segment >= 0 for segment in own.left):
            for owner in reversed(turn_order(state, player)):
                for _ in self.abbey.leaving(state, owner):
                    state.push(self.abbey.wagon_step, owner)


class WagonStep(Step):
    """ABM-03: a wagon moves on to a feature nearby, or goes home."""

    def __init__(self, abbey: Abbey) -> None:
        """Make the step."""
        super().__init__("wagon")
        self.abbey: Final = abbey

    def choices(self, state: State, player: int) -> Choices:
        """Return the features to which the wagon may move."""
        return self.abbey.reached(state, player).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice."""
        left = self.abbey.state_of(state).left
        left[left.index(self.abbey.leaving(state, player)[0], player * self.abbey.wagons)] = -1
        super().apply(state, player, action)
