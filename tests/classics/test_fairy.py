"""The fairy of The Princess & the Dragon, counted by hand."""

import pytest
from support.dragon_moves import FIRE, ROADS, VOLCANO
from support.notation import begin, do, finish, kept, legal, scored, tiles_with

from carc.base.board.figures import NOBODY


@pytest.mark.rule("DRG-05")
def test_the_fairy_goes_beside_an_own_follower_and_keeps_the_dragon_off() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple " + FIRE)
    assert [text for text in legal(state) if "fairy" in text] == ["fairy:-1,0,2,meeple"]
    do(state, "pass")
    assert tiles_with(state, "fairy") == [(1, 0)]
    assert tiles_with(state, "dragon") == [(-2, 0)], "there was one way, to the west"
    assert state.board.supply_of(0) == 6


@pytest.mark.rule("DRG-05")
def test_she_keeps_it_off_in_the_turn_in_which_she_comes() -> None:
    """Green lays the dragon's tile and sends her to his own road: the one way is east, to red."""
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "pass " + FIRE + "fairy:-1,0,2,meeple")
    assert tiles_with(state, "dragon") == [(1, 0)]
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (7, 6)


@pytest.mark.rule("DRG-05")
def test_a_point_at_the_start_of_each_turn_of_her_followers_owner() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple")
    do(state, "draw:E place:0,-1,2")
    assert scored(state) == [], "green's turn"
    do(state, "pass draw:E place:0,2,2")
    assert scored(state) == ["0: fairy 1x1 = 1"]
    assert "fairy:1,0,2,meeple" not in legal(state), "she is there"
    do(state, "pass draw:E place:1,-1,0 fairy:-1,0,2,meeple draw:E place:1,2,0 pass")
    do(state, "draw:E place:0,3,0")
    assert scored(state) == ["0: fairy 1x1 = 1", "1: fairy 1x1 = 1"]
    assert "fairy:-1,0,2,meeple" not in legal(state)


@pytest.mark.rule("DRG-05")
def test_a_builders_turn_is_no_new_turn_to_the_fairy() -> None:
    state = do(begin("base+dragon+traders", 2), "draw:U place:1,0,1 claim:0,meeple")
    do(state, "draw:E place:0,-1,2 pass draw:U place:2,0,1 fairy:1,0,0,meeple")
    state.put_follower(state.board.segment_at(1, 0, 0), 0, state.rules.follower_number("builder"))
    do(state, "draw:E place:0,-2,0 pass draw:U place:3,0,1 pass draw:U place:4,0,1 pass")
    assert scored(state) == ["0: fairy 1x1 = 1"]


@pytest.mark.rule("DRG-05")
def test_three_points_where_her_follower_is_scored_and_she_stays() -> None:
    state = do(begin("base+dragon", 2), "draw:W place:1,0,0 claim:2,meeple draw:E place:0,-1,2")
    do(state, "pass draw:E place:0,-2,0 fairy:1,0,2,meeple draw:W place:-1,0,2 pass")
    assert scored(state)[:2] == ["0: road 3x1 = 3", "0: fairy 1x3 = 3"]
    assert (tiles_with(state, "fairy"), kept(state, "dragon").companion) == ([(1, 0)], NOBODY)
    assert state.board.supply_of(0) == 7


@pytest.mark.rule("DRG-05")
def test_three_points_at_the_end_too_and_none_for_who_went_home() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple")
    assert "0: fairy 1x3 = 3" in scored(finish(state))
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple")
    state.take_follower(state.board.segment_at(1, 0, 2))
    assert tiles_with(state, "fairy") == [(1, 0)]
    assert not [text for text in scored(finish(state)) if "fairy" in text]


@pytest.mark.rule("DRG-05")
def test_of_two_followers_alike_she_keeps_the_other_company() -> None:
    """Red's second one there came by air, or by a crop circle."""
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple")
    road = state.board.segment_at(1, 0, 2)
    state.put_follower(road, 0, 0)
    state.take_follower(road, 0, 0)
    assert kept(state, "dragon").companion == (road, 0, 0)
    state.take_follower(road, 0, 0)
    assert kept(state, "dragon").companion == NOBODY


@pytest.mark.rule("DRG-05")
def test_from_one_of_two_followers_alike_she_may_go_to_the_other() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple")
    state.put_follower(state.board.segment_at(1, 0, 2), 0, 0)
    do(state, "draw:E place:0,-1,2 pass draw:E place:0,2,2")
    assert [text for text in legal(state) if "fairy" in text] == ["fairy:1,0,2,meeple"]


@pytest.mark.rule("DRG-05", "INN-02")
@pytest.mark.parametrize(
    ("moves", "points"),
    [
        # An incomplete road with an inn is not scored; a field without a city is, at 0.
        ("draw:IC15 place:1,0,0 claim:0,meeple", ["0: road 2x1, incomplete with inn 2x-1 = 0"]),
        ("draw:IC15 place:1,0,0 claim:2,meeple", ["0: field 0 = 0", "0: fairy 1x3 = 3"]),
        ("draw:U place:1,0,1 claim:0,meeple", ["0: road 2x1 = 2", "0: fairy 1x3 = 3"]),
    ],
)
def test_what_is_not_scored_at_the_end_brings_the_fairys_company_nothing(
    moves: str, points: list[str]
) -> None:
    state = do(
        begin("base+dragon+inns", 2), f"{moves} draw:E place:0,-1,2 pass draw:E place:0,-2,0"
    )
    (fairy,) = [text for text in legal(state) if text.startswith("fairy")]
    assert scored(finish(do(state, fairy))) == points


def test_bots_expect_what_the_fairy_will_bring() -> None:
    state = do(begin("base+dragon", 2), ROADS + VOLCANO + "fairy:1,0,2,meeple")
    (dragon,) = state.rules.estimates.expected_points
    assert dragon.expected_points(state, [0.0, 0.0]) == [4.5, 0.0]
