"""`MonasteriesState`: what German Monasteries keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Segment


class MonasteriesState(ExpansionState):
    """Where followers lie.

    Attributes:
        lying: The monasteries in which a follower lies as an abbot.
        arrived: The monastery to which a follower came who may lie down; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"lying": list[Segment], "arrived": Segment}

    def __init__(self, lying: list[int], arrived: int = -1) -> None:
        """Lay them there."""
        self.lying = lying
        self.arrived = arrived

    def copy(self) -> MonasteriesState:
        return MonasteriesState(self.lying.copy(), self.arrived)
