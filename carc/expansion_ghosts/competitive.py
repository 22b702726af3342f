"""Ghosts, Castles & Cemeteries: the competitive expansion (MIST-*, GCC-*)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from carc.base.board.candidates import Candidates
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import LESSENED, VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.small_set import SmallSet
from carc.base.turn.actions import Action, parse_choice
from carc.base.turn.steps import ScoreStep, Step
from carc.expansion_ghosts.estimates import GhostsEstimates
from carc.expansion_ghosts.ghost_set import GhostSet
from carc.expansion_ghosts.ghosts_state import MEEPLE, SCARED_AT
from carc.expansion_ghosts.mist import Mist
from carc.expansion_ghosts.steps import HauntStep, OrderStep

MEEPLES: Final = SmallSet([MEEPLE])


@final
class Ghosts(GhostSet):
    """`base+ghosts`: ghosts on meeples, guards, castles, cemeteries, fields cut by mist.

    Attributes:
        haunting_folds: What other expansions make of step 2a. Each gets the state, the tile laid
            and the steps it leads to so far, in order, and returns them with its own.
    """

    ORDER = {"feature_points": VALUED, "player_points": LESSENED, "game_ended": VALUED}
    ONLY_FOR = {"feature_points": ("castle",), "feature_scored": ("cemetery",)}
    HELPERS = ("candidates", "haunt")

    def __init__(self) -> None:
        super().__init__()
        self.haunting_folds: list[Callable[[State, int, list[Step]], list[Step]]] = []

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and make the steps."""
        self.mist: Mist = Mist(rules)
        # The colours of each player, and those of the others.
        everybody = range(rules.owners)
        self.own = [SmallSet(colours) for colours in rules.colours]
        self.others = [SmallSet([o for o in everybody if o not in own]) for own in rules.colours]
        self.haunting: bool = self.chosen["ghosts"] == "on"
        self.guard: int = rules.follower_number("guard") if self.chosen["guards"] == "on" else -1
        self.haunt_other: Step = HauntStep(self, False)
        self.haunt_own: Step = HauntStep(self, True)
        self.order_step: Step = OrderStep("order")
        self.score_step: Step = next(s for s in rules.turn if isinstance(s, ScoreStep))

    def parse(self, text: str) -> Action | None:
        """Return the choice `haunt` that `text` denotes."""
        return parse_choice(text, ("haunt",))

    def tile_placed(self, state: State, tile: int) -> None:
        """GCC-07 to GCC-09: joined or torn mist brings ghosts; completed features are ordered."""
        if not self.haunting or not state.has_begun:
            return
        if len(state.board.completed) > 1:
            state.schedule(self.order_step, state.active_player, self.score_step)
        joined, torn = state.board.overlays_joined(), state.board.overlays_torn()
        if not (joined or torn or self.haunting_folds):
            return
        steps: list[Step] = []
        if joined:
            steps.append(self.haunt_other)
        if torn:
            steps.append(self.haunt_own)
        for fold in self.haunting_folds:
            steps = fold(state, tile, steps)
        for step in reversed(steps):
            state.push(step, state.active_player)

    def candidates(self, state: State, player: int, own: bool) -> Candidates:
        """Return the meeples that may get a ghost: opponents' (GCC-07) or own (GCC-08).

        Never guards (GCC-11). Where several stand on one segment, the first who came may (GCC-12).
        """
        whose = self.own if own else self.others
        return state.board.first_figures(MEEPLES, whose[player])

    def haunt(self, state: State, segment: int) -> None:
        """Put a ghost with the meeple on a segment; the third scares it off (GCC-12)."""
        own = self.state_of(state)
        own.stock -= 1
        n = own.ghosts.get(segment, 0) + 1
        own.ghosts[segment] = n
        if n == SCARED_AT:
            state.take_follower(segment)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """GCC-12, GCC-18: ghosts of a meeple that leaves the board go to the stock."""
        own = self.state_of(state)
        if own.ghosts and follower == MEEPLE and state.board.owner_at(segment) == owner:
            own.stock += own.ghosts.pop(segment, 0)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """GCC-19, GCC-22: castles; at the end their own tile counts whatever it shows."""
        board, misty = state.board, self.mist.tiles
        tiles = board.count_tiles_around(board.cell_under(feature), misty)
        tiles += final and board.kind_of_tile(board.tile_under(feature)) not in misty
        each = 1 if final else 2
        state.note("castle", tiles, each)
        return points + each * tiles

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """GCC-16: each ghost with the owner's meeples on a scored feature costs 2 points."""
        board, haunted = state.board, self.state_of(state).ghosts
        if final or not haunted or not board.power(feature, owner):
            return points
        n = 0
        for segment, ghosts in haunted.items():
            if board.feature_of(segment) == feature and board.owner_at(segment) == owner:
                n += ghosts
        if n:
            state.note("ghosts", n, -2)
        return points - 2 * n

    def score(self, state: State, owner: int, score: int) -> int:
        """GCC-17: no score drops below 0."""
        return max(score, 0)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """GCC-20: the keeper of a completed cemetery brings a guard from the guard stock."""
        if final or self.guard < 0:
            return
        own = self.state_of(state)
        for _, owner, _ in state.board.followers_of(feature):
            if own.guards[owner]:
                own.guards[owner] -= 1
                state.board.add_supply(owner, self.guard, 1)

    def game_ended(self, state: State) -> None:
        """GCC-21: each ghost with an own meeple still on the board costs 1 point."""
        haunted = [0] * state.rules.owners
        for segment, ghosts in self.state_of(state).ghosts.items():
            haunted[state.board.owner_at(segment)] += ghosts
        for owner, n in enumerate(haunted):
            if n:
                state.award(owner, "ghosts", n, -1)

    def estimates(self) -> Estimates:
        return GhostsEstimates(self, self.haunting)
