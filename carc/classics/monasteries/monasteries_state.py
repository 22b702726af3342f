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
        lying: By monastery in which some lie: how many came there before each of them.
        arrived: The monastery to which a follower came who may lie down; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "lying": dict[Segment, list[Count]],
        "arrived": Segment,
    }

    def __init__(self, lying: dict[int, list[int]], arrived: int = -1) -> None:
        self.lying = lying
        self.arrived = arrived

    def copy(self) -> MonasteriesState:
        lying = {segment: before.copy() for segment, before in self.lying.items()}
        return MonasteriesState(lying, self.arrived)

    def those(self, board: Board, segment: int, *, lie: bool) -> list[tuple[int, int]]:
        """Return owner and kind of each follower in a monastery who lies, or who stands."""
        before = self.lying.get(segment, [])
        here = enumerate(board.followers_at(segment))
        return [who for at, who in here if (at in before) == lie]

    def lay_last(self, board: Board, segment: int) -> None:
        """Lay down who came last."""
        self.lying.setdefault(segment, []).append(len(board.followers_at(segment)) - 1)

    def leave(self, segment: int, at: int) -> bool:
        """Forget the follower who came to a monastery after so many others; did it lie?"""
        before = self.lying.pop(segment)
        others = [n - (n > at) for n in before if n != at]
        if others:
            self.lying[segment] = others
        return at in before

    def is_valid(self, state: State) -> bool:
        """Return True if all who lie are on the board."""
        return all(
            before and {*before} <= {*range(len(state.board.followers_at(segment)))}
            for segment, before in self.lying.items()
        )
