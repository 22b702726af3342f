"""The Spell Circles beside Ghosts, Castles & Cemeteries: a scenario at least for each SCC-*."""

from pathlib import Path

import pytest
from support import notation
from support.notation import do, haunt, kept, legal, skip, standing, stock, tile_file, written

from carc import Rules, State
from carc.errors import BadRules

# The start tile: one quarter with mist in the north (0,0) and west, one with mist in the east
# (1,0); the rest is clear.
MISTS = tile_file(
    "mists",
    """
tile QNW 1 FFFF: mist N W; field E S
tile QNE 1 FFFF: mist E; field N S W
tile QS 2 FFFF: field N E S W
tile PLAIN 30 FFFF: field N E S W
tile CITY 12 CFFF: city N; field E S W touches=0
tile LINK 8 FFFF: mist N S; field E W
tile CLOSE 8 FFFF: mist S; field N E W
tile BEND 2 FFFF: mist E S; field N W
tile PAIR 1 FFFF: mist N; mist S; field E W
start QNW 0,0
start QNE 1,0
start QS 0,1
start QS 1,1
""",
)
CIRCLES = tile_file(
    "circles",
    """
tile ONE 3 FFFF: mist N S circles=1; field E W
tile TWO 3 FFFF: mist N S circles=2; field E W
tile THREE 3 FFFF: mist N S circles=3; field E W
tile CAP 3 FFFF: mist S circles=2; field N E W
tile TWIN 3 FFFF: mist N circles=1; mist S circles=2; field E W
""",
)


@pytest.fixture
def state(tmp_path: Path) -> State:
    return begin(tmp_path)


def begin(folder: Path, players: int = 2) -> State:
    return notation.begin("base+ghosts+spellcircles", players, *written(folder, MISTS, CIRCLES))


def ghosts(state: State) -> dict[tuple[int, int, int], int]:
    return standing(state, "ghost")


def circles(state: State) -> dict[tuple[int, int], int]:
    return {(x, y): n for (x, y, _), n in standing(state, "bound ghost").items()}


# One knight each, well away: player 0's at -1,1 (its city in the west), player 1's at 2,1 (in the
# east).
KNIGHTS = "draw:CITY place:-1,1,3 claim:0,meeple draw:CITY place:2,1,1 claim:0,meeple"


@pytest.mark.rule("SCC-01")
def test_140_tiles_and_no_cat() -> None:
    data = Rules.from_spec("base+ghosts+spellcircles", 2).start().to_dict()
    assert sum(data["bag"].values()) == 140
    assert "cat" not in data


@pytest.mark.rule("SCC-01")
def test_circles_need_mist() -> None:
    with pytest.raises(BadRules, match="spellcircles needs mist"):
        Rules.from_spec("base+spellcircles", 2)


@pytest.mark.rule("SCC-02")
def test_no_follower_on_circles(state: State) -> None:
    do(state, "draw:ONE place:0,-1,0")
    assert [text for text in legal(state) if text.endswith("meeple")] == [
        "claim:1,meeple"  # the tile's field, one on each side of the mist would be another segment
    ]


@pytest.mark.rule("SCC-03")
def test_a_torn_tile_with_three_circles_brings_three_ghosts(state: State) -> None:
    """The source's example: mist against a clear edge, 3 circles, 3 ghosts to the only own meeple,
    which flees.
    """
    do(state, f"{KNIGHTS} draw:THREE place:0,2,0")
    assert ghosts(state) == {}
    assert state.to_dict()["supplies"] == [{"meeple": 5, "guard": 2}, {"meeple": 4, "guard": 2}]
    assert (circles(state), stock(state)) == ({(0, 2): 3}, 12)


@pytest.mark.rule("SCC-03")
def test_a_torn_board_still_brings_its_one_ghost(state: State) -> None:
    """The circle tile's mist touches nothing; one clear edge tears the board's, another meets a
    clear one: GCC-08 as usual.
    """
    do(state, f"{KNIGHTS} draw:CAP place:2,0,2")
    assert ghosts(state) == {(-1, 1, 0): 1}


@pytest.mark.rule("SCC-03")
def test_the_ghosts_of_a_torn_circle_tile_may_be_split(state: State) -> None:
    do(state, f"{KNIGHTS} draw:CITY place:-1,2,3 claim:0,meeple draw:PLAIN place:0,2,0 pass")
    do(state, "draw:TWO place:1,2,0")  # its northern mist against QS's clear south: torn
    assert state.current_player == 0
    assert legal(state) == ["haunt:-1,1,0", "haunt:-1,2,0"]
    do(state, "haunt:-1,2,0")
    assert legal(state) == ["haunt:-1,1,0", "haunt:-1,2,0"]
    do(state, "haunt:-1,1,0")
    assert ghosts(state) == {(-1, 1, 0): 1, (-1, 2, 0): 1}
    assert state.step.name == "claim"  # two, not a third for GCC-08


@pytest.mark.rule("SCC-04")
def test_circles_draw_ghosts_from_neighbours_first(state: State) -> None:
    """Three circles; 2 ghosts with a meeple on a neighbour tile, 1 from the stock."""
    do(state, "draw:CITY place:1,-1,0 claim:0,meeple draw:CITY place:2,1,1 claim:0,meeple")
    haunt(state, 1, -1, n=2)
    assert stock(state) == 13
    do(state, "draw:THREE place:0,-1,0")
    # First 3 from circles: 2 drawn from 1,-1, one from the stock; then QNW's bank is expanded: one
    # to player 1's.
    assert circles(state) == {(0, -1): 3}
    assert ghosts(state) == {(2, 1, 0): 1}
    assert stock(state) == 11


@pytest.mark.rule("SCC-04")
def test_the_player_chooses_whom_circles_draw_from(state: State) -> None:
    do(state, "draw:CITY place:1,-1,0 claim:0,meeple draw:CITY place:-1,0,0 claim:0,meeple")
    haunt(haunt(state, 1, -1, n=2), -1, 0)
    do(state, "draw:TWO place:0,-1,0")
    for choice in ("lure:1,-1,0", "lure:-1,0,0"):
        assert (state.current_player, legal(state)) == (0, ["lure:1,-1,0", "lure:-1,0,0"])
        do(state, choice)
    assert circles(state) == {(0, -1): 2}
    assert ghosts(state) == {(1, -1, 0): 1, (-1, 0, 0): 1}  # the latter from the stock (GCC-07)


@pytest.mark.rule("SCC-04")
def test_where_all_ghosts_around_are_called_for_there_is_no_choice(state: State) -> None:
    do(state, "draw:CITY place:1,-1,0 claim:0,meeple draw:CITY place:-1,0,3 claim:0,guard")
    do(state, "draw:CITY place:-1,-1,0 claim:0,meeple draw:PLAIN place:2,-1,0 pass")
    haunt(haunt(state, 1, -1), -1, -1)
    do(state, "draw:TWO place:0,-1,0")
    assert state.step.name == "claim"
    assert (ghosts(state), circles(state), stock(state)) == ({}, {(0, -1): 2}, 13)


@pytest.mark.rule("SCC-04")
def test_with_an_empty_stock_circles_stay_empty(state: State) -> None:
    kept(state, "ghosts").stock = 2
    do(state, "draw:THREE place:0,-1,0")
    assert circles(state) == {(0, -1): 2}
    assert stock(state) == 0


@pytest.mark.rule("SCC-04")
def test_a_tile_that_finishes_its_bank_fills_no_circle(state: State) -> None:
    """The source's special case: "you don't place additional ghosts in these spell circles"."""
    do(state, "draw:CLOSE place:-1,0,3 pass draw:CAP place:0,-1,0")
    assert state.step.name == "claim"
    assert (circles(state), stock(state)) == ({}, 15)


@pytest.mark.rule("SCC-04", "SCC-03")
def test_only_circles_in_an_unfinished_bank_are_filled(state: State) -> None:
    """TWIN's southern mist finishes QNE's bank; its northern is torn: 3 ghosts for 3 circles."""
    do(state, "draw:CITY place:-1,1,3 claim:0,meeple draw:CITY place:2,1,2 claim:0,guard")
    do(state, "draw:CITY place:-1,2,3 claim:0,meeple draw:PLAIN place:3,1,0 pass")
    do(state, "draw:PLAIN place:3,0,0 pass draw:PLAIN place:0,2,0 pass")
    # Turned: its northern mist looks east, its southern one west.
    do(state, "draw:TWIN place:2,0,1")
    for _ in range(3):
        assert (state.current_player, legal(state)) == (0, ["haunt:-1,1,0", "haunt:-1,2,0"])
        do(state, "haunt:-1,1,0" if not ghosts(state) else "haunt:-1,2,0")
    assert ghosts(state) == {(-1, 1, 0): 1, (-1, 2, 0): 2}
    assert (standing(state, "bound ghost"), stock(state)) == ({(2, 0, 0): 1}, 11)


@pytest.mark.rule("SCC-05", "SCC-10")
def test_continuing_gives_one_from_the_stock_and_one_from_a_circle(tmp_path: Path) -> None:
    """The source's example, with three players: one ghost each for two opponents' meeples."""
    state = begin(tmp_path, players=3)
    do(state, f"{KNIGHTS} draw:ONE place:0,-1,0")
    # Player 2 has no meeple; laying ONE haunted an opponent (GCC-07); its own circle, just filled,
    # gave nothing (SCC-10).
    assert state.step.name == "haunt"
    do(state, "haunt:2,1,0")
    assert (circles(state), stock(state)) == ({(0, -1): 1}, 13)
    # Player 0 continues: one candidate, player 1's knight, twice.
    do(skip(state), "draw:LINK place:0,-2,0")
    assert ghosts(state) == {}  # 1 + 2: the third scared it off
    assert circles(state) == {}
    assert stock(state) == 15


@pytest.mark.rule("SCC-05")
def test_the_second_ghost_may_go_to_another_meeple(tmp_path: Path) -> None:
    state = begin(tmp_path, players=3)
    do(state, f"{KNIGHTS} draw:CITY place:2,0,1 claim:0,meeple draw:ONE place:0,-1,0")
    do(state, "haunt:2,0,0")
    do(skip(state), "draw:LINK place:0,-2,0")  # player 1
    assert (state.current_player, legal(state)) == (1, ["haunt:2,0,0", "haunt:-1,1,0"])
    do(state, "haunt:-1,1,0")
    assert legal(state) == ["haunt:2,0,0", "haunt:-1,1,0"]
    do(state, "haunt:2,0,0")
    assert ghosts(state) == {(2, 0, 0): 2, (-1, 1, 0): 1}


@pytest.mark.rule("SCC-05")
def test_the_player_chooses_the_circle_each_time(state: State) -> None:
    do(state, f"{KNIGHTS} draw:ONE place:0,-1,0 draw:ONE place:0,-2,0")
    # Player 1's ONE at 0,-2 continued: the circle at 0,-1 gave its ghost; it is put back by hand
    # for a choice of two, and the knights lose theirs lest they flee.
    assert circles(state) == {(0, -2): 1}
    for cell in ("0,-3", "0,-4"):
        kept(state, "spellcircles").held[state.board.segment_at(0, -1, 0)] = 1
        kept(state, "ghosts").ghosts.clear()
        kept(state, "ghosts").stock = 13
        do(skip(state), f"draw:LINK place:{cell},0")
        assert legal(state) == ["free:0,-2,0", "free:0,-1,0"]
        do(state, "free:0,-1,0")
        assert circles(state) == {(0, -2): 1}


@pytest.mark.rule("SCC-05")
def test_nobody_to_take_it_the_ghost_stays_in_its_circle(state: State) -> None:
    do(state, "draw:ONE place:0,-1,0 draw:LINK place:0,-2,0")
    assert circles(skip(state)) == {(0, -1): 1}
    do(state, "draw:PLAIN place:0,2,0 draw:CITY place:2,1,1 claim:0,meeple")
    # Now player 1 has a meeple: one from the stock, one from the circle.
    do(state, "draw:LINK place:0,-3,0")
    assert (state.step.name, ghosts(state), circles(state)) == ("claim", {(2, 1, 0): 2}, {})


@pytest.mark.rule("SCC-05", "SCC-07")
@pytest.mark.parametrize(
    ("claim", "held", "left"),
    [("meeple", 2, {(-1, 1, 0): 2, (2, 1, 0): 2}), ("guard", 1, {(-1, 1, 0): 2})],
)
def test_a_bank_continued_and_torn_by_one_tile(
    state: State, claim: str, held: int, left: dict[tuple[int, int, int], int]
) -> None:
    """First one to an opponent's meeple, if there is one; with the own ghost, all that are left."""
    do(state, f"draw:CITY place:-1,1,3 claim:0,meeple draw:CITY place:2,1,1 claim:0,{claim}")
    do(state, "draw:PLAIN place:1,-1,0 draw:PLAIN place:1,-2,0 draw:PLAIN place:2,-2,0")
    do(state, "draw:LINK place:0,-1,0 pass")
    kept(state, "ghosts").ghosts.clear()
    kept(state, "ghosts").stock = 13
    kept(state, "spellcircles").held[state.board.segment_at(0, -1, 0)] = held
    do(state, "draw:BEND place:0,-2,0")  # its east touches the clear 1,-2
    assert (state.step.name, ghosts(state), circles(state)) == ("claim", left, {})


@pytest.mark.rule("SCC-06", "SCC-05")
def test_all_of_the_bank_finished_then_one_of_that_continued(state: State) -> None:
    """PAIR's western mist finishes QNE's bank, its eastern one continues a bank of two LINKs."""
    do(state, "draw:PLAIN place:2,1,0 draw:CITY place:-1,1,3 claim:0,meeple")
    do(state, "draw:PLAIN place:3,1,0 draw:CITY place:-1,2,3 claim:0,meeple")
    do(state, "draw:PLAIN place:4,1,0 pass draw:LINK place:3,0,1 pass")
    do(state, "draw:PLAIN place:5,1,0 pass draw:LINK place:4,0,1 pass")
    for cell in ((1, 0), (3, 0), (4, 0)):
        kept(state, "spellcircles").held[state.board.segment_at(*cell, 0)] = 1
        kept(state, "ghosts").stock -= 1
    do(state, "draw:PAIR place:2,0,1")
    assert (state.step.name, legal(state)) == ("haunt", ["haunt:-1,1,0", "haunt:-1,2,0"])
    do(state, "haunt:-1,1,0")
    assert (state.step.name, legal(state)) == ("free", ["haunt:-1,1,0", "haunt:-1,2,0"])
    assert circles(do(state, "haunt:-1,1,0")) == {(3, 0): 1, (4, 0): 1}
    assert legal(state) == ["free:3,0,0", "free:4,0,0"]
    do(state, "free:4,0,0 haunt:-1,2,0")
    assert (circles(state), ghosts(state)) == ({(3, 0): 1}, {(-1, 1, 0): 2, (-1, 2, 0): 1})


@pytest.mark.rule("SCC-06")
def test_finishing_a_bank_empties_its_circles_on_opponents(state: State) -> None:
    do(state, "draw:TWO place:0,-1,0 claim:1,meeple draw:CITY place:2,1,1 claim:0,meeple")
    do(state, "draw:CLOSE place:-1,0,3")  # continued: one from the stock, one from a circle
    assert (ghosts(state), circles(state)) == ({(2, 1, 0): 2}, {(0, -1): 1})
    # Finished: one from the stock, all that are left in circles.
    do(skip(state), "draw:CLOSE place:0,-2,0")
    assert (ghosts(state), circles(state)) == ({(2, 1, 0): 2, (0, -1, 1): 2}, {})
    assert stock(state) == 11


@pytest.mark.rule("SCC-06")
def test_finishing_gives_every_ghost_of_the_circles(state: State) -> None:
    """One from the stock and both from the circles: three, so the only opponent's meeple flees."""
    do(state, "draw:TWO place:2,0,1 claim:1,meeple")
    assert (circles(state), stock(state)) == ({(2, 0): 2}, 13)
    do(state, "draw:CLOSE place:3,0,1")
    assert (ghosts(state), circles(state), stock(state)) == ({}, {}, 15)


@pytest.mark.rule("SCC-07", "SCC-08")
def test_tearing_gives_all_circles_ghosts_to_own_meeples(state: State) -> None:
    """Three ghosts from circles after the usual one: the meeple flees at its third."""
    do(state, "draw:THREE place:0,-1,0 claim:1,guard draw:CITY place:2,1,1 claim:0,meeple")
    assert (circles(state), stock(state)) == ({(0, -1): 3}, 12)
    # Player 1 tears the bank at its north.
    do(state, "draw:PLAIN place:1,2,0 pass draw:PLAIN place:0,-2,0")
    assert circles(state) == {}
    assert ghosts(state) == {}
    assert stock(state) == 15
    assert state.to_dict()["supplies"][1] == {"meeple": 5, "guard": 2}


@pytest.mark.rule("SCC-07")
def test_the_ghosts_may_be_split_among_own_meeples(state: State) -> None:
    do(state, "draw:TWO place:0,-1,0 claim:1,guard draw:CITY place:2,1,1 claim:0,meeple")
    do(state, "draw:PLAIN place:1,2,0 pass draw:CITY place:2,2,1 claim:0,meeple")
    do(state, "draw:PLAIN place:0,2,0 pass draw:PLAIN place:0,-2,0")
    for target in ("haunt:2,1,0", "haunt:2,2,0", "haunt:2,2,0"):
        assert (state.current_player, legal(state)) == (1, ["haunt:2,1,0", "haunt:2,2,0"])
        do(state, target)
    assert ghosts(state) == {(2, 1, 0): 1, (2, 2, 0): 2}


@pytest.mark.rule("SCC-08")
def test_the_rest_goes_to_other_own_meeples(state: State) -> None:
    do(state, "draw:THREE place:0,-1,0 claim:1,guard draw:CITY place:2,1,1 claim:0,meeple")
    do(state, "draw:PLAIN place:1,2,0 pass draw:CITY place:2,2,1 claim:0,meeple")
    do(state, "draw:PLAIN place:0,2,0 pass draw:PLAIN place:0,-2,0")
    # The third scares it off; one candidate is left.
    do(state, "haunt:2,1,0 haunt:2,1,0 haunt:2,1,0")
    assert ghosts(state) == {(2, 2, 0): 1}
    assert circles(state) == {}


@pytest.mark.rule("SCC-09")
def test_a_follower_comes_only_after_all_ghosts(state: State) -> None:
    do(state, "draw:CITY place:1,-1,0 claim:0,meeple draw:CITY place:-1,0,0 claim:0,meeple")
    haunt(haunt(state, 1, -1), -1, 0)
    do(state, "draw:ONE place:0,-1,0")
    assert state.step.name == "lure"
    do(state, "lure:1,-1,0")
    assert state.step.name == "claim"
