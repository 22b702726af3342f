"""`Catalogue`: the tiles of a game as tables of int, for all four rotations.

An *oriented kind* is a kind of tile in one rotation: `kind * 4 + rotation`. What is at side `side`
(0 to 3: north, east, south, west) of it has the index `oriented_kind * 4 + side`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.cells import REACH
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import GATE, WILD, Segment, SegmentKind, Tile, TileSet, match_edges
from carc.errors import BadRules

TERRAIN_BITS: Final = 3
DEMAND_BITS: Final = 12  # the terrains that the four sides of a free cell demand
DEMANDS: Final = (1 << DEMAND_BITS) - 1
ROTATIONS: Final = 15  # four bits
ONE_SIDE: Final = (1 << TERRAIN_BITS) - 1  # also the most terrains there may be
MARK_BITS: Final = 8
MOST_OF_A_MARK: Final = (1 << MARK_BITS) - 1
MARKS_A_WORD: Final = 7  # in 64 bits, without the sign
_LOW_BITS: Final[i64] = 0o3333  # of each side's three
_HIGH_BITS: Final[i64] = 0o4444
# By a set of rotations as four bits: the rotations; and the bits, with how many are set above them.
_SETS: Final = [tuple([turn for turn in range(4) if bits >> turn & 1]) for bits in range(16)]
_COUNTED: Final = bytes([bits | len(_SETS[bits]) << 4 for bits in range(16)]).ljust(256)


@final
class Catalogue:
    """All kinds of tile of one game, in the order of the tile files.

    The edge tables are indexed by oriented kind and side; -1 stands for no segment. What they hold
    is the index of a segment on its tile.

    Attributes:
        kinds: The kinds of segment.
        kind_of: The number of each kind of segment, by its name.
        tiles: The kinds of tile.
        index: The number of each kind of tile, by its name.
        tile_data: By oriented kind: a tile as `State.to_dict` has it, to be copied.
        copies: By kind of tile: the copies in the bag at the start, without those on the table and
            in hands.
        in_bag: The kinds of tile that have copies, in order.
        no_kinds: An empty set of kinds of tile.
        start: The tiles on the table at the start: kind, x and y.
        digest: A hash of all this.
        marks: The names of the marks, such as coats of arms.
        mark_words: How many words the marks of a segment take.
        letters: The letters of the edges; a terrain is the index of its letter plus 1.
        wild: The terrain of edges that fit any other; 0: there are none.
        ends: Whether features end at some edges, as there are such edges or gates.
        halved: Whether the fields at an edge are always two half-edges.
        shared: Whether some edge has two segments.
        overlays: Whether there is a kind of overlay.
        completes: By kind of segment: 1 if it can be completed, else 0.
        by_edges: By kind of segment: whether closed edges complete it.
        segment_count: By kind of tile: how many segments it has.
        segment_start: By kind of tile: where its segments begin in the segment tables.
        segment_kind: By segment: the number of its kind.
        segment_open: By segment: its open edges; 1 for what neighbours complete.
        segment_marks: By segment: its marks, in `mark_words` words.
        segment_paired: By segment: 1 if its tile has another that can belong to the same feature,
            so that the feature's tiles have to be counted (BASE-10).
        touched: By segment: the segments of its tile that it borders, a bit each.
        centres: By kind of tile: its segments that neighbours complete.
        terrain: Edge table: the terrain.
        main: Edge table: the segment that carries the edge.
        also: Edge table: the second segment, where two of one kind share the edge.
        left: Edge table: the field left of what divides the edge, seen from the middle of the tile.
        right: Edge table: the field right of it.
        overlay: Edge table: the overlay.
        rotations: With the index `rotations_at[kind] | demand`: the rotations in which a kind of
            tile fits on a cell, by what it demands, as four bits; above them how many there are.
        rotations_at: By kind of tile: where its part of `rotations` begins. Tiles with equal edges
            share one, so that more of them stays in the processor's cache.
        most_tiles: The most tiles that can be on the table.
        most_segments: The most segments that can be on the table.
        grid_size: The size of the hash table of tiles by cell, which is never more than half full.
    """

    def __init__(self, sets: Sequence[TileSet], kinds: Sequence[SegmentKind]) -> None:
        """Build the tables of these tile sets, with these kinds of segment.

        Raises `BadRules` if two sets give one name to different tiles, if there is no start tile,
        or if there are more tiles, terrains or marks than the tables can hold.
        """
        self.kinds: tuple[SegmentKind, ...] = tuple(kinds)
        self.tiles: tuple[Tile, ...] = tuple([tile for tile_set in sets for tile in tile_set.tiles])
        self.index: dict[str, int] = {tile.name: i for i, tile in enumerate(self.tiles)}
        self.tile_data: list[dict[str, Any]] = [
            {"x": 0, "y": 0, "kind": tile.name, "rotation": rotation}
            for tile in self.tiles
            for rotation in range(4)
        ]
        self._check_names(sets)
        self.digest: str = "-".join(tile_set.digest for tile_set in sets)
        self._count_tiles(sets)
        marks = {mark for tile in self.tiles for s in tile.segments for mark, _ in s.marks}
        self.marks: tuple[str, ...] = tuple(sorted(marks))
        self._check_marks()
        self.mark_words: int = max(1, -(-len(self.marks) // MARKS_A_WORD))

        self._find_letters()
        self.kind_of: dict[str, int] = {kind.name: i for i, kind in enumerate(self.kinds)}
        self.completes: vec[i64] = vec[i64]([int(k.completed_by != "never") for k in self.kinds])
        self.shelters: vec[i64] = vec[i64]([int(kind.shelters) for kind in self.kinds])
        self.by_edges: list[bool] = [kind.completed_by == "edges" for kind in self.kinds]
        self.overlays: bool = any(kind.overlay for kind in self.kinds)
        self._make_segment_tables()
        self._make_edge_tables()

    # -- checks -----------------------------------------------------------------------------------

    def _check_names(self, sets: Sequence[TileSet]) -> None:
        if len(self.index) == len(self.tiles):
            return
        homes: dict[str, str] = {}
        for tile_set in sets:
            for tile in tile_set.tiles:
                if tile.name in homes:
                    raise BadRules(
                        f"{homes[tile.name]} and {tile_set.name} cannot be played together: "
                        f"the tile sets both have a tile {tile.name!r}"
                    )
                homes[tile.name] = tile_set.name

    def _check_start(self) -> None:
        cells = [(x, y) for _, x, y in self.start]
        for x, y in cells:
            if cells.count((x, y)) > 1:
                raise BadRules(
                    f"two start tiles lie at {x},{y}: one tile set too many brings its own"
                )

    def _check_reach(self) -> None:
        if not self.start:
            raise BadRules("no tile set has a start tile; one says: start NAME X,Y")
        width = sum(tile.copies for tile in self.tiles)
        width += max(max(abs(x), abs(y)) for _, x, y in self.start)
        if width > REACH:
            raise BadRules(
                f"the tiles could reach {width} cells from the middle of the table; at most"
                f" {REACH} are allowed"
            )

    def _check_marks(self) -> None:
        totals = dict.fromkeys(self.marks, 0)
        for tile in self.tiles:
            for segment in tile.segments:
                for mark, n in segment.marks:
                    totals[mark] += n * tile.copies
        for mark, total in totals.items():
            if total > MOST_OF_A_MARK:
                raise BadRules(
                    f"the tiles' {mark} add up to {total}; at most {MOST_OF_A_MARK} are allowed"
                )

    # -- tables -----------------------------------------------------------------------------------

    def _count_tiles(self, sets: Sequence[TileSet]) -> None:
        """Count tiles and segments, those on the table and those in the bag."""
        start = [(self.index[name], x, y) for each in sets for name, x, y in each.start]
        self.start: tuple[tuple[int, int, int], ...] = tuple(start)
        self._check_start()
        self.most_tiles: int = sum([tile.copies for tile in self.tiles])
        segments = [tile.copies * len(tile.segments) for tile in self.tiles]
        self.most_segments: int = sum(segments)
        self.grid_size: int = 1 << (2 * self.most_tiles).bit_length()
        self.no_kinds: TileKinds = TileKinds([False for _ in self.tiles])
        copies = [0 if tile.hand else tile.copies for tile in self.tiles]
        for on_table, _, _ in start:
            copies[on_table] -= 1
        self.copies: tuple[int, ...] = tuple(copies)
        self.in_bag: vec[i64] = vec[i64]([kind for kind, n in enumerate(copies) if n])
        self._check_reach()

    def _find_letters(self) -> None:
        """Number the letters of the edges, and see what kinds of edge there are."""
        letters = sorted({letter for tile in self.tiles for letter in tile.edges})
        self.letters: tuple[str, ...] = tuple(letters)
        if len(letters) > ONE_SIDE:
            raise BadRules(
                f"the tiles have edges of {len(letters)} sorts ({' '.join(letters)}); "
                f"at most {ONE_SIDE} are allowed"
            )
        self.wild: i64 = letters.index(WILD) + 1 if WILD in letters else 0
        self.ends: bool = WILD in letters or GATE in letters
        # If two fields share an edge of field somewhere, such edges are two half-edges everywhere.
        self.halved: bool = GATE in letters or any(
            tile.edges[half // 2] == "F"
            for tile in self.tiles
            for segment in tile.segments
            for half in segment.halves
        )

    def _make_segment_tables(self) -> None:
        self.segment_count: vec[i64] = vec[i64]([len(tile.segments) for tile in self.tiles])
        starts = [0]
        for tile in self.tiles:
            starts.append(starts[-1] + len(tile.segments))
        self.segment_start: vec[i64] = vec[i64](starts)
        segments = [segment for tile in self.tiles for segment in tile.segments]
        self.segment_kind: vec[i64] = vec[i64]([self.kind_of[s.kind] for s in segments])
        self.segment_open: vec[i64] = vec[i64]([self._open(s) for s in segments])
        words: list[int] = []
        for segment in segments:
            packed = [0] * self.mark_words
            for mark, n in segment.marks:
                word, place = divmod(self.marks.index(mark), MARKS_A_WORD)
                packed[word] += n << (MARK_BITS * place)
            words.extend(packed)
        self.segment_marks: vec[i64] = vec[i64](words)
        self.segment_paired: vec[i64] = vec[i64](
            [
                int(
                    self.by_edges[self.kind_of[s.kind]]
                    and [other.kind for other in tile.segments].count(s.kind) > 1
                )
                for tile in self.tiles
                for s in tile.segments
            ]
        )
        self.touched: vec[i64] = vec[i64]([sum([1 << i for i in s.touches]) for s in segments])
        self.centres: list[tuple[int, ...]] = [
            tuple([i for i, s in enumerate(tile.segments) if self._surrounded(s)])
            for tile in self.tiles
        ]

    def _surrounded(self, segment: Segment) -> bool:
        return self.kinds[self.kind_of[segment.kind]].completed_by == "neighbours"

    def _open(self, segment: Segment) -> int:
        """Return the open edges of a segment; 1 for one that is not surrounded yet."""
        edges = len(segment.edges) * (2 if self.halved and segment.kind == "field" else 1)
        return edges + len(segment.halves) + len(segment.shares) + self._surrounded(segment)

    def _make_edge_tables(self) -> None:
        terrain: list[int] = []
        main: list[int] = []
        left: list[int] = []
        right: list[int] = []
        overlay: list[int] = []
        also: list[int] = []
        rotations = bytearray()
        starts: list[int] = []
        by_edges: dict[str, int] = {}
        for tile in self.tiles:
            at_edge, at_half, over = self._sides(tile)
            second = {edge: i for i, each in enumerate(tile.segments) for edge in each.shares}
            for rotation in range(4):
                for side in range(4):
                    edge = (side - rotation) % 4
                    terrain.append(self.letters.index(tile.edges[edge]) + 1)
                    main.append(at_edge[edge])
                    left.append(at_half[2 * edge])
                    right.append(at_half[2 * edge + 1])
                    overlay.append(over[edge])
                    also.append(second.get(edge, -1))
            if tile.edges not in by_edges:
                by_edges[tile.edges] = len(rotations)
                rotations += self._rotations(tile.edges)
            starts.append(by_edges[tile.edges])
        self.rotations: vec[u8] = vec[u8](rotations)
        self.rotations_at: vec[i64] = vec[i64](starts)
        self.terrain: vec[i64] = vec[i64](terrain)
        self.main: vec[i64] = vec[i64](main)
        self.left: vec[i64] = vec[i64](left)
        self.right: vec[i64] = vec[i64](right)
        self.overlay: vec[i64] = vec[i64](overlay)
        self.also: vec[i64] = vec[i64](also)
        self.shared: bool = any(i >= 0 for i in also)

    def _sides(self, tile: Tile) -> tuple[list[int], list[int], list[int]]:
        """Return a tile's segments by edge and by half-edge, and its overlays by edge."""
        at_edge, at_half, over = [-1] * 4, [-1] * 8, [-1] * 4
        for i, segment in enumerate(tile.segments):
            overlay = self.kinds[self.kind_of[segment.kind]].overlay
            for edge in segment.edges:
                if overlay:
                    over[edge] = i
                elif self.halved and segment.kind == "field":
                    at_half[2 * edge] = at_half[2 * edge + 1] = i
                else:
                    at_edge[edge] = i
            for half in segment.halves:
                at_half[half] = i
        return at_edge, at_half, over

    def _rotations(self, edges: str) -> bytes:
        """Return the part of `rotations` for tiles with these edges."""
        fits = bytearray(1 << DEMAND_BITS)
        for rotation in range(4):
            keys = [0]
            for side in range(4):
                codes = [0, *self._matching(edges[(side - rotation) % 4])]
                keys = [key | code << (TERRAIN_BITS * side) for key in keys for code in codes]
            for key in keys[1:]:  # a cell that demands nothing is not beside a tile
                fits[key] |= 1 << rotation
        return bytes(fits).translate(_COUNTED)

    def _matching(self, letter: str) -> list[int]:
        """Return the terrains that an edge may lie beside."""
        return [i + 1 for i, other in enumerate(self.letters) if match_edges(letter, other)]

    # -- lookup -----------------------------------------------------------------------------------

    def rotations_for(self, kind: i64, demand: i64) -> i64:
        """Return the rotations in which a kind of tile fits on a free cell, a bit each."""
        return i64(self.rotations[self.rotations_at[kind] | demand]) & ROTATIONS

    def fits(self, kind: i64, demand: i64) -> tuple[int, ...]:
        """Return the rotations in which a kind of tile fits on a free cell, in order."""
        return _SETS[self.rotations_for(kind, demand)]

    def mark(self, name: str) -> int:
        """Return the number of a mark, for `State.board.mark`; -1 if no tile carries it."""
        return self.marks.index(name) if name in self.marks else -1


def demanding_cell(entry: i64) -> i64:
    """Return the cell of an entry of `Board.demands`."""
    return entry >> DEMAND_BITS


def demand_in(entry: i64) -> i64:
    """Return the demand of an entry of `Board.demands`."""
    return entry & DEMANDS


def terrain_of(demand: i64, side: i64) -> i64:
    """Return the terrain that a free cell demands at a side (0-3); 0: it demands none."""
    return demand >> (TERRAIN_BITS * side) & ONE_SIDE


def demands_all_sides(demand: i64) -> bool:
    """Return True if a free cell demands a terrain at each of its four sides."""
    # The highest bit of a side's three becomes set if any of them is.
    return ((demand & _LOW_BITS) + _LOW_BITS | demand) & _HIGH_BITS == _HIGH_BITS


def with_terrain(demand: i64, side: i64, terrain: i64) -> i64:
    """Return a demand with another terrain at a side (0-3)."""
    shift = TERRAIN_BITS * side
    return demand & ~(ONE_SIDE << shift) | terrain << shift
