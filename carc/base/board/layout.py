"""`Layout`: the tiles laid, the features they make, the followers on them, and how they are kept.

Features are kept in flat int arrays indexed by *segment number*: the segments of all tiles laid, in order of laying.
`feature[s]` is the number of the segment that stands for the whole feature; what belongs to a feature (open edges,
size, marks, followers) is read at that number. Joining two features relabels the smaller; members hang together in a
circular list (`next`). Only `carc.base` reads the arrays; everything else asks through the methods of `Board`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from carc.base.board.vectors import insert, place_in, remove
from carc.base.cells import WIDTH, beyond
from carc.base.game.scoring import FIELD, OWNER_BITS
from carc.base.tiles.catalogue import DEMAND_BITS, TERRAIN_BITS, Catalogue

if TYPE_CHECKING:
    from carc.base.game.rules import Rules

NOTHING: Final = -1  # no tile on a cell
HIDDEN: Final = -2  # a tile lying face down
# What the overlays of a tile met when it was laid.
JOINED: Final = 1  # an overlaid edge of it touches an overlaid edge
TORN: Final = 2  # an overlaid edge, its own or the board's, touches one without

# What expansions do to features besides by tiles.
OPENED: Final = 0
CLOSED: Final = 1
CONNECTED: Final = 2

TILE_BITS: Final = 11  # with a cell's 20 they make up an i32
NUMBER: Final = (1 << TILE_BITS) - 1  # of these: 0 of what lies face down
OWNER_AT: Final = 6  # of who stands: owner << OWNER_AT | kind of follower
KINDS: Final = (1 << OWNER_AT) - 1
SEGMENT_AT: Final = 12
WHO: Final = (1 << SEGMENT_AT) - 1
_SCATTER: Final = 40503  # spreads cells over the grid
ROOM: Final = 24  # segments that a copy has room for: search lays few tiles before the next copy


class Layout:
    """The layout of what lies on the table, and laying tiles. Made by `State`, which is one."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def _lay_out(self) -> None:
        """An empty table."""
        rules = self.rules
        catalogue: Catalogue = rules.catalogue
        # Tiles in order of laying, and by cell: a table of `cell << TILE_BITS | number - HIDDEN`, or 0, to be searched
        # onwards from where a cell is scattered to.
        self.tiles: i64 = 0
        self.hidden: i64 = 0  # how many lie face down besides
        self.grid: vec[i32] = vec[i32]([0] * catalogue.grid_size)
        self.row: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.cell: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.first: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.spanned: i64 = 0  # of how many `middle` knows the outermost columns and rows
        self.west: i64 = WIDTH
        self.east: i64 = 0
        self.north: i64 = WIDTH
        self.south: i64 = 0
        # Free cells beside tiles, in order, each with what its sides demand: `cell << DEMAND_BITS | demands`.
        self.frontier: vec[i64] = vec[i64]()

        # Segments and features.
        n = catalogue.most_segments
        self.segments: i64 = 0
        self.tile_of: vec[i64] = vec[i64]([0] * n)
        self.kind: vec[i64] = vec[i64]([0] * n)
        self.feature: vec[i64] = vec[i64](range(n))
        self.next: vec[i64] = vec[i64](range(n))
        self.open: vec[i64] = vec[i64]([0] * n)
        self.size: vec[i64] = vec[i64]([1] * n)
        # Members with a sibling on their tile, which `size` must know.
        self.paired: vec[i64] = vec[i64]([0] * n)
        self.marks: vec[i64] = vec[i64]([0] * (n * catalogue.mark_words))
        self.claimed: vec[i64] = vec[i64]([0] * n)  # followers' power, 8 bits an owner
        # Cells of features that their neighbours complete, in order, each with the neighbours missing: `cell << 4 | missing`.
        self.centres: vec[i64] = vec[i64]()
        self.never_complete: tuple[int, ...] = ()  # features kept open
        # What was opened, closed and connected besides by laying tiles, in order: what, and the segments.
        self.ways: tuple[tuple[int, int, int], ...] = ()

        # Who stands where: `segment << SEGMENT_AT | owner << OWNER_AT | kind of follower`, in the order they came, but those on
        # one segment side by side. The supply is by owner * kinds of follower + kind.
        self.stands: vec[i64] = vec[i64]()
        self.supply: vec[i64] = vec[i64](rules.supply)

        # This turn.
        self.last: i64 = -1  # number of the tile laid last
        self.met: i64 = 0  # what its overlays met: JOINED | TORN
        self.completed: list[int] = []  # features completed, yet to be scored

    def _copy_to(self, new: Layout, room: i64) -> None:
        """`room`: for so many segments more, each on a tile of its own; beyond that `_make_room` is needed."""
        tiles = self.tiles + room
        segments = self.segments + room
        new.tiles = self.tiles
        new.hidden = self.hidden
        new.grid = self.grid[:]
        new.row = self.row[:tiles]
        new.cell = self.cell[:tiles]
        new.first = self.first[:tiles]
        new.spanned = self.spanned
        new.west = self.west
        new.east = self.east
        new.north = self.north
        new.south = self.south
        new.frontier = self.frontier[:]
        new.segments = self.segments
        new.tile_of = self.tile_of[:segments]
        new.kind = self.kind[:segments]
        new.feature = self.feature[:segments]
        new.next = self.next[:segments]
        new.open = self.open[:segments]
        new.size = self.size[:segments]
        new.paired = self.paired[:segments]
        new.marks = self.marks[: segments * self.rules.catalogue.mark_words]
        new.claimed = self.claimed[:segments]
        new.centres = self.centres[:]
        new.stands = self.stands[:]
        new.never_complete = self.never_complete
        new.ways = self.ways
        new.supply = self.supply[:]
        new.last = self.last
        new.met = self.met
        new.completed = self.completed.copy()

    def _make_room(self) -> None:
        """Room for all tiles, such as there is from the start: a copy has it for few."""
        start = self.rules.initial
        assert start is not None
        self.row = _longer(self.row, start.row)
        self.cell = _longer(self.cell, start.cell)
        self.first = _longer(self.first, start.first)
        self.tile_of = _longer(self.tile_of, start.tile_of)
        self.kind = _longer(self.kind, start.kind)
        self.feature = _longer(self.feature, start.feature)
        self.next = _longer(self.next, start.next)
        self.open = _longer(self.open, start.open)
        self.size = _longer(self.size, start.size)
        self.paired = _longer(self.paired, start.paired)
        self.marks = _longer(self.marks, start.marks)
        self.claimed = _longer(self.claimed, start.claimed)

    def tile_on_cell(self, cell: i64) -> i64:
        """The number of the tile on a cell, given as a number (`carc.base.cells`); -1: none, -2: a tile lies face down."""
        grid = self.grid
        last = len(grid) - 1
        at = (cell * _SCATTER >> 8) & last
        while True:
            entry = i64(grid[at])
            if entry == 0:
                return NOTHING
            if entry >> TILE_BITS == cell:
                return (entry & NUMBER) + HIDDEN
            at = (at + 1) & last

    def tiles_at(self, cell: i64, steps: vec[i64]) -> i64:
        """At which of these steps from a cell tiles lie, face up: a bit each."""
        grid = self.grid
        last = len(grid) - 1
        found: i64 = 0
        for step in range(len(steps)):
            there = cell + steps[step]
            at = (there * _SCATTER >> 8) & last
            while True:
                entry = i64(grid[at])
                if entry == 0:
                    break
                if entry >> TILE_BITS == there:
                    if entry & NUMBER:
                        found |= 1 << step
                    break
                at = (at + 1) & last
        return found

    def neighbours(self, cell: i64) -> i64:
        """How many of the eight cells around hold tiles."""
        count: i64 = 0
        for row in range(cell - WIDTH, cell + WIDTH + 1, WIDTH):
            for around in range(row - 1, row + 2):
                if around != cell and self.tile_on_cell(around) != NOTHING:
                    count += 1
        return count

    # -- laying -----------------------------------------------------------------------------------------------------

    def _lay(self, kind: i64, cell: i64, rotation: i64) -> i64:
        """Lay a tile, join its segments with those around it, note what it completes. Its number."""
        catalogue = self.rules.catalogue
        tile = self.tiles
        base = self.segments
        count = catalogue.segment_count[kind]
        if base + count > len(self.kind) or tile == len(self.row):
            self._make_room()
        self.tiles = tile + 1
        self.segments = base + count
        self.row[tile] = kind * 4 + rotation
        self.cell[tile] = cell
        self.first[tile] = base
        self._unpack(tile, kind, base, count)
        self.last = tile
        self._fill(cell, tile)
        self._join_around(tile, cell, base)
        feature = self.feature
        completed = self.completed
        for index in range(count):
            f: i64 = feature[base + index]
            if self.open[f] == 0 and catalogue.by_edges[self.kind[f]] and f not in completed:
                completed.append(f)
        self._surround(cell)
        if catalogue.centres[kind]:
            missing = 8 - self.neighbours(cell)
            if missing:
                self.centres = insert(
                    self.centres, place_in(self.centres, cell << 4), cell << 4 | missing
                )
            else:
                self._complete_centre(tile)
        return tile

    def _unpack(self, tile: i64, kind: i64, base: i64, count: i64) -> None:
        """The segments of a tile, each a feature of its own."""
        catalogue = self.rules.catalogue
        offset: i64 = catalogue.segment_start[kind]
        words: i64 = catalogue.mark_words
        tile_of, kinds, opens, paired = self.tile_of, self.kind, self.open, self.paired
        for index in range(count):
            segment = base + index
            like = offset + index
            tile_of[segment] = tile
            kinds[segment] = catalogue.segment_kind[like]
            opens[segment] = catalogue.segment_open[like]
            paired[segment] = catalogue.segment_paired[like]
            if words == 1:
                self.marks[segment] = catalogue.segment_marks[like]
            else:
                for word in range(words):
                    self.marks[segment * words + word] = catalogue.segment_marks[
                        like * words + word
                    ]

    def _join_around(self, tile: i64, cell: i64, base: i64) -> None:
        """Join what meets at the sides of a tile; note what free cells demand now."""
        catalogue = self.rules.catalogue
        main = catalogue.main
        left = catalogue.left
        right = catalogue.right
        overlay = catalogue.overlay
        overlays = catalogue.overlays
        wild = catalogue.wild
        met: i64 = 0
        here: i64 = self.row[tile] * 4
        for side in range(4):
            beside = beyond(cell, side)
            other = self.tile_on_cell(beside)
            mine: i64 = here + side
            opposite: i64 = side ^ 2
            if other >= 0:
                first: i64 = self.first[other]
                theirs = self.row[other] * 4 + opposite
                if wild and catalogue.terrain[mine] != catalogue.terrain[theirs]:
                    self._end_edge(base, mine)
                    self._end_edge(first, theirs)
                    continue
                a: i64 = main[mine]
                b: i64 = main[theirs]
                if a >= 0 and b >= 0:
                    self.join(base + a, first + b)
                a = left[mine]
                b = right[theirs]
                if a >= 0 and b >= 0:
                    self.join(base + a, first + b)
                a = right[mine]
                b = left[theirs]
                if a >= 0 and b >= 0:
                    self.join(base + a, first + b)
                if overlays:
                    a = overlay[mine]
                    b = overlay[theirs]
                    if a >= 0 and b >= 0:
                        self.join(base + a, first + b)
                        met |= JOINED
                    elif a >= 0:
                        met |= TORN
                        self._end_fields(first, theirs)
                    elif b >= 0:
                        met |= TORN
                        self._end_fields(base, mine)
            elif other == NOTHING:
                self._demand(beside, catalogue.terrain[mine] << (TERRAIN_BITS * opposite))
        self.met = met
        if catalogue.shared:
            self._join_shared(cell, base, here)

    def _join_shared(self, cell: i64, base: i64, here: i64) -> None:
        """Join the second segments of edges that two segments of a tile share; the first ones were joined."""
        catalogue = self.rules.catalogue
        for side in range(4):
            other = self.tile_on_cell(beyond(cell, side))
            mine: i64 = here + side
            if other >= 0:
                first = self.first[other]
                theirs: i64 = self.row[other] * 4 + (side ^ 2)
                self._join_second(base, catalogue.also[mine], first, catalogue.main[theirs])
                self._join_second(base, catalogue.main[mine], first, catalogue.also[theirs])

    def _join_second(self, base: i64, a: i64, first: i64, b: i64) -> None:
        if a >= 0 and b >= 0:
            self.join(base + a, first + b)
            # What it joined had lost its open edge already.
            self.open[self.feature[base + a]] += 1

    def _demand(self, cell: i64, demand: i64) -> None:
        """A free cell beside a tile now demands this of a side."""
        at = place_in(self.frontier, cell << DEMAND_BITS)
        if at < len(self.frontier) and self.frontier[at] >> DEMAND_BITS == cell:
            self.frontier[at] |= demand
        else:
            self.frontier = insert(self.frontier, at, cell << DEMAND_BITS | demand)

    def _end_edge(self, first: i64, at: i64) -> None:
        """What reaches an edge ends there: it meets an edge that fits any."""
        catalogue = self.rules.catalogue
        for table in (catalogue.main, catalogue.left, catalogue.right, catalogue.also):
            if table[at] >= 0:
                self._close_edge(first + table[at])

    def _end_fields(self, first: i64, at: i64) -> None:
        """The fields at an edge end there: what lies over the other tile's edge covers it."""
        catalogue = self.rules.catalogue
        self._end_field(first, catalogue.main[at])
        self._end_field(first, catalogue.left[at])
        self._end_field(first, catalogue.right[at])

    def _end_field(self, first: i64, index: i64) -> None:
        if index >= 0 and self.kind[first + index] == FIELD:
            self.open[self.feature[first + index]] -= 1

    def close_edge(self, segment: int) -> None:
        """One open edge of a segment's feature leads nowhere any more; if it was the last, the feature is completed."""
        self.ways += ((CLOSED, segment, segment),)
        self._close_edge(segment)

    def _close_edge(self, segment: int) -> None:
        feature = self.feature[segment]
        self.open[feature] -= 1
        self._note_completed(feature)

    def open_edge(self, segment: int) -> None:
        """A segment's feature leads on by one more way, which `connect` or `close_edge` ends: a tunnel's mouth, a stair."""
        self.ways += ((OPENED, segment, segment),)
        feature = self.feature[segment]
        self.open[feature] += 1
        if feature in self.completed:
            self.completed.remove(feature)

    def connect(self, a: int, b: int) -> None:
        """Join the features of two segments of a kind wherever they lie, by an open edge of each; if none is left, they are completed."""
        self.ways += ((CONNECTED, a, b),)
        self.join(a, b)
        self._note_completed(self.feature[a])

    def _note_completed(self, feature: i64) -> None:
        """A feature has lost open edges: if none is left, it is completed."""
        by_edges = self.rules.catalogue.by_edges[self.kind[feature]]
        if self.open[feature] == 0 and by_edges and feature not in self.completed:
            self.completed.append(feature)

    def reopen(self, feature: int) -> None:
        """A feature that was just completed is not, and will not be: it is not scored now."""
        self.keep_open(feature)
        self.completed.remove(feature)

    def keep_open(self, feature: int) -> None:
        """A feature will never be completed, whatever lies around it."""
        self.open[feature] = 1
        self.never_complete += (feature,)

    def _lay_face_down(self, cell: i64) -> None:
        self.hidden += 1
        self._fill(cell, HIDDEN)
        self._surround(cell)

    def _fill(self, cell: i64, tile: i64) -> None:
        """A tile lies on a cell, which is free no longer."""
        grid = self.grid
        last = len(grid) - 1
        at = (cell * _SCATTER >> 8) & last
        while grid[at]:
            at = (at + 1) & last
        grid[at] = i32(cell << TILE_BITS | (tile - HIDDEN))
        at = place_in(self.frontier, cell << DEMAND_BITS)
        if at < len(self.frontier) and self.frontier[at] >> DEMAND_BITS == cell:
            self.frontier = remove(self.frontier, at)

    def _surround(self, cell: i64) -> None:
        """Count the tile just laid for the features it surrounds."""
        at: i64 = 0
        while at < len(self.centres):
            entry = self.centres[at]
            off = cell - (entry >> 4) + WIDTH + 1
            if off < 0 or off > 2 * WIDTH + 2 or off & (WIDTH - 1) > 2:
                at += 1
            elif entry & 15 > 1:
                self.centres[at] = entry - 1
                at += 1
            else:
                self.centres = remove(self.centres, at)
                self._complete_centre(self.tile_on_cell(entry >> 4))

    def _complete_centre(self, tile: i64) -> None:
        first = self.first[tile]
        for index in self.rules.catalogue.centres[self.row[tile] >> 2]:
            self.open[first + index] = 0
            self.completed.append(first + index)

    def join(self, a: i64, b: i64) -> None:
        """Join the features of two segments across one edge; a tile in both counts once (BASE-10)."""
        feature = self.feature
        keep: i64 = feature[a]
        gone: i64 = feature[b]
        if keep == gone:
            self.open[keep] -= 2
            return
        size = self.size
        if size[keep] < size[gone]:
            keep, gone = gone, keep
        follow = self.next
        total: i64 = size[keep] + size[gone]
        if self.paired[keep] and self.paired[gone]:
            total -= self._shared(keep, gone)
        self.paired[keep] += self.paired[gone]
        segment: i64 = gone
        while True:
            feature[segment] = keep
            segment = follow[segment]
            if segment == gone:
                break
        segment = follow[keep]
        follow[keep] = follow[gone]
        follow[gone] = segment
        size[keep] = total
        self.open[keep] += self.open[gone] - 2
        words: i64 = self.rules.catalogue.mark_words
        if words == 1:
            self.marks[keep] += self.marks[gone]
        else:
            for word in range(words):
                self.marks[keep * words + word] += self.marks[gone * words + word]
        self.claimed[keep] += self.claimed[gone]

    def _shared(self, keep: i64, gone: i64) -> i64:
        """How many tiles have segments in both features, so that `size` counts each once (BASE-10)."""
        feature = self.feature
        counts = self.rules.catalogue.segment_count
        shared: i64 = 0
        segment: i64 = gone
        while True:
            tile: i64 = self.tile_of[segment]
            first: i64 = self.first[tile]
            both = False
            for sibling in range(first, first + counts[self.row[tile] >> 2]):
                root: i64 = feature[sibling]
                if root == gone and sibling < segment:
                    both = False  # counted with that sibling
                    break
                if root == keep:
                    both = True
            if both:
                shared += 1
            segment = self.next[segment]
            if segment == gone:
                return shared

    # -- followers --------------------------------------------------------------------------------------------------

    def _put(self, segment: i64, owner: i64, kind: i64) -> None:
        """A follower of the supply stands on a segment."""
        last = len(self.stands)
        at = last
        while at > 0 and self.stands[at - 1] >> SEGMENT_AT != segment:
            at -= 1
        entry = segment << SEGMENT_AT | owner << OWNER_AT | kind
        self.stands = insert(self.stands, at if at else last, entry)
        kinds = self.rules.follower_kinds
        self.supply[owner * len(kinds) + kind] -= 1
        power: i64 = kinds[kind].power
        self.claimed[self.feature[segment]] += power << (OWNER_BITS * owner)

    def _take(self, segment: i64, owner: i64, kind: i64) -> None:
        """A follower on a segment, the first of this owner and kind there, goes back to its supply."""
        entry = segment << SEGMENT_AT | owner << OWNER_AT | kind
        at: i64 = 0
        while self.stands[at] != entry:
            at += 1
        self.stands = remove(self.stands, at)
        kinds = self.rules.follower_kinds
        self.supply[owner * len(kinds) + kind] += 1
        power: i64 = kinds[kind].power
        self.claimed[self.feature[segment]] -= power << (OWNER_BITS * owner)


def _longer(some: vec[i64], full: vec[i64]) -> vec[i64]:
    """The vector with what a longer one has behind."""
    found = full[:]
    for at in range(len(some)):
        found[at] = some[at]
    return found
