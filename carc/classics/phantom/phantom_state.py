"""`PhantomState`: what the phantom keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carc.base.position.expansion_state import ExpansionState


class PhantomState(ExpansionState):
    """What the phantom may follow.

    Attributes:
        after: The verb of the action that it may follow; empty: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"after": str}

    def __init__(self, after: str = "") -> None:
        self.after = after

    def copy(self) -> PhantomState:
        return PhantomState(self.after)
