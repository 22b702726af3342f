"""Kinds of tile and of segment, as data.

`carc.base.tiles.tile_file` reads them from text files; `Catalogue` turns them into the tables used in play.
"""

import hashlib
import json
from typing import Final

import attrs

from carc.errors import BadRules

EDGES = ("N", "E", "S", "W")
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
WILD = "?"  # the letter of an edge that fits any other; what meets it ends there

COMPLETED_BY = ("edges", "neighbours", "never")


@attrs.frozen
class SegmentKind:
    """A kind of feature: city, road, ...; expansions declare more.

    - `terrain`: the letter it gives an edge; "" if it reaches none or is an overlay
    - `divides`: whether at an edge it lies between two half-edges of field, as a road does
    - `overlay`: whether it lies over field and road edges: ignored in matching, bounds fields
    - `completed_by`: "never", "edges", or "neighbours": the 8 around
    - `claimable`: whether by any follower; if not, by kinds of follower that name it (`FollowerKind.on`)
    - `follower`: what a follower on it is called
    - `scores`: whether it is scored at the end for those who stand on it
    """

    name: str
    terrain: str = ""
    divides: bool = False
    overlay: bool = False
    completed_by: str = attrs.field(default="never")
    claimable: bool = True
    follower: str = ""
    scores: bool = True

    @completed_by.validator
    def _known(self, attribute: object, value: str) -> None:
        if value not in COMPLETED_BY:
            raise BadRules(
                f"a {self.name} is completed by {value!r}; allowed are {', '.join(COMPLETED_BY)}"
            )


# BASE-05. Scoring knows them by their order (`carc.base.game.scoring`).
# The numbers of the kinds of the base game; those of expansions follow.
CITY: Final = 0
ROAD: Final = 1
FIELD: Final = 2
MONASTERY: Final = 3

BASE_KINDS = (
    SegmentKind("city", "C", completed_by="edges", follower="knight"),
    SegmentKind("road", "R", divides=True, completed_by="edges", follower="highwayman"),
    SegmentKind("field", "F", follower="farmer"),
    SegmentKind("monastery", completed_by="neighbours", follower="monk"),
)


@attrs.frozen
class Segment:
    """A feature's part on one tile.

    - `kind`: the name of its `SegmentKind`
    - `edges`: the whole edges it reaches, 0-3 clockwise from north
    - `halves`: half-edges of field, 0-7: NL NR EL ER SL SR WL WR
    - `touches`: a field's cities on this tile, as indices of segments (BASE-17)
    - `marks`: what adds up when segments join, coats of arms, ...: name and number
    - `shares`: edges that it reaches too, beside the segment whose they are
    """

    kind: str
    edges: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    touches: tuple[int, ...] = ()
    marks: tuple[tuple[str, int], ...] = ()
    shares: tuple[int, ...] = ()


@attrs.frozen
class Tile:
    """A kind of tile.

    - `name`: in the notation
    - `copies`: how many there are
    - `edges`: letters clockwise from north
    - `segments`: numbered by their index, 0 and up
    - `number`: the publisher's, if it has one
    - `known`, `reconstructed`: what of it comes from a source, and what was made up
    - `group`: of tiles that are drawn in an order of their own; expansions say which
    - `symbols`: printed on the tile as a whole: name and value, or ""
    - `hand`: how many of the copies each player holds at the start; such a tile is not in the bag
    """

    name: str
    copies: int
    edges: str
    segments: tuple[Segment, ...]
    number: int | None = None
    known: tuple[str, ...] = ()
    reconstructed: tuple[str, ...] = ()
    group: str = ""
    symbols: tuple[tuple[str, str], ...] = ()
    hand: int = 0

    def symbol(self, name: str) -> str | None:
        """The value of a symbol printed on the tile, "" where it has none; None without the symbol."""
        return dict(self.symbols).get(name)


@attrs.frozen
class TileSet:
    """The tiles of one box. `start`: tiles on the table at the start, each one of its kind's copies."""

    name: str
    tiles: tuple[Tile, ...]
    start: tuple[tuple[str, int, int], ...] = ()

    @property
    def digest(self) -> str:
        """Short hash of what is played with: spacing, comments and provenance do not count."""
        meaning = [self.name, [_meaning(tile) for tile in self.tiles], self.start]
        return hashlib.sha256(json.dumps(meaning).encode()).hexdigest()[:8]


def _meaning(tile: Tile) -> list[object]:
    told: list[object] = [tile.name, tile.copies, tile.edges]
    # What came later is told only where it is, so that older tiles keep their digests.
    told.append([attrs.astuple(s)[: 6 if s.shares else 5] for s in tile.segments])
    if tile.group or tile.symbols:
        told += [tile.group, tile.symbols]
    if tile.hand:
        told.append(tile.hand)
    return told


def match_edges(one: str, other: str) -> bool:
    """Whether two edges, by their letters, may lie side by side (BASE-03)."""
    return one == other or WILD in (one, other)


def start_in_bag(one: TileSet) -> TileSet:
    """The set with its start tiles among the tiles to draw."""
    return attrs.evolve(one, start=())


def without_start(one: TileSet) -> TileSet:
    """The set with its start tiles gone back to the box."""
    names = [name for name, _, _ in one.start]
    tiles = tuple(attrs.evolve(t, copies=t.copies - names.count(t.name)) for t in one.tiles)
    return attrs.evolve(one, tiles=tiles, start=())
