"""What is said of a tile set that contradicts what is known of it: each on an altered copy."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from check_reconstruction import check_reconstruction
from support.ghost_sets import (
    SHIPPED,
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
from support.notation import tile_file

from carc import tilesets
from carc.base.tiles.tile import Segment, Tile, TileSet
from carc.errors import CarcError, TileError
from carc.expansion_ghosts.printed_tiles import check_mists
from carc.spellcircles.printed_tiles import check_circles

Alter = Callable[[TileSet], TileSet]


def at(where: Callable[[Tile], bool], change: Change, times: int = 999) -> Alter:
    """The tiles that this is true of are changed, or the first so many of them."""
    return lambda one: altered(one, change, where, times)


def a_quarter(tile: Tile) -> bool:
    return tile.number is None


def a_castle(tile: Tile) -> bool:
    return tile.name == next(one.name for one in SHIPPED if shows(one, "castle"))


def city_in_the_north(tile: Tile) -> bool:
    return tile.edges[0] == "C"


def evolved(**changes: Any) -> Change:
    return lambda tile: attrs.evolve(tile, **changes)


def letters(old: str, new: str) -> Change:
    return lambda tile: attrs.evolve(tile, edges=tile.edges.replace(old, new))


def without_number_3(one: TileSet) -> TileSet:
    return attrs.evolve(one, tiles=tuple(tile for tile in one.tiles if tile.number != 3))


def last_start_at(x: int, y: int) -> Alter:
    return lambda s: attrs.evolve(s, start=(*s.start[:3], (s.start[3][0], x, y)))


GROUND = evolved(edges="FFFF", segments=(Segment("field", (0, 1, 2, 3)),))
ONE_MORE = at(number(3), marked("ghosts", 2))
FOUR = at(number(12), marked("ghosts", 4))
CONTRADICTIONS: list[tuple[Alter, str]] = [
    (lambda s: attrs.evolve(s, name="fog"), "the set is named 'fog'"),
    (without_number_3, "tiles besides the start tile: 59; known: 60"),
    (without_number_3, "number 3 is missing; known: 1 tile with 1 ghost symbols"),
    (at(number(3), evolved(number=2)), "has number 2, which no printed tile has"),
    (
        at(number(9), lambda t: attrs.evolve(t, copies=t.copies + 1), 1),
        "number 9: 3 tiles with 0, 0, 0 ghost symbols; known: 2 tiles with 0, 0 ghost symbols",
    ),
    (ONE_MORE, "number 3: 1 tile with 2 ghost symbols; known: 1 tile with 1 ghost symbols"),
    (ONE_MORE, "tiles with 1 ghost symbol: 16; known: 17"),
    (ONE_MORE, "tiles with 2 ghost symbols: 20; known: 19"),
    (FOUR, "shows 4 ghost symbols; known: at most 3"),
    (FOUR, "tiles with 3 ghost symbols: 6; known: 7"),
    (at(showing("castle"), without("castle"), 1), "tiles with a castle: 4; known: 5"),
    (at(number(3), adding(Segment("cemetery"))), "tiles with a cemetery: 6; known: 5"),
    (at(number(3), adding(Segment("monastery"))), "tiles with a monastery: 1; known: 0"),
    (at(number(3), without("mist")), "tiles with mist: 47; known: 48"),
    (at(showing("castle"), without("mist"), 1), "castles show mist without a ghost symbol"),
    (at(a_castle, marked("ghosts", 1)), "castles show mist without a ghost symbol"),
    (at(showing("cemetery"), adding(Segment("mist", (1,))), 1), "cemeteries show no mist"),
    (at(city_in_the_north, adding(Segment("mist", (0,))), 1), "has mist over a city edge"),
    (at(showing("castle"), without("road")), "no castle has a road that ends at it"),
    (at(showing("cemetery"), without("city")), "no cemetery has a city beside it"),
    (at(showing("cemetery"), without("road")), "no cemetery has a road"),
    (at(everywhere, unmarked("coat_of_arms")), "no city has a coat of arms"),
    (at(showing("mist"), without("city")), "no misty tile has a city"),
    (at(everywhere, letters("R", "F")), "no road runs under mist"),
    (lambda s: attrs.evolve(s, start=()), "start tiles lie at no cell"),
    (lambda s: attrs.evolve(s, start=s.start[:3]), "start tiles lie at 0,0 0,1 1,0; known"),
    (last_start_at(2, 0), "four quarters laid 2 by 2"),
    (at(a_quarter, unmarked("ghosts")), "quarters show 0 0 0 0 ghost symbols; known: 0 0 1 2"),
    (
        at(a_quarter, adding(Segment("castle")), 1),
        "the start tile shows a castle; known: ruins that are no feature",
    ),
    (at(a_quarter, without("road")), "the start tile has no road"),
    (
        at(a_quarter, GROUND),
        "the start tile's ground is one field; known: the ruins separate fields",
    ),
]


@pytest.mark.parametrize(("change", "says"), CONTRADICTIONS, ids=[c[1] for c in CONTRADICTIONS])
def test_a_contradiction_is_said(change: Alter, says: str, mists: TileSet) -> None:
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
tile MS-NW 1 FFRR: road S W; mist N W ghosts=2; field E SL; field SR
tile MS-SW 1 RFFR: road N W; field NR E S WL; field NL WR
tile MS-NE 1 FFFF: field N E S W
tile MS-SE 1 FFFF: mist E S ghosts=1; field N W
"""
PAST_IN_THE_NORTH = """
tile MS-NW 1 RRFF: road N E; field NR EL; field ER S W NL
tile MS-NE 1 RFFR: road N W; mist N E ghosts=2; field S WL; field WR
tile MS-SW 1 FFFF: field N E S W
tile MS-SE 1 FFFF: mist E S ghosts=1; field N W
"""


@pytest.mark.parametrize("quarters", [PAST_IN_THE_WEST, PAST_IN_THE_NORTH])
def test_a_road_from_quarter_to_quarter_separates_fields_as_well(quarters: str) -> None:
    quarters = tile_file("mists", quarters).partition("mists")[2]
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


def circles_of(n: int) -> Callable[[Tile], bool]:
    return lambda tile: marks(tile, "circles") == n


@pytest.mark.rule("SPC-01")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda s: attrs.evolve(s, tiles=s.tiles[1:]), "tiles: 8; known: 9"),
        (
            at(everywhere, unmarked("circles"), 1),
            "shows no circles; known: mist and circles on every tile",
        ),
        (at(circles_of(3), marked("circles", 2)), "no tile shows 3 circles"),
        (at(circles_of(1), without("city")), "no tile shows 1 circle and a city"),
    ],
)
def test_a_contradiction_of_the_circles_is_said(change: Alter, says: str, circles: TileSet) -> None:
    found = check_circles(change(circles))
    assert any(says in sentence for sentence in found), found


# -- a reconstruction out of proportion ------------------------------------------------------------


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


PROPORTIONS: list[tuple[Alter, str]] = [
    (at(everywhere, letters("C", "F")), "of the edges are city edges; within 5 points of 27.4%"),
    (at(everywhere, letters("R", "F")), "of the edges are road edges; within 5 points of 32.6%"),
    (at(everywhere, letters("F", "R")), "of the edges are field edges; within 5 points of 39.9%"),
    (at(everywhere, bigger_cities), "cities have one or two edges; most should"),
    (at(everywhere, without("road")), "the set should have curves"),
    (at(everywhere, without("road")), "the set should have straight roads"),
    (at(everywhere, without("road")), "the set should have a few three-way roads"),
    (at(everywhere, unmarked("coat_of_arms")), "0 coats of arms; 6 to 8 are allowed"),
    (at(showing("mist"), mist_over(1)), "1.00 misty edges on a misty tile; about 2.2"),
    (at(showing("mist"), mist_over(1)), "more ghost symbols should go with more mist"),
    (at(showing("mist"), clear_roads), "0% of the road edges are misty; about a third"),
    (at(two_mists, joined), "0 tiles have two separate mists; 5 to 8"),
    (at(two_mists, one_has_all, 1), "two separate mists share the tile's symbols"),
    (turned_copy, "are the same in everything"),
    (without_number_3, "number 3 is missing"),
]


@pytest.mark.parametrize(("change", "says"), PROPORTIONS, ids=[each[1] for each in PROPORTIONS])
def test_a_reconstruction_keeps_to_its_rules(
    change: Alter, says: str, mists: TileSet, base: TileSet
) -> None:
    found = check_reconstruction(change(mists), base)
    assert any(says in sentence for sentence in found), found
