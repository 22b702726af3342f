"""The oracle of the bazaars of Bridges, Castles & Bazaars; written from BRC-03."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import CHANCE, Cell, Found, Turn

MORE = 3  # at most, than the bid before


class BazaarsOracle(ClassicsOracle):
    """`base+bridges`, of which this is a part."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.bought: list[str | None] = [None] * players
        self.offered: list[str] = []
        self.host: int | None = None  # who laid the bazaar
        self.pending = False  # its auction is still to come
        super().__init__(texts, players, plays=plays, **options)

    def holds_tile(self, player: int) -> bool:
        return self.bought[player] is not None

    def tiles_to_come(self) -> bool:
        return super().tiles_to_come() or any(self.bought)

    def next_tile(self, player: int) -> Found:
        kind, self.bought[player] = self.bought[player], None
        if kind is not None:
            found = yield from self.try_tile(player, kind)
            if found is not None:
                return found
        if not self.tiles_left() and any(self.bought):  # in the second part of a turn
            return (yield from self.next_tile((player + 1) % self.players))
        return (yield from super().next_tile(player))

    def after_placing(self, player: int, cell: Cell) -> Turn:
        played = self.setting("bridges", "bazaars", "on") != "off" and self.players > 1
        if played and self.shows(cell, "bazaar") and self.host is None:
            self.host, self.pending = player, True
        yield from super().after_placing(player, cell)

    def end_of_turn(self, player: int, cell: Cell) -> Turn:
        yield from super().end_of_turn(player, cell)
        goes_on = self.due and not self.extra
        if player == self.host and not goes_on:
            if self.pending and self.tiles_left() >= self.players:
                self.due = self.extra = False  # MEE-01: the turn with both its parts is over
                yield from self.bazaar(player)
            else:  # the last of the tiles bought is placed, or there were too few
                self.host = None
            self.pending = False

    def bazaar(self, player: int) -> Turn:
        for _ in range(self.players):
            drawn = yield CHANCE, "draw", [f"draw:{kind}" for kind in self.drawable()]
            self.offered.append(drawn.removeprefix("draw:"))
            self.bag[self.offered[-1]] -= 1
        seller = player
        while self.offered:
            seller = next(p for p in self.after(seller) if self.bought[p] is None)
            if len(self.offered) == 1:
                self.bought[seller] = self.offered.pop()
            else:
                yield from self.auction(seller)

    def after(self, player: int) -> list[int]:
        """The players from the next one on, this one last."""
        return [(player + n) % self.players for n in range(1, self.players + 1)]

    def auction(self, seller: int) -> Turn:
        kinds = dict.fromkeys(self.offered)
        free = self.setting("bridges", "bazaars", "on") == "choose"
        highest = range(1 if free else min(MORE, self.scores[seller]) + 1)
        chosen = yield (
            seller,
            "auction",
            [f"auction:{kind},{points}" for kind in kinds for points in highest],
        )
        kind, points = chosen.removeprefix("auction:").split(",")
        price, bidder = int(points), seller
        for other in [] if free else self.after(seller)[:-1]:
            top = min(price + MORE, self.scores[other])
            if self.bought[other] is None and top > price:
                bids = [f"bid:{n}" for n in range(price + 1, top + 1)]
                bid = yield other, "bid", [*bids, "pass"]
                if bid != "pass":
                    price, bidder = int(bid.removeprefix("bid:")), other
        buys = bidder == seller
        if not buys and self.scores[seller] >= price:
            deal = yield seller, "deal", ["buy", "sell"]
            buys = deal == "buy"
        buyer, paid = (seller, bidder) if buys else (bidder, seller)
        self.add(buyer, -price)
        if bidder != seller:
            self.add(paid, price)
        self.bought[buyer] = kind
        self.offered.remove(kind)

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        held: list[dict[str, int]] = data.get("tiles_held", [{} for _ in self.bought])
        for player, kind in enumerate(self.bought):
            if kind is not None:
                held[player] = {**held[player], kind: 1}
        return {**data, "tiles_held": held}
