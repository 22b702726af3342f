"""`Bag`: the tiles that are not on the table, and which of them may be drawn now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.small_set import TileKinds
from carc.base.tiles.catalogue import Catalogue

if TYPE_CHECKING:
    from carc.base.game.state import State


class Bag:
    """The part of `State` that knows the tiles to come."""

    def _fill_bag(self, catalogue: Catalogue) -> None:
        """Put all tiles into the bag but those on the table at the start."""
        self.bag: list[int] = list(catalogue.copies)
        self.tiles_left: int = sum(catalogue.copies)
        self.discarded: list[int] = []
        self.tile_in_hand: i64 = -1
        self._dealt: int = 0  # how many have left the bag, unseen ones included
        self._hidden: i64 = 0  # how many of those in the bag players hold, unknown here
        self._held_back: TileKinds = (
            catalogue.no_kinds
        )  # what `held_back` returned at this or the last draw

    def _copy_bag_to(self, new: Bag) -> None:
        new.bag = self.bag.copy()
        new.tiles_left = self.tiles_left
        new._dealt = self._dealt
        new._hidden = self._hidden
        new.discarded = self.discarded.copy()
        new.tile_in_hand = self.tile_in_hand
        new._held_back = self._held_back

    def _draw(self, kind: int) -> None:
        """Take a tile out of the bag into the hand."""
        self.bag[kind] = self.bag[kind] - 1  # measured: `-=` works on objects
        self.tiles_left -= 1
        self._dealt += 1
        self.tile_in_hand = kind

    def _discard(self) -> None:
        """Discard the tile in the hand (BASE-04)."""
        self.discarded.append(self.tile_in_hand)
        self.tile_in_hand = -1

    def put_back(self) -> None:
        """Return the tile in the hand to the bag."""
        self.bag[self.tile_in_hand] += 1
        self.tiles_left += 1
        self.tile_in_hand = -1

    def change_tile_in_hand(self, kind: int) -> None:
        """Exchange the tile in the hand for a kind without copies, such as itself with a bridge."""
        self.tile_in_hand = kind

    def set_aside(self) -> None:
        """Take a tile out of the bag unseen: nobody knows which."""
        self.tiles_left -= 1
        self._dealt += 1

    def _lose_sight(self, kind: int) -> None:
        """Return a tile that a player holds to the bag, as one that left it unseen."""
        if kind >= 0:
            self.bag[kind] += 1
            self._hidden += 1

    def _recognise(self, kind: int) -> None:
        """Let a tile that a player holds, unknown so far, be of a kind."""
        self.bag[kind] -= 1
        self._hidden -= 1


def held_back(state: State) -> TileKinds:
    """Return the kinds of tile that expansions hold back now."""
    held = state.rules.catalogue.no_kinds
    for expansion in state.rules.hooks.held_back:
        held = expansion.held_back(state, held)
    return held


def any_left(state: State, held: TileKinds) -> bool:
    """Return True if the bag holds tiles besides those held back."""
    return len(free_kinds(state, held, 1)) > 0


def free_kinds(state: State, held: TileKinds, most: i64) -> vec[i64]:
    """Return the kinds of tile in the bag that are not held back, the first `most` of them."""
    bag, flags = state.bag, held.flags
    free = vec[i64]()
    for kind in state.rules.catalogue.in_bag:
        if len(free) == most:
            break
        if not flags[kind] and bag[kind]:
            free = append(free, kind)
    return free


def drawable(state: State) -> list[int]:
    """Return how many tiles of each kind may be drawn now: the bag less what is held back."""
    held = held_back(state)
    return [0 if kind in held else n for kind, n in enumerate(state.bag)]
