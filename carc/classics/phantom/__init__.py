"""The Phantom: `base+phantom` (PHA-01)."""

from __future__ import annotations

from typing import Final

from carc.base.board.candidates import unclaimed_on_last_tile
from carc.base.board.game_components import FollowerKind
from carc.base.game.about import About
from carc.base.game.actions import PASS, Action
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import ClaimStep, Step
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import claiming_kinds


class PhantomStep(Step):
    """PHA-01: the phantom may claim another feature of the tile just laid."""

    def __init__(self, phantom: Phantom) -> None:
        """Make the step."""
        super().__init__("phantom")
        self.phantom: Final = phantom

    def choices(self, state: State, player: int) -> Choices:
        """Return the claims of the phantom."""
        board = state.board
        free = unclaimed_on_last_tile(board) if state.allows_figures(board.last_tile) else 0
        kind = self.phantom.kind
        claims: list[Action] = [
            state.rules.claim(index, kind, player)
            for index, segment in enumerate(board.segments_of(board.last_tile))
            if free >> index & 1 and board.claim_allowed(segment, kind)
        ]
        return Listed([*claims, PASS]) if claims else NO_CHOICES


class Phantom(CompetitiveExpansion):
    """Each player has a phantom, which may be placed in the same turn as another follower."""

    ABOUT = About(
        "The Phantom",
        "Each player has a phantom that may claim a second feature in the same turn.",
        piece="phantom",
        terms={"phantom": "It may claim a second feature in the turn of another follower."},
    )

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """PHA-01: each player has one phantom."""
        return [*kinds, FollowerKind("phantom", supply=1)]

    def bind(self, rules: Rules) -> None:
        """Look up the kinds of follower and make the step."""
        self.kind = rules.follower_number("phantom")
        self.followers = claiming_kinds(rules)
        self.second = PhantomStep(self)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """PHA-01: the phantom may follow another follower."""
        has_phantom = state.board.supply_of(owner, self.kind) > 0  # there is one only
        if has_phantom and self.followers >> follower & 1 and isinstance(state.step, ClaimStep):
            state.push(self.second, state.active_player)
