"""Wells beside roads: `base+NAME`.

A road is worth one point more for each well.
"""

from collections.abc import Callable
from pathlib import Path

from carc import Expansion, Rules, State, TileSet

TILES = Path(__file__).with_name("data") / "NAME.txt"


class CLASS(Expansion):
    """Wells add points to a road."""

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Add the tiles of this expansion."""
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        """Look up the mark once for all games."""
        self.well = rules.catalogue.mark("well")

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """Add a point for each well."""
        wells = state.board.mark(feature, self.well)
        state.note("well", wells, 1)
        return points + wells
