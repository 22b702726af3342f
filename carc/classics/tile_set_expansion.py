"""`TileSetExpansion`: an expansion that brings tiles, some of them with gardens printed on them.

Some have pieces that can be played without the tiles, or in another number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

import attrs

from carc.base.expansions.expansion import Expansion
from carc.base.expansions.type_variables import S_co
from carc.base.tiles.tile import SegmentKind, Tile, TileSet

GARDEN: Final = SegmentKind("garden", completed_by="neighbours", claimable=False)
GARDEN_SUFFIX: Final = "-garden"  # of the names of tiles with a garden


class TileSetExpansion(Expansion[S_co]):
    """An expansion that adds the tiles of a file.

    Gardens are there only in games with the abbot; nobody else can use them.
    """

    TILES: ClassVar[Path | None] = None
    """The file with its tiles; None if it brings none."""
    SETS: ClassVar[Mapping[str, Path]] = {}
    """Its files with tiles, if it brings several, each by the value of the option `sets` with which
    it is played alone; `both` plays all."""
    PIECES: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Its pieces that can be played without its tiles -> how many each player may have, the usual
    number first."""

    def options(self) -> Mapping[str, Sequence[str]]:
        """Return which of its tiles are played, and how many of its pieces each player has."""
        if self.SETS:
            return {"sets": ("both", *self.SETS)}
        return self._options_of_pieces()

    def _options_of_pieces(self) -> dict[str, Sequence[str]]:
        if not self.PIECES:
            return {}
        counts = {f"{piece}_count": numbers for piece, numbers in self.PIECES.items() if numbers}
        return {"tiles": ("on", "off"), **counts}

    def _added_options(self) -> dict[str, str]:
        """Return the options that older versions did not have: all of its pieces among them."""
        pieces = {name: values[0] for name, values in self._options_of_pieces().items()}
        return {**super()._added_options(), **pieces}

    def _count_of(self, piece: str) -> int:
        """Return how many of a piece each player has."""
        return int(self.chosen.get(f"{piece}_count", "1"))

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Note whether the abbot plays, with the gardens of all sets (ABB-01)."""
        self.gardens: bool = any(
            other.name == "abbot" and other.chosen["gardens"] == "all" for other in others
        )
        return self

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """ABB-01: gardens are a kind of feature."""
        return kinds if GARDEN in kinds else [*kinds, GARDEN]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Add the expansion's tiles; without them, those that players hold."""
        if self.SETS:
            chosen = self.chosen["sets"]
            files = [file for name, file in self.SETS.items() if chosen in ("both", name)]
            return [*sets, *(self._edition(read(file)) for file in files)]
        if self.TILES is None:
            return sets
        own = self._edition(read(self.TILES))
        if self.chosen.get("tiles") == "off":
            held = tuple(tile for tile in own.tiles if tile.hand)
            return [*sets, attrs.evolve(own, tiles=held, start=())] if held else sets
        return [*sets, own]

    def _edition(self, tiles: TileSet) -> TileSet:
        """Return a file's tiles as they are played with: all, or without gardens."""
        return tiles if self.gardens else without_gardens(tiles)


def without_gardens(tiles: TileSet) -> TileSet:
    """Return the older edition of a set.

    A tile with a garden becomes one more copy of the same tile without.
    """
    plain: dict[str, Tile] = {}
    for tile in tiles.tiles:
        name = tile.name.removesuffix(GARDEN_SUFFIX)
        segments = tuple(part for part in tile.segments if part.kind != GARDEN.name)
        copies = tile.copies + (plain[name].copies if name in plain else 0)
        plain[name] = attrs.evolve(tile, name=name, segments=segments, copies=copies)
    return attrs.evolve(tiles, tiles=tuple(plain.values()))
