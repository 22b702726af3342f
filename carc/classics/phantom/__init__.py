"""The Phantom: `base+phantom` (PHA-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from carc.base.board.game_components import FollowerKind
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.turn.actions import PASS, Action, Claim
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import ClaimStep, Step, index_of, next_step
from carc.base.turn.verbs import OnFigure, PutVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.phantom.phantom_state import PhantomState
from carc.classics.steps import PutAction

ONCE: Final = ("fly", "portal")  # what serves one follower a turn


class FollowedClaimStep(ClaimStep):
    """PHA-01: the step of the claim, after whose action the phantom may come."""

    def __init__(self, phantom: Phantom, step: Step) -> None:
        """Make the step of the one that it replaces."""
        super().__init__()
        self.phantom: Final = phantom
        self.replaced: Final = step

    def choices(self, state: State, player: int) -> Choices:
        """Return what the step offers that it replaces."""
        return self.replaced.choices(state, player)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the action; the phantom may follow it, and what it brings at once."""
        if action is None or action is PASS:
            self.replaced.apply(state, player, action)
            return
        phantom, following = self.phantom, next_step(state)
        must_place = phantom.must_place(action)
        before = phantom.at_home(state, player) if must_place else 0
        self.replaced.apply(state, player, action)
        coming, is_away = next_step(state), not state.board.supply_of(player, phantom.kind)
        if coming is self or (coming is following and is_away):
            return  # only something before the action was done, or no phantom can follow
        placed = not must_place or phantom.at_home(state, player) < before
        if placed and kind_put(action) != phantom.kind:
            phantom.state_of(state).after = verb_of(action)
            state.schedule(phantom.second, player, following)


class PhantomStep(Step):
    """PHA-01: the phantom may claim another feature."""

    def __init__(self, phantom: Phantom) -> None:
        """Make the step, which offers what a step of the claim does for the phantom.

        Nobody must be sent home any more (DRG-03), so that is a plain one.
        """
        super().__init__("phantom")
        self.phantom: Final = phantom
        self.claim_step: Final = ClaimStep()

    def choices(self, state: State, player: int) -> Choices:
        """Return where the phantom may go."""
        if not state.board.supply_of(player, self.phantom.kind):
            return NO_CHOICES
        after = self.phantom.state_of(state).after
        everything = self.claim_step.choices(state, player).actions(state)
        return Listed([one for one in everything if self.phantom.goes_by(one, after)]).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put the phantom there."""
        self.phantom.state_of(state).after = ""
        super().apply(state, player, action)


class Phantom(CompetitiveExpansion[PhantomState]):
    """Each player has a phantom, which may be placed in the same turn as another figure.

    Option `follows`: any action with figures or pieces, or only a follower that was placed.
    """

    HELPERS = ("at_home", "goes_by", "must_place")
    _ADDED_OPTIONS = {"follows": "followers"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """PHA-01: what the phantom may follow."""
        return {"follows": ("any", "followers")}

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """PHA-01: each player has one phantom."""
        return [*kinds, FollowerKind("phantom", supply=1)]

    def turn(self, steps: list[Step]) -> list[Step]:
        """PHA-01: the phantom may come after the claim."""
        at = index_of(steps, ClaimStep)
        self.second = PhantomStep(self)
        return [*steps[:at], FollowedClaimStep(self, steps[at]), *steps[at + 1 :]]

    def bind(self, rules: Rules) -> None:
        """Look up the kinds of follower."""
        self.kind = rules.follower_number("phantom")
        self.only_followers = self.chosen["follows"] == "followers"
        self.followers = [k for k in range(len(rules.follower_kinds)) if k in rules.followers]

    def setup(self, state: State) -> ExpansionState:
        """Start with nothing to follow."""
        return PhantomState()

    def at_home(self, state: State, player: int) -> int:
        """Return how many followers a player has in the supply."""
        return sum(state.board.supply_of(player, kind) for kind in self.followers)

    def must_place(self, action: Action) -> bool:
        """Return True if the phantom follows an action only where that places a follower.

        Who sends away a follower chosen among everybody's moves no other figure (DRG-03).
        """
        return self.only_followers or is_of_anybody(action)

    def goes_by(self, action: Action, after: str) -> bool:
        """Return True if an action puts the phantom where it may go after one of this verb."""
        if kind_put(action) != self.kind:
            return False
        verb = verb_of(action)
        if self.only_followers:
            return verb == "claim"
        return verb not in ONCE or verb != after


def verb_of(action: Action) -> str:
    """Return the verb of an action."""
    return "claim" if isinstance(action, Claim) else action.text.partition(":")[0]


def kind_put(action: Action) -> int:
    """Return the kind of follower that an action puts on the board; -1: none."""
    if isinstance(action, Claim | PutAction):
        return action.follower
    if isinstance(action, OnFigure) and isinstance(action.figure_verb, PutVerb):
        return action.follower
    return -1


def is_of_anybody(action: Action) -> bool:
    """Return True if an action is the choice of a figure that may be anybody's."""
    return isinstance(action, OnFigure) and action.figure_verb.any_owner
