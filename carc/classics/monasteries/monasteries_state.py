"""`MonasteriesState`: what German Monasteries keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Segment

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State


class MonasteriesState(ExpansionState):
    """Where followers lie.

    Attributes:
        lying: By monastery, which of the followers there lie: a bit each, in the order in which
            they came. If nobody does, it is not there.
        arrived: The monastery to which a follower came who may lie down; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"lying": dict[Segment, Count], "arrived": Segment}

    def __init__(self, lying: dict[int, int], arrived: int = -1) -> None:
        """Lay them there."""
        self.lying = lying
        self.arrived = arrived

    def copy(self) -> MonasteriesState:
        return MonasteriesState(self.lying.copy(), self.arrived)

    def those(self, board: Board, segment: int, *, lie: bool) -> list[tuple[int, int]]:
        """Return owner and kind of each follower in a monastery who lies, or who stands."""
        bits = self.lying.get(segment, 0)
        here = enumerate(board.followers_at(segment))
        return [who for at, who in here if bool(bits >> at & 1) == lie]

    def lay_last(self, board: Board, segment: int) -> None:
        """Lay down who came last."""
        last = len(board.followers_at(segment)) - 1
        self.lying[segment] = self.lying.get(segment, 0) | 1 << last

    def leave(self, segment: int, at: int) -> bool:
        """Forget the follower who came to a monastery after so many others; did it lie?"""
        bits = self.lying.pop(segment)
        others = bits & (1 << at) - 1 | bits >> at + 1 << at
        if others:
            self.lying[segment] = others
        return bool(bits >> at & 1)

    def is_valid(self, state: State) -> bool:
        """Return True if all who lie are on the board."""
        board = state.board
        return all(
            0 < bits < 1 << len(board.followers_at(segment)) for segment, bits in self.lying.items()
        )
