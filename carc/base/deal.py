"""`Deal`: chance as a player. What it will do in a game follows from a seed and is no part of any state."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from carc.base.actions import Action
from carc.base.steps import DrawStep

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State


class Deal:
    """The order of one game's tiles, and every other throw. Ask it `choose(state)` at each decision of `CHANCE`, once each.

    Two games dealt from one seed see the same tiles in the same order as long as as many may be drawn. Where an expansion
    lets only some tiles come, one of these is taken from anywhere in the deck, which leaves the order of the rest as likely as before.
    """

    def __init__(self, rules: Rules, seed: int | str) -> None:
        copies = rules.catalogue.copies
        deck = [kind for kind, n in enumerate(copies) for _ in range(n)]
        random.Random(f"deal {seed}").shuffle(deck)
        self._rules = rules
        self._deck = deck
        self._out = [0] * len(copies)  # by kind, how many it has drawn and not got back
        self._cuts = random.Random(f"cuts {seed}")
        self._throws = random.Random(f"throws {seed}")

    @property
    def tiles(self) -> list[str]:
        """The names of the tiles in the order they come, as far as it is known now: chance's secret."""
        return [self._rules.catalogue.tiles[kind].name for kind in self._deck]

    def choose(self, state: State) -> Action:
        """What chance does now; `state.current_player` is `CHANCE`."""
        step = state.step
        if isinstance(step, DrawStep):
            return state._legal[self._draw(state)]
        return throw(state, self._throws.random())

    def _draw(self, state: State) -> int:
        """The kind of the tile drawn."""
        bag = state.bag
        back = [
            out - copies + held
            for out, copies, held in zip(self._out, self._rules.catalogue.copies, bag, strict=True)
        ]
        for kind, n in enumerate(back):
            for _ in range(-n):
                self._let_go(kind, state.left - sum(back))
                back[kind] += 1
        for kind, n in enumerate(back):
            for _ in range(n):
                self._take_back(kind, state.left)
        # Tiles that left the bag unseen lay on top.
        at = len(self._deck) - state.left
        if self._rules.draws:
            counts = state.drawable()
            if counts != bag:
                self._bring_up(at, [n / max(1, held) for n, held in zip(counts, bag, strict=True)])
        kind = self._deck[at]
        self._out[kind] += 1
        return kind

    def _bring_up(self, at: int, chances: list[float]) -> None:
        """Change the tile at a place of the deck for one that may come, from anywhere below it."""
        places = range(at, len(self._deck))
        weights = [chances[self._deck[place]] for place in places]
        if not any(weights):  # all that might come lie unseen
            places = range(len(self._deck))
            weights = [chances[kind] for kind in self._deck]
        (found,) = self._cuts.choices(places, weights)
        self._deck[at], self._deck[found] = self._deck[found], self._deck[at]

    def _let_go(self, kind: int, left: int) -> None:
        """A tile left the bag by another way than this deal: `left` were there before, it is none of those left."""
        self._out[kind] += 1
        places = [
            p for p in range(len(self._deck) - left, len(self._deck)) if self._deck[p] == kind
        ]
        if places:  # else it was among those that lie unseen
            self._deck.insert(0, self._deck.pop(self._cuts.choice(places)))

    def _take_back(self, kind: int, left: int) -> None:
        """A tile that was drawn went back into the bag: it comes anywhere among those left."""
        self._out[kind] -= 1
        self._deck.insert(self._cuts.randint(len(self._deck) + 1 - left, len(self._deck)), kind)


def throw(state: State, where: float) -> Action:
    """What chance does, where `where` falls between 0 and 1."""
    outcomes = state.chance_outcomes()
    for action, probability in outcomes:
        where -= probability
        if where < 0.0:
            return action
    return outcomes[-1][0]
