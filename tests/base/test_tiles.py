"""Tile files: what they mean, mistakes; the base game's 24 kinds against the published table."""

import pytest
from support.ground import fields, fields_written

from carc.base.expansions.base_game import TILES as BASE_TILES
from carc.base.tiles.tile import BASE_KINDS, EDGES, Tile, without_start
from carc.base.tiles.tile_file import read_tiles

BASE = read_tiles(BASE_TILES, BASE_KINDS)

# Typed in from the published table: kind, copies, edges from north clockwise; the cities and roads
# by the edges they join; "+" a coat of arms, "m" a monastery. Roads not joined end on the tile.
TABLE = """
A 2 FFRF  -      S       m
B 4 FFFF  -      -       m
C 1 CCCC  NESW   -       +
D 4 CRFR  N      EW
E 5 CFFF  N      -
F 2 FCFC  EW     -       +
G 1 CFCF  NS     -
H 3 CFCF  N,S    -
I 2 CCFF  N,E    -
J 3 CRRF  N      ES
K 3 CFRR  N      SW
L 3 CRRR  N      E,S,W
M 2 CFFC  NW     -       +
N 3 CFFC  NW     -
O 2 CRRC  NW     ES      +
P 3 CRRC  NW     ES
Q 1 CCFC  NEW    -       +
R 3 CCFC  NEW    -
S 2 CCRC  NEW    S       +
T 1 CCRC  NEW    S
U 8 RFRF  -      NS
V 9 FFRR  -      SW
W 4 FRRR  -      E,S,W
X 1 RRRR  -      N,E,S,W
"""


def tile(name: str) -> Tile:
    return next(one for one in BASE.tiles if one.name == name)


def joined(one: Tile, kind: str) -> str:
    """The features of a kind by the edges they join, as the table writes them."""
    found = ["".join(EDGES[e] for e in s.edges) for s in one.segments if s.kind == kind]
    return ",".join(found) or "-"


# -- the base game ---------------------------------------------------------------------------------


@pytest.mark.rule("BASE-01")
def test_the_24_kinds_are_those_of_the_published_table() -> None:
    rows = [row.split() for row in TABLE.strip().splitlines()]
    assert [one.name for one in BASE.tiles] == [row[0] for row in rows]
    assert len(rows) == 24
    for one, (_, copies, edges, cities, roads, *extra) in zip(BASE.tiles, rows, strict=True):
        assert (one.copies, one.edges) == (int(copies), edges), one.name
        assert (joined(one, "city"), joined(one, "road")) == (cities, roads), one.name
        arms = [n for s in one.segments for mark, n in s.marks if mark == "coat_of_arms"]
        assert arms == ([1] if "+" in extra else []), one.name
        assert [s.kind for s in one.segments].count("monastery") == extra.count("m"), one.name


@pytest.mark.rule("BASE-01")
def test_72_tiles_one_of_kind_d_on_the_table() -> None:
    assert sum(one.copies for one in BASE.tiles) == 72
    assert BASE.start == (("D", 0, 0),)
    assert sum(one.copies for one in without_start(BASE).tiles) == 71


@pytest.mark.rule("BASE-17", "BASE-18")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # The field between city and road borders the city, the one beyond the road does not.
        ("D", {("EL WR", "N"), ("S ER WL", "")}),
        ("J", {("W EL SR", "N"), ("ER SL", "")}),
        ("O", {("EL SR", "NW"), ("ER SL", "")}),
        # Two cities, one field between them.
        ("H", {("E W", "N S")}),
        ("I", {("S W", "N E")}),
        # A city right across: a field on either side. A road that ends at a city parts the ground
        # before it.
        ("G", {("E", "NS"), ("W", "NS")}),
        ("T", {("SL", "NEW"), ("SR", "NEW")}),
        # A road that ends at a monastery parts nothing; a village with three roads parts three
        # fields.
        ("A", {("N E W SL SR", "")}),
        ("L", {("EL WR", "N"), ("ER SL", ""), ("SR WL", "")}),
        ("C", set()),
    ],
)
def test_fields_and_the_cities_they_border(kind: str, expected: set[tuple[str, str]]) -> None:
    one = tile(kind)
    found = {
        (
            frozenset(places),
            frozenset("".join(EDGES[e] for e in one.segments[city].edges) for city in cities),
        )
        for places, cities in fields_written(one)
    }
    assert found == {
        (frozenset(places.split()), frozenset(cities.split())) for places, cities in expected
    }


def test_every_base_tile_is_known_in_full() -> None:
    for one in BASE.tiles:
        assert one.known == ("copies", "edges", "segments")
        assert not one.reconstructed


@pytest.mark.rule("BASE-17", "BASE-18")
def test_every_kinds_fields_follow_from_its_cities_and_roads() -> None:
    assert [one.name for one in BASE.tiles if fields_written(one) != fields(one)] == []
