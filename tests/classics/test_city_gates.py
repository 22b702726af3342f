"""The City Gates (docs/rules.md, GAT-01): rules from WikiCarpedia, games as JCloisterZone's."""

from typing import Any

import attrs
import pytest
from support.notation import begin, do, lay, legal, put
from support.saved_games import commit, deploy, move, saved, skip, text_of
from support.saved_games import lay as laid

from carc import Rules
from carc.base.tiles.tile_file import parse_tiles
from carc.drawing.board_text import tile_lines
from carc.drawing.tile_svg import tile_svg
from carc.errors import BadRecord, TileError
from carc.formats.jcz import import_game
from carc.formats.jcz.setup import setup_of


@pytest.mark.rule("GAT-01")
@pytest.mark.parametrize(
    ("tile", "fits"),
    [("E", [0, 1, 2]), ("U", [0, 1, 2, 3]), ("C", []), ("GA01", [0, 1, 2, 3]), ("GA02", [0, 1, 3])],
)
def test_a_gate_lies_beside_roads_fields_and_gates_and_not_beside_a_city(
    tile: str, fits: list[int]
) -> None:
    """East of a city of four gates; the city edges of E and GA02 are in the north and the east."""
    state = do(lay(begin("base+city_gates", 2), "GA01 5,5,0"), f"draw:{tile}")
    assert [int(text[-1]) for text in legal(state) if text.startswith("place:6,5,")] == fits


@pytest.mark.rule("GAT-01")
def test_a_road_of_one_tile_ends_at_two_gates() -> None:
    state = lay(begin("base+city_gates", 2), "GA01 5,5,0", "U 6,5,1")
    do(put(state, 1, (6, 5, 0)), "draw:GA02 place:7,5,0 pass")
    assert state.scores == [0, 1]


@pytest.mark.rule("GAT-01")
def test_the_fields_beside_a_gate_go_on_to_both_sides_of_a_road_and_to_one_field() -> None:
    state = lay(begin("base+city_gates", 2), "GA01 5,5,0", "U 6,5,1", "B 5,6,0")
    board = state.board

    def field(x: int, y: int, index: int) -> int:
        return board.feature_of(board.segment_at(x, y, index))

    assert [field(5, 5, 1), field(5, 5, 2)] == [field(6, 5, 2), field(6, 5, 1)]
    assert field(5, 5, 2) == field(5, 5, 3) == field(5, 6, 1) != field(5, 5, 1)


@pytest.mark.rule("GAT-01", "ABM-01")
@pytest.mark.parametrize("beside", ["AM-abbey 1,0,0", "GA01 1,0,0"])
def test_an_abbey_ends_the_fields_beside_a_road_and_a_gate_does_not(beside: str) -> None:
    """The fields of the start tile have open edges in the east and west, on each side."""
    board = lay(begin("base+abbey+city_gates", 2), beside).board
    north = board.feature_of(board.segment_at(0, 0, 2))
    road = board.feature_of(board.segment_at(0, 0, 1))
    assert board.open_edges(road) == 1
    assert board.open_edges(north) == (
        1 if "abbey" in beside else 2
    )  # one goes on to the next corner


@pytest.mark.rule("GAT-01")
def test_a_gate_has_a_field_on_both_sides() -> None:
    tile = "carc-tiles 1\nset mine\ntile A 1 GFFF\n  city\n  field {}E S W touches=0\n"
    kinds = Rules.from_spec("base").catalogue.kinds
    assert parse_tiles(tile.format("N "), kinds, "mine").tiles
    with pytest.raises(TileError, match="NR belongs to no segment"):
        parse_tiles(tile.format("NL "), kinds, "mine")


def test_gates_are_drawn() -> None:
    tiles = {tile.name: tile for tile in Rules.from_spec("base+city_gates").catalogue.tiles}
    for name, gates in (("D", 0), ("GA03", 1), ("GA02", 3), ("GA01", 4)):
        plain = tile_svg(attrs.evolve(tiles[name], edges="FFFF"))
        assert tile_svg(tiles[name]).count("<path") - plain.count("<path") == 4 * gates
        assert "".join(tile_lines(tiles[name])).count("=") == gates


def gate(code: str, x: int, y: int, degrees: int = 0) -> dict[str, Any]:
    return laid(f"City-Gates/{code}", x, y, degrees)


def bridge(x: int, y: int, location: str) -> dict[str, Any]:
    place = {"position": [x, y], "location": location, "feature": "Road"}
    return move("PLACE_TOKEN", token="BRIDGE", pointer=place)


# As the five scenarios have it, with the points that they assert.
SCENARIOS = {
    "a city with four gates": (
        [gate("gggg", 1, 0), deploy("0.small.1", 1, 0, "City", "I"), commit()],
        [4, 0],
    ),
    "a gate that is placed ends a road": (
        [
            *[gate("cfrg", 1, 0, 90), deploy("0.small.1", 1, 0, "Road", "W"), commit()],
            *[gate("fcrg", -1, 0, 180), *skip()],
        ],
        [2, 0],
    ),
    "a road ends at a gate, and its city has no coat of arms": (
        [
            *[gate("ccrg+", 0, -1, 90), deploy("0.small.1", 0, -1, "City", "S"), commit()],
            *[gate("cgrc+", 0, -2), deploy("1.small.1", 0, -2, "Road", "S"), commit()],
        ],
        [4, 1],
    ),
    "a bridge between two gates": (
        [
            *[gate("ccrg+", 0, -1, 180), *skip(), laid("BA/RFr", 1, 0), *skip()],
            *[laid("BA/RFr", 2, 0), *skip(), gate("fcfg", 2, -1), *skip()],
            *[laid("BA/L", 1, -1), bridge(1, -1, "WE")],
            *[deploy("0.small.1", 1, -1, "Road", "WE"), commit()],
        ],
        [1, 0],
    ),
    "a bridge that two gates end": (
        [
            *[laid("BA/RFr", 1, 0), bridge(1, 0, "NS")],
            *[deploy("0.small.1", 1, 0, "Road", "NS"), commit()],
            *[gate("cgrr", 1, -1, 90), *skip(), gate("rcrg", 1, 1, 90), *skip()],
        ],
        [1, 0],
    ),
}


@pytest.mark.rule("GAT-01")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_saved_game_with_gates_scores_as_it_does_there(name: str) -> None:
    moves, points = SCENARIOS[name]
    with_bridge = any(one["type"] == "PLACE_TOKEN" for one in moves)
    elements: dict[str, object] = {"bridge": 1} if with_bridge else {}
    game = text_of(saved(*moves, sets=["city-gates"], elements=elements))
    assert import_game(game).end.scores == points


def test_an_export_names_the_add_on_that_their_client_needs() -> None:
    assert setup_of(Rules.from_spec("base+city_gates", 2))["addons"] == {"city-gates": 1}
    assert "addons" not in setup_of(Rules.from_spec("base+inns", 2))


def test_a_tile_of_the_set_that_carc_lacks_is_named() -> None:
    with pytest.raises(BadRecord, match=r"base\+city_gates has no tile 'City-Gates/gcgc'"):
        import_game(text_of(saved(gate("gcgc", 1, 0), skip(), sets=["city-gates"])))
