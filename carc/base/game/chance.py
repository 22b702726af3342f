"""`Deal`: chance as a player. What it will do in a game follows from a seed and is no part of any state. `Lot`: chance by lot."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Any, SupportsIndex

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.game.actions import Action
from carc.base.game.draws import drawable, restricted_draws
from carc.base.game.steps import CHANCE, DrawStep
from carc.base.validation import whole
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class Deal:
    """The order of one game's tiles, and every other throw. Ask it `choose(state)` at each decision of `CHANCE`, once each.

    Two games dealt from one seed see the same tiles in the same order as long as as many may be drawn. Where an expansion
    lets only some tiles come, one of these is taken from anywhere in the deck, which leaves the order of the rest as likely as before.
    """

    def __init__(self, rules: Rules, seed: SupportsIndex | str) -> None:
        if not isinstance(seed, str):
            seed = whole(seed, "a seed that is no text")
        self._rules = rules
        self._seed: int | str = seed
        self._deck = _deck(rules, seed).copy()
        self._bag = list(rules.catalogue.copies)  # by kind, what it takes the bag to hold
        self._made: dict[str, random.Random] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _dealt, (self._rules, self._seed, self._deck, self._bag, self._made)

    @property
    def tiles(self) -> list[str]:
        """The names of the tiles in the order they come, as far as it is known now: chance's secret."""
        return [self._rules.catalogue.tiles[kind].name for kind in self._deck]

    def choose(self, state: State) -> Action:
        """What chance does now. Raises `CarcError` where a player is to decide, or nobody, or in a game of other rules."""
        if state.current_player != CHANCE:
            raise CarcError(
                "the game is over: chance does nothing more"
                if state.is_terminal
                else f"player {state.current_player} is to decide here, not chance"
            )
        if state.rules is not self._rules and state.rules != self._rules:
            raise CarcError(f"the deal is of {self._rules}, not of {state.rules}")
        step = state.step
        if isinstance(step, DrawStep):
            return state._listed()[self._draw(state)]
        return throw(state, self._by("throws").random())

    def _by(self, use: str) -> random.Random:
        """The generator for a use. Most games throw and cut nothing: made when it is first asked for."""
        if use not in self._made:
            self._made[use] = random.Random(f"{use} {self._seed}")
        return self._made[use]

    def _draw(self, state: State) -> int:
        """The kind of the tile drawn."""
        bag = state.bag
        if bag != self._bag:
            self._follow(bag, state.tiles_left)
        # Tiles that left the bag unseen lay on top.
        at = len(self._deck) - state.tiles_left
        if len(state.rules.hooks.draws):
            counts = drawable(state)
            if counts != bag:
                self._bring_up(at, [n / max(1, held) for n, held in zip(counts, bag, strict=True)])
        kind = self._deck[at]
        self._bag[kind] -= 1
        return kind

    def _follow(self, bag: list[int], left: int) -> None:
        """Tiles left the bag or came back into it by another way than this deal."""
        back = [held - taken for held, taken in zip(bag, self._bag, strict=True)]
        for kind, n in enumerate(back):
            for _ in range(-n):
                self._let_go(kind, left - sum(back))
                back[kind] += 1
        for kind, n in enumerate(back):
            for _ in range(n):
                self._take_back(kind, left)

    def _bring_up(self, at: int, chances: list[float]) -> None:
        """Change the tile at a place of the deck for one that may come, from anywhere below it."""
        places = range(at, len(self._deck))
        weights = [chances[self._deck[place]] for place in places]
        if not any(weights):  # all that might come lie unseen
            places = range(len(self._deck))
            weights = [chances[kind] for kind in self._deck]
        (found,) = self._by("cuts").choices(places, weights)
        self._deck[at], self._deck[found] = self._deck[found], self._deck[at]

    def _let_go(self, kind: int, left: int) -> None:
        """A tile left the bag by another way than this deal: `left` were there before, it is none of those left."""
        self._bag[kind] -= 1
        places = [
            p for p in range(len(self._deck) - left, len(self._deck)) if self._deck[p] == kind
        ]
        if places:  # else it was among those that lie unseen
            self._deck.insert(0, self._deck.pop(self._by("cuts").choice(places)))

    def _take_back(self, kind: int, left: int) -> None:
        """A tile that was drawn went back into the bag: it comes anywhere among those left."""
        self._bag[kind] += 1
        self._deck.insert(
            self._by("cuts").randint(len(self._deck) + 1 - left, len(self._deck)), kind
        )


@lru_cache(maxsize=1)  # the games of a deal in all seatings come one after another
def _deck(rules: Rules, seed: int | str) -> list[int]:
    """The kinds of all tiles in the order of a seed."""
    deck = [kind for kind, n in enumerate(rules.catalogue.copies) for _ in range(n)]
    shuffle(deck, random.Random(f"deal {seed}"))
    return deck


def _dealt(
    rules: Rules, seed: int | str, deck: list[int], bag: list[int], made: dict[str, random.Random]
) -> Deal:
    """A deal as it was: what is pickled and copied."""
    deal = Deal(rules, seed)
    deal._deck = deck
    deal._bag = bag
    deal._made = made
    return deal


class Lot:
    """Chance does what its probabilities say, in one game or one after another: the quick form of `throw` for many decisions."""

    def __init__(self, rules: Rules) -> None:
        # From `_at` on, in no order: the tiles that may come; `_left`: how many the bag then holds.
        self._deck: vec[i64] = vec[i64]()
        self._at: i64 = 0
        self._left: i64 = 0

    def choose(self, state: State, where: float) -> Action:
        """What chance does now, where `where` falls between 0 and 1; `state.current_player` is `CHANCE`."""
        if not isinstance(state.step, DrawStep):
            return throw(state, where)
        if len(state.rules.hooks.draws):
            counts = state._restricted
            if counts is None:
                counts = restricted_draws(state)
            if counts:
                drawn = _drawn(counts, where)
                if state.bag[drawn] == 0:
                    drawable(state)  # tells whose fault it is
                return state._listed()[drawn]
        if state.tiles_left != self._left or self._at >= len(self._deck):
            # What the bag holds, until a tile goes another way.
            self._deck = vec[i64]([k for k, n in enumerate(state.bag) for _ in range(n)])
            self._at = 0
            self._left = state.tiles_left
        deck = self._deck
        at = self._at
        rest: int = len(deck) - at
        chosen: i64 = at + int(where * rest)
        kind = deck[chosen]
        deck[chosen] = deck[at]
        self._at = at + 1
        self._left -= 1
        return state._listed()[kind]


def _drawn(counts: list[int], where: float) -> int:
    """The kind drawn of so many of each, where `where` falls between 0 and 1."""
    total: i64 = 0
    for n in counts:
        total += n
    rest: i64 = int(where * float(total))
    for kind, n in enumerate(counts):
        rest -= n
        if rest < 0:
            return kind
    raise ValueError("nothing may come")


def throw(state: State, where: float) -> Action:
    """What chance does, where `where` falls between 0 and 1."""
    actions = state._listed()
    weights = state.step.weights(state, actions)
    total = sum(weights)
    last = len(actions)  # where nothing can happen: IndexError
    for at, weight in enumerate(weights):
        if weight:
            last = at
            where -= weight / total
            if where < 0.0:
                break
    return actions[last]


def shuffle(deck: list[int], rng: random.Random) -> None:
    """Bring a list into an order, all alike: the one that `rng.shuffle(deck)` gives, at a fifth of the time."""
    bits = rng.getrandbits
    wide = len(deck).bit_length()
    for at in range(len(deck) - 1, 0, -1):
        if not at + 1 >> wide - 1:
            wide -= 1
        other = bits(wide)
        while other > at:
            other = bits(wide)
        deck[at], deck[other] = deck[other], deck[at]
