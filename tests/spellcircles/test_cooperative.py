"""The Spell Circles in the co-operative game: the rules SPC-*, one scenario at least for each."""

from pathlib import Path

import pytest
from support import notation
from support.notation import do, kept, legal, scored, skip, standing, stock, tile_file, written

from carc import Rules, State

# 3 ghosts on the start tile; mist on its northern and western edge.
MISTS = tile_file(
    "mists",
    """
tile HOME 1 FFFF: mist N W ghosts=3; field E S
tile PLAIN 24 FFFF: field N E S W
tile CITY 10 CFFF: city N; field E S W touches=0
tile END 6 FFRF: road S; field N E SL SR W
tile LINK 6 FFFF: mist N S ghosts=2; field E W
tile CLOSE 6 FFFF: mist S ghosts=1; field N E W
tile FOG 6 FFFF: mist N E S W ghosts=3
tile GRAVE 2 FFFF: cemetery; field N E S W
start HOME 0,0
""",
)
CIRCLES = tile_file(
    "circles",
    """
tile ONE 3 FFFF: mist N S circles=1; field E W
tile TWO 3 FFFF: mist N S circles=2; field E W
tile THREE 2 FFFF: mist N S circles=3; field E W
tile MIXED 1 FFFF: mist S circles=2 ghosts=1; field N E W
""",
)


@pytest.fixture(params=["2", "4"])
def level(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begin(folder: Path, level: str = "2") -> State:
    return notation.begin(f"mists:{level}+spellcircles", 3, *written(folder, MISTS, CIRCLES))


def ghosts(state: State) -> dict[tuple[int, int], int]:
    return {(x, y): n for (x, y, _), n in standing(state, "ghost").items()}


def circles(state: State) -> dict[tuple[int, int], int]:
    return {(x, y): n for (x, y, _), n in standing(state, "bound ghost").items()}


def leave(state: State, n: int) -> State:
    """Take ghosts out of the stock until `n` are left, and put them on HOME."""
    team = kept(state, "mists")
    team.put(state.board.segment_at(0, 0, 0), team.stock - n)
    return state


@pytest.mark.rule("SPC-01")
@pytest.mark.parametrize(
    ("level", "piles"),
    [("1", [59]), ("2", [69]), ("3", [23] * 3), ("4", [23] * 3), ("5", [23] * 3), ("6", [23] * 3)],
)
def test_nine_more_tiles(level: str, piles: list[int]) -> None:
    assert Rules.from_spec(f"mists:{level}+spellcircles", 3).start().to_dict()["piles"] == piles


@pytest.mark.rule("SPC-02")
@pytest.mark.parametrize(("level", "apart"), [("2", 5), ("4", 3), ("6", 2)])
def test_seven_ghosts_before_the_cat(tmp_path: Path, level: str, apart: int) -> None:
    data = begin(tmp_path, level).to_dict()
    assert (data["cat_stock"], data["ghost_stock"]) == (7, 7 + apart)


@pytest.mark.rule("SPC-02")
def test_ghosts_come_from_the_cats_stock_and_go_back_to_it(tmp_path: Path) -> None:
    state = begin(tmp_path)
    do(state, "draw:FOG place:1,0,0")  # mist against HOME's clear east: 3 ghosts
    assert state.to_dict()["cat_stock"] == 4
    do(state, "draw:CLOSE place:0,-1,0 draw:CLOSE place:-1,0,3")
    skip(state)  # HOME's bank is finished: its 3 ghosts go back
    assert ghosts(state) == {(1, 0): 3}
    assert state.to_dict()["cat_stock"] == 7


@pytest.mark.rule("SPC-03")
def test_no_follower_on_circles(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:ONE place:0,-1,0")
    assert state.step.name == "draw"


@pytest.mark.rule("SPC-04")
def test_three_circles_draw_two_from_neighbours_and_one_from_the_stock(tmp_path: Path) -> None:
    """The source's example."""
    state = begin(tmp_path)
    kept(state, "mists").take(state.board.segment_at(0, 0, 0), 1)
    assert (ghosts(state), stock(state)) == ({(0, 0): 2}, 13)
    do(state, "draw:THREE place:0,-1,0")
    assert (ghosts(state), circles(state), stock(state)) == ({}, {(0, -1): 3}, 12)


@pytest.mark.rule("SPC-04")
def test_the_player_chooses_whom_circles_draw(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:FOG place:-1,0,0 draw:TWO place:0,-1,0")
    # FOG shows 3 symbols and expanded HOME's bank: 2 ghosts.
    assert legal(state) == ["lure:-1,0,0", "lure:0,0,0"]
    assert legal(do(state, "lure:-1,0,0")) == ["lure:-1,0,0", "lure:0,0,0"]
    do(state, "lure:0,0,0")
    assert circles(state) == {(0, -1): 2}
    assert (ghosts(state)[-1, 0], ghosts(state)[0, 0]) == (1, 2)


@pytest.mark.rule("SPC-04")
def test_ghosts_in_circles_are_not_drawn(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:THREE place:0,-1,0 draw:ONE place:0,-2,0")
    assert circles(state) == {(0, -1): 3, (0, -2): 1}
    assert stock(state) == 11  # HOME's 3 went into THREE; ONE's came from the stock


@pytest.mark.rule("SPC-04")
def test_too_few_in_the_stock_for_the_circles_is_lost(tmp_path: Path) -> None:
    state = begin(tmp_path)
    kept(state, "mists").clear(state.board.segment_at(0, 0, 0))
    kept(state, "mists").stock = 2
    do(state, "draw:THREE place:0,-1,0")
    assert (state.outcome["won"], state.outcome["rule"]) == (False, "COOP-14")


@pytest.mark.rule("SPC-05")
def test_a_cemetery_calls_for_a_ghost_only_if_the_stock_did(tmp_path: Path, level: str) -> None:
    moved = do(begin(tmp_path, level), "draw:GRAVE place:1,0,0 draw:THREE place:0,-1,0")
    assert ghosts(moved) == {}  # all three moved
    state = do(begin(tmp_path, level), "draw:GRAVE place:1,0,0 draw:THREE place:0,-1,0")
    do(state, "draw:ONE place:0,-2,0")
    assert ghosts(state) == {(1, 0): 1}  # ONE's came from the stock: one for the cemetery too


@pytest.mark.rule("SPC-04")
def test_ghosts_are_drawn_off_cemeteries_too(tmp_path: Path) -> None:
    state = begin(tmp_path)
    do(state, "draw:GRAVE place:1,0,0 draw:FOG place:1,-1,0")  # FOG's 3 and one for the cemetery
    assert ghosts(state) == {(0, 0): 3, (1, -1): 3, (1, 0): 1}
    do(state, "draw:ONE place:0,-1,0")
    assert "lure:1,0,0" in legal(state)


@pytest.mark.rule("SPC-06")
def test_giving_up_points_takes_no_ghost_out_of_a_circle(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:THREE place:0,-1,0 draw:END place:1,0,0 claim:0,meeple")
    do(state, "draw:END place:1,1,2")
    skip(state)
    assert scored(state) == ["1: road 2x1 = 2"]  # green's; all ghosts stand in circles: no choice


@pytest.mark.rule("SPC-06")
def test_finishing_the_bank_empties_the_circles(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:THREE place:0,-1,0 draw:CLOSE place:0,-2,0")
    skip(state)
    assert circles(state) == {(0, -1): 3}
    do(state, "draw:CLOSE place:-1,0,3")
    assert (circles(state), stock(state)) == ({}, 15)


@pytest.mark.rule("SPC-06")
def test_a_torn_banks_circles_stay_full(tmp_path: Path) -> None:
    state = do(
        begin(tmp_path), "draw:THREE place:0,-1,0 draw:PLAIN place:0,-2,0 draw:CLOSE place:-1,0,3"
    )
    assert circles(state) == {(0, -1): 3}


@pytest.mark.rule("SPC-07")
def test_a_tile_that_finishes_its_bank_fills_no_circle(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:CLOSE place:-1,0,3 draw:MIXED place:0,-1,0")
    skip(state)
    assert (ghosts(state), circles(state), stock(state)) == ({}, {}, 15)


@pytest.mark.rule("SPC-10")
def test_symbols_of_a_circle_tile_follow_their_own_rule(tmp_path: Path) -> None:
    state = do(begin(tmp_path), "draw:MIXED place:0,1,0")  # its mist in the south, free
    skip(state)
    assert (circles(state), ghosts(state)) == ({(0, 1): 2}, {(0, 0): 1, (0, 1): 1})


# -- the cat ---------------------------------------------------------------------------------------


@pytest.mark.rule("SPC-08")
def test_the_cat_joins_a_follower_when_her_stock_is_empty(tmp_path: Path) -> None:
    state = do(
        begin(tmp_path), "draw:CITY place:1,0,1 claim:0,meeple draw:CITY place:0,1,2 claim:0,meeple"
    )
    leave(state, 6)  # 5 apart, 1 before the cat
    do(state, "draw:CLOSE place:1,1,0")
    assert state.step.name == "cat"
    assert legal(state) == ["cat:1,0,0", "cat:0,1,0"]
    do(state, "cat:0,1,0")
    assert standing(state, "cat") == {(0, 1, 0): 1}
    assert state.to_dict()["cat_stock"] is None


@pytest.mark.rule("SPC-08")
def test_without_followers_she_waits_for_the_next(tmp_path: Path) -> None:
    state = leave(begin(tmp_path), 6)
    do(state, "draw:CLOSE place:1,0,0")
    assert (standing(state, "cat"), state.to_dict()["cat_stock"]) == ({}, None)  # she waits
    do(skip(state), "draw:CITY place:0,1,2 claim:0,meeple")
    assert standing(state, "cat") == {(0, 1, 0): 1}


@pytest.mark.rule("SPC-02", "SPC-08")
def test_ghosts_left_before_her_keep_her_aside(tmp_path: Path) -> None:
    state = leave(begin(tmp_path), 7)
    do(state, "draw:CLOSE place:1,0,0")
    assert (standing(state, "cat"), state.to_dict()["cat_stock"]) == ({}, 1)


def with_cat(folder: Path) -> State:
    """The cat is with the knight at 1,0 in the city of two-tiles-to-be; 4 ghosts in circles."""
    state = do(begin(folder), "draw:CITY place:1,0,1 claim:0,meeple draw:PLAIN place:0,1,0")
    kept(state, "mists").put(state.board.segment_at(0, 0, 0), 6)
    do(state, "draw:CLOSE place:1,1,0")  # the last before the cat: she joins the only follower
    assert standing(state, "cat") == {(1, 0, 0): 1}
    return skip(state)


@pytest.mark.rule("SPC-09")
def test_a_city_of_4_with_the_cat_and_4_in_circles_gives_4_and_4(tmp_path: Path) -> None:
    """The source's example."""
    state = with_cat(tmp_path)
    do(state, "draw:THREE place:0,-1,0 draw:ONE place:0,-2,0")
    assert sum(circles(state).values()) == 4
    do(state, "draw:CITY place:2,0,3")
    do(skip(state), "points")
    assert [text.partition(": ")[2] for text in scored(state)] == [
        "city 2x2 = 4",
        "Eloise, ghosts in circles 4x1 = 4",
    ]
    assert state.scores == [8, 8, 8]
    assert standing(state, "cat") == {}  # nobody is left on the board


@pytest.mark.rule("SPC-09")
def test_she_moves_to_another_follower_after_the_scoring(tmp_path: Path) -> None:
    state = with_cat(tmp_path)
    do(state, "draw:CITY place:-1,1,3 claim:0,meeple draw:CITY place:0,2,2 claim:0,meeple")
    do(state, "draw:CITY place:2,0,3 points")
    assert (state.step.name, legal(state)) == ("cat", ["cat:-1,1,0", "cat:0,2,0"])
    do(state, "cat:-1,1,0")
    assert standing(state, "cat") == {(-1, 1, 0): 1}


@pytest.mark.rule("SPC-09")
def test_giving_up_the_points_still_scores_the_cat(tmp_path: Path) -> None:
    state = with_cat(tmp_path)
    do(state, "draw:THREE place:0,-1,0 draw:CITY place:2,0,3")
    do(skip(state), "ghosts:1,1")
    assert state.scores == [3, 3, 3]


@pytest.mark.rule("SPC-09")
def test_a_buried_followers_cat_moves_on(tmp_path: Path) -> None:
    state = with_cat(tmp_path)
    do(state, "draw:GRAVE place:-1,1,0 draw:CITY place:0,2,2 claim:0,meeple")
    do(state, "draw:PLAIN place:-2,1,0 draw:PLAIN place:-1,2,0 draw:CLOSE place:-1,0,3")
    assert state.step.name == "bury"
    do(state, "bury:1,0,0")
    skip(state)
    assert standing(state, "cat") == {(0, 2, 0): 1}
    assert state.scores == [0, 0, 0]


@pytest.mark.rule("SPC-09", "LVL6-04")
def test_in_level_6_her_points_go_to_the_followers_colour(tmp_path: Path) -> None:
    state = begin(tmp_path, "6")
    do(state, "draw:CITY place:1,0,1 claim:0,meeple draw:THREE place:0,-1,0")
    kept(state, "spellcircles").at = state.board.segment_at(1, 0, 0)
    do(state, "draw:CITY place:2,0,3")
    skip(state)
    assert state.to_dict()["markers"] == {"red": 4 + 3, "green": 0, "blue": 0}
