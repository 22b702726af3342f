"""`TileSetExpansion`: what the classic expansions have in common. Each brings tiles, and on some of them a garden is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Final

import attrs
from mypy_extensions import mypyc_attr

from carc.base.game.expansion import Expansion
from carc.base.game.type_variables import S_co
from carc.base.tiles.tile import SegmentKind, Tile, TileSet

GARDEN: Final = SegmentKind("garden", completed_by="neighbours", claimable=False)
PRINTED: Final = "-garden"  # how the names of tiles with one end


@mypyc_attr(allow_interpreted_subclasses=True)
class TileSetExpansion(Expansion[S_co]):
    """An expansion with tiles, those in `TILES`. Gardens are on them where the abbot plays: without, nobody has a use for them."""

    TILES: ClassVar[Path]

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        self.gardens: bool = "abbot" in [other.name for other in others]
        return self

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        return kinds if GARDEN in kinds else [*kinds, GARDEN]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, self._edition(read(self.TILES))]

    def _edition(self, tiles: TileSet) -> TileSet:
        """The tiles of a file as they are played with: all, or without gardens."""
        return tiles if self.gardens else without_gardens(tiles)


def without_gardens(one: TileSet) -> TileSet:
    """The older edition of a set: a tile with a garden is one more copy of the same tile without."""
    plain: dict[str, Tile] = {}
    for tile in one.tiles:
        name = tile.name.removesuffix(PRINTED)
        segments = tuple(part for part in tile.segments if part.kind != GARDEN.name)
        copies = tile.copies + (plain[name].copies if name in plain else 0)
        plain[name] = attrs.evolve(tile, name=name, segments=segments, copies=copies)
    return attrs.evolve(one, tiles=tuple(plain.values()))
