"""`MonasteriesState`: what German Monasteries keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.field_converters import converter
from carc.base.position.state_fields import FollowerNumber, Owner, Segment

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State

WHO_LIES: Final = list[tuple[Segment, Owner, FollowerNumber]]


class MonasteriesState(ExpansionState):
    """Where followers lie.

    Attributes:
        lying: Who lies in a monastery: segment, owner, kind; once for each follower.
        arrived: The monastery to which a follower came who may lie down; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"lying": WHO_LIES, "arrived": Segment}

    def __init__(self, lying: list[tuple[int, int, int]], arrived: int = -1) -> None:
        """Lay them there."""
        self.lying = lying
        self.arrived = arrived

    def copy(self) -> MonasteriesState:
        return MonasteriesState(self.lying.copy(), self.arrived)

    def lies(self, segment: int) -> bool:
        """Return True if somebody lies in a monastery."""
        return any(one == segment for one, _, _ in self.lying)

    def standing(self, board: Board, segment: int) -> list[tuple[int, int]]:
        """Return owner and kind of each follower in a monastery who does not lie."""
        standing = board.followers_at(segment)
        for one, owner, kind in self.lying:
            if one == segment:
                standing.remove((owner, kind))
        return standing

    def from_data(self, state: State, data: Mapping[str, Any]) -> None:
        """Set all fields. Older positions name the monasteries alone: all followers there lie."""
        if isinstance(data, Mapping):
            try:
                segments = converter(list[Segment]).read(state, data.get("lying"), None)
            except ValueError:
                segments = []
            lying = [(one, *who) for one in segments for who in state.board.followers_at(one)]
            if lying:
                data = {**data, "lying": converter(WHO_LIES).write(state, lying)}
        super().from_data(state, data)

    def is_valid(self, state: State) -> bool:
        """Return True if all who lie are on the board."""
        return all(state.board.count_followers(*one) >= self.lying.count(one) for one in self.lying)
