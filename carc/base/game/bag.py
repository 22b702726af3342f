"""`Bag`: the tiles that are not on the table: in the bag, in the hand, out of the game."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from carc.base.board.followers import Figures

NONE_HELD: Final[list[int]] = []  # what `coming` tells where all that the bag holds may come


class Bag(Figures):
    """The bag of the table it belongs to. Made by `State`, which is one."""

    def _fill_bag(self) -> None:
        """All that the start tiles leave."""
        catalogue = self.rules.catalogue
        self.bag: list[int] = list(catalogue.copies)
        self.left: int = sum(catalogue.copies)  # how many can still be drawn
        self.dealt: int = 0  # how many have left the bag, unseen ones included
        self.discarded: list[int] = []
        self.hand: i64 = -1  # kind drawn and not yet laid
        # How many of each kind may be drawn now, if an expansion holds some back, else empty; None: nobody has asked since a draw.
        self._coming: list[int] | None = None

    def _copy_bag_to(self, new: Bag) -> None:
        new.bag = self.bag.copy()
        new.left = self.left
        new.dealt = self.dealt
        new.discarded = self.discarded.copy()
        new.hand = self.hand
        new._coming = self._coming

    def _holds(self, counts: list[int]) -> bool:
        """Whether the bag holds so many of each kind, at least where any are to come."""
        bag = self.bag
        return len(counts) == len(bag) and all(
            n == 0 or (n > 0 and bag[kind] != 0) for kind, n in enumerate(counts)
        )

    def draw(self, kind: int) -> None:
        """Take a tile out of the bag into the hand."""
        self.bag[kind] -= 1
        self.left -= 1
        self.dealt += 1
        self.hand = kind
        self._coming = None

    def put_back(self) -> None:
        """The tile in the hand goes back into the bag."""
        self.bag[self.hand] += 1
        self.left += 1
        self.hand = -1

    def discard(self) -> None:
        """The tile in the hand goes out of the game (BASE-04)."""
        self.discarded.append(self.hand)
        self.hand = -1

    def change_hand(self, kind: int) -> None:
        """The tile in the hand is of another kind now, such as itself with a bridge: a kind with no copies in the bag."""
        self.hand = kind

    def set_aside(self) -> None:
        """A tile leaves the bag unseen: nobody knows which."""
        self.left -= 1
        self.dealt += 1
