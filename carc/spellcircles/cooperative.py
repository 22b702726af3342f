"""The Spell Circles in Mists over Carcassonne, with the cat Eloise (SPC-*)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.turn.actions import Action, parse_choice
from carc.base.turn.steps import ClaimStep, EndStep, Step
from carc.mists.game import Mists
from carc.mists.turn.haunting import GhostStep
from carc.spellcircles.cat import CatPointsStep, CatStep
from carc.spellcircles.circles import Circles, DrawInStep, fill
from carc.spellcircles.circles_state import ASIDE, MOVING, WAITING, CooperativeCirclesState

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

CAT_STOCK: Final = 7  # ghosts before the cat at the start (SPC-02)


class CooperativeCircles(Circles[CooperativeCirclesState]):
    """`mists:LEVEL+spellcircles`: circles that hold ghosts, and a cat."""

    def __init__(self, mists: Mists) -> None:
        super().__init__()
        self.mists: Final = mists

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and make the steps."""
        super().bind(rules)
        self.reward: Step = CatPointsStep(self, self.mists)
        self.draw_in: Step = TileDrawInStep(self)
        turn = rules.turn
        self.ghost_step: Step = next(s for s in turn if isinstance(s, GhostStep))
        self.claim_step: Step = next(s for s in turn if isinstance(s, ClaimStep))
        self.end_step: Step = next(s for s in turn if isinstance(s, EndStep))
        symbols = sum(
            n for kind, _, _ in rules.catalogue.start for _, n in self.mists.symbols[kind]
        )
        # The ghosts neither before the cat at the start nor on the start tile (SPC-02).
        self.apart: int = self.mists.level.ghosts - symbols - CAT_STOCK
        self.cat_comes: Step = CatStep(self, self.mists, self.apart)
        self.cat_moves: Step = CatStep(self, self.mists, self.mists.level.ghosts)

    def parse(self, text: str) -> Action | None:
        """Return the choice `lure` or `cat` that `text` denotes."""
        return parse_choice(text, ("lure", "cat"))

    def setup(self, state: State) -> ExpansionState | None:
        """Start with the cat aside (SPC-02)."""
        return CooperativeCirclesState()

    def tile_placed(self, state: State, tile: int) -> None:
        """SPC-04, SPC-07, SPC-08: circles are to be filled; ghosts may bring the cat."""
        if tile < self.mists.start_tiles:
            return
        own = self.state_of(state)
        if self.circles[state.board.kind_of_tile(tile)]:
            own.empty = self._to_fill(state, tile)
            if own.empty:
                state.schedule(self.draw_in, state.active_player, self.ghost_step)
        if own.at == ASIDE:
            state.schedule(self.cat_comes, state.active_player, self.claim_step)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """SPC-08: a waiting cat joins the next follower."""
        own = self.state_of(state)
        if own.at == WAITING:
            own.at = segment

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """SPC-09: if the cat's follower leaves, she moves on; if scored, she brings points."""
        own = self.state_of(state)
        if own.at == segment:
            own.at = MOVING
            state.schedule(self.cat_moves, state.active_player, self.end_step)
            if self.mists.state_of(state).scoring >= 0:
                own.owner = owner
                state.push(self.reward, state.active_player)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the cat to the pieces; `cat_stock`: the ghosts still before her."""
        own = self.state_of(state)
        if own.at >= 0:
            data["pieces"].append(piece(state, "cat", segment=own.at))
        left = self.mists.state_of(state).stock - self.apart
        return {**data, "cat_stock": max(0, left) if own.at == ASIDE else None}


class TileDrawInStep(DrawInStep):
    """SPC-04: ghosts are drawn in from neighbour tiles, from mist or cemeteries."""

    def __init__(self, circles: CooperativeCircles) -> None:
        super().__init__()
        self.circles: Final = circles

    def lured(self, state: State) -> tuple[dict[int, int], dict[int, int], list[int]]:
        mists = self.circles.mists.state_of(state)
        return mists.ghosts, mists.bound, self.circles.state_of(state).empty

    def fill_from_stock(self, state: State) -> None:
        """Fill the circles; with too few ghosts in the stock the game is lost (COOP-14)."""
        mists, empty = self.circles.mists.state_of(state), self.circles.state_of(state).empty
        if len(empty) > mists.stock:
            mists.end(state, False, "COOP-14")
            return
        mists.called = True  # SPC-05: now a cemetery calls for a ghost too
        mists.stock -= len(empty)
        while empty:
            fill(mists.bound, empty)
