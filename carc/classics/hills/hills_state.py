"""`HillsState`: what Hills & Sheep keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Segment

TOKENS: Final = (2, 4, 5, 5, 2)  # wolves, then one sheep to four (HIL-02)


class HillsState(ExpansionState):
    """Where the shepherds are, and who has which tokens.

    Attributes:
        bag: The number of tokens in the bag, by what they show.
        at: The segment of each shepherd, by owner; -1: it is at home.
        with_shepherd: The tokens of each shepherd.
        pending: Whom the active player still has to tend, if there are several.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "at": list[Segment],
        "bag": list[Count],
        "with_shepherd": list[tuple[int, ...]],
        "pending": list[Count],
    }
    ADDED_FIELDS = ("pending",)

    def __init__(self, shepherds: int) -> None:
        """Start with all tokens in the bag."""
        self.bag = list(TOKENS)
        self.at: list[int] = [-1] * shepherds
        self.with_shepherd: list[tuple[int, ...]] = [()] * shepherds
        self.pending: list[int] = []

    def copy(self) -> HillsState:
        new = HillsState(0)
        new.bag, new.at = self.bag.copy(), self.at.copy()
        new.with_shepherd = self.with_shepherd.copy()
        new.pending = self.pending.copy()
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if all shepherds and tokens are there."""
        kind = state.rules.follower_number("shepherd")
        each = max(1, state.rules.follower_kinds[kind].supply)
        there = [
            on < 0 or state.board.count_followers(on, at // each, kind)
            for at, on in enumerate(self.at)
        ]
        drawn = all(0 <= n < len(TOKENS) for some in self.with_shepherd for n in some)
        pending = all(at < len(there) and self.at[at] >= 0 for at in self.pending)
        return len(there) == state.rules.owners * each and all(there) and drawn and pending
