"""Inns & Cathedrals, counted by hand."""

import pytest
from support.notation import begin, do, finish, legal, scored

from carc import Rules, majority
from carc.errors import BadRules


@pytest.mark.rule("INN-01")
def test_each_has_one_large_follower_who_outweighs_a_meeple() -> None:
    """Two roads that a third tile joins: a large follower on one, a meeple on the other."""
    state = begin("base+inns", 2)
    do(
        state,
        "draw:V place:1,0,1 claim:0,big draw:K place:0,-1,2 claim:1,meeple draw:V place:1,-1,0",
    )
    assert majority(state, state.board.feature_of(state.board.segment_at(1, 0, 0))) == [0]
    do(state, "pass draw:U place:-1,0,1")
    assert "claim:1,big" in legal(state)
    do(state, "pass draw:U place:-2,0,1")
    assert not [text for text in legal(state) if text.endswith(",big")], "there is but one"


@pytest.mark.rule("INN-01")
def test_six_play_the_base_game_and_no_more_play_the_team_game() -> None:
    assert Rules.from_spec("base+inns", 6).players == 6
    with pytest.raises(BadRules, match="for 1 to 6 players, not 7"):
        Rules.from_spec("base+inns", 7)
    with pytest.raises(BadRules, match="for 1 to 5 players, not 6"):
        Rules.from_spec("mists:1+inns", 6)


@pytest.mark.rule("INN-02")
def test_a_road_with_an_inn_is_worth_two_a_tile_and_inns_do_not_stack() -> None:
    """The start tile, an inn at either side, crossings at the ends: 5 tiles."""
    state = begin("base+inns", 2)
    do(state, "draw:IC15 place:1,0,0 claim:0,meeple draw:IC16 place:-1,0,3 draw:W place:2,0,0")
    do(state, "pass draw:W place:-1,1,1 pass")
    assert scored(state) == ["0: road 5x1, inn 5x1 = 10"]


@pytest.mark.rule("INN-02")
def test_an_incomplete_road_with_an_inn_is_worth_nothing() -> None:
    state = finish(do(begin("base+inns", 2), "draw:IC15 place:1,0,0 claim:0,meeple"))
    assert scored(state) == ["0: road 2x1, incomplete with inn 2x-1 = 0"]


@pytest.mark.rule("INN-03")
def test_a_city_with_a_cathedral_is_worth_three_a_tile_and_coat_of_arms() -> None:
    """The start tile's city, the cathedral above it, a coat of arms, three caps: 6 tiles and 1."""
    state = begin("base+inns", 2)
    do(state, "draw:IC01 place:0,-1,0 claim:0,meeple draw:E place:0,-2,2 pass draw:E place:1,-1,3")
    do(state, "draw:F place:-1,-1,0 pass draw:E place:-2,-1,1 pass")
    assert scored(state) == ["0: city 6x2, coat of arms 1x2, cathedral 7x1 = 21"]


@pytest.mark.rule("INN-03")
def test_an_incomplete_city_with_a_cathedral_is_worth_nothing() -> None:
    state = finish(do(begin("base+inns", 2), "draw:IC01 place:0,-1,0 claim:0,meeple"))
    assert scored(state) == ["0: city 2x1, incomplete with cathedral 2x-1 = 0"]
