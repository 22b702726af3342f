"""`Arrays`: how a board is stored. Only `carc.base` reads these arrays; all others ask `Board`.

Features are kept in flat arrays of ints indexed by *segment number*: the segments of all tiles
laid, in the order of laying. `_feature[s]` is the number of the segment that stands for the whole
feature. What belongs to a feature (open edges, size, marks, followers) is read at that number.
Joining two features relabels the smaller one; the members of a feature form a circular list
(`_next`).
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from carc.base.board.game_components import Components
from carc.base.cells import NINE, WIDTH
from carc.base.small_set import TileKinds
from carc.base.tiles.catalogue import MARK_BITS, MARKS_A_WORD

NOTHING: Final = -1  # no tile on a cell
FACE_DOWN: Final = -2  # a tile lies face down there
NOWHERE: Final[list[int]] = []  # no segments

TILE_BITS: Final = 11  # with the 20 bits of a cell they fit an i32
TILE_MASK: Final = (1 << TILE_BITS) - 1  # 0 for a tile that lies face down
OWNER_AT: Final = 6  # a follower is `owner << OWNER_AT | kind`
KIND_MASK: Final = (1 << OWNER_AT) - 1
SEGMENT_AT: Final = 12
FOLLOWER_MASK: Final = (1 << SEGMENT_AT) - 1
OWNER_BITS: Final = 8  # of one owner's power on a feature
OWNER_MASK: Final = 255
_SCATTER: Final = 40503  # spreads cells over the grid
ROOM: Final = 24  # segments a copy has room for: a search lays few tiles before it copies again


class Arrays:
    """The arrays of a board."""

    def __init__(self, components: Components) -> None:
        self.components = components

    def _clear(self) -> None:
        """Make the board empty."""
        catalogue = self.components.catalogue
        # Tiles in the order of laying, and by cell: a hash table of `cell << TILE_BITS |
        # number - FACE_DOWN`, 0 where it is empty, searched onwards from the cell's place.
        self.tile_count: i64 = 0
        self._face_down_count: i64 = 0
        self._grid: vec[i32] = vec[i32]([0] * catalogue.grid_size)
        self._oriented_kind: vec[i64] = vec[i64]([0] * catalogue.most_tiles)  # kind * 4 + rotation
        self._cell: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self._first_segment: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        # The outermost columns and rows of the first `_spanned` tiles.
        self._spanned: i64 = 0
        self._west: i64 = WIDTH
        self._east: i64 = 0
        self._north: i64 = WIDTH
        self._south: i64 = 0
        # Free cells beside tiles, in order: `cell << DEMAND_BITS | what its sides demand`.
        self._frontier: vec[i64] = vec[i64]()

        # Segments and features.
        n = catalogue.most_segments
        self.segment_count: i64 = 0
        self._tile_of: vec[i64] = vec[i64]([0] * n)
        self._kind: vec[i64] = vec[i64]([0] * n)
        self._feature: vec[i64] = vec[i64](range(n))
        self._next: vec[i64] = vec[i64](range(n))
        self._open: vec[i64] = vec[i64]([0] * n)
        self._size: vec[i64] = vec[i64]([1] * n)
        # Members that share their tile with another segment of their kind: `_size` needs them.
        self._paired: vec[i64] = vec[i64]([0] * n)
        self._marks: vec[i64] = vec[i64]([0] * (n * catalogue.mark_words))
        self._claimed: vec[i64] = vec[i64]([0] * n)  # the power of followers, 8 bits an owner
        # Cells of features that their neighbours complete, in order: `cell << 4 | missing`.
        self._centres: vec[i64] = vec[i64]()
        self._never_complete: tuple[int, ...] = ()  # features kept open
        # What expansions opened, closed and connected, in order: what, and the two segments.
        self._edge_overrides: tuple[tuple[int, int, int], ...] = ()
        # How often tiles and features have been changed otherwise than by laying a tile.
        self._edits: i64 = 0

        # Followers: `segment << SEGMENT_AT | owner << OWNER_AT | kind`, in the order they came,
        # but those of one segment are side by side.
        self._followers: vec[i64] = vec[i64]()
        self._supply: vec[i64] = vec[i64](self.components.supply)

        # This turn.
        self.last_tile: i64 = -1
        self._overlays_met: i64 = 0  # JOINED | TORN
        self.completed: list[int] = []  # features completed and not scored yet

    def _copy_arrays_to(self, new: Arrays, room: i64) -> None:
        """Copy all arrays, with room for `room` more segments; `_make_room` gives more."""
        tiles = self.tile_count + room
        segments = self.segment_count + room
        new.tile_count = self.tile_count
        new._face_down_count = self._face_down_count
        new._grid = self._grid[:]
        new._oriented_kind = self._oriented_kind[:tiles]
        new._cell = self._cell[:tiles]
        new._first_segment = self._first_segment[:tiles]
        new._spanned = self._spanned
        new._west = self._west
        new._east = self._east
        new._north = self._north
        new._south = self._south
        new._frontier = self._frontier[:]
        new.segment_count = self.segment_count
        new._tile_of = self._tile_of[:segments]
        new._kind = self._kind[:segments]
        new._feature = self._feature[:segments]
        new._next = self._next[:segments]
        new._open = self._open[:segments]
        new._size = self._size[:segments]
        new._paired = self._paired[:segments]
        new._marks = self._marks[: segments * self.components.catalogue.mark_words]
        new._claimed = self._claimed[:segments]
        new._centres = self._centres[:]
        new._followers = self._followers[:]
        new._never_complete = self._never_complete
        new._edge_overrides = self._edge_overrides
        new._edits = self._edits
        new._supply = self._supply[:]
        new.last_tile = self.last_tile
        new._overlays_met = self._overlays_met
        new.completed = self.completed.copy()

    def _make_room(self) -> None:
        """Make room for all tiles of the game: a copy has room for a few."""
        catalogue = self.components.catalogue
        tiles = catalogue.most_tiles
        segments = catalogue.most_segments
        self._oriented_kind = _longer(self._oriented_kind, tiles, 0)
        self._cell = _longer(self._cell, tiles, 0)
        self._first_segment = _longer(self._first_segment, tiles, 0)
        self._tile_of = _longer(self._tile_of, segments, 0)
        self._kind = _longer(self._kind, segments, 0)
        self._feature = _numbered(self._feature, segments)
        self._next = _numbered(self._next, segments)
        self._open = _longer(self._open, segments, 0)
        self._size = _longer(self._size, segments, 1)
        self._paired = _longer(self._paired, segments, 0)
        self._marks = _longer(self._marks, segments * catalogue.mark_words, 0)
        self._claimed = _longer(self._claimed, segments, 0)

    def tile_on_cell(self, cell: i64) -> i64:
        """Return the number of the tile on a cell (`carc.base.cells`).

        -1 means that no tile lies there, -2 that one lies face down.
        """
        grid = self._grid
        last = len(grid) - 1
        at = (cell * _SCATTER >> 8) & last
        while True:
            entry = i64(grid[at])
            if entry == 0:
                return NOTHING
            if entry >> TILE_BITS == cell:
                return (entry & TILE_MASK) + FACE_DOWN
            at = (at + 1) & last

    def _enter_in_grid(self, cell: i64, tile: i64) -> None:
        grid = self._grid
        last = len(grid) - 1
        at = (cell * _SCATTER >> 8) & last
        while grid[at]:
            at = (at + 1) & last
        grid[at] = i32(cell << TILE_BITS | (tile - FACE_DOWN))

    def mark(self, feature: i64, mark: i64) -> int:
        """Return how often a feature carries a mark, by its number (`Catalogue.mark`); 0 for -1."""
        if mark < 0:
            return 0
        words = self.components.catalogue.mark_words
        word = self._marks[feature * words + mark // MARKS_A_WORD]
        return (word >> (MARK_BITS * (mark % MARKS_A_WORD))) & ((1 << MARK_BITS) - 1)

    def is_marked(self, feature: i64) -> bool:
        """Return True if a feature carries any mark."""
        words: i64 = self.components.catalogue.mark_words
        return any(self._marks[feature * words + word] for word in range(words))

    def tiles_around(self, cell: i64) -> list[int]:
        """Return the tiles that lie face up on the nine cells around a cell, its own first."""
        tiles: list[int] = []
        for step in NINE:
            tile = self.tile_on_cell(cell + step)
            if tile >= 0:
                tiles.append(tile)
        return tiles

    def count_tiles_around(self, cell: i64, kinds: TileKinds) -> int:
        """Return how many tiles of these kinds lie face up on the nine cells around a cell."""
        flags, count = kinds.flags, 0
        for step in NINE:
            tile = self.tile_on_cell(cell + step)
            if tile >= 0 and flags[self._oriented_kind[tile] >> 2]:
                count += 1
        return count

    def tiles_among(self, kinds: TileKinds) -> list[int]:
        """Return the tiles of these kinds."""
        tiles: list[int] = []
        flags, oriented_kind = kinds.flags, self._oriented_kind
        for tile in range(self.tile_count):
            if flags[oriented_kind[tile] >> 2]:
                tiles.append(tile)
        return tiles

    def tiles_at(self, cell: i64, steps: vec[i64]) -> i64:
        """Return at which of these steps from a cell tiles lie face up, as one bit a step."""
        grid = self._grid
        last = len(grid) - 1
        bits: i64 = 0
        for step in range(len(steps)):
            there = cell + steps[step]
            at = (there * _SCATTER >> 8) & last
            while True:
                entry = i64(grid[at])
                if entry == 0:
                    break
                if entry >> TILE_BITS == there:
                    if entry & TILE_MASK:
                        bits |= 1 << step
                    break
                at = (at + 1) & last
        return bits


def _longer(old: vec[i64], length: i64, rest: i64) -> vec[i64]:
    """Return a vector of this length: the old entries, then `rest`."""
    new = vec[i64]([rest] * length)
    for at in range(len(old)):
        new[at] = old[at]
    return new


def _numbered(old: vec[i64], length: i64) -> vec[i64]:
    """Return a vector of this length: the old entries, then each entry its own index."""
    new = vec[i64]([0] * length)
    for at in range(len(old)):
        new[at] = old[at]
    for at in range(len(old), length):
        new[at] = at
    return new
