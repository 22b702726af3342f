"""Kinds of tile and of segment, as data.

`carc.base.tiles.tile_file` reads them from text files; `Catalogue` turns them into tables for play.
"""

import hashlib
import json
from typing import Final

import attrs

from carc.errors import BadRules

EDGES = ("N", "E", "S", "W")
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
WILD = "?"  # the letter of an edge that fits any other; features end at it
GATE = "G"  # of one that fits another gate, a road, which ends there, and a field
_FIT_GATES = (GATE, "R", "F")

COMPLETED_BY = ("edges", "neighbours", "never")


@attrs.frozen
class SegmentKind:
    """A kind of feature, such as city or road. Expansions declare more.

    Attributes:
        name: The name; one that begins with `_` is not printed on tiles, and people see none.
        terrain: The letter of an edge it reaches; empty if it reaches none or is an overlay.
        divides: Whether it divides the edges it reaches into two half-edges of field, as a road.
        overlay: Whether it lies over field and road edges. An overlay is ignored when edges are
            matched, and fields end at it.
        completed_by: "edges" (all are closed), "neighbours" (all eight tiles around are placed) or
            "never".
        claimable: Whether any follower may claim it; otherwise only kinds that name it in
            `FollowerKind.on` may.
        follower: What a follower on it is called.
        scores: Whether it is scored at the end for those who have followers on it.
        parted_by: The mark of segments that part such a feature for claims: each of them, and each
            part that they leave, is claimed by itself; empty: a feature is claimed as a whole.
        shelters: Whether nothing that roams or shoots, such as a dragon, reaches those on it.
        rises: Whether those on it rise so high that nothing is built over them.
    """

    name: str
    terrain: str = ""
    divides: bool = False
    overlay: bool = False
    completed_by: str = attrs.field(default="never")
    claimable: bool = True
    follower: str = ""
    scores: bool = True
    parted_by: str = ""
    shelters: bool = False
    rises: bool = False

    @completed_by.validator
    def _check_completed_by(self, attribute: object, value: str) -> None:
        if value not in COMPLETED_BY:
            raise BadRules(
                f"a {self.name} is completed by {value!r}; allowed are {', '.join(COMPLETED_BY)}"
            )


# The numbers of the base game's kinds, in the order of `BASE_KINDS` (BASE-05). Expansions' follow.
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
    """The part of a feature that is on one tile.

    Attributes:
        kind: The name of its `SegmentKind`.
        edges: The whole edges it reaches: 0 to 3, clockwise from north.
        halves: The half-edges that a field reaches: 0 to 7, NL NR EL ER SL SR WL WR.
        touches: The indices of the cities on this tile that a field borders (BASE-17).
        marks: What adds up when segments join, such as coats of arms: names and numbers.
        shares: Edges that it reaches too, although another segment carries them.
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

    Attributes:
        name: The name in actions and tile files.
        copies: How many there are.
        edges: The letters of the edges, clockwise from north.
        segments: The segments, known by their index.
        number: The publisher's number, if there is one.
        known: What of the tile comes from a source.
        reconstructed: What of it was made up.
        group: The name of a group that is drawn in an order of its own; expansions say which.
        symbols: Symbols of the tile as a whole: names and values, which may be empty.
        hand: How many copies each player holds at the start; such a tile is not in the bag.
        meets: Groups of segments, by index, that touch one another at a village, gate or monastery.
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
    meets: tuple[tuple[int, ...], ...] = ()

    def symbol(self, name: str) -> str | None:
        """Return the value of a symbol, which may be empty; None if the tile does not have it."""
        return dict(self.symbols).get(name)


@attrs.frozen
class TileSet:
    """The tiles of one box.

    Attributes:
        name: The name.
        tiles: The kinds of tile.
        start: The tiles on the table at the start, which count among the copies: names and cells.
    """

    name: str
    tiles: tuple[Tile, ...]
    start: tuple[tuple[str, int, int], ...] = ()

    @property
    def digest(self) -> str:
        """A short hash of what matters in play; spacing, comments and provenance do not."""
        content = [self.name, [_content(tile) for tile in self.tiles], self.start]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]


def _content(tile: Tile) -> list[object]:
    """Return what matters in play; empty fields that were added later are left out.

    So the digests of older tiles stay the same.
    """
    content: list[object] = [tile.name, tile.copies, tile.edges]
    content.append([attrs.astuple(s)[: 6 if s.shares else 5] for s in tile.segments])
    if tile.group or tile.symbols:
        content += [tile.group, tile.symbols]
    if tile.hand:
        content.append(tile.hand)
    return content


def match_edges(first: str, second: str) -> bool:
    """Return whether two edges, given by their letters, may lie side by side (BASE-03)."""
    pair = (first, second)
    return first == second or WILD in pair or (GATE in pair and {*pair} <= {*_FIT_GATES})


def start_in_bag(tile_set: TileSet) -> TileSet:
    """Return the set with its start tiles among the tiles to draw."""
    return attrs.evolve(tile_set, start=())


def without_start(tile_set: TileSet) -> TileSet:
    """Return the set without its start tiles."""
    names = [name for name, _, _ in tile_set.start]
    tiles = tuple(attrs.evolve(t, copies=t.copies - names.count(t.name)) for t in tile_set.tiles)
    return attrs.evolve(tile_set, tiles=tiles, start=())
