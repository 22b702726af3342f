"""`TradersState`: what Traders & Builders keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count

MOST_TOKENS: Final = 10  # points for most tokens of a kind (TRD-03)
GOODS: Final = ("wine", "grain", "cloth")


@final
class TradersState(ExpansionState):
    """Goods, and the second part of a turn.

    Attributes:
        tokens: The tokens of each owner and kind of goods, owner by owner.
        due: Whether the player has earned a second part of the turn.
        extra: Whether this is the second part of a turn.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"tokens": list[Count], "due": bool, "extra": bool}

    def __init__(self, owners: int) -> None:
        self.tokens = [0] * (owners * len(GOODS))
        self.due = False
        self.extra = False

    def copy(self) -> TradersState:
        new = TradersState(0)
        new.tokens = self.tokens.copy()
        new.due = self.due
        new.extra = self.extra
        return new
