"""`Board`: what may be asked of the tiles laid and the features they make.

Each answer is an array read or little more, unless it is a list. Tiles and segments go by number, in order of laying; a
*feature* is the number of one of its segments, `feature_of` any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.candidates import BELOW_CELL, CELL_AT, Ranks
from carc.base.board.layout import NOTHING, SEGMENT_AT, TILE_BITS, Layout
from carc.base.board.vectors import in_rank, place_in, plain
from carc.base.cells import WIDTH, WIDTH_BITS, beyond, cell_at, xy
from carc.base.game.actions import Action, OnSegment, on_segment, place_on
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, MARK_BITS, MARKS_A_WORD

if TYPE_CHECKING:
    from carc.base.tiles.tile import SegmentKind, Tile


class Board(Layout):
    """The questions to what lies on the table; `State` is one."""

    # -- tiles ------------------------------------------------------------------------------------------------------

    def tile_on(self, x: int, y: int) -> int:
        """The number of the tile at (x, y), in order of laying; -1: none, -2: a tile lies face down."""
        return self.tile_on_cell(cell_at(x, y))

    def cell_of(self, tile: int) -> int:
        """The cell a tile lies on, as a number."""
        return self.cell[tile]

    def kind_of_tile(self, tile: int) -> int:
        """The kind of a tile laid, as its index in `Rules.catalogue.tiles`."""
        return self.row[tile] >> 2

    def tile(self, tile: int) -> Tile:
        """The kind of a tile laid, as its data."""
        return self.rules.catalogue.tiles[self.row[tile] >> 2]

    def rotation_of(self, tile: int) -> int:
        """By how many quarter turns clockwise a tile was turned."""
        return self.row[tile] & 3

    def segments_of(self, tile: int) -> list[int]:
        """The numbers of a tile's segments, in the order of its data."""
        first = self.first[tile]
        found: list[int] = []
        for segment in range(
            first, first + self.rules.catalogue.segment_count[self.row[tile] >> 2]
        ):
            found.append(segment)
        return found

    def extends(self, feature: i64) -> bool:
        """Whether the tile laid last is part of a feature."""
        first = self.first[self.last]
        count = self.rules.catalogue.segment_count[self.row[self.last] >> 2]
        return any(self.feature[segment] == feature for segment in range(first, first + count))

    def segment_of(self, tile: int, index: int) -> int:
        """The number of a tile's segment with this index in its data."""
        return self.first[tile] + index

    def segment_at(self, x: int, y: int, index: int) -> int:
        """The number of a segment given as cell and index in its tile's data; -1 if there is none."""
        tile = self.tile_on_cell(cell_at(x, y))
        if tile < 0 or not 0 <= index < self.rules.catalogue.segment_count[self.row[tile] >> 2]:
            return NOTHING
        return self.first[tile] + index

    def beside(self, tile: int, side: int) -> int:
        """The tile beyond a side (0-3: north, east, south, west) of a tile; -1: none, -2: one face down."""
        return self.tile_on_cell(beyond(self.cell[tile], side))

    def at_side(self, tile: int, side: int) -> int:
        """The segment that carries a side of a tile: a city, a road, an undivided field; -1: none does."""
        return self._at(self.rules.catalogue.main, tile, side)

    def overlay_at_side(self, tile: int, side: int) -> int:
        """The overlay segment that reaches a side of a tile; -1: none does."""
        return self._at(self.rules.catalogue.overlay, tile, side)

    def overlays_met(self) -> int:
        """What the overlays of the tile laid last met around it: `JOINED`, `TORN` (`carc.base.board.layout`), both or nothing, 0."""
        return self.met

    def _at(self, table: vec[i64], tile: i64, side: i64) -> i64:
        index = table[self.row[tile] * 4 + side]
        return index if index < 0 else self.first[tile] + index

    def face_down(self) -> list[int]:
        """The cells on which tiles lie face down, in order."""
        if self.hidden == 0:
            return []
        taken = [int(entry) for entry in self.grid if entry]
        return sorted([e >> TILE_BITS for e in taken if e & ((1 << TILE_BITS) - 1) == 0])

    def middle(self) -> i64:
        """The cell in the middle of the tiles laid, rounded north-west. Tiles stay where they lie: only new ones are looked at."""
        while self.spanned < self.tiles:
            cell = self.cell[self.spanned]
            self.spanned += 1
            x: i64 = cell & (WIDTH - 1)
            y: i64 = cell >> WIDTH_BITS
            self.west = min(self.west, x)
            self.east = max(self.east, x)
            self.north = min(self.north, y)
            self.south = max(self.south, y)
        return (self.north + self.south) // 2 * WIDTH + (self.west + self.east) // 2

    def tiles_in_place(self) -> list[int]:
        """The numbers of the tiles laid, by y, then x."""
        keys = sorted([self.cell[tile] << TILE_BITS | tile for tile in range(self.tiles)])
        return [key & ((1 << TILE_BITS) - 1) for key in keys]

    def free_cells(self) -> dict[int, int]:
        """The free cells beside tiles, as numbers, each with what its sides demand: the place in a kind's `Catalogue.fits`."""
        found: dict[int, int] = {}
        for entry in self.frontier:
            found[entry >> DEMAND_BITS] = entry & DEMANDS
        return found

    def demand_of(self, cell: i64) -> i64:
        """What the sides of a free cell beside tiles demand, the place in a kind's `Catalogue.fits`; 0 of any other cell."""
        at = place_in(self.frontier, cell << DEMAND_BITS)
        if at < len(self.frontier) and self.frontier[at] >> DEMAND_BITS == cell:
            return self.frontier[at] & DEMANDS
        return 0

    def free_around(self, segment: i64) -> int:
        """How many cells around are still free, for a feature that its neighbours complete."""
        cell = self.cell[self.tile_of[segment]]
        for entry in self.centres:
            if entry >> 4 == cell:
                return entry & 15
        return 0

    def placements(self, kind: i64) -> list[Action]:
        """Where a tile of a kind fits by its edges (BASE-03), by y, x, rotation."""
        rotations = self.rules.catalogue.rotations
        kind <<= DEMAND_BITS
        found: list[Action] = []
        for entry in self.frontier:
            fits: int = rotations[kind | entry & DEMANDS]
            if fits:
                for rotation in range(4):
                    if fits >> rotation & 1:
                        found.append(place_on(entry >> DEMAND_BITS, rotation))
        return found

    def count_placements(self, kind: i64) -> i64:
        """How many `placements` there are."""
        rotations = self.rules.catalogue.rotations
        kind <<= DEMAND_BITS
        count: i64 = 0
        for entry in self.frontier:
            fits: int = rotations[kind | entry & DEMANDS]
            count += fits >> 4
        return count

    def placement(self, kind: i64, index: i64) -> Action:
        """The one of `placements` at an index."""
        rotations = self.rules.catalogue.rotations
        kind <<= DEMAND_BITS
        for entry in self.frontier:
            fits: int = rotations[kind | entry & DEMANDS]
            here = fits >> 4
            if index < here:
                for rotation in range(4):
                    if fits >> rotation & 1:
                        if index == 0:
                            return place_on(entry >> DEMAND_BITS, rotation)
                        index -= 1
            index -= here
        raise IndexError("there are fewer placements")

    # -- segments and features ------------------------------------------------------------------------------------------

    def place_of(self, segment: int) -> tuple[int, int, int]:
        """Where a segment is: x, y, and its index in its tile's data."""
        tile = self.tile_of[segment]
        x, y = xy(self.cell[tile])
        return x, y, segment - self.first[tile]

    def tile_under(self, segment: int) -> int:
        """The tile that a segment is on."""
        return self.tile_of[segment]

    def cell_under(self, segment: int) -> int:
        """The cell that a segment's tile lies on, as a number."""
        return self.cell[self.tile_of[segment]]

    def kind_of(self, segment: int) -> str:
        """The name of a segment's kind: `city`, `road`, ..."""
        return self.rules.catalogue.kinds[self.kind[segment]].name

    def segment_kind(self, segment: int) -> SegmentKind:
        """A segment's kind, as data."""
        return self.rules.catalogue.kinds[self.kind[segment]]

    def takes(self, segment: int, owner: int, follower: int) -> bool:
        """Whether an owner's follower of a kind may claim what is there, by the kinds alone (`FollowerKind.on`)."""
        takes = self.rules.takes[self.kind[segment]]
        return bool(takes) and takes[owner * len(self.rules.follower_kinds) + follower]

    def is_kind(self, segment: int, kind: int) -> bool:
        """Whether a segment is of a kind, given as its index (`Catalogue.kind_of`); quicker than comparing names."""
        return self.kind[segment] == kind

    def feature_of(self, segment: int) -> int:
        """The feature a segment belongs to."""
        return self.feature[segment]

    def features_laid(self) -> list[int]:
        """All features on the table, in the order of their numbers."""
        return [s for s in range(self.segments) if self.feature[s] == s]

    def open_ranks(self, kinds: i64, taken: list[int], found: Ranks) -> Ranks:
        """The features of these kinds (a bit each) something is missing to, but for those taken: each by its first segment."""
        feature, opened, kind = self.feature, self.open, self.kind
        for segment in range(self.segments):
            if feature[segment] != segment or not opened[segment] or not kinds >> kind[segment] & 1:
                continue
            if not any(gone == segment for gone in taken):
                found.add(self._first_rank(segment))
        return found

    def _first_rank(self, feature: i64) -> i64:
        """The first segment of a feature by y, x of its tile, then index, as a rank."""
        cell, tile_of, follow = self.cell, self.tile_of, self.next
        first = cell[tile_of[feature]] << CELL_AT | feature << SEGMENT_AT
        segment = follow[feature]
        while segment != feature:
            first = min(first, cell[tile_of[segment]] << CELL_AT | segment << SEGMENT_AT)
            segment = follow[segment]
        return first

    def is_open(self, feature: int) -> bool:
        """Whether something is missing to a feature: an edge, a neighbour. What is never completed: whether it may grow."""
        return self.open[feature] != 0

    def open_edges(self, feature: int) -> int:
        """Through how many edges (half-edges of fields) a feature may go on; of what neighbours complete, 1 until they do.

        Beyond them no tile lies, or one face down, or one that shows nothing of the kind there: an overlay stays open beside it.
        """
        return self.open[feature]

    def tiles_of(self, feature: int) -> int:
        """How many tiles a feature is on, each counted once (BASE-10); for kinds completed by edges."""
        return self.size[feature]

    def is_single(self, segment: int) -> bool:
        """Whether a feature is this one segment."""
        return self.next[segment] == segment

    def members(self, feature: int) -> list[int]:
        """The segment numbers of a feature. Raises `IndexError` for what is none."""
        if not 0 <= feature < self.segments:
            raise IndexError(f"there is no segment {feature}")
        found = [feature]
        segment = self.next[feature]
        while segment != feature:
            found.append(segment)
            segment = self.next[segment]
        return found

    def mark(self, feature: int, mark: int) -> int:
        """How often a feature carries a sort of mark, given as its number (`Catalogue.mark`); 0 for -1, a mark no tile carries."""
        if mark < 0:
            return 0
        words = self.rules.catalogue.mark_words
        word = self.marks[feature * words + mark // MARKS_A_WORD]
        return (word >> (MARK_BITS * (mark % MARKS_A_WORD))) & ((1 << MARK_BITS) - 1)

    def in_order(self, segments: Iterable[int]) -> list[int]:
        """Segments by y, x of their tile, then index."""
        return plain(self._sorted(vec[i64](segments)))

    def _sorted(self, segments: vec[i64]) -> vec[i64]:
        """The same, in place."""
        cell, tile_of = self.cell, self.tile_of
        for at in range(len(segments)):
            segments[at] |= cell[tile_of[segments[at]]] << CELL_AT
        ranked = in_rank(segments)
        for at in range(len(ranked)):
            ranked[at] &= BELOW_CELL
        return ranked

    def choices(self, verb: str, segments: Sequence[int], layer: int = 0) -> list[Action]:
        """The choices among these segments, as actions in the order given."""
        return [self.choice(verb, segment, layer) for segment in segments]

    def choice(self, verb: str, segment: int, layer: int = 0) -> Action:
        """The choice of one segment; `layer` where several verbs are offered for it (`Expansion.layers`)."""
        tile = self.tile_of[segment]
        return on_segment(verb, self.cell[tile], segment - self.first[tile], layer)

    def chosen(self, action: Action) -> int:
        """The segment that a choice among segments names."""
        on = cast(OnSegment, action)
        return self.first[self.tile_on_cell(on.cell)] + on.index
