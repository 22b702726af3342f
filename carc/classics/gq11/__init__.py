"""Games Quarterly 11: `base+gq11`, ten tiles, one with a herd of pigs (GQ-01, GQ-02)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from carc.base.game.about import About
from carc.base.game.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import TileSet
from carc.classics.pig_herds import with_pig_herds
from carc.classics.tile_set_expansion import TileSetExpansion

RIVER_TILES = Path(__file__).with_name("gq11_river.txt")


class GamesQuarterly(TileSetExpansion):
    """Ten more tiles; with The River, one of its two river tiles too."""

    ABOUT = About(
        "Games Quarterly 11",
        "Ten more tiles, one of them with a herd of pigs.",
        tile="GQ02",
        cautions={"mists": "There is no final scoring in this game, so pigs are worth nothing."},
        terms={
            "pig_herd": "Each completed city of this field is worth 1 point more.",
        },
    )

    TILES = Path(__file__).with_name("gq11.txt")

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Note who else plays with rivers, or scores herds of pigs."""
        names = [other.name for other in others]
        self.river: bool = "river" in names
        self.scores_herds: bool = "traders" not in names
        return super().resolve_with(others)

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """GQ-01: its spring stays in the box: there is one spring (RIV-02)."""
        sets = super().tile_sets(sets, read)
        if not self.river:
            return sets
        tiles = read(RIVER_TILES)
        kept = tuple(tile for tile in tiles.tiles if tile.group != "spring")
        return [*sets, attrs.evolve(tiles, tiles=kept)]

    def bind(self, rules: Rules) -> None:
        """Look up the mark of herds."""
        self.herd = rules.catalogue.mark("pig_herd")

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """GQ-02: a herd of pigs makes each city of its field worth 1 more."""
        return (
            with_pig_herds(state, feature, final, self.herd, points)
            if self.scores_herds
            else points
        )
