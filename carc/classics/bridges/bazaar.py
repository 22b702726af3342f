"""The auctions of bazaars (BRC-03). Without auctions, each player chooses a tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import CHANCE, Step, note_forced
from carc.classics.bridges.offers import Offer
from carc.classics.steps import pass_over, turn_order

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.bridges import Bridges

HIGHER: Final = 3  # at most so many points are bid more than before


class BazaarPart(Step):
    """A step of an auction."""

    def __init__(self, name: str, bridges: Bridges) -> None:
        super().__init__(name)
        self.bridges: Final = bridges


class BazaarStep(BazaarPart):
    """As many tiles as players are drawn and auctioned, when the turn with the bazaar is over."""

    def __init__(self, name: str, bridges: Bridges) -> None:
        super().__init__(name, bridges)
        self.offer_step: Final = OfferStep("offer", bridges)
        self.select_step: Final = SelectStep("auction", bridges)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Let chance draw the tiles, if there are enough; later note that all are placed."""
        own = self.bridges.state_of(state)
        if own.host in (-1, player):
            return
        if own.auctioned or state.tiles_left < state.rules.players:
            if max(own.bought) < 0:
                own.host, own.auctioned = -1, False
            return
        own.auctioned = True
        state.push(self.select_step, player)
        for _ in range(state.rules.players):
            state.push(self.offer_step, player)
            state.push(self.bridges.draw_step, CHANCE)


class TakeStep(BazaarPart):
    """A player who bought a tile does not draw one, nor lay an abbey first."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        own = self.bridges.state_of(state)
        if own.bought[player] >= 0:
            state.change_tile_in_hand(own.bought[player])
            own.bought[player] = -1


class NoTileStep(BazaarPart):
    """With an empty bag, a player without a tile waits for those who bought one."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        has_none = state.tile_in_hand < 0 and state.tiles_left == 0
        if has_none and max(self.bridges.state_of(state).bought) >= 0:
            pass_over(state)


class OfferStep(BazaarPart):
    """A tile drawn is offered."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if state.tile_in_hand >= 0:
            self.bridges.state_of(state).offers.append(state.tile_in_hand)
            state.change_tile_in_hand(-1)


class SelectStep(BazaarPart):
    """A player without a tile chooses one, and bids first."""

    def __init__(self, name: str, bridges: Bridges) -> None:
        super().__init__(name, bridges)
        self.bid_step: Final = BidStep("bid", bridges)
        self.deal_step: Final = DealStep("deal", bridges)

    def choices(self, state: State, player: int) -> Choices:
        """Return each tile with the points that may be bid."""
        own = self.bridges.state_of(state)
        most = max(0, min(HIGHER, state.scores[player])) if self.bridges.auctions else 0
        return Listed(self.bridges.offers.for_each(sorted(own.offers), most))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Let the others without a tile bid, then the player decide."""
        own = self.bridges.state_of(state)
        if isinstance(action, Offer):
            own.tile, own.price, own.bidder = action.tile, action.price, player
            state.push(self.deal_step, player)
            for other in reversed(turn_order(state, player)[1:]):
                if own.bought[other] < 0 and self.bridges.auctions:
                    state.push(self.bid_step, other)


class BidStep(BazaarPart):
    """Another player may bid more."""

    def choices(self, state: State, player: int) -> Choices:
        """Return what may be bid: no more than the player has."""
        price = self.bridges.state_of(state).price
        most = min(price + HIGHER, state.scores[player])
        offers = self.bridges.offers
        return Listed(offers.up_to(-1, most)[price + 1 :]).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        own = self.bridges.state_of(state)
        if isinstance(action, Offer):
            own.price, own.bidder = action.price, player


class DealStep(BazaarPart):
    """Who chose the tile buys it from the highest bidder for that price, or sells it."""

    def choices(self, state: State, player: int) -> Choices:
        own = self.bridges.state_of(state)
        if own.bidder == player or state.scores[player] < own.price:
            return NO_CHOICES
        return self.bridges.offers.deals

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Pay; the next player without a tile chooses, the last gets what is left."""
        own = self.bridges.state_of(state)
        alone = own.bidder == player
        buys = alone or (action is not None and action.text == "buy")
        if not alone and action is None:
            note_forced(state, player, "sell")
        payer, paid = (player, own.bidder) if buys else (own.bidder, player)
        if own.price:
            state.award(payer, "bazaar", own.price, -1)
            if not alone:
                state.award(paid, "bazaar", own.price, 1)
        own.bought[payer] = own.tile
        own.offers.remove(own.tile)
        own.tile, own.price, own.bidder = -1, 0, -1
        waiting = [other for other in turn_order(state, player + 1) if own.bought[other] < 0]
        if len(waiting) == 1:
            own.bought[waiting[0]] = own.offers.pop()
        elif waiting:
            state.push(self.bridges.bazaar.select_step, waiting[0])
