"""The base game's tiles against a table typed by hand, and what a tile file's reader says of mistakes."""

from pathlib import Path

import pytest

import carc.base
from carc.base.tiles import BASE_KINDS, Segment, Tile, TileSet, parse_tiles, read_tiles
from carc.errors import TileError
from carc.expansion_ghosts.mist import mist_kinds

BASE = Path(carc.base.__file__).parent / "data" / "base.txt"
KINDS = BASE_KINDS + mist_kinds(castles=True, cemeteries=True)

# Kind, copies, edges clockwise from north, and what is on it but fields: + is a coat of arms. Typed from the published list.
TABLE = """
A 2 FFRF monastery, road S
B 4 FFFF monastery
C 1 CCCC city NESW+
D 4 CRFR city N, road EW
E 5 CFFF city N
F 2 FCFC city EW+
G 1 CFCF city NS
H 3 CFCF city N, city S
I 2 CCFF city N, city E
J 3 CRRF city N, road ES
K 3 CFRR city N, road SW
L 3 CRRR city N, road E, road S, road W
M 2 CFFC city NW+
N 3 CFFC city NW
O 2 CRRC city NW+, road ES
P 3 CRRC city NW, road ES
Q 1 CCFC city NEW+
R 3 CCFC city NEW
S 2 CCRC city NEW+, road S
T 1 CCRC city NEW, road S
U 8 RFRF road NS
V 9 FFRR road SW
W 4 FRRR road E, road S, road W
X 1 RRRR road N, road E, road S, road W
"""


@pytest.fixture(scope="module")
def base() -> TileSet:
    return read_tiles(BASE, BASE_KINDS)


def kind_of(one: TileSet, name: str) -> Tile:
    return next(tile for tile in one.tiles if tile.name == name)


def in_words(segment: Segment) -> str:
    edges = "".join("NESW"[edge] for edge in segment.edges)
    coat = "+" if dict(segment.marks).get("coat_of_arms") else ""
    return f"{segment.kind} {edges}{coat}".strip()


def fields(tile: Tile) -> set[tuple[str, tuple[int, ...]]]:
    """The tile's fields: edges and half-edges as one word, the cities bordered."""
    halves = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
    found = set()
    for segment in tile.segments:
        if segment.kind == "field":
            names = ["NESW"[edge] for edge in segment.edges] + [halves[h] for h in segment.halves]
            found.add((" ".join(sorted(names)), segment.touches))
    return found


@pytest.mark.rule("BASE-01")
def test_the_24_kinds_are_those_published(base: TileSet) -> None:
    wanted = {}
    for line in TABLE.split("\n")[1:-1]:
        name, copies, edges, what = line.split(" ", 3)
        wanted[name] = (int(copies), edges, sorted(what.split(", ")))
    found = {
        tile.name: (
            tile.copies,
            tile.edges,
            sorted(in_words(s) for s in tile.segments if s.kind != "field"),
        )
        for tile in base.tiles
    }
    assert found == wanted
    assert sum(copies for copies, _, _ in found.values()) == 72
    assert base.start == (("D", 0, 0),)


@pytest.mark.rule("BASE-18")
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        # A road that ends at the monastery parts nothing.
        ("A", {("E N SL SR W", ())}),
        # One city everywhere: no field.
        ("C", set()),
        # The northern field borders the city; the one beyond the road does not.
        ("D", {("EL WR", (0,)), ("ER S WL", ())}),
        # A city from side to side parts the ground.
        ("F", {("N", (0,)), ("S", (0,))}),
        # Two cities with one field between.
        ("H", {("E W", (0, 1))}),
        # Three roads that end in a village: only the field beneath the wall borders the city.
        ("L", {("EL WR", (0,)), ("ER SL", ()), ("SR WL", ())}),
        # Inside of the curve and outside of it.
        ("O", {("EL SR", (0,)), ("ER SL", ())}),
        # A road to the gate: a field on either side of it, both below the wall.
        ("T", {("SL", (0,)), ("SR", (0,))}),
        ("V", {("E N SL WR", ()), ("SR WL", ())}),
        ("X", {("EL NR", ()), ("ER SL", ()), ("SR WL", ()), ("NL WR", ())}),
    ],
)
def test_fields_and_the_cities_they_border(
    base: TileSet, name: str, wanted: set[tuple[str, tuple[int, ...]]]
) -> None:
    assert fields(kind_of(base, name)) == wanted


def test_every_base_tile_is_known_in_full(base: TileSet) -> None:
    for tile in base.tiles:
        assert tile.known == ("copies", "edges", "segments")
        assert not tile.reconstructed


# -- mistakes -------------------------------------------------------------------------------------------------------


def reading(*lines: str) -> TileSet:
    """A file whose fourth line is the first of `lines`."""
    return parse_tiles("\n".join(("carc-tiles 1", "set small", "", *lines)), KINDS, "small.txt")


D = ("tile D 4 CRFR", "city N", "road E W", "field EL WR touches=0", "field ER S WL")


def altered(line: int, text: str) -> tuple[str, ...]:
    """Tile D with one of its lines (0 is the first) replaced."""
    return (*D[:line], text, *D[line + 1 :])


def test_comments_and_spacing_do_not_count() -> None:
    spaced = [f"   {line}   # a remark" for line in D]
    assert reading(*spaced) == reading(*D)
    assert reading(*spaced).digest == reading(*D).digest


def test_a_plain_edge_on_a_field_is_both_halves_beside_a_road() -> None:
    tile = reading("tile A 2 FFRF", "road S", "monastery", "field N E S W").tiles[0]
    assert fields(tile) == {("E N SL SR W", ())}


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        (("tile D 4",), 4, "a tile starts with: tile NAME COPIES EDGES"),
        (("tile D! 4 CRFR",), 4, "letters, digits, - and _ are allowed"),
        (("tile D 0 CRFR",), 4, "a whole number from 1 to 99 is allowed"),
        (("tile D 4 CRFX",), 4, "four letters of CFR clockwise from north are allowed"),
        (("tile D 4 CRF",), 4, "four letters of CFR clockwise from north are allowed"),
        ((*D, *D), 9, "there is a tile 'D' already"),
        (("city N",), 4, "'city' belongs to no tile"),
        (altered(1, "town N"), 5, "unknown kind of segment 'town'; known are city road"),
        (altered(1, "city E"), 5, "a city at E, but the tile's edges CRFR have R there"),
        (altered(1, "city"), 5, "a city reaches at least one edge"),
        (altered(1, "city N coat_of_arms=x"), 5, "a mark is written name=N with N from 1 to 9"),
        (altered(1, "city N shield=1 shield=1"), 5, "'shield' twice"),
        (altered(2, "road E EL"), 6, "'EL' is no edge of a road; edges are N E S W"),
        (altered(2, "road E"), 4, "tile 'D': W belongs to no segment"),
        (altered(3, "field EL touches=0"), 4, "tile 'D': WR belongs to no segment"),
        (altered(3, "field EL WR touches=2"), 7, "touches=2 names no city; this tile's cities"),
        (altered(3, "field EL WR touches=all"), 7, "touches=0,1 names segments by index, once"),
        (altered(4, "field ER S WL WR"), 8, "WR belongs to two segments"),
        (altered(4, "field ER SL WL"), 8, "no road crosses that edge: write S"),
        ((*D, "monastery N"), 9, "a monastery reaches no edge"),
        ((*D, "mist N"), 9, "mist over the city edge N; it lies over F and R only"),
        ((*D, "mist"), 9, "mist reaches at least one edge"),
        ((*D, "mist S"), 8, "a field at S, which is under mist; fields end there"),
        ((*D, "number four"), 9, "the publisher's number is written number 14"),
        ((*D, "start D"), 9, "a start tile is written: start NAME X,Y"),
        ((*D, "start E 0,0"), 9, "no tile 'E' above to start with; tiles are D"),
        ((*D, "start D 0,0", "start D 0,0"), 10, "there is a start tile at 0,0 already"),
        ((*D, "start D 0,0", "start D 0,1"), 10, "edge N of 'D' does not match 'D' beside it"),
    ],
)
def test_a_mistake_is_named_with_its_line(lines: tuple[str, ...], line: int, says: str) -> None:
    with pytest.raises(TileError) as error:
        reading(*lines)
    assert str(error.value).startswith(f"small.txt:{line}: ")
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "the file ends before"),
        ("set small", 1, "a tile file starts with the line 'carc-tiles 1'"),
        ("carc-tiles 2", 1, "a tile file starts with the line 'carc-tiles 1'"),
        ("carc-tiles 1\nset small\n", 2, "the file ends before"),
        ("carc-tiles 1\nset one\nset two\n", 3, "the set is named once"),
    ],
)
def test_a_file_needs_its_head(text: str, line: int, says: str) -> None:
    with pytest.raises(TileError) as error:
        parse_tiles(text, KINDS, "small.txt")
    assert str(error.value).startswith(f"small.txt:{line}: ")
    assert says in str(error.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(TileError, match=r"none\.txt: cannot be read"):
        read_tiles(tmp_path / "none.txt", KINDS)
    picture = tmp_path / "picture.txt"
    picture.write_bytes(b"carc-tiles 1\n\xff\xd8")
    with pytest.raises(TileError, match=r"picture\.txt:2: not UTF-8 text"):
        read_tiles(picture, KINDS)


def test_mist_is_no_kind_of_the_base_game() -> None:
    text = "carc-tiles 1\nset base\ntile B 4 FFFF\n  mist N\n"
    with pytest.raises(TileError, match="unknown kind of segment 'mist'"):
        parse_tiles(text, BASE_KINDS, "base.txt")
