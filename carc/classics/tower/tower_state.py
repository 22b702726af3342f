"""`TowerState`: what The Tower keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.game.expansion import ExpansionState
from carc.base.game.state_fields import Count, Owner, Segment


class TowerState(ExpansionState):
    """Towers and prisoners.

    Attributes:
        pieces: How many tower pieces each owner has.
        heights: How high the tower on each foundation is; 0: there is none yet.
        last: The foundation whose tower grew last; -1: none yet.
        prisoners: How many there are, by jailer, then owner, then kind of follower.
        partner: The owner with whom prisoners are being exchanged; -1: nobody.
        paid: Whether the player has paid a ransom in this turn.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "pieces": list[Count],
        "heights": dict[Segment, Count],
        "last": Segment,
        "prisoners": list[Count],
        "partner": Owner,
        "paid": bool,
    }

    def __init__(self, pieces: list[int], prisoners: list[int]) -> None:
        """Start without any foundation on the board."""
        self.pieces = pieces
        self.heights: dict[int, int] = {}
        self.last = -1
        self.prisoners = prisoners
        self.partner = -1
        self.paid = False

    def copy(self) -> TowerState:
        """Return an independent copy."""
        new = TowerState(self.pieces.copy(), self.prisoners.copy())
        new.heights, new.last = self.heights.copy(), self.last
        new.partner, new.paid = self.partner, self.paid
        return new
