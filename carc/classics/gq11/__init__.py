"""Games Quarterly 11: `base+gq11`, ten tiles, one with a herd of pigs (GQ-01, GQ-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs

from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import Tile, TileSet
from carc.classics.pig_herds import with_pig_herds
from carc.classics.tile_set_expansion import TileSetExpansion

RIVER_TILES = Path(__file__).with_name("gq11_river.txt")


class GamesQuarterly(TileSetExpansion):
    """Ten more tiles; with The River, one of its two river tiles too.

    Options: `herd`: whether its field has a herd of pigs, or no herd at all scores (GQ-02);
    `spring`: whether a river rises from its own spring or from that of the river (GQ-01).
    """

    VERSION = 2
    TILES = Path(__file__).with_name("gq11.txt")
    _ADDED_OPTIONS = {"herd": "on", "spring": "river"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """GQ-01, GQ-02: the herd on its field, and the spring."""
        return {"herd": ("on", "off", "none"), "spring": ("river", "own")}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Note who else plays with rivers, or scores herds of pigs."""
        names = [other.name for other in others]
        self.river: bool = "river" in names
        scored = self.chosen["herd"] != "none"
        self.scores_herds: bool = scored and "traders" not in names
        return super().resolve_with(others)

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """GQ-01: its spring stays in the box, or that of the river: there is one (RIV-02)."""
        sets = super().tile_sets(sets, read)
        if self.chosen["herd"] != "on":
            plain = tuple(map(_without_herd, sets[-1].tiles))
            sets = [*sets[:-1], attrs.evolve(sets[-1], tiles=plain)]
        if not self.river:
            return sets
        tiles = read(RIVER_TILES)
        if self.chosen["spring"] == "own":
            (spring,) = [tile.name for tile in tiles.tiles if tile.group == "spring"]
            return [*sets, attrs.evolve(tiles, start=((spring, 0, 0),))]
        kept = tuple(tile for tile in tiles.tiles if tile.group != "spring")
        return [*sets, attrs.evolve(tiles, tiles=kept)]

    def bind(self, rules: Rules) -> None:
        """Look up the mark of herds."""
        self.herd = rules.catalogue.mark("pig_herd")

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """GQ-02: a herd of pigs makes each city of its field worth 1 more."""
        return (
            with_pig_herds(state, feature, final, self.herd, points)
            if self.scores_herds and self.herd >= 0
            else points
        )


def _without_herd(tile: Tile) -> Tile:
    parts = [
        attrs.evolve(part, marks=tuple(mark for mark in part.marks if mark[0] != "pig_herd"))
        for part in tile.segments
    ]
    return attrs.evolve(tile, segments=tuple(parts))
