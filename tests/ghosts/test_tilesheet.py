"""The tiles of Mists over Carcassonne and The Spell Circles against what is known of them, typed by hand from the list."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from ground import fields, fields_written
from reconstruction import check_reconstruction

from carc import Rules, tilesheet
from carc.base.tiles import Segment, Tile, TileSet, parse_tiles
from carc.errors import CarcError, TileError
from carc.expansion_ghosts.known import check_mists
from carc.expansion_ghosts.mist import TILES as MIST_TILES
from carc.spellcircles.known import check_circles

PAGE = Path(__file__).resolve().parents[2] / "docs" / "transcribe-a-tile.md"

# Number, copies, ghost symbols (- none; of each copy where they differ). Typed from the publisher's list.
LIST = """
01 x2 (-), 03 (1), 04 (2), 05 (2), 06 (2), 07 x2 (-), 09 x2 (-), 11 (1), 12 (3), 13 (3), 14 x3 (3;3;2), 17 (-), 18 (2),
19 (2), 20 (-), 21 (1), 22 (-), 23 x2 (3;2), 25 (2), 26 (2), 27 (1), 28 (2), 29 (2), 30 (-), 31 (1), 32 (3), 33 (1), 34 (2),
35 (2), 36 (2), 37 (1), 38 x2 (-), 40 (-), 41 (1), 42 (1), 43 (1), 44 (1), 45 (1), 46 (-), 47 (3), 48 (-), 49 (-), 50 (1),
51 (1), 52 (2), 54 x2 (2;1), 55 (-), 56 (1), 57 (2), 58 (2), 59 (1), 60 (2)
"""


TEXT = MIST_TILES.read_text(encoding="utf-8")
SHIPPED = [*tilesheet.shipped("mists").tiles, *tilesheet.shipped("circles").tiles]


@pytest.fixture(scope="module")
def mists() -> TileSet:
    return tilesheet.shipped("mists")


@pytest.fixture(scope="module")
def circles() -> TileSet:
    return tilesheet.shipped("circles")


@pytest.fixture(scope="module")
def base() -> TileSet:
    return tilesheet.shipped("base")


def shows(tile: Tile, *kinds: str) -> bool:
    return all(any(s.kind == kind for s in tile.segments) for kind in kinds)


def marks(tile: Tile, mark: str) -> int:
    return sum(dict(s.marks).get(mark, 0) for s in tile.segments)


def misty(tile: Tile) -> list[int]:
    return [edge for s in tile.segments if s.kind == "mist" for edge in s.edges]


def reading(text: str) -> TileSet:
    return parse_tiles(text, tilesheet.installed().kinds, "mine.txt")


def block(name: str) -> str:
    """The lines of one of the shipped mist tiles."""
    return TEXT[TEXT.index(f"tile {name} ") :].partition("\n\n")[0]


def numbered(one: TileSet) -> list[Tile]:
    """One by one, without the large start tile."""
    return [tile for tile in one.tiles if tile.number is not None for _ in range(tile.copies)]


# -- the set as it is shipped -------------------------------------------------------------------------------------------


@pytest.mark.rule("COOP-02", "GCC-02")
def test_every_number_has_its_copies_and_symbols(mists: TileSet) -> None:
    wanted: dict[int, Counter[int]] = {}
    for entry in LIST.replace("\n", " ").split(","):
        number, *copies, symbols = entry.split()
        each = [int(one.strip("()").replace("-", "0")) for one in symbols.split(";")]
        times = int(copies[0][1:]) if copies else 1
        wanted[int(number)] = Counter(each * times if len(each) == 1 else each)
    found: dict[int, Counter[int]] = {}
    for tile in numbered(mists):
        assert tile.number is not None
        found.setdefault(tile.number, Counter())[marks(tile, "ghosts")] += 1
    assert found == wanted
    assert sum(counts.total() for counts in wanted.values()) == 60


@pytest.mark.rule("MIST-01")
def test_the_counts_known_from_rules_and_reviews(mists: TileSet) -> None:
    tiles = numbered(mists)
    assert sum(bool(misty(tile)) for tile in tiles) == 48
    assert sum(bool(marks(tile, "ghosts")) for tile in tiles) == 43
    castles = [tile for tile in tiles if shows(tile, "castle")]
    assert [(bool(misty(tile)), marks(tile, "ghosts")) for tile in castles] == [(True, 0)] * 5
    cemeteries = [tile for tile in tiles if shows(tile, "cemetery")]
    assert [misty(tile) for tile in cemeteries] == [[]] * 5
    assert any(shows(tile, "city") for tile in cemeteries)
    assert any(shows(tile, "road") for tile in cemeteries)
    assert not any(shows(tile, "monastery") for tile in mists.tiles)
    assert 6 <= sum(marks(tile, "coat_of_arms") for tile in tiles) <= 8
    for tile in mists.tiles:
        assert all(tile.edges[edge] in "RF" for edge in misty(tile))
        assert len(set(misty(tile))) == len(misty(tile)) <= 4


@pytest.mark.rule("GCC-01", "COOP-17")
def test_the_large_start_tile(mists: TileSet) -> None:
    tiles = {tile.name: tile for tile in mists.tiles}
    quarters = {(x, y): tiles[name] for name, x, y in mists.start}
    assert set(quarters) == {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert sorted(marks(tile, "ghosts") for tile in quarters.values()) == [0, 0, 1, 2]
    for (x, y), tile in quarters.items():
        inner = {1 if x == 0 else 3, 2 if y == 0 else 0}
        assert not inner & set(misty(tile))
        # No road goes through the ruins into another quarter.
        assert all(tile.edges[edge] == "F" for edge in inner)
        roads = [s for s in tile.segments if s.kind == "road"]
        assert all(len(road.edges) == 1 for road in roads)
    assert any(shows(tile, "road") for tile in quarters.values())


def test_every_tile_says_what_is_known_and_what_was_made_up(
    mists: TileSet, circles: TileSet
) -> None:
    for tile in (*mists.tiles, *circles.tiles):
        assert tile.known, tile.name
        assert "edges" in tile.reconstructed, tile.name
        assert "segments" in tile.reconstructed, tile.name
    for tile in mists.tiles:
        if tile.number is not None:
            assert tile.known[0] == "number"


@pytest.mark.rule("MIST-06")
def test_no_field_reaches_mist_and_mist_in_the_middle_parts_the_ground(mists: TileSet) -> None:
    for tile in mists.tiles:
        for s in tile.segments:
            if s.kind == "field":
                assert not set(misty(tile)) & {*s.edges, *(half // 2 for half in s.halves)}
        # One mist from an edge to the opposite one: no ground goes on past it.
        for mist in (s for s in tile.segments if s.kind == "mist"):
            for across in ((0, 2), (1, 3)):
                if set(across) <= set(mist.edges):
                    beyond = {edge for edge in range(4) if edge not in across}
                    for s in tile.segments:
                        if s.kind == "field":
                            assert not beyond <= {*s.edges, *(half // 2 for half in s.halves)}


@pytest.mark.rule("MIST-06", "BASE-18")
@pytest.mark.parametrize(
    "tile", [t for t in SHIPPED if not t.name.startswith("MS-")], ids=lambda t: t.name
)
def test_every_tiles_fields_follow_from_its_cities_roads_and_mist(tile: Tile) -> None:
    assert fields_written(tile) == fields(tile)


@pytest.mark.rule("GCC-01", "COOP-17")
def test_the_large_start_tile_on_the_table() -> None:
    state = Rules.named("base+ghosts", 2).start()
    found = state.features()
    assert [tile["kind"] for tile in state.to_dict()["tiles"]] == [
        "MS-NW",
        "MS-NE",
        "MS-SW",
        "MS-SE",
    ]
    # Two banks, with 2 symbols and 1, each with two edges to expand it by.
    banks = [f for f in found if f["kind"] == "mist"]
    assert sorted((f["marks"]["ghosts"], f["open_edges"]) for f in banks) == [(1, 2), (2, 2)]
    # Four roads that end at the ruins, one on each quarter, and a field between each and the next.
    roads = [f for f in found if f["kind"] == "road"]
    assert [(len(f["tiles"]), f["open_edges"]) for f in roads] == [(1, 1)] * 4
    grounds = [f for f in found if f["kind"] == "field"]
    assert [len(f["tiles"]) for f in grounds] == [2] * 4
    assert not [f for f in found if f["kind"] in ("castle", "cemetery", "monastery", "city")]


@pytest.mark.rule("SPC-01")
def test_the_nine_circle_tiles(circles: TileSet) -> None:
    assert sorted(marks(tile, "circles") for tile in circles.tiles) == [1, 1, 1, 2, 2, 2, 2, 3, 3]
    assert [tile.copies for tile in circles.tiles] == [1] * 9
    assert all(misty(tile) and not marks(tile, "ghosts") for tile in circles.tiles)
    assert any(marks(tile, "circles") == 1 and shows(tile, "city") for tile in circles.tiles)
    for tile in circles.tiles:
        assert all(s.kind == "mist" for s in tile.segments if dict(s.marks).get("circles"))


@pytest.mark.parametrize("name", ["mists", "circles"])
def test_nothing_shipped_contradicts_what_is_known(name: str, base: TileSet) -> None:
    one = tilesheet.shipped(name)
    assert tilesheet.check(one) == []
    assert check_reconstruction(one, base) == []


# -- the sheet ----------------------------------------------------------------------------------------------------------


def test_the_base_sets_figures_as_counted_by_hand(base: TileSet) -> None:
    figures = tilesheet.sheet(base)
    # Of the 288 edges of 72 tiles 79 are city, 94 road, 115 field: counted from the published table.
    # They are 72 tiles with the start tile on the table, all of whose edges can meet others.
    assert (figures.tiles, figures.at_start) == (72, 1)
    assert figures.shares == pytest.approx({"C": 79 / 288, "R": 94 / 288, "F": 115 / 288})
    assert figures.marks["coat_of_arms"] == 10  # C, F twice, M twice, O twice, Q, S twice
    assert figures.showing["monastery"] == 6
    assert (figures.covered, figures.covered_roads, figures.reconstructed) == ({}, {}, 0)


def test_the_mist_sets_figures(mists: TileSet) -> None:
    figures = tilesheet.sheet(mists)
    assert (figures.tiles, figures.at_start) == (64, 4)
    assert (figures.showing["castle"], figures.showing["cemetery"]) == (5, 5)
    assert (figures.showing["mist"], figures.marked["ghosts"]) == (48, 43)
    assert (
        figures.marks["ghosts"] == 17 * 1 + 19 * 2 + 7 * 3
    )  # by the list: 17 ones, 19 twos, 7 threes
    assert sum(figures.shares.values()) == pytest.approx(1)
    assert figures.reconstructed == len(mists.tiles)


def test_a_row_says_in_words_what_is_on_the_tile(base: TileSet) -> None:
    row = next(row for row in tilesheet.sheet(base).rows if row.name == "O")
    assert row.cells() == (
        "O",
        "",
        "2",
        "CRRC",
        "city N W (coat of arms 1); road E S; field EL SR by city N W; field ER SL",
        "copies, edges, segments",
        "",
    )


SMALL = """
carc-tiles 1
set small
tile Q 2 FFRF
  road S
  mist N ghosts=1
  field E SL SR W
tile P 3 CRFF
  number 7
  city N coat_of_arms=2
  road E
  mist E S
  field W touches=0
  known: copies, edges
  reconstructed: segments
start Q 0,0
start Q 1,0
""".lstrip()


def test_a_set_in_figures() -> None:
    """To draw: P three times. Edges that can meet a tile: 3 x 4 of P; of each Q all but the one between the two."""
    found = tilesheet.sheet(reading(SMALL))
    assert (found.tiles, found.at_start, len(found.rows), found.reconstructed) == (5, 2, 2, 1)
    assert found.showing == {"city": 3, "road": 3, "mist": 3, "field": 3}
    assert found.marks == {"coat_of_arms": 6}
    # C: 3; R: 3 + 2; F: 6 + 4, of 18.
    assert found.shares == pytest.approx({"C": 3 / 18, "R": 5 / 18, "F": 10 / 18})
    assert found.covered == pytest.approx({"mist": (3 * 2 + 2 * 1) / 5})
    assert found.covered_roads == pytest.approx({"mist": 3 / 5})


def test_a_tile_in_words() -> None:
    assert tilesheet.sheet(reading(SMALL)).rows[1].cells() == (
        "P",
        "7",
        "3",
        "CRFF",
        "city N (coat of arms 2); road E; mist E S; field W by city N",
        "copies, edges",
        "segments",
    )


def test_figures_side_by_side(mists: TileSet, base: TileSet) -> None:
    figures = {
        label: (mine, base)
        for label, mine, base in tilesheet.compare(tilesheet.sheet(mists), tilesheet.sheet(base))
    }
    assert figures["city edges"][1] == f"{79 / 288:.1%}"
    assert figures["road edges"][1] == f"{94 / 288:.1%}"
    assert figures["field edges"][1] == f"{115 / 288:.1%}"
    assert figures["tiles to draw"] == ("60", "71")
    assert figures["tiles with mist"] == ("48", "0")
    assert figures["tiles with ghosts"] == ("43", "0")
    assert figures["tiles with monastery"] == ("0", "6")
    assert figures["coat of arms on all tiles"] == ("6", "10")
    assert "circles on all tiles" not in figures  # neither set has any


# -- contradictions, each on an altered copy ----------------------------------------------------------------------------

Change = Callable[[Tile], Tile]


def altered(one: TileSet, change: Change, at: Callable[[Tile], bool], times: int = 999) -> TileSet:
    """A set with the first `times` tiles for which `at` is true changed."""
    tiles = []
    for tile in one.tiles:
        if at(tile) and times:
            times -= 1
            tiles.append(change(tile))
        else:
            tiles.append(tile)
    return attrs.evolve(one, tiles=tuple(tiles))


def number(n: int) -> Callable[[Tile], bool]:
    return lambda tile: tile.number == n


def showing(kind: str) -> Callable[[Tile], bool]:
    return lambda tile: shows(tile, kind)


def marked(mark: str, n: int) -> Change:
    """The first mist with so many of a mark instead of its own."""

    def change(tile: Tile) -> Tile:
        at = next(i for i, s in enumerate(tile.segments) if s.kind == "mist")
        own = tuple(one for one in tile.segments[at].marks if one[0] != mark)
        new = attrs.evolve(tile.segments[at], marks=(*own, (mark, n)) if n else own)
        return attrs.evolve(tile, segments=(*tile.segments[:at], new, *tile.segments[at + 1 :]))

    return change


def unmarked(mark: str) -> Change:
    def change(tile: Tile) -> Tile:
        return attrs.evolve(
            tile,
            segments=tuple(
                attrs.evolve(s, marks=tuple(m for m in s.marks if m[0] != mark))
                for s in tile.segments
            ),
        )

    return change


def without(kind: str) -> Change:
    return lambda tile: attrs.evolve(
        tile, segments=tuple(s for s in tile.segments if s.kind != kind)
    )


def adding(*segments: Segment) -> Change:
    return lambda tile: attrs.evolve(tile, segments=(*tile.segments, *segments))


def everywhere(tile: Tile) -> bool:
    return True


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
    with pytest.raises(CarcError, match="nothing is known to check a set 'base' by"):
        tilesheet.check(base)
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
    over = block("M18").replace("mist E S W", "mist N E S W")
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


# -- a reconstruction out of proportion ---------------------------------------------------------------------------------


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
        attrs.evolve(s, marks=(("ghosts", total),)) if s.edges == first.edges and s.kind == "mist" else s
        for s in bare.segments
    ]  # fmt: skip
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
    ("of the edges are city edges; within 5 points of 27.4%", lambda s: altered(s, letters("C", "F"), everywhere)),
    ("of the edges are road edges; within 5 points of 32.6%", lambda s: altered(s, letters("R", "F"), everywhere)),
    ("of the edges are field edges; within 5 points of 39.9%", lambda s: altered(s, letters("F", "R"), everywhere)),
    ("cities have one or two edges; most should", lambda s: altered(s, bigger_cities, everywhere)),
    ("the set should have curves", lambda s: altered(s, without("road"), everywhere)),
    ("the set should have straight roads", lambda s: altered(s, without("road"), everywhere)),
    ("the set should have a few three-way roads", lambda s: altered(s, without("road"), everywhere)),
    ("0 coats of arms; 6 to 8 are allowed", lambda s: altered(s, unmarked("coat_of_arms"), everywhere)),
    ("1.00 misty edges on a misty tile; about 2.2", lambda s: altered(s, mist_over(1), showing("mist"))),
    ("more ghost symbols should go with more mist", lambda s: altered(s, mist_over(1), showing("mist"))),
    ("0% of the road edges are misty; about a third", lambda s: altered(s, clear_roads, showing("mist"))),
    ("0 tiles have two separate mists; 5 to 8", lambda s: altered(s, joined, two_mists)),
    ("two separate mists share the tile's symbols", lambda s: altered(s, one_has_all, two_mists, 1)),
    ("are the same in everything", turned_copy),
    ("number 3 is missing", lambda s: attrs.evolve(s, tiles=tuple(t for t in s.tiles if t.number != 3))),
]  # fmt: skip


@pytest.mark.parametrize(("says", "change"), PROPORTIONS, ids=[c[0][:50] for c in PROPORTIONS])
def test_a_reconstruction_keeps_to_its_rules(
    says: str, change: Callable[[TileSet], TileSet], mists: TileSet, base: TileSet
) -> None:
    found = check_reconstruction(change(mists), base)
    assert any(says in sentence for sentence in found), found


# -- the page on transcribing a tile ------------------------------------------------------------------------------------


def worked_example() -> str:
    blocks = PAGE.read_text(encoding="utf-8").split("```")[1::2]
    return next(block for block in blocks if block.startswith("\ncarc-tiles")).removeprefix("\n")


def test_the_worked_example_is_the_tile_it_describes() -> None:
    one = parse_tiles(worked_example(), tilesheet.installed().kinds, "my-mists.txt")
    (tile,) = one.tiles
    assert (one.name, tile.number, tile.copies, tile.edges) == ("mists", 18, 1, "CRRF")
    assert tile.segments == (
        Segment("city", (0,), marks=(("coat_of_arms", 1),)),
        Segment("road", (1, 2)),
        Segment("mist", (2, 3), marks=(("ghosts", 2),)),
        Segment("field", (), (2,), (0,)),
        Segment("field", (), (3,)),
    )
    assert fields_written(tile) == fields(tile)
    # In place of the shipped tile it fits the known facts.
    own = worked_example().partition("\n\n")[2].rstrip()
    assert check_mists(reading(TEXT.replace(block("M18"), own))) == []


def test_the_page_quotes_what_is_said_of_mistakes(mists: TileSet) -> None:
    page = PAGE.read_text(encoding="utf-8")
    with pytest.raises(TileError) as error:
        parse_tiles(
            worked_example().replace("  field ER\n", ""),
            tilesheet.installed().kinds,
            "my-mists.txt",
        )
    assert str(error.value) in page
    (told,) = (part for part in page.split("```") if part.startswith("\nnumber 18"))
    slips = altered(altered(mists, marked("ghosts", 3), number(18)), without("mist"), number(17))
    assert set(told.strip().splitlines()) <= set(check_mists(slips))


def test_every_installed_expansions_sets_are_found() -> None:
    """Each as its file has it, though some games play with a part of it only."""
    sets = tilesheet.installed().sets
    for name, tiles in (("base", 72), ("mists", 64), ("circles", 9)):
        assert sum(tile.copies for tile in sets[name].tiles) == tiles, name
        assert tilesheet.shipped(name) == sets[name]
    with pytest.raises(CarcError, match="no tile set 'towers'; sets are base mists"):
        tilesheet.shipped("towers")


def test_a_set_of_what_needs_another_expansion_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the team game the circles are played beside the base and ghosts only."""
    points = {name: point for name, point in tilesheet.registered().items() if name != "mists"}
    monkeypatch.setattr(tilesheet, "registered", lambda: points)
    assert "circles" in tilesheet.installed.__wrapped__().sets
