"""The tiles of a game, turned once into int tables for the four rotations.

A *row* is a kind of tile in one rotation: `kind * 4 + rotation`. What lies at side `d` (0-3: north, east, south,
west) of a row is at `row * 4 + d`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.cells import REACH
from carc.base.tiles.tile import WILD, Segment, SegmentKind, Tile, TileSet, match_edges
from carc.errors import BadRules

TERRAIN_BITS: Final = 3
DEMAND_BITS: Final = 12  # what the four sides of a free cell demand
DEMANDS: Final = (1 << DEMAND_BITS) - 1
ONE_SIDE: Final = (1 << TERRAIN_BITS) - 1  # of these, one; as many terrains there may be
MARK_BITS: Final = 8
MOST_OF_A_MARK: Final = (1 << MARK_BITS) - 1
MARKS_A_WORD: Final = 7  # in an int of 64 bits, the sign left alone
# The rotations that four bits stand for; the bits, with their number above.
_SETS: Final = [tuple([turn for turn in range(4) if bits >> turn & 1]) for bits in range(16)]
_COUNTED: Final = bytes([bits | len(_SETS[bits]) << 4 for bits in range(16)]).ljust(256)


class Catalogue:
    """All kinds of tile of one game, in the order of the data files, as tables of int.

    `copies` are those in the bag at the start: those on the table (`start`) and in players' hands
    are already taken out.
    Raises `BadRules` if two sets give one name to different tiles, if there is no start tile, or if there are more
    tiles, terrains or marks of a sort than the tables hold.
    """

    def __init__(self, sets: Sequence[TileSet], kinds: Sequence[SegmentKind]) -> None:
        self.kinds: tuple[SegmentKind, ...] = tuple(kinds)
        self.tiles: tuple[Tile, ...] = tuple([tile for one in sets for tile in one.tiles])
        self.index: dict[str, int] = {tile.name: i for i, tile in enumerate(self.tiles)}
        self._check_names(sets)
        self.digest: str = "-".join(one.digest for one in sets)
        start = [(self.index[name], x, y) for one in sets for name, x, y in one.start]
        self.start: tuple[tuple[int, int, int], ...] = tuple(start)
        self._check_start()
        copies = [0 if tile.hand else tile.copies for tile in self.tiles]
        for on_table, _, _ in start:
            copies[on_table] -= 1
        self.copies: tuple[int, ...] = tuple(copies)
        self._check_reach()

        # Marks: several words an item where there are more sorts than one holds.
        marks = {mark for tile in self.tiles for s in tile.segments for mark, _ in s.marks}
        self.marks: tuple[str, ...] = tuple(sorted(marks))
        self._check_marks()
        self.mark_words: int = max(1, -(-len(self.marks) // MARKS_A_WORD))

        letters = sorted({letter for tile in self.tiles for letter in tile.edges})
        self.letters: tuple[str, ...] = tuple(letters)
        if len(letters) > ONE_SIDE:
            raise BadRules(
                f"the tiles have edges of {len(letters)} sorts ({' '.join(letters)}); "
                f"at most {ONE_SIDE} are allowed"
            )
        self.wild: bool = WILD in letters
        # A field's edge that two fields share somewhere is two half-edges everywhere.
        self.halved: bool = any(
            tile.edges[half // 2] == "F"
            for tile in self.tiles
            for segment in tile.segments
            for half in segment.halves
        )
        self.kind_of: dict[str, int] = {kind.name: i for i, kind in enumerate(self.kinds)}
        self.completes: vec[i64] = vec[i64]([int(k.completed_by != "never") for k in self.kinds])
        self.by_edges: list[bool] = [kind.completed_by == "edges" for kind in self.kinds]
        self.overlays: bool = any(kind.overlay for kind in self.kinds)
        self._make_segment_tables()
        self._make_edge_tables()
        laid = [self.tiles[on_table] for on_table, _, _ in start]
        held = [tile.copies if tile.hand else 0 for tile in self.tiles]
        self.most_tiles: int = sum(copies) + sum(held) + len(laid)
        self.most_segments: int = sum(
            (n + m) * len(tile.segments)
            for n, m, tile in zip(copies, held, self.tiles, strict=True)
        ) + sum(len(tile.segments) for tile in laid)
        # Of the table of tiles by cell: never more than half full.
        self.grid_size: int = 1 << (2 * self.most_tiles).bit_length()

    # -- what the tables hold ---------------------------------------------------------------------

    def _check_names(self, sets: Sequence[TileSet]) -> None:
        if len(self.index) == len(self.tiles):
            return
        homes: dict[str, str] = {}
        for one in sets:
            for tile in one.tiles:
                if tile.name in homes:
                    raise BadRules(
                        f"{homes[tile.name]} and {one.name} cannot be played together: "
                        f"the tile sets both have a tile {tile.name!r}"
                    )
                homes[tile.name] = one.name

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
                f"the tiles could reach {width} cells from the middle of the table; at most {REACH} are allowed"
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

    def _make_segment_tables(self) -> None:
        # By kind of tile: how many segments, where its segments start in the segment tables.
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
            mine = [0] * self.mark_words
            for mark, n in segment.marks:
                word, place = divmod(self.marks.index(mark), MARKS_A_WORD)
                mine[word] += n << (MARK_BITS * place)
            words.extend(mine)
        self.segment_marks: vec[i64] = vec[i64](words)
        # 1 for a segment whose tile has another of its kind, where a feature's tiles are counted (BASE-10).
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
        # What a segment touches on its tile: a bit for each segment.
        self.touched: vec[i64] = vec[i64]([sum([1 << i for i in s.touches]) for s in segments])
        # By kind of tile: its segments that are completed by the eight tiles around.
        self.centres: list[tuple[int, ...]] = [
            tuple([i for i, s in enumerate(tile.segments) if self._surrounded(s)])
            for tile in self.tiles
        ]

    def _surrounded(self, segment: Segment) -> bool:
        return self.kinds[self.kind_of[segment.kind]].completed_by == "neighbours"

    def _open(self, segment: Segment) -> int:
        """What is open on a segment: its edges, or 1 for "not surrounded yet"."""
        edges = len(segment.edges) * (2 if self.halved and segment.kind == "field" else 1)
        return edges + len(segment.halves) + len(segment.shares) + self._surrounded(segment)

    def _make_edge_tables(self) -> None:
        # By row and side: the terrain, the segment that carries the edge, the fields left and right (as seen from the
        # tile's middle) where it is divided, the overlay; -1 where there is none.
        terrain: list[int] = []
        main: list[int] = []
        left: list[int] = []
        right: list[int] = []
        overlay: list[int] = []
        also: list[int] = []
        # By kind of tile, then what a cell's sides demand: the rotations that fit, as a tuple and as bits, with their number above.
        self.fits: list[list[tuple[int, ...]]] = []
        rotations = bytearray()
        alike: dict[str, tuple[list[tuple[int, ...]], bytes]] = {}
        for tile in self.tiles:
            at_edge, at_half, over = self._sides(tile)
            second = {edge: i for i, one in enumerate(tile.segments) for edge in one.shares}
            for rotation in range(4):
                for side in range(4):
                    edge = (side - rotation) % 4
                    terrain.append(self.letters.index(tile.edges[edge]) + 1)
                    main.append(at_edge[edge])
                    left.append(at_half[2 * edge])
                    right.append(at_half[2 * edge + 1])
                    overlay.append(over[edge])
                    also.append(second.get(edge, -1))
            if tile.edges not in alike:
                alike[tile.edges] = self._rotations(tile.edges)
            fits, counted = alike[tile.edges]
            self.fits.append(fits)
            rotations += counted
        self.rotations: vec[u8] = vec[u8](rotations)
        self.terrain: vec[i64] = vec[i64](terrain)
        self.main: vec[i64] = vec[i64](main)
        self.left: vec[i64] = vec[i64](left)
        self.right: vec[i64] = vec[i64](right)
        self.overlay: vec[i64] = vec[i64](overlay)
        # The second segment at an edge that two of one kind share.
        self.also: vec[i64] = vec[i64](also)
        self.shared: bool = any(i >= 0 for i in also)

    def _sides(self, tile: Tile) -> tuple[list[int], list[int], list[int]]:
        """A tile's segments by edge, by half-edge, and its overlays by edge; -1 where there is none."""
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

    def _rotations(self, edges: str) -> tuple[list[tuple[int, ...]], bytes]:
        """For tiles with these edges, by what a cell's sides demand: `fits` and `rotations`."""
        fits = bytearray(1 << DEMAND_BITS)
        for rotation in range(4):
            keys = [0]
            for side in range(4):
                codes = [0, *self._matching(edges[(side - rotation) % 4])]
                keys = [key | code << (TERRAIN_BITS * side) for key in keys for code in codes]
            for key in keys[1:]:  # a cell that demands nothing is not beside a tile
                fits[key] |= 1 << rotation
        found = bytes(fits)  # mypyc has no list comprehension over a bytearray
        return [_SETS[bits] for bits in found], found.translate(_COUNTED)

    def _matching(self, letter: str) -> list[int]:
        """The codes of the terrains that an edge may lie beside."""
        return [i + 1 for i, other in enumerate(self.letters) if match_edges(letter, other)]

    # -- looked up by expansions when rules are made ----------------------------------------------

    def mark(self, name: str) -> int:
        """The number of a sort of mark, for `State.mark`; -1 if no tile carries it."""
        return self.marks.index(name) if name in self.marks else -1
