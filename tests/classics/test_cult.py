"""The Cult, counted by hand."""

import pytest
from support.notation import RING, begin, do, finish, lay, legal, put, scored

LAST = "draw:E place:1,3,1 pass"  # no monastery, which might not lie there


@pytest.mark.rule("CUL-01")
@pytest.mark.parametrize(("middle", "beside"), [("CU03 0,2,0", "B"), ("A 0,2,0", "CU01")])
def test_who_is_completed_first_scores_9_and_the_other_nothing(middle: str, beside: str) -> None:
    """Red's is surrounded; green's beside it is not, and comes home with nothing."""
    tiles = [f"{beside} -1,2,0", *(t for t in RING if not t.startswith("B -1,2"))]
    if beside == "B":  # CU03 has no road to the east
        tiles = [tile.replace("A 1,2,1", "B 1,2,0") for tile in tiles]
    state = lay(begin("base+cult", 2), middle, *tiles)
    put(put(state, 0, (0, 2, 1)), 1, (-1, 2, 0))
    do(state, LAST)
    assert scored(state)[:2] == ["0: monastery 9x1 = 9", "1: challenge 0 = 0"]
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (7, 7)


@pytest.mark.rule("CUL-01")
def test_two_of_a_kind_do_not_challenge_each_other() -> None:
    state = put(lay(begin("base+cult", 2), "A 0,2,0", *RING), 0, (0, 2, 1))
    do(put(state, 1, (-1, 2, 0)), LAST)
    assert scored(state) == ["0: monastery 9x1 = 9"]
    assert state.board.supply_of(1) == 6


@pytest.mark.rule("CUL-01")
def test_one_that_nobody_claimed_challenges_nobody() -> None:
    tiles = ["CU01 -1,2,0", *(t for t in RING if not t.startswith("B -1,2"))]
    state = put(lay(begin("base+cult", 2), "A 0,2,0", *tiles), 1, (-1, 2, 0))
    assert scored(do(state, LAST)) == []
    assert state.board.supply_of(1) == 6


@pytest.mark.rule("CUL-01")
def test_at_the_end_both_score() -> None:
    """Each with the start tile or the other beside it, over a corner too."""
    state = lay(begin("base+cult", 2), "CU01 0,1,0", "B 1,1,0")
    put(put(state, 0, (0, 1, 0)), 1, (1, 1, 0))
    assert scored(finish(state)) == ["0: monastery 3x1 = 3", "1: monastery 3x1 = 3"]


@pytest.mark.rule("CUL-02")
def test_no_shrine_beside_two_monasteries_nor_a_second_one_beside_a_monastery() -> None:
    state = do(lay(begin("base+cult", 2), "B 0,1,0", "B 2,1,0"), "draw:CU01")
    places = {text.rpartition(",")[0] for text in legal(state)}
    assert not {"place:1,1", "place:1,2"} & places, "between the two"
    assert {"place:-1,1", "place:0,2", "place:3,1"} <= places
    state = do(lay(begin("base+cult", 2), "B 0,1,0", "CU01 0,2,0"), "draw:CU01")
    places = {text.rpartition(",")[0] for text in legal(state)}
    assert "place:1,1" not in places, "the monastery has a shrine beside it"
    assert "place:0,3" in places
    state = do(lay(begin("base+cult", 2), "CU01 0,1,0", "B 0,2,0"), "draw:B")
    places = {text.rpartition(",")[0] for text in legal(state)}
    assert "place:1,1" not in places, "the shrine has a monastery beside it"


@pytest.mark.rule("CUL-02")
def test_other_tiles_go_anywhere() -> None:
    state = do(lay(begin("base+cult", 2), "B 0,1,0", "B 2,1,0"), "draw:E")
    assert [text for text in legal(state) if text.startswith("place:1,1,")]


@pytest.mark.rule("CUL-01")
def test_one_farther_away_is_not_challenged() -> None:
    state = lay(begin("base+cult", 2), "A 0,2,0", *RING, "CU01 2,2,0")
    do(put(put(state, 0, (0, 2, 1)), 1, (2, 2, 0)), LAST)
    assert scored(state) == ["0: monastery 9x1 = 9"]
    assert state.board.supply_of(1) == 6
