"""What is said of a tile set that contradicts what is known of it, or is out of proportion: each on
an altered copy.
"""

from collections.abc import Callable

import attrs
import pytest
from check_reconstruction import check_reconstruction
from support.ghost_sets import (
    TEXT,
    Change,
    adding,
    altered,
    block,
    everywhere,
    marked,
    marks,
    misty,
    number,
    reading,
    showing,
    shows,
    unmarked,
    without,
)

from carc import tilesets
from carc.base.tiles.tile import Segment, Tile, TileSet
from carc.errors import CarcError, TileError
from carc.expansion_ghosts.known import check_mists
from carc.spellcircles.known import check_circles

CONTRADICTIONS: list[tuple[str, Callable[[TileSet], TileSet]]] = [
    ("the set is named 'fog'", lambda s: attrs.evolve(s, name="fog")),
    (
        "tiles besides the start tile: 59; known: 60",
        lambda s: attrs.evolve(s, tiles=tuple(t for t in s.tiles if t.number != 3)),
    ),
    (
        "number 3 is missing; known: 1 tile with 1 ghost symbols",
        lambda s: attrs.evolve(s, tiles=tuple(t for t in s.tiles if t.number != 3)),
    ),
    (
        "has number 2, which no printed tile has",
        lambda s: altered(s, lambda t: attrs.evolve(t, number=2), number(3)),
    ),
    (
        "number 9: 3 tiles with 0, 0, 0 ghost symbols; known: 2 tiles with 0, 0 ghost symbols",
        lambda s: altered(s, lambda t: attrs.evolve(t, copies=t.copies + 1), number(9), 1),
    ),
    (
        "number 3: 1 tile with 2 ghost symbols; known: 1 tile with 1 ghost symbols",
        lambda s: altered(s, marked("ghosts", 2), number(3)),
    ),
    (
        "tiles with 1 ghost symbol: 16; known: 17",
        lambda s: altered(s, marked("ghosts", 2), number(3)),
    ),
    (
        "tiles with 2 ghost symbols: 20; known: 19",
        lambda s: altered(s, marked("ghosts", 2), number(3)),
    ),
    (
        "shows 4 ghost symbols; known: at most 3",
        lambda s: altered(s, marked("ghosts", 4), number(12)),
    ),
    (
        "tiles with 3 ghost symbols: 6; known: 7",
        lambda s: altered(s, marked("ghosts", 4), number(12)),
    ),
    (
        "tiles with a castle: 4; known: 5",
        lambda s: altered(s, without("castle"), showing("castle"), 1),
    ),
    (
        "tiles with a cemetery: 6; known: 5",
        lambda s: altered(s, adding(Segment("cemetery")), number(3)),
    ),
    (
        "tiles with a monastery: 1; known: 0",
        lambda s: altered(s, adding(Segment("monastery")), number(3)),
    ),
    ("tiles with mist: 47; known: 48", lambda s: altered(s, without("mist"), number(3))),
    (
        "castles show mist without a ghost symbol",
        lambda s: altered(s, without("mist"), showing("castle"), 1),
    ),
    (
        "castles show mist without a ghost symbol",
        lambda s: altered(s, marked("ghosts", 1), number_of_a("castle", s)),
    ),
    (
        "cemeteries show no mist",
        lambda s: altered(s, adding(Segment("mist", (1,))), showing("cemetery"), 1),
    ),
    (
        "has mist over a city edge",
        lambda s: altered(s, adding(Segment("mist", (0,))), lambda t: t.edges[0] == "C", 1),
    ),
    (
        "no castle has a road that ends at it",
        lambda s: altered(s, without("road"), showing("castle")),
    ),
    (
        "no cemetery has a city beside it",
        lambda s: altered(s, without("city"), showing("cemetery")),
    ),
    ("no cemetery has a road", lambda s: altered(s, without("road"), showing("cemetery"))),
    ("no city has a coat of arms", lambda s: altered(s, unmarked("coat_of_arms"), everywhere)),
    ("no misty tile has a city", lambda s: altered(s, without("city"), showing("mist"))),
    (
        "no road runs under mist",
        lambda s: altered(
            s, lambda t: attrs.evolve(t, edges=t.edges.replace("R", "F")), everywhere
        ),
    ),
    ("start tiles lie at no cell", lambda s: attrs.evolve(s, start=())),
    ("start tiles lie at 0,0 0,1 1,0; known", lambda s: attrs.evolve(s, start=s.start[:3])),
    (
        "four quarters laid 2 by 2",
        lambda s: attrs.evolve(s, start=(*s.start[:3], (s.start[3][0], 2, 0))),
    ),
    (
        "the start tile's quarters show 0 0 0 0 ghost symbols; known: 0 0 1 2",
        lambda s: altered(s, unmarked("ghosts"), lambda t: t.number is None),
    ),
    (
        "the start tile shows a castle; known: ruins that are no feature",
        lambda s: altered(s, adding(Segment("castle")), lambda t: t.number is None, 1),
    ),
    (
        "the start tile has no road",
        lambda s: altered(s, without("road"), lambda t: t.number is None),
    ),
    (
        "the start tile's ground is one field; known: the ruins separate fields",
        lambda s: altered(
            s,
            lambda t: attrs.evolve(t, edges="FFFF", segments=(Segment("field", (0, 1, 2, 3)),)),
            lambda t: t.number is None,
        ),
    ),
]


def number_of_a(kind: str, one: TileSet) -> Callable[[Tile], bool]:
    name = next(tile.name for tile in one.tiles if shows(tile, kind))
    return lambda tile: tile.name == name


@pytest.mark.parametrize(
    ("says", "change"), CONTRADICTIONS, ids=[c[0][:50] for c in CONTRADICTIONS]
)
def test_a_contradiction_is_said(
    says: str, change: Callable[[TileSet], TileSet], mists: TileSet
) -> None:
    found = check_mists(change(mists))
    assert any(says in sentence for sentence in found), found


def test_all_that_is_said_of_one_slip() -> None:
    """A symbol too many on number 18: its number and both totals, and nothing else."""
    slip = block("M18").replace("ghosts=2", "ghosts=3")
    assert check_mists(reading(TEXT.replace(block("M18"), slip))) == [
        "number 18: 1 tile with 3 ghost symbols; known: 1 tile with 2 ghost symbols",
        "tiles with 2 ghost symbols: 18; known: 19",
        "tiles with 3 ghost symbols: 8; known: 7",
    ]


def test_another_set_is_not_held_against_the_facts(base: TileSet) -> None:
    with pytest.raises(CarcError, match="no known facts to check a set 'base' against"):
        tilesets.contradictions(base)
    assert check_mists(base) == ["the set is named 'base'; these tiles' set is named 'mists'"]


@pytest.mark.rule("GCC-01")
def test_ground_that_runs_round_the_ruins_as_one_field_is_said() -> None:
    text = TEXT
    for parted, whole in (
        ("  field E\n  field S\n", "  field E S\n"),
        ("  field NR E S\n  field W NL\n", "  field NL NR E S W\n"),
        ("  field E SL\n  field N SR W\n", "  field N E SL SR W\n"),
        ("  field N\n  field W\n", "  field N W\n"),
    ):
        assert text.count(parted) == 1
        text = text.replace(parted, whole)
    sentence = "the start tile's ground is one field; known: the ruins separate fields"
    assert check_mists(reading(text)) == [sentence]


# A road past the ruins, in one side and out again: the ground within its bend and all the rest.
PAST_IN_THE_WEST = """
tile MS-NW 1 FFRR
  road S W
  mist N W ghosts=2
  field E SL
  field SR
tile MS-SW 1 RFFR
  road N W
  field NR E S WL
  field NL WR
tile MS-NE 1 FFFF
  field N E S W
tile MS-SE 1 FFFF
  mist E S ghosts=1
  field N W
"""
PAST_IN_THE_NORTH = """
tile MS-NW 1 RRFF
  road N E
  field NR EL
  field ER S W NL
tile MS-NE 1 RFFR
  road N W
  mist N E ghosts=2
  field S WL
  field WR
tile MS-SW 1 FFFF
  field N E S W
tile MS-SE 1 FFFF
  mist E S ghosts=1
  field N W
"""


@pytest.mark.parametrize("quarters", [PAST_IN_THE_WEST, PAST_IN_THE_NORTH])
def test_a_road_from_quarter_to_quarter_separates_fields_as_well(quarters: str) -> None:
    before, after = TEXT.index("tile MS-NW"), TEXT.index("start MS-NW")
    assert check_mists(reading(TEXT[:before] + quarters + TEXT[after:])) == []


@pytest.mark.rule("MIST-01")
def test_mist_over_a_city_is_refused() -> None:
    over = block("M18").replace("mist S", "mist N S")
    with pytest.raises(TileError, match=r"mist over the city edge N; it lies over F and R only"):
        reading(TEXT.replace(block("M18"), over))


def test_tiles_without_numbers_count_in_the_totals_only(mists: TileSet) -> None:
    """Someone who cannot read the numbers types the tiles in all the same."""
    bare = altered(mists, lambda t: attrs.evolve(t, number=None), everywhere)
    assert check_mists(bare) == []


def test_of_a_number_only_the_copies_that_name_it_are_held_against_it(mists: TileSet) -> None:
    """Of the three tiles 14 one has lost its number: the other two may be any two of the three."""
    some = altered(mists, lambda t: attrs.evolve(t, number=None), number(14), 1)
    assert check_mists(some) == []


@pytest.mark.rule("SPC-01")
@pytest.mark.parametrize(
    ("says", "change"),
    [
        ("tiles: 8; known: 9", lambda s: attrs.evolve(s, tiles=s.tiles[1:])),
        (
            "shows no circles; known: mist and circles on every tile",
            lambda s: altered(s, unmarked("circles"), everywhere, 1),
        ),
        (
            "no tile shows 3 circles",
            lambda s: altered(s, marked("circles", 2), lambda t: marks(t, "circles") == 3),
        ),
        (
            "no tile shows 1 circle and a city",
            lambda s: altered(s, without("city"), lambda t: marks(t, "circles") == 1),
        ),
    ],
)
def test_a_contradiction_of_the_circles_is_said(
    says: str, change: Callable[[TileSet], TileSet], circles: TileSet
) -> None:
    found = check_circles(change(circles))
    assert any(says in sentence for sentence in found), found


# -- a reconstruction out of proportion ------------------------------------------------------------


def letters(old: str, new: str) -> Change:
    return lambda tile: attrs.evolve(tile, edges=tile.edges.replace(old, new))


def mist_over(*edges: int) -> Change:
    """The tile's first mist over these edges, without its other mist."""

    def change(tile: Tile) -> Tile:
        first = next(s for s in tile.segments if s.kind == "mist")
        return adding(attrs.evolve(first, edges=edges))(without("mist")(tile))

    return change


def two_mists(tile: Tile) -> bool:
    return sum(s.kind == "mist" for s in tile.segments) == 2


def joined(tile: Tile) -> Tile:
    edges = tuple(misty(tile))
    marked_in_all = (("ghosts", marks(tile, "ghosts")),)
    return adding(Segment("mist", edges, marks=marked_in_all))(without("mist")(tile))


def one_has_all(tile: Tile) -> Tile:
    first, *_ = (s for s in tile.segments if s.kind == "mist")
    total = marks(tile, "ghosts")
    bare = unmarked("ghosts")(tile)
    segments = [
        attrs.evolve(s, marks=(("ghosts", total),))
        if s.edges == first.edges and s.kind == "mist"
        else s
        for s in bare.segments
    ]
    return attrs.evolve(tile, segments=tuple(segments))


def bigger_cities(tile: Tile) -> Tile:
    segments = [attrs.evolve(s, edges=(0, 1, 2)) if s.kind == "city" else s for s in tile.segments]
    return attrs.evolve(tile, segments=tuple(segments))


def turned_copy(one: TileSet) -> TileSet:
    """Number 3 looks as number 11 does, turned by a quarter."""
    model = next(tile for tile in one.tiles if tile.number == 11)

    def turn(s: Segment) -> Segment:
        edges = tuple((edge + 1) % 4 for edge in s.edges)
        return attrs.evolve(s, edges=edges, halves=tuple((half + 2) % 8 for half in s.halves))

    def change(tile: Tile) -> Tile:
        edges = model.edges[-1] + model.edges[:-1]
        return attrs.evolve(tile, edges=edges, segments=tuple(map(turn, model.segments)))

    return altered(one, change, number(3))


def clear_roads(tile: Tile) -> Tile:
    """Only fields under the mist."""
    under = set(misty(tile))
    edges = "".join("F" if edge in under else tile.edges[edge] for edge in range(4))
    return attrs.evolve(tile, edges=edges)


PROPORTIONS: list[tuple[str, Callable[[TileSet], TileSet]]] = [
    (
        "of the edges are city edges; within 5 points of 27.4%",
        lambda s: altered(s, letters("C", "F"), everywhere),
    ),
    (
        "of the edges are road edges; within 5 points of 32.6%",
        lambda s: altered(s, letters("R", "F"), everywhere),
    ),
    (
        "of the edges are field edges; within 5 points of 39.9%",
        lambda s: altered(s, letters("F", "R"), everywhere),
    ),
    ("cities have one or two edges; most should", lambda s: altered(s, bigger_cities, everywhere)),
    ("the set should have curves", lambda s: altered(s, without("road"), everywhere)),
    ("the set should have straight roads", lambda s: altered(s, without("road"), everywhere)),
    (
        "the set should have a few three-way roads",
        lambda s: altered(s, without("road"), everywhere),
    ),
    (
        "0 coats of arms; 6 to 8 are allowed",
        lambda s: altered(s, unmarked("coat_of_arms"), everywhere),
    ),
    (
        "1.00 misty edges on a misty tile; about 2.2",
        lambda s: altered(s, mist_over(1), showing("mist")),
    ),
    (
        "more ghost symbols should go with more mist",
        lambda s: altered(s, mist_over(1), showing("mist")),
    ),
    (
        "0% of the road edges are misty; about a third",
        lambda s: altered(s, clear_roads, showing("mist")),
    ),
    ("0 tiles have two separate mists; 5 to 8", lambda s: altered(s, joined, two_mists)),
    (
        "two separate mists share the tile's symbols",
        lambda s: altered(s, one_has_all, two_mists, 1),
    ),
    ("are the same in everything", turned_copy),
    (
        "number 3 is missing",
        lambda s: attrs.evolve(s, tiles=tuple(t for t in s.tiles if t.number != 3)),
    ),
]


@pytest.mark.parametrize(("says", "change"), PROPORTIONS, ids=[c[0][:50] for c in PROPORTIONS])
def test_a_reconstruction_keeps_to_its_rules(
    says: str, change: Callable[[TileSet], TileSet], mists: TileSet, base: TileSet
) -> None:
    found = check_reconstruction(change(mists), base)
    assert any(says in sentence for sentence in found), found
