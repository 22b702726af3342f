"""What players say at a bazaar: `auction:TILE,POINTS`, `bid:POINTS`, `buy` or `sell` (BRC-03)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import Action
from carc.base.turn.choices import Choices, Listed

if TYPE_CHECKING:
    from carc.base.game.rules import Rules

_OFFER: Final = re.compile(r"(?:auction:([A-Za-z0-9][A-Za-z0-9_+-]*),|bid:)(\d{1,3})")


class Offer(Action):
    """What is said: a price for a tile, or for that which is auctioned (-1)."""

    def __init__(self, rules: Rules, text: str, tile: int = -1, price: int = 0) -> None:
        super().__init__(text)
        self.rules: Final = rules
        self.tile: Final = tile
        self.price: Final = price


class Offers:
    """All offers under some rules, each made once.

    Attributes:
        deals: The choice to buy or to sell.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules: Final = rules
        self.deals: Choices = Listed([Offer(rules, "buy"), Offer(rules, "sell")])
        # By kind of tile, after the bids for any: the offers by price.
        self._known: Final[list[list[Action]]] = [[] for _ in range(len(rules.tile_names) + 1)]

    def up_to(self, tile: int, most: int) -> list[Action]:
        """Return the offers of 0 to so many points for a tile, or (-1) the bids."""
        known, names = self._known[tile + 1], self._rules.tile_names
        while len(known) <= most:
            text = f"bid:{len(known)}" if tile < 0 else f"auction:{names[tile]},{len(known)}"
            known.append(Offer(self._rules, text, tile, len(known)))
        return known[: max(0, most + 1)]

    def for_each(self, tiles: list[int], most: int) -> list[Action]:
        """Return the offers of 0 to so many points for tiles in order; for equal ones once."""
        offers: list[Action] = []
        last = -1
        for tile in tiles:
            if tile != last:
                offers += self.up_to(tile, most)
            last = tile
        return offers

    def parse(self, text: str) -> Action | None:
        """Return the offer that a text denotes; None: it is none."""
        if text in ("buy", "sell"):
            return Offer(self._rules, text)
        match, index = _OFFER.fullmatch(text), self._rules.catalogue.index
        if match is None or (match[1] is not None and match[1] not in index):
            return None
        offer = self.up_to(-1 if match[1] is None else index[match[1]], int(match[2]))[-1]
        return offer if offer.text == text else None
