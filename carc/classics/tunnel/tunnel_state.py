"""`TunnelState`: what the tunnel keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Owner, Segment


class TunnelState(ExpansionState):
    """Where the tokens are.

    Attributes:
        free: The mouths without a token.
        marked: The tokens on mouths: the owner and the pair's number.
        left: How many tokens of each pair each owner has, owner by owner.
        used: Whether the player has put one down in this turn, in which a builder may bring two
            tiles.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "free": list[Segment],
        "marked": dict[Segment, tuple[Owner, Count]],
        "left": list[Count],
        "used": bool,
    }

    def __init__(self, left: list[int]) -> None:
        self.free: list[int] = []
        self.marked: dict[int, tuple[int, int]] = {}
        self.left = left
        self.used = False

    def copy(self) -> TunnelState:
        new = TunnelState(self.left.copy())
        new.free, new.marked, new.used = self.free.copy(), self.marked.copy(), self.used
        return new
