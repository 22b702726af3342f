"""The tiles of a game, turned once into int tables for the four rotations.

A *row* is a kind of tile in one rotation: `kind * 4 + rotation`. What lies at side `d` (0-3: north, east, south,
west) of a row is at `row * 4 + d`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import REACH
from carc.base.tiles import Segment, SegmentKind, Tile, TileSet
from carc.errors import BadRules

TERRAIN_BITS: Final = 3
MARK_BITS: Final = 8
MOST_OF_A_MARK: Final = (1 << MARK_BITS) - 1
MOST_MARKS: Final = 7  # in an int of 64 bits, the sign left alone
_NO_ROTATION: Final[tuple[int, ...]] = ()


class Catalogue:
    """All kinds of tile of one game, in the order of the data files, as tables of int.

    `copies` are those in the bag at the start, the tiles on the table (`start`) already taken out.
    Raises `BadRules` if two sets give one name to different tiles, if there is no start tile, or if there are more
    tiles or marks than the tables hold.
    """

    def __init__(self, sets: Sequence[TileSet], kinds: Sequence[SegmentKind]) -> None:
        self.kinds: list[SegmentKind] = list(kinds)
        self.tiles: list[Tile] = [tile for one in sets for tile in one.tiles]
        self.index: dict[str, int] = {tile.name: i for i, tile in enumerate(self.tiles)}
        if len(self.index) < len(self.tiles):
            names = sorted(tile.name for tile in self.tiles)
            twice = next(a for a, b in itertools.pairwise(names) if a == b)
            both = [one.name for one in sets if any(tile.name == twice for tile in one.tiles)]
            raise BadRules(
                f"{' and '.join(both)} cannot be played together: the tile sets both have a tile {twice!r}"
            )
        self.copies: list[int] = [tile.copies for tile in self.tiles]
        self.start: list[tuple[int, int, int]] = [
            (self.index[name], x, y) for one in sets for name, x, y in one.start
        ]
        for kind, _, _ in self.start:
            self.copies[kind] -= 1
        self.digest: str = "-".join(one.digest for one in sets)
        self.marks: list[str] = sorted(
            {name for tile in self.tiles for segment in tile.segments for name, _ in segment.marks}
        )
        if len(self.marks) > MOST_MARKS:
            raise BadRules(
                f"tiles carry {len(self.marks)} sorts of marks; at most {MOST_MARKS} are allowed"
            )
        for mark in self.marks:
            total = sum(n * dict(s.marks).get(mark, 0) for n, s in self._segments_in_play())
            if total > MOST_OF_A_MARK:
                raise BadRules(
                    f"the tiles' {mark} add up to {total}; at most {MOST_OF_A_MARK} are allowed"
                )
        if not self.start:
            raise BadRules("no tile set has a start tile; one says: start NAME X,Y")
        width = sum(tile.copies for tile in self.tiles)
        width += max(max(abs(x), abs(y)) for _, x, y in self.start)
        if width > REACH:
            raise BadRules(
                f"the tiles could reach {width} cells from the middle of the table; at most {REACH} are allowed"
            )

        kind_of = {kind.name: i for i, kind in enumerate(self.kinds)}
        letters = sorted({kind.terrain for kind in self.kinds if kind.terrain})
        self.by_edges: list[bool] = [kind.completed_by == "edges" for kind in self.kinds]
        self.overlays: bool = any(kind.overlay for kind in self.kinds)
        self.claimable: list[bool] = [kind.claimable for kind in self.kinds]

        # By kind of tile: how many segments, where its segments start in the segment tables.
        self.segment_count: vec[i64] = vec[i64]([len(tile.segments) for tile in self.tiles])
        starts = [0]
        for tile in self.tiles:
            starts.append(starts[-1] + len(tile.segments))
        self.segment_start: vec[i64] = vec[i64](starts)
        segments = [segment for tile in self.tiles for segment in tile.segments]
        self.segment_kind: vec[i64] = vec[i64]([kind_of[s.kind] for s in segments])
        # What is open on a segment: its edges, or 1 for "not surrounded yet".
        self.segment_open: vec[i64] = vec[i64](
            [
                len(s.edges)
                + len(s.halves)
                + (self.kinds[kind_of[s.kind]].completed_by == "neighbours")
                for s in segments
            ]
        )
        self.segment_marks: vec[i64] = vec[i64](
            [sum(n << (MARK_BITS * self.marks.index(m)) for m, n in s.marks) for s in segments]
        )
        # 1 for a segment whose tile has another of its kind, where a feature's tiles are counted (BASE-10).
        self.segment_paired: vec[i64] = vec[i64](
            [
                int(
                    self.by_edges[kind_of[s.kind]]
                    and [other.kind for other in tile.segments].count(s.kind) > 1
                )
                for tile in self.tiles
                for s in tile.segments
            ]
        )
        self.touches: list[tuple[int, ...]] = [s.touches for s in segments]
        # By kind of tile: its segments that are completed by the eight tiles around.
        self.centres: list[tuple[int, ...]] = [
            tuple(
                i
                for i, s in enumerate(tile.segments)
                if self.kinds[kind_of[s.kind]].completed_by == "neighbours"
            )
            for tile in self.tiles
        ]

        # By row and side: the terrain, the segment that carries the edge, the fields left and right of a
        # road (as seen from the tile's middle), the overlay; -1 where there is none.
        terrain: list[int] = []
        main: list[int] = []
        left: list[int] = []
        right: list[int] = []
        overlay: list[int] = []
        self.fits: list[list[tuple[int, ...]]] = []
        for tile in self.tiles:
            at_edge = [-1] * 4
            at_half = [-1] * 8
            over = [-1] * 4
            for i, s in enumerate(tile.segments):
                for edge in s.edges:
                    (over if self.kinds[kind_of[s.kind]].overlay else at_edge)[edge] = i
                for half in s.halves:
                    at_half[half] = i
            fits = [_NO_ROTATION] * (1 << (4 * TERRAIN_BITS))
            for rotation in range(4):
                codes: list[int] = []
                for side in range(4):
                    edge = (side - rotation) % 4
                    codes.append(letters.index(tile.edges[edge]) + 1)
                    main.append(at_edge[edge])
                    left.append(at_half[2 * edge])
                    right.append(at_half[2 * edge + 1])
                    overlay.append(over[edge])
                terrain.extend(codes)
                for sides in range(1, 16):
                    key = sum(codes[d] << (TERRAIN_BITS * d) for d in range(4) if sides >> d & 1)
                    fits[key] += (rotation,)
            self.fits.append(fits)
        self.terrain: vec[i64] = vec[i64](terrain)
        self.main: vec[i64] = vec[i64](main)
        self.left: vec[i64] = vec[i64](left)
        self.right: vec[i64] = vec[i64](right)
        self.overlay: vec[i64] = vec[i64](overlay)

        on_table = [kind for kind, _, _ in self.start]
        self.most_tiles: int = sum(self.copies) + len(on_table)
        self.most_segments: int = sum(
            n * len(tile.segments) for n, tile in zip(self.copies, self.tiles, strict=True)
        ) + sum(len(self.tiles[kind].segments) for kind in on_table)

    def _segments_in_play(self) -> Iterator[tuple[int, Segment]]:
        return ((tile.copies, segment) for tile in self.tiles for segment in tile.segments)

    def mark(self, name: str) -> int:
        """How far to shift a feature's `marks` to read this mark; -1 if no tile carries it."""
        return MARK_BITS * self.marks.index(name) if name in self.marks else -1
