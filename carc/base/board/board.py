"""`Board`: the tiles laid, the features they make, the followers on them and in the supplies.

Tiles and segments are numbered in the order of laying. A *feature* is the number of one of its
segments; `feature_of` gives it for any of them. Most answers cost one array read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board import links, tile_laying
from carc.base.board.arrays import (
    FACE_DOWN,
    NOTHING,
    ROOM,
    TILE_BITS,
    TILE_MASK,
)
from carc.base.board.candidates import BELOW_CELL, CELL_AT
from carc.base.board.figures import Figures
from carc.base.board.tile_laying import CLOSED, CONNECTED, LINKED, OPENED
from carc.base.board.vectors import place_in, sort_in_place, to_list
from carc.base.cells import WIDTH, WIDTH_BITS, beyond, cell_at, xy
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS
from carc.base.tiles.tile import SegmentKind, Tile


@final
class Board(Figures):
    """What lies on the table.

    Attributes:
        components: The tiles and followers of the game.
        tile_count: How many tiles are laid face up.
        segment_count: How many segments they have.
        last_tile: The number of the tile laid last.
        completed: The features completed and not scored yet.
    """

    def copy(self, room: i64 = ROOM) -> Board:
        """Return an independent copy; `room`: for how many segments more before it grows."""
        new = Board(self.components)
        self._copy_arrays_to(new, room)
        return new

    # -- tiles ---------------------------------------------------------------------------------

    def tile_at(self, x: int, y: int) -> int:
        """Return the number of the tile at (x, y); -1: none, -2: a tile lies face down."""
        return self.tile_on_cell(cell_at(x, y))

    def cell_of(self, tile: int) -> int:
        """Return the cell of a tile (`carc.base.cells`)."""
        return self._cell[tile]

    def kind_of_tile(self, tile: int) -> int:
        """Return the kind of a tile, as an index of `Catalogue.tiles`."""
        return self._oriented_kind[tile] >> 2

    def tile_data(self, tile: int) -> Tile:
        """Return the kind of a tile, as data."""
        return self.components.catalogue.tiles[self._oriented_kind[tile] >> 2]

    def oriented_kind(self, tile: int) -> int:
        """Return kind * 4 + rotation of a tile."""
        return self._oriented_kind[tile]

    def rotation_of(self, tile: int) -> int:
        """Return by how many quarter turns clockwise a tile is rotated."""
        return self._oriented_kind[tile] & 3

    def segments_of(self, tile: int) -> list[int]:
        """Return the numbers of a tile's segments, in the order of its data."""
        first = self._first_segment[tile]
        count: i64 = self.count_segments(tile)
        segments: list[int] = []
        for segment in range(first, first + count):
            segments.append(segment)
        return segments

    def count_segments(self, tile: int) -> int:
        """Return how many segments a tile has."""
        return self.components.catalogue.segment_count[self._oriented_kind[tile] >> 2]

    def segment_of(self, tile: int, index: int) -> int:
        """Return the number of a tile's segment with this index in its data."""
        return self._first_segment[tile] + index

    def segment_at(self, x: int, y: int, index: int) -> int:
        """Return the segment of the tile at (x, y) with this index; -1 if there is none."""
        tile = self.tile_on_cell(cell_at(x, y))
        if tile < 0 or index < 0:
            return NOTHING
        return self._first_segment[tile] + index if index < self.count_segments(tile) else NOTHING

    def neighbour(self, tile: int, side: int) -> int:
        """Return the tile beyond a side (0-3: north, east, south, west); -1 none, -2 face down."""
        return self.tile_on_cell(beyond(self._cell[tile], side))

    def count_neighbours(self, cell: i64) -> int:
        """Return how many of the eight cells around a cell hold tiles."""
        return tile_laying.count_neighbours(self, cell)

    def segment_at_side(self, tile: int, side: int) -> int:
        """Return the segment that carries a side: a city, road or undivided field; else -1."""
        return self._segment_in(self.components.catalogue.main, tile, side)

    def overlay_at_side(self, tile: int, side: int) -> int:
        """Return the overlay segment that reaches a side of a tile; -1 if none does."""
        return self._segment_in(self.components.catalogue.overlay, tile, side)

    def _segment_in(self, table: vec[i64], tile: i64, side: i64) -> i64:
        index = table[self._oriented_kind[tile] * 4 + side]
        return index if index < 0 else self._first_segment[tile] + index

    def overlays_joined(self) -> bool:
        """Return True if an overlay of the last tile met another (MIST-04)."""
        return self._overlays_met & tile_laying.JOINED != 0

    def overlays_torn(self) -> bool:
        """Return True if the last tile left an overlay's edge, on it or beside it, torn (MIST-05).

        Such an edge touches one without an overlay.
        """
        return self._overlays_met & tile_laying.TORN != 0

    def extends(self, feature: i64) -> bool:
        """Return True if the tile laid last is part of a feature."""
        return self.is_on_tile(feature, self.last_tile)

    # -- cells ---------------------------------------------------------------------------------

    def is_free(self, cell: i64) -> bool:
        """Return True if no tile lies on a cell, face up or face down."""
        return self.tile_on_cell(cell) == NOTHING

    def is_face_down(self, cell: i64) -> bool:
        """Return True if a tile lies face down on a cell."""
        return self.tile_on_cell(cell) == FACE_DOWN

    def face_down_cells(self) -> list[int]:
        """Return the cells on which tiles lie face down, in order."""
        if self._face_down_count == 0:
            return []
        entries = [int(entry) for entry in self._grid if entry]
        return sorted([e >> TILE_BITS for e in entries if e & TILE_MASK == 0])

    def free_cells(self) -> dict[int, int]:
        """Return the free cells beside tiles and what their sides demand (`Catalogue.fits`)."""
        return {int(entry >> DEMAND_BITS): int(entry & DEMANDS) for entry in self._frontier}

    def demands(self) -> vec[i64]:
        """Return both in order, to be read by `demanding_cell` and `demand_in`, not changed."""
        return self._frontier

    def has_enclosed_cell(self) -> bool:
        """Return True if there is a free cell beside which tiles lie on all four sides."""
        return tile_laying.has_enclosed_cell(self)

    def enclosed_cells(self) -> list[int]:
        """Return the free cells beside which tiles lie on all four sides, in order."""
        return tile_laying.enclosed_cells(self)

    def demand_of(self, cell: i64) -> i64:
        """Return what the sides of a free cell beside tiles demand; 0 for any other cell."""
        at = place_in(self._frontier, cell << DEMAND_BITS)
        if at < len(self._frontier) and self._frontier[at] >> DEMAND_BITS == cell:
            return self._frontier[at] & DEMANDS
        return 0

    def free_around(self, segment: i64) -> int:
        """Return how many cells around are free, for a feature its neighbours complete."""
        cell = self._cell[self._tile_of[segment]]
        for entry in self._centres:
            if entry >> 4 == cell:
                return entry & 15
        return 0

    def middle(self) -> i64:
        """Return the cell in the middle of the tiles, rounded north-west.

        Tiles never move, so only those laid since the last call are looked at.
        """
        while self._spanned < self.tile_count:
            cell = self._cell[self._spanned]
            self._spanned += 1
            x: i64 = cell & (WIDTH - 1)
            y: i64 = cell >> WIDTH_BITS
            self._west = min(self._west, x)
            self._east = max(self._east, x)
            self._north = min(self._north, y)
            self._south = max(self._south, y)
        return (self._north + self._south) // 2 * WIDTH + (self._west + self._east) // 2

    def _tiles_in_place(self) -> list[int]:
        """Return the numbers of the tiles, by y, then x."""
        keys = sorted([self._cell[tile] << TILE_BITS | tile for tile in range(self.tile_count)])
        return [key & TILE_MASK for key in keys]

    # -- segments and features -----------------------------------------------------------------

    def place_of(self, segment: int) -> tuple[int, int, int]:
        """Return where a segment is: x, y, and its index in its tile's data."""
        tile = self._tile_of[segment]
        x, y = xy(self._cell[tile])
        return x, y, segment - self._first_segment[tile]

    def tile_under(self, segment: int) -> int:
        """Return the tile of a segment."""
        return self._tile_of[segment]

    def cell_under(self, segment: int) -> int:
        """Return the cell of a segment's tile."""
        return self._cell[self._tile_of[segment]]

    def kind_of(self, segment: int) -> str:
        """Return the name of a segment's kind: `city`, `road`, ..."""
        return self.components.catalogue.kinds[self._kind[segment]].name

    def segment_kind(self, segment: int) -> SegmentKind:
        """Return a segment's kind, as data."""
        return self.components.catalogue.kinds[self._kind[segment]]

    def is_kind(self, segment: int, kind: int) -> bool:
        """Return True if a segment is of a kind, given by number (`Catalogue.kind_of`)."""
        return self._kind[segment] == kind

    def feature_of(self, segment: int) -> int:
        """Return the feature a segment belongs to."""
        return self._feature[segment]

    def features_of(self, tile: int) -> list[int]:
        """Return the features a tile is part of, each once, in the order of its segments."""
        features: list[int] = []
        first = self._first_segment[tile]
        for segment in range(first, first + i64(self.count_segments(tile))):
            feature: int = self._feature[segment]
            if feature not in features:
                features.append(feature)
        return features

    def all_features(self) -> list[int]:
        """Return all features on the board, in the order of their numbers."""
        return [s for s in range(self.segment_count) if self._feature[s] == s]

    def is_open(self, feature: int) -> bool:
        """Return True if a feature lacks an edge or a neighbour; for fields: if it may grow."""
        return self._open[feature] != 0

    def open_edges(self, feature: int) -> int:
        """Return through how many edges (half-edges of fields) a feature may go on.

        Beyond them lies no tile, or one face down, or one that shows nothing of the kind there
        (an overlay stays open beside it). A feature that its neighbours complete has 1 until then.
        """
        return self._open[feature]

    def tiles_of(self, feature: int) -> int:
        """Return on how many tiles a city or road is, each counted once (BASE-10)."""
        return self._size[feature]

    def beside(self, segment: int) -> list[int]:
        """Return the segments next to one in its feature (a road or city), links included."""
        return links.beside(self, segment)

    def is_single(self, segment: int) -> bool:
        """Return True if a segment is a whole feature."""
        return self._next[segment] == segment

    def members(self, feature: int) -> list[int]:
        """Return the segments of a feature.

        Raises:
            IndexError: There is no such segment.
        """
        if not 0 <= feature < self.segment_count:
            raise IndexError(f"there is no segment {feature}")
        segments = [feature]
        segment = self._next[feature]
        while segment != feature:
            segments.append(segment)
            segment = self._next[segment]
        return segments

    def in_order(self, segments: Iterable[int]) -> list[int]:
        """Return segments sorted by y, x of their tile, then index."""
        entries = vec[i64]()
        for segment in segments:
            entries = append(entries, self._cell[self._tile_of[segment]] << CELL_AT | segment)
        entries = sort_in_place(entries)
        for at in range(len(entries)):
            entries[at] &= BELOW_CELL
        return to_list(entries)

    # -- changes -------------------------------------------------------------------------------

    def _note_edit(self, override: tuple[int, int, int]) -> None:
        self._edge_overrides += (override,)
        self._edits += 1

    def open_edge(self, segment: int) -> None:
        """Give a segment's feature one open edge more: a tunnel's mouth, a stair.

        `connect` or `close_edge` ends it.
        """
        self._note_edit((OPENED, segment, segment))
        feature = self._feature[segment]
        self._open[feature] += 1
        if feature in self.completed:
            self.completed.remove(feature)

    def close_edge(self, segment: int) -> None:
        """Close one open edge of a segment's feature; without any left it is completed."""
        self._note_edit((CLOSED, segment, segment))
        tile_laying.close_edge(self, segment)

    def connect(self, a: int, b: int) -> None:
        """Join the features of two segments of a kind by an open edge of each, wherever they lie.

        Without any open edge left they are completed.
        """
        self._note_edit((CONNECTED, a, b))
        tile_laying.join(self, a, b)
        tile_laying.note_completed(self, self._feature[a])

    def link(self, a: int, b: int) -> None:
        """Join the features of two segments of a kind at closed ends, until `unlink`."""
        self._note_edit((LINKED, a, b))
        links.link(self, a, b)
        tile_laying.note_completed(self, self._feature[a])

    def unlink(self, a: int, b: int) -> None:
        """Undo `link`, for roads. What has no open edges then is completed."""
        kept = [one for one in self._edge_overrides if one != (LINKED, a, b)]
        self._edge_overrides = tuple(kept)
        self._edits += 1
        links.part(self, a, b)

    def keep_open(self, feature: int) -> None:
        """Let a feature never be completed, whatever lies around it."""
        self._open[feature] = 1
        self._never_complete += (feature,)
        self._edits += 1

    def reopen(self, feature: int) -> None:
        """Let a feature that was just completed never be completed: it is not scored now."""
        self.keep_open(feature)
        self.completed.remove(feature)
