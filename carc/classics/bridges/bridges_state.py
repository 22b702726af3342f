"""`BridgesState`: what Bridges, Castles & Bazaars keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from carc.base.board.links import change_kind
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Player, Segment
from carc.base.tiles.tile import SegmentKind

if TYPE_CHECKING:
    from carc.base.game.state import State

CASTLE: Final = SegmentKind(
    "stronghold", claimable=False, follower="knight", scores=False, shelters=True
)


class BridgesState(ExpansionState):
    """Who has which pieces, and where castles stand.

    Attributes:
        bridges: The bridges that each player has.
        castles: The castles that each player has.
        built: Whether a bridge was built in this turn.
        standing: A segment of each castle whose follower waits for points.
        new: A segment of each castle that was founded in this turn.
        ruins: A segment of each castle that has scored.
        offers: The kinds of tile that are offered at a bazaar.
        bought: By player, the kind of tile that was bought and not placed yet; -1: none.
        tile: The kind of tile that is bid for; -1: none.
        price: The highest bid.
        bidder: Who made it.
        host: Who laid the bazaar of the last auction, or of the next; -1: all its tiles are placed.
        auctioned: Whether its auction is over.
        best: By castle, the most points that a feature near it scored, and that feature.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "bridges": list[Count],
        "castles": list[Count],
        "built": bool,
        "standing": list[Segment],
        "new": list[Segment],
        "ruins": list[Segment],
        "offers": list[Count],
        "bought": list[int],
        "tile": int,
        "price": Count,
        "bidder": Player,
        "host": Player,
        "auctioned": bool,
        "best": dict[Segment, tuple[Count, Segment]],
    }

    def __init__(self, each: int, players: int) -> None:
        """Start with all pieces in hand."""
        self.bridges = [each] * players
        self.castles = [each] * players
        self.built = False
        self.standing: list[int] = []
        self.new: list[int] = []
        self.ruins: list[int] = []
        self.offers: list[int] = []
        self.bought = [-1] * players
        self.tile = -1
        self.price = 0
        self.bidder = -1
        self.host = -1
        self.auctioned = False
        self.best: dict[int, tuple[int, int]] = {}

    def copy(self) -> BridgesState:
        new = BridgesState(0, 0)
        new.bridges, new.castles, new.built = self.bridges.copy(), self.castles.copy(), self.built
        new.standing, new.new, new.ruins = self.standing.copy(), self.new.copy(), self.ruins.copy()
        new.offers, new.bought, new.best = self.offers.copy(), self.bought.copy(), self.best.copy()
        new.tile, new.price, new.bidder = self.tile, self.price, self.bidder
        new.host, new.auctioned = self.host, self.auctioned
        return new

    def from_data(self, state: State, data: Mapping[str, Any]) -> None:
        """Set all fields; cities that are castles change their kind."""
        super().from_data(state, data)
        kind = state.rules.catalogue.kind_of[CASTLE.name]
        for segment in (*self.standing, *self.new, *self.ruins):
            change_kind(state.board, segment, kind)
