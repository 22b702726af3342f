"""What chance may do in the recorded games, and how likely: counted from the tiles not yet seen."""

from collections import Counter
from fractions import Fraction

from carc import Rules
from carc.base.tiles.tile import Tile

SHEEP = {"token:1": 4, "token:2": 5, "token:3": 5, "token:4": 2, "token:wolf": 2}  # HIL-02


class Unseen:
    """The tiles that nobody has seen, and by the rules which of them may come next."""

    def __init__(self, rules: Rules) -> None:
        self._tiles = {tile.name: tile for tile in rules.catalogue.tiles}
        bag = [tile for tile in rules.catalogue.tiles if not tile.hand]
        self.left = Counter({tile.name: tile.copies for tile in bag})
        self.volcano = False

    def see(self, name: str) -> None:
        """A tile was drawn, or lies on the table at the start."""
        assert self.left[name] > 0, name
        self.left[name] -= 1
        self.volcano |= "volcano" in _symbols(self._tiles[name])

    def chances(self) -> dict[str, Fraction]:
        """How likely each tile is to be drawn next."""
        coming = {name: n for name, n in self.left.items() if n}
        for stage in (_fork, _middle, _river):  # RIV-02
            if at_stage := {name: n for name, n in coming.items() if stage(self._tiles[name])}:
                coming = at_stage
                break
        if not self.volcano:  # DRG-01
            coming = {
                name: n for name, n in coming.items() if "dragon" not in _symbols(self._tiles[name])
            }
        total = sum(coming.values())
        return {f"draw:{name}": Fraction(n, total) for name, n in coming.items()}


def _symbols(tile: Tile) -> set[str]:
    return {name for name, _ in tile.symbols}


def _fork(tile: Tile) -> bool:
    return tile.edges.count("I") == 3


def _middle(tile: Tile) -> bool:
    return _river(tile) and tile.group != "lake"


def _river(tile: Tile) -> bool:
    return "I" in tile.edges


def tokens(drawn: Counter[str]) -> dict[str, Fraction]:
    """How likely each sheep or wolf is while these lie with shepherds."""
    left = {token: n - drawn[token] for token, n in SHEEP.items() if n > drawn[token]}
    total = sum(left.values())
    return {token: Fraction(n, total) for token, n in left.items()}


def flights() -> dict[str, Fraction]:
    """How likely each distance of a flying machine is (FLY-01)."""
    return {f"flight:{distance}": Fraction(1, 3) for distance in (1, 2, 3)}
