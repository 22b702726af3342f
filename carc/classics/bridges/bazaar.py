"""The auctions of bazaars (BRC-03). Without auctions, each player chooses a tile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import CHANCE, Step, note_forced
from carc.classics.steps import pass_over, turn_order

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.bridges import Bridges

HIGHER: Final = 3  # at most so many points are bid more than before
_OFFER: Final = re.compile(r"(?:auction:([A-Za-z0-9][A-Za-z0-9_+-]*),|bid:)(\d{1,3})|buy|sell")


class BazaarAction(Action):
    """What players do at a bazaar: `auction:TILE,POINTS`, `bid:POINTS`, `buy` or `sell`."""

    def __init__(self, rules: Rules, text: str, tile: int = -1, price: int = 0) -> None:
        super().__init__(text)
        self.rules: Final = rules
        self.tile: Final = tile
        self.price: Final = price


def parse_offer(rules: Rules, text: str) -> BazaarAction | None:
    """Return the action at a bazaar that a text denotes; None: it is none."""
    match = _OFFER.fullmatch(text)
    if match is None or (match[1] is not None and match[1] not in rules.catalogue.index):
        return None
    tile = -1 if match[1] is None else rules.catalogue.index[match[1]]
    action = BazaarAction(rules, text, tile, int(match[2] or 0))
    again = f"bid:{action.price}" if tile < 0 else f"auction:{match[1]},{action.price}"
    return action if match[2] is None or text == again else None


class BazaarPart(Step):
    """A step of an auction."""

    def __init__(self, name: str, bridges: Bridges) -> None:
        super().__init__(name)
        self.bridges: Final = bridges

    def offer(self, state: State, tile: int, price: int) -> Action:
        """Return the offer of a price for a tile, or (-1) the bid of one."""
        known = self.bridges.known_offers[tile + 1]
        while len(known) <= price:
            names = state.rules.tile_names
            text = f"bid:{len(known)}" if tile < 0 else f"auction:{names[tile]},{len(known)}"
            known.append(BazaarAction(state.rules, text, tile, len(known)))
        return known[price]


class BazaarStep(BazaarPart):
    """As many tiles as players are drawn and auctioned, when the turn with the bazaar is over."""

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
        state.push(self.bridges.select_step, player)
        for _ in range(state.rules.players):
            state.push(self.bridges.offer_step, player)
            state.push(self.bridges.draw_step, CHANCE)


class TakeStep(BazaarPart):
    """A player who bought a tile does not draw one, nor lay an abbey first."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Take the tile into the hand."""
        own = self.bridges.state_of(state)
        if own.bought[player] >= 0:
            state.change_tile_in_hand(own.bought[player])
            own.bought[player] = -1


class NoTileStep(BazaarPart):
    """With an empty bag, a player without a tile waits for those who bought one."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Go on to the next player."""
        has_none = state.tile_in_hand < 0 and state.tiles_left == 0
        if has_none and max(self.bridges.state_of(state).bought) >= 0:
            pass_over(state, self.bridges.end_step)


class OfferStep(BazaarPart):
    """A tile drawn is offered."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put it with the others."""
        if state.tile_in_hand >= 0:
            self.bridges.state_of(state).offers.append(state.tile_in_hand)
            state.change_tile_in_hand(-1)


class SelectStep(BazaarPart):
    """A player without a tile chooses one, and bids first."""

    def choices(self, state: State, player: int) -> Choices:
        """Return each tile with the points that may be bid."""
        own = self.bridges.state_of(state)
        most = max(0, min(HIGHER, state.scores[player])) if self.bridges.auctions else 0
        selections: list[Action] = []
        last = -1
        for tile in sorted(own.offers):
            for price in range(most + 1 if tile != last else 0):
                selections.append(self.offer(state, tile, price))
            last = tile
        return Listed(selections)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Let the others without a tile bid, then the player decide."""
        own = self.bridges.state_of(state)
        if isinstance(action, BazaarAction):
            own.tile, own.price, own.bidder = action.tile, action.price, player
            state.push(self.bridges.deal_step, player)
            for other in reversed(turn_order(state, player)[1:]):
                if own.bought[other] < 0 and self.bridges.auctions:
                    state.push(self.bridges.bid_step, other)


class BidStep(BazaarPart):
    """Another player may bid more."""

    def choices(self, state: State, player: int) -> Choices:
        """Return what may be bid: no more than the player has."""
        price = self.bridges.state_of(state).price
        most = min(price + HIGHER, state.scores[player])
        bids = [self.offer(state, -1, n) for n in range(price + 1, most + 1)]
        return Listed(bids).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Note the bid."""
        own = self.bridges.state_of(state)
        if isinstance(action, BazaarAction):
            own.price, own.bidder = action.price, player


class DealStep(BazaarPart):
    """Who chose the tile buys it from the highest bidder for that price, or sells it."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the two ways, if there is a choice."""
        own = self.bridges.state_of(state)
        if own.bidder == player or state.scores[player] < own.price:
            return NO_CHOICES
        return self.bridges.deals

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
        order = turn_order(state, player + 1)
        waiting = [other for other in order if own.bought[other] < 0]
        if len(waiting) == 1:
            own.bought[waiting[0]] = own.offers.pop()
        elif waiting:
            state.push(self.bridges.select_step, waiting[0])
