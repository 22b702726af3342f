"""`Layout`: the tiles laid, the features they make, the followers on them, and how they are kept.

Features are kept in flat int arrays indexed by *segment number*: the segments of all tiles laid, in order of laying.
`feature[s]` is the number of the segment that stands for the whole feature; what belongs to a feature (open edges,
size, marks, followers) is read at that number. Joining two features relabels the smaller; members hang together in a
circular list (`next`). Only `carc.base` reads the arrays; everything else asks through the methods of `Board`.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.actions import Place, places
from carc.base.catalogue import TERRAIN_BITS, Catalogue
from carc.base.cells import AROUND, SIDES
from carc.base.scoring import OWNER_BITS

if TYPE_CHECKING:
    from carc.base.rules import Rules

NOTHING: Final = -1  # no tile on a cell
HIDDEN: Final = -2  # a tile lying face down
# What the overlays of a tile met when it was laid.
JOINED: Final = 1  # an overlaid edge of it touches an overlaid edge
TORN: Final = 2  # an overlaid edge, its own or the board's, touches one without


class Layout:
    """The layout of what lies on the table, and laying tiles. Made by `State`, which is one."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def _lay_out(self) -> None:
        """An empty table."""
        rules = self.rules
        catalogue: Catalogue = rules.catalogue

        # Tiles in order of laying, by cell; free cells beside them, in order, with what their sides demand and the
        # placements there.
        self.tile_at: dict[int, int] = {}
        self.tiles: int = 0
        self.row: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.cell: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.first: vec[i64] = vec[i64]([0] * catalogue.most_tiles)
        self.open_cells: list[int] = []
        self.open_keys: list[int] = []
        self.open_places: list[tuple[Place, ...]] = []

        # Segments and features.
        n = catalogue.most_segments
        self.segments: int = 0
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
        # Cell of a feature that its neighbours complete -> neighbours missing.
        self.centres: dict[int, int] = {}

        # Segment -> who stands there, in the order they came, each as owner * kinds of follower + kind; the same code
        # indexes the supply.
        self.followers: dict[int, tuple[int, ...]] = {}
        self.supply: list[int] = list(rules.supply)

        # This turn.
        self.last: int = -1  # number of the tile laid last
        self.met: int = 0  # what its overlays met: JOINED | TORN
        self.completed: list[int] = []  # features completed, yet to be scored

    def _copy_to(self, new: Layout) -> None:
        new.tile_at = self.tile_at.copy()
        new.tiles = self.tiles
        new.row = self.row[:]
        new.cell = self.cell[:]
        new.first = self.first[:]
        new.open_cells = self.open_cells.copy()
        new.open_keys = self.open_keys.copy()
        new.open_places = self.open_places.copy()
        new.segments = self.segments
        new.tile_of = self.tile_of[:]
        new.kind = self.kind[:]
        new.feature = self.feature[:]
        new.next = self.next[:]
        new.open = self.open[:]
        new.size = self.size[:]
        new.paired = self.paired[:]
        new.marks = self.marks[:]
        new.claimed = self.claimed[:]
        new.centres = self.centres.copy()
        new.followers = self.followers.copy()
        new.supply = self.supply.copy()
        new.last = self.last
        new.met = self.met
        new.completed = self.completed.copy()

    def neighbours(self, cell: int) -> int:
        """How many of the eight cells around hold tiles."""
        count = 0
        tile_at = self.tile_at
        for step in AROUND:
            if cell + step in tile_at:
                count += 1
        return count

    # -- laying -----------------------------------------------------------------------------------------------------

    def _lay(self, kind: int, cell: int, rotation: int) -> int:
        """Lay a tile, join its segments with those around it, note what it completes. Its number."""
        catalogue = self.rules.catalogue
        tile: i64 = self.tiles
        base: i64 = self.segments
        k: i64 = kind
        count: i64 = catalogue.segment_count[k]
        self.tiles = tile + 1
        self.segments = base + count
        self.row[tile] = k * 4 + rotation
        self.cell[tile] = cell
        self.first[tile] = base
        self._unpack(tile, k, base, count)
        self.tile_at[cell] = tile
        self.last = tile
        self._fill(cell)
        self._join_around(tile, cell, base)
        feature = self.feature
        completed = self.completed
        for index in range(count):
            f: i64 = feature[base + index]
            if self.open[f] == 0 and catalogue.by_edges[self.kind[f]] and f not in completed:
                completed.append(f)
        if self.centres:
            self._surround(cell)
        if catalogue.centres[k]:
            missing = 8 - self.neighbours(cell)
            if missing:
                self.centres[cell] = missing
            else:
                self._complete_centre(tile)
        return tile

    def _unpack(self, tile: i64, kind: i64, base: i64, count: i64) -> None:
        """The segments of a tile, each a feature of its own."""
        catalogue = self.rules.catalogue
        offset: i64 = catalogue.segment_start[kind]
        words: i64 = catalogue.mark_words
        for index in range(count):
            segment = base + index
            self.tile_of[segment] = tile
            self.kind[segment] = catalogue.segment_kind[offset + index]
            self.open[segment] = catalogue.segment_open[offset + index]
            self.paired[segment] = catalogue.segment_paired[offset + index]
            if words == 1:
                self.marks[segment] = catalogue.segment_marks[offset + index]
            else:
                for word in range(words):
                    marks = catalogue.segment_marks[(offset + index) * words + word]
                    self.marks[segment * words + word] = marks

    def _join_around(self, tile: i64, cell: int, base: i64) -> None:
        """Join what meets at the sides of a tile; note what free cells demand now."""
        catalogue = self.rules.catalogue
        main = catalogue.main
        left = catalogue.left
        right = catalogue.right
        overlay = catalogue.overlay
        overlays = catalogue.overlays
        wild = catalogue.wild
        met = 0
        open_cells = self.open_cells
        here: i64 = self.row[tile] * 4
        for side in range(4):
            beside = cell + SIDES[side]
            other: i64 = self.tile_at.get(beside, NOTHING)
            mine: i64 = here + side
            if other >= 0:
                first: i64 = self.first[other]
                theirs: i64 = self.row[other] * 4 + (side ^ 2)
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
                    elif a >= 0 or b >= 0:
                        met |= TORN
            elif other == NOTHING:
                key = catalogue.terrain[mine] << (TERRAIN_BITS * (side ^ 2))
                at = bisect_left(open_cells, beside)
                if at < len(open_cells) and open_cells[at] == beside:
                    self.open_keys[at] |= key
                else:
                    open_cells.insert(at, beside)
                    self.open_keys.insert(at, key)
                    self.open_places.insert(at, places(beside))
        self.met = met
        if catalogue.shared:
            self._join_shared(cell, base, here)

    def _join_shared(self, cell: int, base: i64, here: i64) -> None:
        """Join the second segments of edges that two segments of a tile share; the first ones were joined."""
        catalogue = self.rules.catalogue
        for side in range(4):
            other: i64 = self.tile_at.get(cell + SIDES[side], NOTHING)
            mine: i64 = here + side
            if other < 0:
                continue
            first: i64 = self.first[other]
            theirs: i64 = self.row[other] * 4 + (side ^ 2)
            for a, b in (
                (catalogue.also[mine], catalogue.main[theirs]),
                (catalogue.main[mine], catalogue.also[theirs]),
            ):
                if a >= 0 and b >= 0 and catalogue.terrain[mine] == catalogue.terrain[theirs]:
                    self.join(base + a, first + b)
                    # What it joined had lost its open edge already.
                    self.open[self.feature[base + a]] += 1

    def _end_edge(self, first: i64, at: i64) -> None:
        """What reaches an edge ends there: it meets an edge that fits any."""
        catalogue = self.rules.catalogue
        for table in (catalogue.main, catalogue.left, catalogue.right, catalogue.also):
            if table[at] >= 0:
                self.close_edge(first + table[at])

    def close_edge(self, segment: int) -> None:
        """One open edge of a segment's feature leads nowhere any more; if it was the last, the feature is completed."""
        feature = self.feature[segment]
        self.open[feature] -= 1
        by_edges = self.rules.catalogue.by_edges[self.kind[feature]]
        if self.open[feature] == 0 and by_edges and feature not in self.completed:
            self.completed.append(feature)

    def reopen(self, feature: int) -> None:
        """A feature that was just completed is not, and will not be: it is not scored now."""
        self.open[feature] = 1
        self.completed.remove(feature)

    def _lay_face_down(self, cell: int) -> None:
        self.tile_at[cell] = HIDDEN
        self._fill(cell)
        if self.centres:
            self._surround(cell)

    def _fill(self, cell: int) -> None:
        """A cell is free no longer."""
        at = bisect_left(self.open_cells, cell)
        if at < len(self.open_cells) and self.open_cells[at] == cell:
            del self.open_cells[at]
            del self.open_keys[at]
            del self.open_places[at]

    def _surround(self, cell: int) -> None:
        """Count the tile just laid for the features it surrounds."""
        centres = self.centres
        for step in AROUND:
            missing = centres.get(cell + step, 0)
            if missing == 1:
                del centres[cell + step]
                self._complete_centre(self.tile_at[cell + step])
            elif missing:
                centres[cell + step] = missing - 1

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

    def _put(self, segment: int, owner: int, kind: int) -> None:
        """A follower of the supply stands on a segment."""
        rules = self.rules
        code = owner * len(rules.follower_kinds) + kind
        self.supply[code] -= 1
        there = self.followers.get(segment)
        self.followers[segment] = rules.alone[code] if there is None else (*there, code)
        power: i64 = rules.follower_kinds[kind].power
        shift: i64 = OWNER_BITS * owner
        self.claimed[self.feature[segment]] += power << shift

    def _take(self, segment: int, code: int) -> None:
        """A follower on a segment, the first of this owner and kind there, goes back to its supply."""
        there = self.followers[segment]
        if len(there) == 1:
            del self.followers[segment]
        else:
            at = there.index(code)
            self.followers[segment] = there[:at] + there[at + 1 :]
        owner, kind = divmod(code, len(self.rules.follower_kinds))
        self.supply[code] += 1
        power: i64 = self.rules.follower_kinds[kind].power
        shift: i64 = OWNER_BITS * owner
        self.claimed[self.feature[segment]] -= power << shift
