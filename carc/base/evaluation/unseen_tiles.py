"""`UnseenTiles`: which of the tiles that nobody has seen fit where. For bots only."""

from __future__ import annotations

from math import pow
from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.tiles.catalogue import DEMANDS

if TYPE_CHECKING:
    from carc.base.game.rules import Rules

_USES: Final = 5  # bits of a use of a tile: which sides, and whether it joins them
_PLANS: Final = 2  # bits of the number of a number of draws
_MOST_TURNS: Final = 17.0  # waiting for more draws than these is not worth it


@final
class UnseenTiles:
    """The tiles in the bag or face down.

    Keep one object for many positions: it remembers what fits.
    """

    def __init__(self, rules: Rules) -> None:
        """Prepare for the positions of some rules."""
        catalogue = rules.catalogue
        self.rules: Final = rules
        self._main: Final = catalogue.main
        self._overlay: Final = catalogue.overlay
        # By what a cell demands: the kinds that fit; and by demand, sides and use those that show
        # an overlay at just these sides, or join the features at them.
        self._fitting: Final[dict[int, list[int]]] = {}
        self._using: Final[dict[int, list[int]]] = {}
        # The last bag and its number; the shares of these kinds, and for which bag each is known.
        self._bag: list[int] = []
        self._bags: i64 = 0
        self._count: float = 1.0
        self._share: Final = vec[float]([0.0] * (DEMANDS + 1))
        self._known: Final = vec[i64]([0] * (DEMANDS + 1))
        # By what a cell demands and number of draws (`plan`): the chance to draw a tile that fits,
        # and for which plan it is known.
        self._draws: list[float] = []
        self._plans: i64 = 0
        self._drawn: Final = vec[float]([0.0] * (DEMANDS + 1 << _PLANS))
        self._known_drawn: Final = vec[i64]([0] * (DEMANDS + 1 << _PLANS))
        self._share_using: Final = vec[float]([0.0] * (DEMANDS + 1 << _USES))
        self._known_using: Final = vec[i64]([0] * (DEMANDS + 1 << _USES))

    def look(self, bag: list[int]) -> bool:
        """Look at the tiles nobody has seen, counted by kind; return whether they are others."""
        if bag == self._bag:
            return False
        self._bag = bag.copy()
        self._bags += 1
        unseen = 0
        for kind in range(len(bag)):
            unseen += bag[kind]
        self._count = float(max(1, unseen))
        self._plans += 1
        return True

    def plan(self, draws: list[float]) -> None:
        """Say within how many draws tiles may be needed: up to four numbers, for `drawn`."""
        self._draws = draws
        self._plans += 1

    def drawn(self, demand: i64, number: i64) -> float:
        """Return the chance that a tile that fits a free cell is drawn in time.

        Args:
            demand: What the cell demands.
            number: Which of the numbers of draws is the time.
        """
        at = demand << _PLANS | number
        if self._known_drawn[at] != self._plans:
            self._known_drawn[at] = self._plans
            self._drawn[at] = chance_to_draw(self.fitting(demand), self._draws[number])
        return self._drawn[at]

    def fitting(self, demand: i64) -> float:
        """Return the share of the unseen tiles that fit a free cell, by what it demands."""
        if self._known[demand] != self._bags:
            kinds = self._fitting.get(demand)
            if kinds is None:
                kinds = []
                catalogue = self.rules.catalogue
                for kind in range(len(catalogue.tiles)):
                    if catalogue.rotations_for(kind, demand):
                        kinds.append(kind)
                self._fitting[demand] = kinds
            self._known[demand] = self._bags
            self._share[demand] = self.share(kinds)
        return self._share[demand]

    def overlaying(self, demand: i64, sides: i64) -> float:
        """Return the share of tiles that fit a cell and show an overlay at just these sides.

        `sides`: a bit each, as in `Frontier.sides`.
        """
        return self._share_of_use(demand, sides, False)

    def joining(self, demand: i64, sides: i64) -> float:
        """Return the share of tiles that fit a cell and join the features at these sides."""
        return self._share_of_use(demand, sides, True)

    def _share_of_use(self, demand: i64, mask: i64, joined: bool) -> float:
        place = demand << _USES | mask << 1
        if joined:
            place |= 1
        if self._known_using[place] != self._bags:
            kinds = self._using.get(place)
            if kinds is None:
                kinds = self._of_use(demand, mask, joined)
                self._using[place] = kinds
            self._known_using[place] = self._bags
            self._share_using[place] = self.share(kinds)
        return self._share_using[place]

    def share(self, kinds: list[int]) -> float:
        """Return the share of the unseen tiles that are of these kinds."""
        count = 0
        for kind in kinds:
            count += self._bag[kind]
        return float(count) / self._count

    def _of_use(self, demand: int, mask: int, joined: bool) -> list[int]:
        """Return the kinds that fit a cell and show an overlay at, or join, the sides of a mask."""
        kinds: list[int] = []
        catalogue = self.rules.catalogue
        for kind in range(len(catalogue.tiles)):
            for rotation in catalogue.fits(kind, demand):
                at = (kind * 4 + rotation) * 4
                overlaid = 0
                together: i64 = -1
                same = True
                for side in range(4):
                    if self._overlay[at + side] >= 0:
                        overlaid |= 1 << side
                    if mask >> side & 1:
                        segment = self._main[at + side]
                        if segment < 0 or (together >= 0 and segment != together):
                            same = False
                        together = segment
                if same if joined else overlaid == mask:
                    kinds.append(kind)
                    break
        return kinds


def chance_to_draw(share: float, turns: float) -> float:
    """Return the chance that one of a share of the unseen tiles is drawn within some turns."""
    if share >= 1.0:
        return 1.0
    return 1.0 - pow(1.0 - share, min(turns, _MOST_TURNS))
