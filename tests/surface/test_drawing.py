"""Positions and tiles drawn: what lies on the table is seen, as text and SVG, of any expansion."""

import math
import random
import re
import xml.etree.ElementTree as ET

import attrs
import click
import pytest
from support.notation import do

from carc import CHANCE, Rules, State, tilesets
from carc.base.tiles.tile import Segment, Tile
from carc.drawing import artwork, board_svg, board_text, draw_text, geometry, style, tiles_by_name
from carc.drawing.tile_layout import tile_layout
from carc.drawing.tile_svg import tile_svg

SVG = "{http://www.w3.org/2000/svg}"
SHIPPED = [tile for name in ("base", "mists", "circles") for tile in tilesets.by_name(name).tiles]


def board(state: State) -> list[str]:
    """The board's lines, without the coordinates, scores and legend."""
    lines = str(state).split("\n\n")[0].splitlines()[1:]
    margin = max(len(re.match(r" *-?\d* ", line)[0]) for line in lines[1::3])  # type: ignore[index]
    return [line[margin:] for line in lines]


def picture(state: State, **options: object) -> ET.Element:
    tiles = tiles_by_name(state.rules)
    svg = board_svg.board(state.to_dict(), tiles, **options)  # type: ignore[arg-type]
    return ET.fromstring(svg)


def figures(picture: ET.Element, owner: int) -> int:
    """How many figures in an owner's colour are on the table, wherever they stand."""
    colour = artwork.OWNERS[owner][0]
    return sum(
        e.get("fill") == colour and e.get("stroke-width") == "1.8"
        for e in picture.iter(f"{SVG}path")
    )


def words(picture: ET.Element) -> list[str]:
    return [e.text or "" for e in picture.iter(f"{SVG}text")]


def with_pieces(*some: dict[str, object]) -> dict[str, object]:
    """The base game's start with pieces on its tile, as an expansion would tell of them."""
    place = {"x": 0, "y": 0, "segment": None, "owner": None, "count": 1, "text": ""}
    return {
        **Rules.from_spec("base").start().to_dict(),
        "pieces": [{**place, **one} for one in some],
    }


# -- as text ---------------------------------------------------------------------------------------


def test_the_start_tile_as_text() -> None:
    state = Rules.from_spec("base").start()
    assert str(state).splitlines()[:4] == ["    0", "   ###", "0 -----", "   ..."]
    assert "a red 0, b green 0; 71 tiles left; next: draw" in str(state)


def test_coordinates_are_those_of_the_notation() -> None:
    state = do(Rules.from_spec("base").start(), "draw:U place:-1,0,1 pass draw:E place:0,1,1 pass")
    lines = str(state).splitlines()
    assert lines[0].split() == ["-1", "0"]
    assert [line.split()[0] for line in lines[2:6:3]] == ["0", "1"]
    assert lines[0].index("0") == lines[1].index("#") + 1  # over the middle of its tile


def test_a_turned_tile_and_a_follower() -> None:
    state = do(Rules.from_spec("base").start(), "draw:K place:1,0,0 claim:1,meeple")
    # K: city in the north, a curve from south to west; red stands on the road.
    assert board(state)[0] == " ###  ###"
    assert board(state)[1][:5] == "-----"
    assert "a" in "".join(board(state))
    assert "+" in board(state)[1]


def test_roads_that_end_on_a_crossing() -> None:
    state = do(Rules.from_spec("base").start(), "draw:X place:1,0,0")
    assert board(state)[1] == "-------o--"


def test_names_of_who_plays_stand_beside_the_scores() -> None:
    state = Rules.from_spec("base").start()
    assert "a red anna 0, b green greedy 0;" in draw_text(state, ["anna", "greedy"])
    assert board_text.names_by_owner([(0, 2), (1, 3)], ["x", "y"]) == ["x", "y", "x", "y"]


def test_colour_changes_no_character() -> None:
    state = do(Rules.from_spec("base").start(), "draw:K place:1,0,0 claim:1,meeple")
    shown = board_text.board(state.to_dict(), tiles_by_name(state.rules))
    coloured = shown.coloured()
    assert click.unstyle(coloured) == shown.plain()
    assert "\x1b[1;37;41ma\x1b[0m" in coloured  # bold, white, on red


def test_mist_and_what_lies_in_it_is_told() -> None:
    state = Rules.from_spec("mists:5", 2).start()
    assert "~" in "".join(board(state))
    assert str(state).count("* ghost") == 2  # the start tile's 3 ghosts, on two mists
    assert "* ghost x2 at (0, 0) (mist)" in str(state)
    rules = Rules.from_spec("base")
    shown = board_text.text(with_pieces({"kind": "face-down", "x": 1}), tiles_by_name(rules))
    assert [line[-5:] for line in shown.splitlines()[1:4]] == ["?????"] * 3


# -- as a picture ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["base", "base+ghosts", "base+ghosts+spellcircles", "mists:6+spellcircles"]
)
def test_every_position_of_a_game_is_drawn(spec: str) -> None:
    rules = Rules.from_spec(spec, 2)
    state = rules.start()
    rng = random.Random(4)
    while not state.is_terminal:
        if state.current_player == CHANCE and state._dealt % 10 == 0:
            data = state.to_dict()
            followers = [one for f in data["features"] for one in f["followers"]]
            drawn = picture(state, caption="scores")
            used = [e.get("href", "")[3:] for e in drawn.iter(f"{SVG}use")]
            assert used == [tile["kind"] for tile in data["tiles"]]
            (definitions,) = drawn.iter(f"{SVG}defs")
            # Each kind drawn once, and the tile's box.
            assert len(list(definitions)) == 1 + len(set(used))
            for owner in range(len(data["scores"])):
                mine = sum(one["owner"] == owner for one in followers)
                assert figures(drawn, owner) == mine
                assert sum(line.count("abcdef"[owner]) for line in board(state)) == mine
        state.apply(rng.choice(state.legal_actions()))
    assert "the game is over" in str(state)
    assert ET.fromstring(state._repr_svg_()).tag == f"{SVG}svg"


def test_the_last_tile_is_framed_and_cells_where_the_tile_fits_are_marked() -> None:
    state = do(Rules.from_spec("base").start(), "draw:X place:1,0,0")
    frame = next(e for e in picture(state).iter(f"{SVG}rect") if e.get("class") == "c-la")
    assert (frame.get("x"), frame.get("y")) == ("101.5", "1.5")
    drawn = picture(state, free=[(2, 0), (1, -1)])
    marked = [
        (e.get("x"), e.get("y")) for e in drawn.iter(f"{SVG}rect") if e.get("class") == "c-tg"
    ]
    assert marked == [("206", "6"), ("106", "-94")]
    assert drawn.get("viewBox", "").split()[1] == "-118"  # they are in the picture
    assert not any(
        e.get("class") == "c-la" for e in picture(Rules.from_spec("base").start()).iter()
    )


@pytest.mark.parametrize("kind", ["ghost", "bound ghost", "hound", "cat", "grave"])
def test_pieces_have_a_drawing_of_their_own(kind: str) -> None:
    tiles = tiles_by_name(Rules.from_spec("base"))
    drawn = ET.fromstring(board_svg.board(with_pieces({"kind": kind, "owner": 1}), tiles))
    assert re.findall(r' d="([^"]{20,})"', artwork.drawing("piece", kind))[0] in [
        e.get("d") for e in drawn.iter()
    ]
    assert artwork.OWNERS[1][0] in [e.get("fill") for e in drawn.iter()]  # whose it is


def test_a_face_down_tile_shows_its_back_and_widens_the_picture() -> None:
    tiles = tiles_by_name(Rules.from_spec("base"))
    drawn = ET.fromstring(
        board_svg.board(with_pieces({"kind": "face-down", "x": -2, "y": 1}), tiles)
    )
    (back,) = [g for g in drawn.iter(f"{SVG}g") if g.get("transform") == "translate(-200 100)"]
    assert "?" in words(back)
    assert drawn.get("viewBox", "").split()[0] == "-218"


def test_a_follower_lies_in_a_field_and_stands_elsewhere() -> None:
    state = do(Rules.from_spec("base").start(), "draw:E place:0,-1,2 claim:1,meeple")
    lying = state.to_dict()["features"]
    assert any(f["kind"] == "field" and f["followers"] for f in lying)
    assert "rotate(-90)" in board_svg.board(state.to_dict(), tiles_by_name(state.rules))
    state = do(Rules.from_spec("base").start(), "draw:V place:1,0,0 claim:0,meeple")
    assert "rotate(-90)" not in board_svg.board(state.to_dict(), tiles_by_name(state.rules))


def test_seats_are_told_apart_without_colour() -> None:
    emblems = [emblem for _, _, emblem in artwork.OWNERS]
    assert len(set(emblems)) == len(emblems) == 6
    for owner, (_, _, emblem) in enumerate(artwork.OWNERS):
        assert f'd="{emblem}"' in artwork.figure("meeple", owner, False)
    assert artwork.figure("guard", 0, False) != artwork.figure("meeple", 0, False)


def test_what_nobody_has_drawn_yet_is_a_token_with_its_initials() -> None:
    tile = Tile(
        "odd", 1, "FFFF",
        (
            Segment("field", (0, 1, 2, 3)),
            Segment("sheep_fold"),
            Segment("lake", (0,), marks=(("pike", 1),)),
        ),
    )  # fmt: skip
    drawn = words(ET.fromstring(board_svg.tile_sheet([tile])))
    assert {"Sf", "La", "Pi"} <= set(drawn)
    data = with_pieces(
        {"kind": "big_sheep", "count": 3, "text": "Bo"}, {"kind": "kite", "owner": 1}
    )
    tiles = tiles_by_name(Rules.from_spec("base"))
    assert {"Bs", "3", "Bo", "Ki"} <= set(words(ET.fromstring(board_svg.board(data, tiles))))
    assert "* big_sheep Bo x3 at (0, 0)" in board_text.text(data, tiles)
    assert "* kite green at (0, 0)" in board_text.text(data, tiles)


PLAIN = Tile("plain", 1, "FFFF", (Segment("field", (0, 1, 2, 3)),))


def test_what_is_printed_on_the_whole_tile_is_drawn() -> None:
    fiery = attrs.evolve(PLAIN, symbols=(("volcano", ""),))
    assert artwork.drawing("mark", "volcano") in tile_svg(fiery)
    assert artwork.drawing("mark", "volcano") not in tile_svg(PLAIN)
    odd = attrs.evolve(PLAIN, symbols=(("whale", ""), ("tide", "low")))
    assert {"Wh", "Ti", "low"} <= set(words(ET.fromstring(board_svg.tile_sheet([odd]))))


@pytest.mark.parametrize(("value", "turn"), [("N", 0), ("SE", 135), ("W", 270)])
def test_a_mark_points_where_its_value_says(value: str, turn: int) -> None:
    flying = attrs.evolve(PLAIN, symbols=(("flier", value),))
    assert f'<g transform="rotate({turn})">{artwork.ARROW}' in tile_svg(flying)
    assert artwork.ARROW not in tile_svg(attrs.evolve(PLAIN, symbols=(("flier", ""),)))


def test_symbols_are_printed_off_followers_and_buildings() -> None:
    for tile in SHIPPED:
        printed = tile_layout(attrs.evolve(tile, symbols=(("dragon", ""), ("portal", "")))).printed
        taken = [some[0] for some in tile_layout(tile).spots]
        taken += [point for _, point in tile_layout(tile).buildings]
        assert all(0 < x < 100 and 0 < y < 100 for x, y in printed), tile.name
        assert math.dist(*printed) > 15, tile.name
        assert all(math.dist(one, other) > 14 for one in printed for other in taken), tile.name


def test_kinds_of_follower_are_told_apart_by_shape() -> None:
    tables = [key.split("/", 1) for key in artwork.drawings()]
    upright = {name for table, name in tables if table == "upright"}
    kinds = [*upright, *(name for table, name in tables if table == "figure"), "juggler"]
    assert len({artwork.figure(kind, 0, False) for kind in kinds}) == len(kinds)
    assert {"big", "builder", "pig", "abbot", "shepherd"} <= set(kinds)
    assert ">Ju<" in artwork.figure("juggler", 0, False)
    lies = [
        kind for kind in kinds if artwork.figure(kind, 0, True) != artwork.figure(kind, 0, False)
    ]
    assert set(kinds) - set(lies) == upright == {"barn", "pig", "shepherd", "wagon"}


def test_a_road_in_mist_is_seen_through_it() -> None:
    misty = next(tile for tile in SHIPPED if tile.name == "M14a")
    drawn = tile_svg(misty)
    assert drawn.rindex('class="c-rd"') > drawn.rindex('class="c-mi"') > drawn.index('class="c-rd"')


def test_texts_of_strangers_stay_texts() -> None:
    state = Rules.from_spec("base").start()
    hostile = '<script>alert(1)</script>" onload="x'
    drawn = picture(state, caption=hostile)
    assert hostile in words(drawn)
    assert not list(drawn.iter(f"{SVG}script"))
    assert drawn.get("aria-label") == hostile


def test_light_and_dark() -> None:
    state = Rules.from_spec("base").start()
    light, dark, auto = (picture(state, theme=theme) for theme in ("light", "dark", "auto"))
    styles = [next(p.iter(f"{SVG}style")).text or "" for p in (light, dark, auto)]
    assert style.DARK["f"] not in styles[0] and "@media" not in styles[0]
    assert style.DARK["f"] in styles[1] and style.LIGHT["f"] not in styles[1]
    assert "@media(prefers-color-scheme:dark)" in styles[2]


# -- where things lie on a tile --------------------------------------------------------------------

_TOWARDS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def test_followers_of_a_tile_stand_apart_and_on_their_segment() -> None:
    for tile in SHIPPED:
        spots = [spots[0] for spots in tile_layout(tile).spots]
        for at, one in enumerate(spots):
            assert 0 < one[0] < 100 and 0 < one[1] < 100, tile.name
            assert all(math.dist(one, other) > 11 for other in spots[at + 1 :]), tile.name
        for segment, (x, y) in zip(tile.segments, spots, strict=True):
            # Nearer its own edge than the one across.
            if len(segment.edges) == 1 and segment.kind != "field":
                dx, dy = _TOWARDS[segment.edges[0]]
                assert dx * (x - 50) + dy * (y - 50) > 0, tile.name


def test_a_turned_tile_turns_its_spots() -> None:
    assert geometry.turned((50, 10), 1) == (90, 50)  # clockwise: north goes east
    assert geometry.turned((50, 10), 2) == (50, 90)
    assert geometry.turned((20, 10), 4) == (20, 10)


def test_houses_and_grass_keep_to_their_segment() -> None:
    """Tile E: a city in the north, field elsewhere."""
    tile = next(t for t in SHIPPED if t.name == "E")
    city, field = tile_layout(tile).inside
    assert city and field
    assert max(y for _, y in city) < 36 < min(y for x, y in field if 40 < x < 60)


def test_a_road_that_a_city_cuts_off_ends_at_its_gate_and_else_in_a_village() -> None:
    by_name = {tile.name: tile for tile in SHIPPED}
    assert tile_layout(by_name["T"]).ends == 0  # a city all round but south
    assert tile_layout(by_name["A"]).ends == 0  # at the monastery
    assert tile_layout(by_name["X"]).ends == 4
    assert tile_layout(by_name["L"]).ends == 3


def test_a_road_that_comes_to_a_river_ends_short_of_it() -> None:
    by_river = Tile(
        "bank", 1, "FIRI",
        (
            Segment("river", (1, 3)), Segment("road", (2,)), Segment("field", (0,), (2, 7)),
            Segment("field", (), (3, 4)), Segment("field", (), (5, 6)),
        ),
    )  # fmt: skip
    found = tile_layout(by_river)
    assert found.ends == 1 and found.hub[1] > 65
    (end,) = [curves[-1][-1] for i, _, curves in found.ways if i == 1]
    assert end == found.hub


def test_figures_stay_on_their_tile() -> None:
    """Tile E: its city is a cap in the north, where a figure's head would reach over the edge."""
    tile = next(t for t in SHIPPED if t.name == "E")
    inwards = {rotation: board_svg.spot(tile, rotation, 0) for rotation in range(4)}
    assert 23 < inwards[0][1] < 30 and 80 < inwards[2][1] <= 86
    assert 14 <= inwards[3][0] < 30 and 70 < inwards[1][0] <= 86


def test_numbers_at_the_edges_of_a_wide_board_are_larger_and_in_the_picture() -> None:
    narrow, wide = (0, 0, 5, 5), (0, 0, 15, 5)
    sizes = []
    for box in (narrow, wide):
        left, top, _, _ = board_svg.view(box)
        numbers = ET.fromstring(f"<g>{board_svg.axes(box)}</g>")
        places = [(float(e.get("x", "")), float(e.get("y", ""))) for e in numbers]
        sizes.append(float(numbers[0].get("font-size", "")))
        assert all(x - sizes[-1] / 2 > left and y - sizes[-1] > top for x, y in places)
        assert "font-size" not in style.LIGHT["ax"]  # it would outdo theirs
    assert sizes[1] > 1.5 * sizes[0]
