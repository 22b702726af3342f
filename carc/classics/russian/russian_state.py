"""`RussianState`: what the Russian promotional tiles keep in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Segment


class RussianState(ExpansionState):
    """Where the traps are.

    Attributes:
        traps: The traps on the table, in the order in which they were placed.
        seen: The segments of figures on the robber's road when he last looked, with
            `traps=newer`; once for each figure.
    """

    FIELDS: ClassVar[Mapping[str, object]] = dict.fromkeys(("traps", "seen"), list[Segment])

    def __init__(self) -> None:
        self.traps: list[int] = []
        self.seen: list[int] = []

    def copy(self) -> RussianState:
        new = RussianState()
        new.traps, new.seen = self.traps.copy(), self.seen.copy()
        return new
