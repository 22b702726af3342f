"""`TowerState`: what The Tower keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from carc.base.board.board import Board
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Owner, Segment

if TYPE_CHECKING:
    from carc.base.game.state import State


class TowerState(ExpansionState):
    """Towers and prisoners.

    Attributes:
        pieces: How many tower pieces each owner has.
        foundations: The foundations on the board, in the order of their cells.
        heights: How high the tower on each of them is; 0: there is none yet.
        last: The foundation whose tower grew last; -1: none yet.
        prisoners: How many there are, by (jailer * owners + owner) * kinds + kind.
        partner: The owner with whom prisoners are being exchanged; -1: nobody.
        paid: Whether the player has paid a ransom in this turn.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "pieces": list[Count],
        "foundations": list[Segment],
        "heights": list[Count],
        "last": Segment,
        "prisoners": list[Count],
        "partner": Owner,
        "paid": bool,
    }

    def __init__(self, pieces: list[int], prisoners: list[int]) -> None:
        self.pieces = pieces
        self.prisoners = prisoners
        self.foundations: list[int] = []
        self.heights: list[int] = []
        self.last = -1
        self.partner = -1
        self.paid = False

    def copy(self) -> TowerState:
        new = TowerState(self.pieces.copy(), self.prisoners.copy())
        new.foundations, new.heights = self.foundations.copy(), self.heights.copy()
        new.last = self.last
        new.partner, new.paid = self.partner, self.paid
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if each foundation has a height, and the last tower stands on one."""
        owners = state.rules.owners
        return (
            (self.last < 0 or self.last in self.foundations)
            and len(self.foundations) == len(self.heights)
            and len(self.prisoners) == owners * owners * len(state.rules.follower_kinds)
        )

    def number_of(self, foundation: int) -> int:
        """Return where in `foundations` a foundation is."""
        at = 0
        while self.foundations[at] != foundation:
            at += 1
        return at

    def add_foundation(self, board: Board, segment: int) -> None:
        """Add a foundation without a tower."""
        at = 0
        while at < len(self.foundations):
            if board.cell_under(self.foundations[at]) > board.cell_under(segment):
                break
            at += 1
        self.foundations.insert(at, segment)
        self.heights.insert(at, 0)
