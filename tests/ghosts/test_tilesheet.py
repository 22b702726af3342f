"""The tiles of Mists over Carcassonne and The Spell Circles against the list, typed by hand."""

from collections import Counter
from pathlib import Path

import pytest
from check_reconstruction import check_reconstruction
from support.ghost_sets import (
    SHIPPED,
    TEXT,
    altered,
    block,
    marked,
    marks,
    misty,
    number,
    numbered,
    reading,
    shows,
    without,
)
from support.ground import fields, fields_written

from carc import Rules, tilesets
from carc.base.tiles.tile import Segment, TileSet
from carc.base.tiles.tile_file import parse_tiles
from carc.errors import CarcError, TileError
from carc.expansion_ghosts.printed_tiles import check_mists
from carc.tilesets import discovery

PAGE = Path(__file__).resolve().parents[2] / "docs" / "transcribe-a-tile.md"

# Number, copies, ghost symbols (- none; of each copy where they differ). Typed from the publisher's
# list.
LIST = """
01 x2 (-), 03 (1), 04 (2), 05 (2), 06 (2), 07 x2 (-), 09 x2 (-), 11 (1), 12 (3), 13 (3),
14 x3 (3;3;2), 17 (-), 18 (2), 19 (2), 20 (-), 21 (1), 22 (-), 23 x2 (3;2), 25 (2), 26 (2),
27 (1), 28 (2), 29 (2), 30 (-), 31 (1), 32 (3), 33 (1), 34 (2), 35 (2), 36 (2), 37 (1),
38 x2 (-), 40 (-), 41 (1), 42 (1), 43 (1), 44 (1), 45 (1), 46 (-), 47 (3), 48 (-), 49 (-),
50 (1), 51 (1), 52 (2), 54 x2 (2;1), 55 (-), 56 (1), 57 (2), 58 (2), 59 (1), 60 (2)
"""


# -- the set as it is shipped ----------------------------------------------------------------------


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
def test_every_tiles_fields_follow_from_its_cities_roads_and_mist() -> None:
    tiles = [tile for tile in SHIPPED if not tile.name.startswith("MS-")]
    assert [tile.name for tile in tiles if fields_written(tile) != fields(tile)] == []


@pytest.mark.rule("GCC-01", "COOP-17")
def test_the_large_start_tile_on_the_table() -> None:
    state = Rules.from_spec("base+ghosts", 2).start()
    found = state.to_dict("features")["features"]
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
    one = tilesets.by_name(name)
    assert tilesets.contradictions(one) == []
    assert check_reconstruction(one, base) == []


# -- the sheet -------------------------------------------------------------------------------------


def test_the_base_sets_figures_as_counted_by_hand(base: TileSet) -> None:
    figures = tilesets.summarize(base)
    # Of the 288 edges of 72 tiles 79 are city, 94 road, 115 field: counted from the published
    # table. They are 72 tiles with the start tile on the table, all of whose edges can meet others.
    assert (figures.tiles, figures.at_start) == (72, 1)
    assert figures.shares == pytest.approx({"C": 79 / 288, "R": 94 / 288, "F": 115 / 288})
    assert figures.marks["coat_of_arms"] == 10  # C, F twice, M twice, O twice, Q, S twice
    assert figures.with_kind["monastery"] == 6
    assert (figures.covered, figures.covered_roads, figures.reconstructed) == ({}, {}, 0)


def test_the_mist_sets_figures(mists: TileSet) -> None:
    figures = tilesets.summarize(mists)
    assert (figures.tiles, figures.at_start) == (64, 4)
    assert (figures.with_kind["castle"], figures.with_kind["cemetery"]) == (5, 5)
    assert (figures.with_kind["mist"], figures.with_mark["ghosts"]) == (48, 43)
    # By the list: 17 ones, 19 twos, 7 threes.
    assert figures.marks["ghosts"] == 17 * 1 + 19 * 2 + 7 * 3
    assert sum(figures.shares.values()) == pytest.approx(1)
    assert figures.reconstructed == len(mists.tiles)


def test_a_row_says_in_words_what_is_on_the_tile(base: TileSet) -> None:
    row = next(row for row in tilesets.summarize(base).rows if row.name == "O")
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
    """To draw: P three times.

    Edges that can meet a tile: 3 x 4 of P; of each Q all but the one between the two.
    """
    found = tilesets.summarize(reading(SMALL))
    assert (found.tiles, found.at_start, len(found.rows), found.reconstructed) == (5, 2, 2, 1)
    assert found.with_kind == {"city": 3, "road": 3, "mist": 3, "field": 3}
    assert found.marks == {"coat_of_arms": 6}
    # C: 3; R: 3 + 2; F: 6 + 4, of 18.
    assert found.shares == pytest.approx({"C": 3 / 18, "R": 5 / 18, "F": 10 / 18})
    assert found.covered == pytest.approx({"mist": (3 * 2 + 2 * 1) / 5})
    assert found.covered_roads == pytest.approx({"mist": 3 / 5})


def test_a_tile_in_words() -> None:
    assert tilesets.summarize(reading(SMALL)).rows[1].cells() == (
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
        for label, mine, base in tilesets.compare(
            tilesets.summarize(mists), tilesets.summarize(base)
        )
    }
    assert figures["city edges"][1] == f"{79 / 288:.1%}"
    assert figures["road edges"][1] == f"{94 / 288:.1%}"
    assert figures["field edges"][1] == f"{115 / 288:.1%}"
    assert figures["tiles to draw"] == ("60", "71")
    assert figures["tiles with mist"] == ("48", "0")
    assert figures["tiles with ghosts"] == ("43", "0")
    assert figures["tiles with monastery"] == ("0", "6")
    assert figures["coat of arms on all tiles"] == ("8", "10")
    assert "circles on all tiles" not in figures  # neither set has any


# -- the page on transcribing a tile ---------------------------------------------------------------


def worked_example() -> str:
    blocks = PAGE.read_text(encoding="utf-8").split("```")[1::2]
    return next(block for block in blocks if block.startswith("\ncarc-tiles")).removeprefix("\n")


def test_the_worked_example_is_the_tile_it_describes() -> None:
    one = parse_tiles(worked_example(), tilesets.installed().kinds, "my-mists.txt")
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
            worked_example().replace("  field ER\n", ""), tilesets.installed().kinds, "my-mists.txt"
        )
    assert str(error.value) in page
    (told,) = (part for part in page.split("```") if part.startswith("\nnumber 18"))
    slips = altered(altered(mists, marked("ghosts", 3), number(18)), without("mist"), number(17))
    assert set(told.strip().splitlines()) <= set(check_mists(slips))


def test_every_installed_expansions_sets_are_found() -> None:
    """Each as its file has it, though some games play with a part of it only."""
    sets = tilesets.installed().sets
    for name, tiles in (("base", 72), ("mists", 64), ("circles", 9)):
        assert sum(tile.copies for tile in sets[name].tiles) == tiles, name
        assert tilesets.by_name(name) == sets[name]
    with pytest.raises(CarcError, match="no tile set 'towers'; the sets are base mists"):
        tilesets.by_name("towers")


def test_a_set_of_what_needs_another_expansion_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the team game the circles are played beside the base and ghosts only."""
    points = {name: point for name, point in discovery.registered().items() if name != "mists"}
    monkeypatch.setattr(discovery, "registered", lambda: points)
    assert "circles" in tilesets.installed.__wrapped__().sets
