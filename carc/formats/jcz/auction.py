"""Auctions: what JCloisterZone asks for in them, and carc does not."""

from typing import Any, Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.steps import turn_order

Written = tuple[str, dict[str, Any], int]  # the kind of a move, its contents, its player


class Auction:
    """The auction under way, as they see it.

    They number the tiles, ask every player without a tile for a bid, also one without points, and
    let also one without points choose between buying and selling.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self.drawn: list[str] = []  # our names of the tiles drawn since the last move
        self._offers: list[str] = []
        self._sold: set[int] = set()
        self._lot = 0  # the number of the tile that is auctioned
        self._bidder = -1
        self._seller = -1
        self._buyers: set[int] = set()  # who has no tile yet
        self._waiting: list[int] = []  # who may still bid
        self._may_bid: Final = any(each.chosen.get("bazaars") == "on" for each in rules.expansions)

    def before(self, state: State, text: str, player: int) -> list[Written]:
        """Return the moves that come before or in place of an action of an auction."""
        verb, _, rest = text.partition(":")
        if state.step.name == "auction":
            if self.drawn:
                self._offers, self.drawn, self._sold = self.drawn, [], set()
                self._buyers = {*range(self.rules.players)}
            name, price = rest.split(",")
            self._open(state, name, player)
            return [self._bid(int(price), player)]
        if state.step.name != "bid":
            return []
        moves = self._decline(until=player)
        self._waiting = self._waiting[1:]
        if verb == "pass":
            return [*moves, ("PASS", {}, player)]
        self._bidder = player
        return [*moves, self._bid(int(rest), player)]

    def after(self, state: State, step: str, text: str, *, forced: bool) -> list[Written]:
        """Return the moves that follow an action in this step without a decision of ours.

        Args:
            state: The position after the action.
            step: The step in which it was chosen.
            text: The action.
            forced: Whether the seller had to sell.
        """
        if step not in ("auction", "bid", "deal") or state.step.name == "bid":
            return []
        moves = self._decline(until=-1)
        if state.step.name == "deal":
            return moves
        if forced:
            moves.append(("BAZAAR_BUY_OR_SELL", {"value": "SELL"}, self._seller))
        buys = not forced and (text == "buy" or self._bidder == self._seller)
        self._sold.add(self._lot)
        self._buyers.discard(self._seller if buys else self._bidder)
        return moves

    def _open(self, state: State, name: str, player: int) -> None:
        """Begin with a tile."""
        lots = range(len(self._offers))
        self._lot = next(n for n in lots if n not in self._sold and self._offers[n] == name)
        self._bidder = self._seller = player
        others = turn_order(state, player)[1:] if self._may_bid else []
        self._waiting = [p for p in others if p in self._buyers]

    def _decline(self, until: int) -> list[Written]:
        """Pass for those who cannot bid, up to a player."""
        moves: list[Written] = []
        while self._waiting and self._waiting[0] != until:
            moves.append(("PASS", {}, self._waiting.pop(0)))
        return moves

    def _bid(self, price: int, player: int) -> Written:
        return "BAZAAR_BID", {"supplyIndex": self._lot, "price": price}, player
