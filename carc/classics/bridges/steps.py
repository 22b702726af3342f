"""The steps of Bridges, Castles & Bazaars (BRC-01, BRC-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import PASS, Place, chosen_segment, segment_choices
from carc.base.turn.choices import Choices, Listed
from carc.base.turn.steps import PlaceStep, ScoreStep, Step, allowed_placements
from carc.classics.steps import turn_order

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.bridges import Bridges


class BridgePlaceStep(PlaceStep):
    """BRC-01: a tile may be placed with a bridge that makes it fit, or else be put away."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__()
        self.bridges: Final = bridges

    def choices(self, state: State, player: int) -> Choices:
        """Return where the tile fits; if only by a bridge, the player may decline."""
        kind = state.tile_in_hand
        spans = self.bridges.spans
        places = spans.places(state, player, kind)
        if not places.count:
            return super().choices(state, player)
        places = allowed_placements(state, kind, places)
        if places.count and not spans.any_fits_as_it_is(state, kind, places):
            return places.or_pass()
        return places

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Build the bridge that is needed, then place the tile."""
        self.bridges.state_of(state).built = False
        if isinstance(action, Place):
            self.bridges.spans.build_for(state, player, action.cell, action.rotation)
        super().apply(state, player, None if action is PASS else action)


class CastleStep(Step):
    """BRC-02: the owner of a small city that was completed may make it a castle."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__("castle")
        self.bridges: Final = bridges

    def choices(self, state: State, player: int) -> Choices:
        """Return the player's small cities, each by its segment on the last tile."""
        cities = self.bridges.castles.small_cities(state, player)
        return Listed(segment_choices(state.board, "castle", cities)).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Found the castle, and ask again."""
        if action is not None and action is not PASS:
            self.bridges.castles.found(state, player, chosen_segment(state.board, action))
            state.push(self, player)


class CastlesStep(Step):
    """BRC-02: all players are asked, beginning with the active one."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__("castles", in_scoring=True)
        self.bridges: Final = bridges

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Ask each owner of a small city."""
        castles, completed = self.bridges.castles, state.board.completed
        if not completed or not any(castles.is_small(state.board, each) for each in completed):
            return
        for other in reversed(turn_order(state, player)):
            if castles.small_cities(state, other):
                state.push(self.bridges.castle_step, other)


class CastleScoreStep(ScoreStep):
    """BRC-02: castles score what the best feature near them scored."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__("castle scores")
        self.bridges: Final = bridges

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the castles; new ones wait from now on."""
        self.bridges.castles.score_all(state)
