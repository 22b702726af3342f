"""`FerriesState`: what the ferries keep in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Segment


class FerriesState(ExpansionState):
    """Where the ferries are.

    Attributes:
        ferries: The two roads that each ferry joins.
        moved: The roads of the ferries that were moved in this turn, as they are now.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "ferries": list[tuple[Segment, Segment]],
        "moved": list[Segment],
    }

    def __init__(self) -> None:
        self.ferries: list[tuple[int, int]] = []
        self.moved: list[int] = []

    def copy(self) -> FerriesState:
        new = FerriesState()
        new.ferries, new.moved = self.ferries.copy(), self.moved.copy()
        return new
