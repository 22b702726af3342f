"""Tile files: what their lines say, and every mistake named with its line."""

import re
import time
from pathlib import Path

import pytest

from carc import Rules
from carc.base.expansions.base_game import TILES as BASE_TILES
from carc.base.tiles.catalogue import Catalogue
from carc.base.tiles.tile import BASE_KINDS, Segment, SegmentKind, Tile, TileSet
from carc.base.tiles.tile_file import parse_tiles, read_tiles
from carc.errors import BadRules, TileError

HAZE = SegmentKind("haze", overlay=True, completed_by="edges", claimable=False)
BASE = read_tiles(BASE_TILES, BASE_KINDS)


def parse(*lines: str, header: str = "carc-tiles 1\nset mine\n") -> TileSet:
    return parse_tiles(header + "\n".join(lines) + "\n", (*BASE_KINDS, HAZE), "mine.txt")


def test_a_tile_is_what_its_lines_say() -> None:
    one = parse(
        "tile T1 3 CRFR   # a comment",
        "  city N coat_of_arms=2",
        "  road E W",
        "  field EL WR touches=0",
        "  field ER S WL",
        "  number 14",
        "  known: number, copies",
        "  reconstructed: edges",
        "start T1 0,0",
        "start T1 1,0",
    )
    assert one.name == "mine"
    assert one.start == (("T1", 0, 0), ("T1", 1, 0))
    assert one.tiles == (
        Tile(
            "T1",
            3,
            "CRFR",
            (
                Segment("city", edges=(0,), marks=(("coat_of_arms", 2),)),
                Segment("road", edges=(1, 3)),
                Segment("field", halves=(2, 7), touches=(0,)),
                Segment("field", edges=(2,), halves=(3, 6)),
            ),
            number=14,
            known=("number", "copies"),
            reconstructed=("edges",),
        ),
    )


def test_a_whole_edge_of_field_beside_a_road_is_both_its_halves() -> None:
    (one,) = parse("tile A 1 FFRF", "road S", "field N E S W").tiles
    assert one.segments[1].edges == (0, 1, 3)
    assert one.segments[1].halves == (4, 5)


def test_a_tile_has_a_group_and_symbols() -> None:
    (one,) = parse(
        "tile A 1 FFFF", "field N E S W", "group lake", "symbol fire", "symbol gate=2"
    ).tiles
    assert (one.group, one.symbols) == ("lake", (("fire", ""), ("gate", "2")))
    assert (one.symbol("fire"), one.symbol("gate"), one.symbol("fountain")) == ("", "2", None)


def test_a_tile_may_be_held_in_the_hand() -> None:
    """Two players hold one each, so the bag has none, and the table has room for both."""
    abbey = parse("tile abbey 2 ????", "monastery", "hand 1")
    assert abbey.tiles[0].hand == 1
    catalogue = Catalogue([BASE, abbey], BASE_KINDS)
    assert catalogue.copies[catalogue.index["abbey"]] == 0
    assert catalogue.most_tiles == 72 + 2
    assert abbey.digest != parse("tile abbey 2 ????", "monastery").digest


def test_a_wall_stands_where_no_field_is() -> None:
    one = parse("tile A 1 FFFF", "field N EL WR", "wall ER S WL", "tile B 1 FFFF", "wall N E S W")
    assert one.tiles[0].segments == (Segment("field", edges=(0,), halves=(2, 7)),)
    assert one.tiles[1].segments == ()


@pytest.mark.rule("MIST-01", "MIST-06")
def test_an_overlay_lies_over_field_and_road_and_fields_end_at_it() -> None:
    (one,) = parse("tile A 1 CRFF", "city N", "road E", "haze E S", "field W touches=0").tiles
    assert one.segments[2].edges == (1, 2)
    assert one.edges == "CRFF"


def test_two_cities_may_share_an_edge() -> None:
    (one,) = parse("tile A 1 CCFF", "city N", "city E shares=N", "field S W").tiles
    assert [segment.shares for segment in one.segments] == [(), (0,), ()]


# A tile file's lines, and what is said of them. TILE: a tile that is right; MANY: a hundred nines.
TILE = "tile A 1 CRFF; city N; road E; field EL ER S W touches=0"
WRONG = """
tile A 1 FFFF; lake N
    4: unknown kind of segment 'lake'; known are city road field monastery haze
TILE; field W
    7: W belongs to two segments; each edge belongs to one
tile A 1 CRFF; city N; road E; field EL ER W touches=0
    3: tile 'A': S belongs to no segment; every edge belongs to one
tile A 1 CRFF; city N; road E; field EL S W touches=0
    3: tile 'A': ER belongs to no segment; every edge belongs to one
tile A 1 CRFF; city N; field E S W touches=0
    3: tile 'A': E belongs to no segment; every edge belongs to one
tile A 1 CRFF; city N; haze E; field S W touches=0
    3: tile 'A': E belongs to no segment; every edge belongs to one
TILE; haze N
    7: haze over the city edge N; it lies over F and R only
TILE; haze S
    6: a field at S, which is under haze; fields end there
tile A 1 CRFF; city N E
    4: a city at E, but the tile's edges CRFF have R there
tile A 1 FFFF; field NL NR E S W
    4: half-edge NL, but no road crosses that edge: write N
tile A 1 CFFF; city NL
    4: 'NL' is not an edge of a city; edges are N E S W
tile A 1 CRFF; city N; road E; field EL ER S W touches=1
    6: touches=1 is not the index of a city; this tile's cities are 0
tile A 1 FFFF; field N E S W touches=7
    4: touches=7 is not the index of a city; this tile's cities are none
tile A 1 CRFF; city N; road E; field EL ER S W touches=N
    6: 'touches=N'; touches=0,1 names segments by index, once
tile A 1 CFFF; city N touches=0
    4: 'touches=0' on a city; a mark is written name=N with N from 1 to 9
tile A 1 CFFF; city N coat_of_arms=yes
    4: 'coat_of_arms=yes' on a city; a mark is written name=N with N from 1 to 9
tile A 1 CFFF; city N coat_of_arms=²
    4: 'coat_of_arms=²' on a city; a mark is written name=N with N from 1 to 9
tile A 1 CFFF; city N coat_of_arms=1 coat_of_arms=2
    4: 'coat_of_arms' twice on a city; each mark is written once
tile A 1 FFFF; monastery N
    4: a monastery reaches no edge
tile A 1 FFFF; road
    4: a road reaches at least one edge
tile A 1 CFFF; city
    4: a city reaches at least one edge
TILE; haze
    7: haze reaches at least one edge
TILE; tile A 1 FFFF
    7: there is a tile 'A' already; every tile has a different name
tile A 1
    3: a tile starts with: tile NAME COPIES EDGES
tile A 0 FFFF
    3: '0' copies; a whole number from 1 to 99 is allowed
tile A MANY FFFF
    3: 'MANY' copies; a whole number from 1 to 99 is allowed
tile A 1 FFFX
    3: edges 'FFFX'; four letters of CFRG? clockwise from north are allowed
tile A:B 1 FFFF
    3: 'A:B' is not a tile name; letters, digits, - and _ are allowed
TILE; number XIV
    7: 'number XIV'; the publisher's number is written number 14, up to four digits
TILE; group
    7: 'group'; a tile's group is written once: group NAME
TILE; group river; group lake
    8: 'group lake'; a tile's group is written once: group NAME
TILE; symbol
    7: 'symbol'; a symbol is written symbol NAME or symbol NAME=VALUE, once each
TILE; hand 1; hand 2
    8: 'hand 2'; what each player holds is written once: hand 1, up to 9
TILE; wall X
    7: 'X'; a wall is written wall N EL, by edges and half-edges
tile A 1 FFFF; field N EL; wall EL ER S W
    3: EL belongs to a segment and to the wall
tile A 1 FFFF; field N; wall EL S W
    3: tile 'A': ER belongs to no segment; every edge belongs to one
TILE; symbol inn; symbol inn=2
    8: 'symbol inn=2'; a symbol is written symbol NAME or symbol NAME=VALUE, once each
tile A 1 FFFF; field NL E S W
    3: tile 'A': NR belongs to no segment; every edge belongs to one
tile A 1 CFFF; city N shares=N; field E S W
    4: shares=N is not an edge of another city
tile A 1 CRFF; city N shares=E; road E; field EL ER S W
    4: shares=E is not an edge of another city
tile A 1 CFFF; city N shares=E,S; field E S W
    4: 'shares=E,S'; shares=N names one edge that another segment carries
tile A 1 FFFF; field N E S; field W shares=N
    5: 'shares=N' on a field; a mark is written name=N with N from 1 to 9
tile A 1 FFFF; field NL E S W; field N
    3: N belongs to two segments; each edge belongs to one
city N
    3: 'city' outside a tile; a tile starts with: tile NAME COPIES EDGES
set other
    3: the set is named once: set NAME
TILE; start B 0,0
    7: there is no tile 'B' above; tiles are A
TILE; start A 0,0; start A 1,1
    8: all copies of 'A' are on the table already; the tile has 1
tile B 2 FFFF; field N E S W; start B 0,0; start B 0,0
    6: there is a start tile at 0,0 already; a cell has one tile
TILE; tile B 1 FFFF; field N E S W; start A 0,0; start B 1,0
    10: edge W of 'B' does not match 'A' beside it; start tiles match like any others
TILE; start A
    7: a start tile is written: start NAME X,Y
"""
CASES = WRONG.strip().replace("TILE", TILE).replace("MANY", "9" * 100).splitlines()


@pytest.mark.parametrize(("lines", "message"), [*zip(CASES[::2], CASES[1::2], strict=True)])
def test_a_mistake_is_named_with_its_line_and_what_is_allowed(lines: str, message: str) -> None:
    with pytest.raises(TileError) as raised:
        parse(*lines.split("; "))
    assert str(raised.value) == f"mine.txt:{message.strip()}"


def test_an_expansions_kind_is_none_of_the_base_game() -> None:
    with pytest.raises(TileError, match="unknown kind of segment 'haze'"):
        parse_tiles("carc-tiles 1\nset base\ntile B 4 FFFF\n  haze N\n", BASE_KINDS, "b.txt")


@pytest.mark.parametrize("text", ["", "set mine\n", "carc-tiles 2\n", "{}\n", "\n\n"])
def test_a_file_without_the_header_is_no_tile_file(text: str) -> None:
    with pytest.raises(TileError, match=r"^mine\.txt:\d+: .*'carc-tiles 1'"):
        parse(header=text)


@pytest.mark.parametrize("text", ["carc-tiles 1\n", "carc-tiles 1\nset mine\n"])
def test_a_file_without_a_set_or_tiles_is_no_tile_file(text: str) -> None:
    with pytest.raises(TileError, match="the file ends before"):
        parse(header=text)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(TileError, match=r"none\.txt: cannot be read: No such file"):
        read_tiles(tmp_path / "none.txt", BASE_KINDS)
    with pytest.raises(TileError, match="cannot be read: Is a directory"):
        read_tiles(tmp_path, BASE_KINDS)
    odd = tmp_path / "odd.txt"
    odd.write_bytes(b"carc-tiles 1\nset \xff\xfe\n")
    with pytest.raises(TileError, match=r"odd\.txt:2: not UTF-8 text"):
        read_tiles(odd, BASE_KINDS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# " + "x" * (1 << 20), "larger than 1024 kB"),
        ("x" * 5000, ":1: more than 1000 characters"),
        (
            "carc-tiles 1\nset s\n"
            + "".join(f"tile T{n} 1 FFFF\nfield N E S W\n" for n in range(1001)),
            ":2003: more than 1000 tiles",
        ),
        ("carc-tiles 1\nset s\ntile T 1 FFFF\n" + "monastery\n" * 101, ":104: more than 100 lines"),
    ],
)
def test_files_too_large_are_refused(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "large.txt"
    file.write_text(text)
    with pytest.raises(TileError, match=told):
        read_tiles(file, BASE_KINDS)


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(TileError, match="larger than 1024 kB; is this a tile file"):
        read_tiles(Path("/dev/zero"), BASE_KINDS)


def test_the_largest_file_is_read_in_time_and_its_mistakes_are_short() -> None:
    """Of 1000 tiles, each on the table in all copies: time grows with their number alone."""
    tiles = "".join(f"tile T{n} 39 FFFF\nfield N E S W\n" for n in range(1000))
    cells = [(x, y) for x in range(-98, 99) for y in range(-98, 99)]
    laid = "".join(f"start T{n // 39} {x},{y}\n" for n, (x, y) in enumerate(cells))
    begun = time.process_time()
    one = parse(tiles + laid)
    assert time.process_time() - begun < 10  # half a second; with squares it was minutes
    assert len(one.start) == len(cells)
    with pytest.raises(TileError, match="there is no tile 'none' above") as refused:
        parse(tiles + "start none 0,0")
    assert len(str(refused.value)) < 350


def test_a_file_as_windows_editors_save_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(b"\xef\xbb\xbf" + BASE_TILES.read_bytes().replace(b"\n", b"\r\n"))
    assert read_tiles(file, BASE_KINDS) == BASE


def test_the_digest_is_of_the_meaning() -> None:
    plain = parse("tile A 1 FFFF", "field N E S W")
    dressed = parse("", "# grass", "tile   A 1 FFFF", "   field N E S W # all", "known: all")
    assert dressed.digest == plain.digest
    others = [
        parse("tile B 1 FFFF", "field N E S W"),
        parse("tile A 2 FFFF", "field N E S W"),
        parse("tile A 1 FFFF", "field N E S W", "start A 0,0"),
        parse("tile A 1 FFFF", "field N E S", "field W"),
        parse("tile A 1 FFFF", "monastery", "field N E S W"),
        parse("tile A 1 FFFF", "haze N", "field E S W"),
        parse("tile A 1 FFFF", "field N E S W", "group lake"),
        parse("tile A 1 FFFF", "field N E S W", "symbol fire"),
        parse("tile A 1 FFFF", "field N E S W", "symbol fire=2"),
        parse("tile A 1 FFFF", "haze N thick=1", "field E S W"),
        parse("tile A 1 CCFF", "city N", "city E", "field S W"),
        parse("tile A 1 CCFF", "city N", "city E shares=N", "field S W"),
        parse("tile A 1 FFFF", "field N E S W", header="carc-tiles 1\nset other\n"),
    ]
    digests = {one.digest for one in (plain, *others)}
    assert len(digests) == len(others) + 1


BOX = "carc-tiles 1\nset base\ntile B {copies} FFFF\n  field N E S W{mark}\n"
FIVE = "".join(f"tile B{n} 99 FFFF\n  field N E S W\n" for n in range(5))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOX.format(copies=9, mark=""), "no tile set has a start tile; one says: start NAME X,Y"),
        (
            BOX.format(copies=30, mark=" sheep=9") + "start B 0,0\n",
            "the tiles' sheep add up to 270; at most 255 are allowed",
        ),
        (
            "carc-tiles 1\nset base\n" + FIVE + "start B0 9,0\n",
            "the tiles could reach 504 cells from the middle of the table; at most 500 are allowed",
        ),
    ],
)
def test_a_box_the_table_cannot_hold_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "own.txt"
    path.write_text(text)
    with pytest.raises(BadRules, match=re.escape(told)):
        Rules.from_spec("base", tiles=[path])


@pytest.mark.parametrize("words", ["0", "0 9", "0 x", "1 1"])
def test_what_meets_is_two_segments_of_the_tile(words: str) -> None:
    tile = ("tile T 1 RFRF", "  road N", "  road S", "  field NR E SL", "  field SR W NL")
    assert parse(*tile, "  meets 0 1").tiles[0].meets == ((0, 1),)
    with pytest.raises(TileError, match="segments that touch are written meets 0 2"):
        parse(*tile, f"  meets {words}")
