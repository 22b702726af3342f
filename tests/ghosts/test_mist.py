"""Mist beside clear edges, what it parts, and the set-up of Ghosts, Castles & Cemeteries: MIST-*,
GCC-01 to GCC-05.

The tiles are those of `conftest.py`: a large start tile with two misty edges on the outside of each
quarter, and plain tiles on which things can be counted by hand.
"""

from pathlib import Path

import pytest
from support.ghost_positions import begin, features
from support.notation import do, legal, scored, skip

from carc import Rules


@pytest.mark.rule("MIST-02", "GCC-06")
def test_mist_is_ignored_when_matching(tiles: Path) -> None:
    state = do(begin(tiles), "draw:PLAIN")
    assert "place:0,-1,0" in legal(state)  # a clear field on a misty one
    state = do(begin(tiles), "draw:END place:0,-1,2 draw:MISTROAD")
    assert "place:0,-2,0" in legal(state)  # a misty road on a clear one


@pytest.mark.rule("MIST-03")
def test_a_road_runs_on_under_mist(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:END place:0,-1,2 claim:0,meeple draw:MISTROAD place:0,-2,0 draw:END place:0,-3,0",
    )
    skip(state)
    assert scored(state) == ["0: road 3x1 = 3"]


@pytest.mark.rule("MIST-03")
def test_a_misty_road_can_be_claimed(tiles: Path) -> None:
    state = do(begin(tiles), "draw:END place:0,-1,1 draw:MISTROAD place:-1,-1,1")
    assert "claim:0,meeple" in legal(state)


@pytest.mark.rule("MIST-01", "MIST-04")
def test_touching_misty_edges_join_and_separate_mist_segments_do_not(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST2 place:0,-1,0 draw:TWOMISTS place:0,-2,0")
    banks = [f["segments"] for f in features(skip(state), "mist")]
    assert [[0, -2, 2], [0, -1, 1], [0, 0, 1]] in banks  # TWOMISTS' southern segment, MIST2, QNW
    assert [[0, -2, 1]] in banks  # its northern one stays by itself


@pytest.mark.rule("MIST-05")
def test_a_bank_is_finished_when_all_its_edges_touch_mist(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST1 place:0,-1,0 draw:MIST1 place:-1,0,3")
    bank = next(f for f in features(skip(state), "mist") if [0, 0, 1] in f["segments"])
    assert (bank["complete"], bank["open_edges"]) == (True, 0)


@pytest.mark.rule("MIST-05")
def test_a_bank_that_touches_a_clear_edge_is_never_finished(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST1 place:0,-1,0 draw:PLAIN place:-1,0,0")
    bank = next(f for f in features(skip(state), "mist") if [0, 0, 1] in f["segments"])
    assert (bank["complete"], bank["open_edges"]) == (False, 0)


@pytest.mark.rule("MIST-06")
def test_mist_cuts_a_field_in_two(tiles: Path) -> None:
    """The rulebook's example: a tile with mist between two farmers keeps their fields apart."""
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:PLAIN place:0,-1,0 claim:0,meeple draw:PLAIN place:2,0,0 draw:PLAIN place:2,-1,0",
    )
    do(state, "claim:0,guard") if "claim:0,guard" in legal(state) else skip(state)
    do(state, "draw:BAND place:1,-1,0")
    fields = [f for f in features(skip(state), "field") if f["followers"]]
    assert len(fields) == 2
    assert {f["followers"][0]["owner"] for f in fields} == {0}


@pytest.mark.rule("MIST-06")
def test_without_mist_the_same_fields_are_one(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:PLAIN place:0,-1,0 claim:0,meeple draw:PLAIN place:2,0,0 draw:PLAIN place:2,-1,0",
    )
    skip(state)
    do(state, "draw:PLAIN place:1,-1,0")
    (field,) = (f for f in features(skip(state), "field") if f["followers"])
    assert [[x, y] for x, y in [(0, -1), (1, -1), (2, -1), (2, 0)]] == field["tiles"]


@pytest.mark.rule("MIST-07")
def test_no_follower_on_mist(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST4 place:0,-1,0")
    assert state.step.name == "draw"  # nothing on the tile but mist: nothing to claim


# -- set-up ----------------------------------------------------------------------------------------


@pytest.mark.rule("GCC-01", "GCC-02")
def test_the_bag_holds_60_and_71_tiles_and_the_large_start_tile_lies_on_the_table() -> None:
    data = Rules.from_spec("base+ghosts", 3).start().to_dict()
    assert sum(data["bag"].values()) == 131
    assert sorted((t["x"], t["y"]) for t in data["tiles"]) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert data["bag"]["D"] == 3  # the base's start tile is back in the box


@pytest.mark.rule("GCC-03", "GCC-04")
def test_supplies_and_stocks_at_the_start(tiles: Path) -> None:
    data = begin(tiles, players=3).to_dict()
    assert data["supplies"] == [{"meeple": 5, "guard": 2}] * 3
    assert (data["guard_stock"], data["out_of_play"]) == ([3, 3, 3], {"guard": 9})
    assert (data["ghost_stock"], data["pieces"]) == (15, [])  # symbols on tiles mean nothing
    assert begin(tiles, "ghosts=off").to_dict()["ghost_stock"] == 0


@pytest.mark.rule("GCC-05")
@pytest.mark.parametrize(
    ("off", "tile", "claim"),
    [("castles", "CASTLE", "claim:0,meeple"), ("cemeteries", "GRAVE", "claim:0,meeple")],
)
def test_a_part_switched_off_keeps_its_terrain(
    tiles: Path, off: str, tile: str, claim: str
) -> None:
    on = do(begin(tiles), f"draw:{tile} place:0,-1,0")
    assert claim in legal(on)
    state = do(begin(tiles, f"{off}=off"), f"draw:{tile} place:0,-1,0")
    assert claim not in legal(state)
    assert "claim:1,meeple" in legal(state)  # its field


@pytest.mark.rule("GCC-05")
def test_guards_off_gives_back_the_meeples_of_the_base_game(tiles: Path) -> None:
    data = begin(tiles, "guards=off").to_dict()
    assert data["supplies"] == [{"meeple": 7}] * 2
