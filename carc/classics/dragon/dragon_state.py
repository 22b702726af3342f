"""`DragonState`: what The Princess & the Dragon keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final, final

from carc.base.board.figures import NOBODY
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import FollowerNumber, Owner, Player, Segment, TileCell

if TYPE_CHECKING:
    from carc.base.game.state import State

NOWHERE: Final = -1


@final
class DragonState(ExpansionState):
    """Where dragon and fairy are, and what to remember between decisions.

    Attributes:
        dragon: The dragon's cell.
        fairy: The fairy's cell.
        companion: The follower she protects: segment, owner, kind.
        visited: The cells of the dragon's move so far; empty while it rests.
        began: The player whose turn began last.
    """

    DATA_NAMES: ClassVar[Mapping[str, str]] = {"companion": "beside"}
    FIELDS: ClassVar[Mapping[str, object]] = {
        **dict.fromkeys(("dragon", "fairy"), TileCell),
        "visited": list[TileCell],
        "companion": tuple[Segment, Owner, FollowerNumber],
        "began": Player,
    }

    def __init__(self) -> None:
        self.dragon = NOWHERE
        self.fairy = NOWHERE
        self.companion: tuple[int, int, int] = NOBODY
        self.visited: list[int] = []
        self.began = NOWHERE

    def copy(self) -> DragonState:
        new = DragonState()
        new.dragon, new.fairy, new.companion = self.dragon, self.fairy, self.companion
        new.visited, new.began = self.visited.copy(), self.began
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if the fairy's companion is there."""
        return self.companion == NOBODY or state.board.count_followers(*self.companion) > 0
