"""`MageState`: what Mage & Witch keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Segment


class MageState(ExpansionState):
    """Where mage and witch are.

    Attributes:
        at: Their segments, in the order of `NAMES`; -1: not on the board.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"at": list[Segment]}

    def __init__(self, at: list[int]) -> None:
        self.at = at

    def copy(self) -> MageState:
        return MageState(self.at.copy())
