"""`Bag`: the tiles that are not on the table: in the bag, in the hand, discarded."""

from __future__ import annotations

from mypy_extensions import i64

from carc.base.tiles.catalogue import Catalogue


class Bag:
    """The part of `State` that knows the tiles to come."""

    def _fill_bag(self, catalogue: Catalogue) -> None:
        """Put all tiles into the bag but those on the table at the start."""
        self.bag: list[int] = list(catalogue.copies)
        self.tiles_left: int = sum(catalogue.copies)
        self.discarded: list[int] = []
        self.tile_in_hand: i64 = -1
        self._dealt: int = 0  # how many have left the bag, unseen ones included
        self._held_back: int = 0  # what `draws.held_back` returned at this or the last draw

    def _copy_bag_to(self, new: Bag) -> None:
        new.bag = self.bag.copy()
        new.tiles_left = self.tiles_left
        new._dealt = self._dealt
        new.discarded = self.discarded.copy()
        new.tile_in_hand = self.tile_in_hand
        new._held_back = self._held_back

    def _draw(self, kind: int) -> None:
        """Take a tile out of the bag into the hand."""
        self.bag[kind] -= 1
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
