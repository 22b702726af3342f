"""Chance as a player: `Deal` follows a seed, `Lot` only the probabilities.

What chance will do is never part of a state.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Any, SupportsIndex, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.small_set import TileKinds
from carc.base.turn.actions import Action
from carc.base.turn.bag import drawable, free_kinds
from carc.base.turn.steps import CHANCE, DrawStep
from carc.base.validation import whole
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


@final
class Deal:
    """All that chance does in one game: the order of the tiles and every throw.

    Call `choose(state)` once at each decision of `CHANCE`. Two games of one seed draw the same
    tiles in the same order as long as the same number may be drawn. Where an expansion holds tiles
    back, the next one that may come is taken from the rest of the deck, whose order stays random.
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
        """The names of the tiles in the order they will come, as far as it is known: a secret."""
        return [self._rules.catalogue.tiles[kind].name for kind in self._deck]

    def choose(self, state: State) -> Action:
        """Return what chance does now.

        Raises:
            CarcError: A player is to decide, the game is over, or it has other rules.
        """
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
        """Return the generator for a use; made on first use, for most games need none."""
        if use not in self._made:
            self._made[use] = random.Random(f"{use} {self._seed}")
        return self._made[use]

    def _draw(self, state: State) -> int:
        """Return the kind of the tile drawn."""
        bag = state.bag
        if bag != self._bag:
            self._follow(bag, state.tiles_left)
        # Tiles that left the bag unseen lay on top.
        at = len(self._deck) - state.tiles_left
        if len(state.rules.hooks.held_back):
            counts = drawable(state)
            if counts != bag:
                self._bring_up(at, [n / max(1, held) for n, held in zip(counts, bag, strict=True)])
        kind = self._deck[at]
        self._bag[kind] -= 1
        return kind

    def _follow(self, bag: list[int], left: int) -> None:
        """Follow what left the bag or came back into it in another way."""
        back = [held - taken for held, taken in zip(bag, self._bag, strict=True)]
        for kind, n in enumerate(back):
            for _ in range(-n):
                self._let_go(kind, left - sum(back))
                back[kind] += 1
        for kind, n in enumerate(back):
            for _ in range(n):
                self._take_back(kind, left)

    def _bring_up(self, at: int, chances: list[float]) -> None:
        """Exchange the tile at a place of the deck for one that may come, from the rest."""
        places = range(at, len(self._deck))
        weights = [chances[self._deck[place]] for place in places]
        if not any(weights):  # all that might come lie unseen
            places = range(len(self._deck))
            weights = [chances[kind] for kind in self._deck]
        (place,) = self._by("cuts").choices(places, weights)
        self._deck[at], self._deck[place] = self._deck[place], self._deck[at]

    def _let_go(self, kind: int, left: int) -> None:
        """Remove a tile that left the bag in another way; `left` were there before."""
        self._bag[kind] -= 1
        places = [
            p for p in range(len(self._deck) - left, len(self._deck)) if self._deck[p] == kind
        ]
        if places:  # else it was among those that lie unseen
            self._deck.insert(0, self._deck.pop(self._by("cuts").choice(places)))

    def _take_back(self, kind: int, left: int) -> None:
        """Insert a tile that went back into the bag anywhere among those left."""
        self._bag[kind] += 1
        self._deck.insert(
            self._by("cuts").randint(len(self._deck) + 1 - left, len(self._deck)), kind
        )


@lru_cache(maxsize=1)  # the games of a deal in all seatings come one after another
def _deck(rules: Rules, seed: int | str) -> list[int]:
    """Return the kinds of all tiles in the order of a seed."""
    deck = [kind for kind, n in enumerate(rules.catalogue.copies) for _ in range(n)]
    shuffle(deck, random.Random(f"deal {seed}"))
    return deck


def _dealt(
    rules: Rules, seed: int | str, deck: list[int], bag: list[int], made: dict[str, random.Random]
) -> Deal:
    """Return a deal with this deck, bag and these generators; for pickle and copy."""
    deal = Deal(rules, seed)
    deal._deck = deck
    deal._bag = bag
    deal._made = made
    return deal


@final
class Lot:
    """Chance by its probabilities, in one game or one after another: `throw`, faster."""

    def __init__(self, rules: Rules) -> None:
        # From `_at` on: the tiles that may come; `_left`: how many the bag then holds; `_held`: the
        # kinds that are held back then.
        self._deck: vec[i64] = vec[i64]()
        self._at: i64 = 0
        self._left: i64 = 0
        self._held: TileKinds = rules.catalogue.no_kinds

    def choose(self, state: State, where: float) -> Action:
        """Return what chance does now; `where`: a random number from 0 to 1."""
        if not isinstance(state.step, DrawStep):
            return throw(state, where)
        held = state._held_back
        left: i64 = i64(state.tiles_left) + state._hidden
        if left != self._left or not held.equals(self._held):
            # What the bag holds, until a tile goes another way.
            self._deck = _unshuffled(state, held)
            self._at = 0
            self._left = left
            self._held = held
        deck = self._deck
        at = self._at
        rest: int = len(deck) - at
        chosen: i64 = at + int(where * rest)
        kind = deck[chosen]
        if not held.is_empty:  # the same random numbers draw the same tiles as ever: by kind
            while chosen > at:
                deck[chosen] = deck[chosen - 1]
                chosen -= 1
        else:
            deck[chosen] = deck[at]
        self._at = at + 1
        self._left -= 1
        return state._listed()[kind]


def _unshuffled(state: State, held: TileKinds) -> vec[i64]:
    """Return the kind of each tile in the bag that is not held back, by kind."""
    bag = state.bag
    in_bag = state.rules.catalogue.in_bag
    kinds = in_bag if held is state.rules.catalogue.no_kinds else free_kinds(state, held, len(bag))
    size: i64 = 0
    for kind in kinds:
        size += i64(bag[kind])
    deck = vec[i64]([0] * size)
    at: i64 = 0
    for kind in kinds:
        end = at + i64(bag[kind])
        while at < end:
            deck[at] = kind
            at += 1
    return deck


def throw(state: State, where: float) -> Action:
    """Return what chance does; `where`: a random number from 0 to 1."""
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
    """Shuffle a list in place: the order of `rng.shuffle(deck)`, in a fifth of the time."""
    bits = rng.getrandbits
    wide = len(deck).bit_length()
    for at in range(len(deck) - 1, 0, -1):
        if not at + 1 >> wide - 1:
            wide -= 1
        other = bits(wide)
        while other > at:
            other = bits(wide)
        deck[at], deck[other] = deck[other], deck[at]
