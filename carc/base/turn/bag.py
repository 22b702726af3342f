"""`Bag`: the tiles that are not on the table, and which of them may be drawn now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.tiles.catalogue import Catalogue

if TYPE_CHECKING:
    from carc.base.game.state import State

WORD: Final = 60  # bits that fit in an i64


class Bag:
    """The part of `State` that knows the tiles to come."""

    def _fill_bag(self, catalogue: Catalogue) -> None:
        """Put all tiles into the bag but those on the table at the start."""
        self.bag: list[int] = list(catalogue.copies)
        self.tiles_left: int = sum(catalogue.copies)
        self.discarded: list[int] = []
        self.tile_in_hand: i64 = -1
        self._dealt: int = 0  # how many have left the bag, unseen ones included
        self._held_back: int = 0  # what `held_back` returned at this or the last draw

    def _copy_bag_to(self, new: Bag) -> None:
        new.bag = self.bag.copy()
        new.tiles_left = self.tiles_left
        new._dealt = self._dealt
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


def held_back(state: State) -> int:
    """Return the kinds of tile that expansions hold back now, a bit each."""
    held = 0
    for expansion in state.rules.hooks.held_back:
        held = expansion.held_back(state, held)
    return held


def any_left(state: State, held: int) -> bool:
    """Return True if the bag holds tiles besides those held back (a bit for each kind)."""
    return len(free_kinds(state, held, 1)) > 0


def free_kinds(state: State, held: int, most: i64) -> vec[i64]:
    """Return the kinds of tile in the bag that are not held back, the first `most` of them."""
    bag = state.bag
    free = vec[i64]()
    word: i64 = 0  # the bits up to `end`: measured, long ints cost ten times as much
    end: i64 = 0
    for kind in state.rules.catalogue.in_bag:
        if len(free) == most:
            break
        while end <= kind:
            word = held >> int(end) & (1 << WORD) - 1
            end += WORD
        if not word >> (kind + WORD - end) & 1 and bag[kind]:
            free = append(free, kind)
    return free


def drawable(state: State) -> list[int]:
    """Return how many tiles of each kind may be drawn now: the bag less what is held back."""
    held = held_back(state)
    return [0 if held >> kind & 1 else n for kind, n in enumerate(state.bag)]
