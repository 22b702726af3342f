"""Who leaves Carcassonne joins what is scored (CNT-02), counted by hand."""

import pytest
from support.notation import (
    RING,
    begin,
    do,
    emptied,
    expansion_of,
    finish,
    kept,
    lay,
    legal,
    put,
    scored,
)

from carc import State

ROAD = (0, 1, 1)


CROSSING = "draw:X place:0,2,0 pass"


QUARTERS = ("castle", "market", "blacksmith", "cathedral")


def lodge(state: State, quarter: str, owner: int, n: int = 1, kind: str = "meeple") -> State:
    """Put an owner's followers of the supply into a quarter."""
    follower = state.rules.follower_number(kind)
    city = expansion_of(state, "count").city
    city._move(state, QUARTERS.index(quarter), owner, follower, n)
    return state


def of_road(*verbs: str) -> list[str]:
    """The choices of a segment of the completed road, in the order of cells."""
    return [f"join:{place},meeple" for place in ("0,1,1", "0,2,0")] + list(verbs)


@pytest.mark.rule("CNT-02")
def test_a_follower_joins_what_is_scored_and_comes_home() -> None:
    """Player 1 shares the road of player 0, who now has two points but no more than that."""
    state = do(lodge(put(begin("base+count", 2), 0, ROAD), "blacksmith", 1), CROSSING)
    assert (state.current_player, legal(state)) == (1, of_road("pass"))
    do(state, "join:0,2,0,meeple")
    assert state.scores == [2, 2] and state.board.supply_of(1) == 7
    assert state.to_dict()["residents"] == [] and state.current_player < 0


@pytest.mark.rule("CNT-02", "RUS-03")
def test_who_joins_beside_the_vodyanoy_is_caught_before_the_scoring() -> None:
    """He lies at a corner of the road's second tile."""
    state = lay(begin("base+count+russian", 2), "RQ02 1,3,0")
    do(lodge(state, "blacksmith", 1), CROSSING)
    do(state, "join:0,2,0,meeple")
    assert state.scores == [0, 0]
    assert state.board.followers_at(state.board.segment_at(1, 3, 0)) == [(1, 0)]


@pytest.mark.rule("CNT-02")
def test_the_next_player_begins_and_moves_as_many_as_they_like() -> None:
    state = lodge(lodge(put(begin("base+count", 3), 0, ROAD), "blacksmith", 2, 2), "blacksmith", 0)
    do(lodge(state, "blacksmith", 1), CROSSING)
    asked = []
    for move in ("pass", of_road()[0], of_road()[1], "pass"):
        asked.append(state.current_player)
        do(state, move)
    assert asked == [1, 2, 2, 0]
    assert state.scores == [0, 0, 2]
    assert [one["owner"] for one in state.to_dict()["residents"]] == [0, 1]


@pytest.mark.rule("CNT-02", "WAT-01")
def test_who_joins_scores_for_the_watchtower_there() -> None:
    """2 for the road, 2 for the only follower on the nine tiles."""
    state = lodge(begin("base+count+watchtowers", 2), "blacksmith", 1)
    do(state, "draw:WT04 place:0,2,2 pass join:0,2,1,meeple")
    assert state.scores == [0, 4]


@pytest.mark.rule("CNT-02")
def test_what_nobody_claimed_may_be_joined() -> None:
    state = do(lodge(begin("base+count", 2), "blacksmith", 0), CROSSING)
    do(state, of_road()[0])
    assert state.scores == [2, 0] and state.current_player < 0


@pytest.mark.rule("CNT-02")
@pytest.mark.parametrize("quarter", ["castle", "market", "cathedral", "blacksmith"])
def test_only_the_quarter_of_the_feature_is_left_and_not_if_the_count_is_there(
    quarter: str,
) -> None:
    state = put(begin("base+count", 2), 0, ROAD)
    kept(state, "count").count = QUARTERS.index("blacksmith")
    assert do(lodge(state, quarter, 1), CROSSING).current_player < 0


@pytest.mark.rule("CNT-02")
def test_a_monastery_is_joined_from_the_cathedral_and_a_city_from_the_castle() -> None:
    """The last tile of a ring round the monastery closes a city beside it, too."""
    ring = ("B 5,5,0", *(f"B {5 + x},{5 + y},0" for x, y in ((-1, -1), (0, -1), (-1, 0), (-1, 1))))
    state = lay(begin("base+count", 2), *ring, "B 5,6,0", "B 6,6,0", "B 6,5,0", "E 7,4,3")
    kept(state, "count").count = QUARTERS.index("market")
    do(lodge(lodge(state, "cathedral", 1), "castle", 1), "draw:E place:6,4,1 pass")
    assert legal(state) == ["join:6,4,0,meeple", "join:7,4,0,meeple", "join:5,5,0,meeple", "pass"]
    do(state, "join:5,5,0,meeple join:6,4,0,meeple")
    assert state.scores == [0, 13]


@pytest.mark.rule("CNT-02")
def test_nobody_joins_on_the_tile_of_the_dragon() -> None:
    state = lodge(put(begin("base+count+dragon", 2), 0, ROAD), "blacksmith", 1)
    kept(state, "dragon").dragon = state.board.cell_of(state.board.tile_at(0, 1))
    do(state, CROSSING)
    assert legal(state) == ["join:0,2,0,meeple", "pass"]


@pytest.mark.rule("CNT-02")
def test_before_the_end_followers_of_the_market_join_fields_in_turn() -> None:
    """Player 1 begins after player 0's last turn; who passes is not asked again."""
    state = lodge(lodge(begin("base+count", 2), "market", 0, 2), "market", 1, 2)
    lodge(state, "blacksmith", 1)
    state = finish(state)
    first = legal(state)
    assert state.current_player == 1
    assert first[0] == "join:-2,-1,1,meeple" and first[-1] == "pass"
    # Ten tiles of the city have fields; those at -2,-1 and 1,-1 and 0,1 have two.
    assert len(first) == 13 + 1
    asked = []
    for move in ("join:-2,0,1,meeple", "join:-1,1,1,meeple", "pass", "join:-1,1,1,meeple"):
        asked.append(state.current_player)
        do(state, move)
    assert asked == [1, 0, 1, 0]
    assert state.is_terminal
    # It is one field, round the south-western corner.
    assert scored(state) == ["0: completed city 1x3 = 3"] and state.board.supply_of(0) == 5


@pytest.mark.rule("CNT-02")
def test_before_the_end_whoever_placed_the_last_tile_is_last() -> None:
    """Player 1 does, whoever would have been next."""
    state = do(begin("base+count", 3), "draw:E place:0,-2,0 pass")
    for owner in range(3):
        lodge(state, "market", owner)
    do(emptied(state, "E"), "draw:E place:-1,-2,0 pass")
    asked = []
    while not state.is_terminal:
        asked.append(state.current_player)
        do(state, "pass")
    assert asked == [2, 0, 1]


@pytest.mark.rule("CNT-02", "WAT-01")
def test_a_watchtower_that_scores_when_claimed_scores_for_who_joins() -> None:
    """It counts followers, here the one who joins; the road has two tiles."""
    state = lodge(begin("base+count+watchtowers(bonus=claimed)", 2), "blacksmith", 1)
    do(state, "draw:WT04 place:0,2,2 pass join:0,2,1,meeple")
    assert scored(state) == ["1: watched meeples 1x2 = 2", "1: road 2x1 = 2"]


@pytest.mark.rule("CNT-02", "ABM-04")
def test_followers_of_the_market_join_a_field_on_which_a_barn_is_put() -> None:
    """Carcassonne is the city beside it. The barn's owner has nobody there and may enter after."""
    state = lay(begin("base+abbey+count", 2), "B 0,2,0", "B 0,3,0", "B 1,2,0")
    state.board.completed.clear()  # by the tiles laid: nothing but the field is scored
    do(lodge(state, "market", 1), "draw:B place:1,3,0 barn:1,3,1,barn")
    assert state.step.name == "join" and "join:1,3,1,meeple" in legal(state)
    do(state, "join:1,3,1,meeple")
    assert state.scores == [0, 3] and state.step.name == "enter"


@pytest.mark.rule("CNT-02", "ABM-04")
def test_who_joins_a_barn_before_the_end_scores_one_a_city_and_the_barn_four() -> None:
    """Carcassonne is the city."""
    state = put(begin("base+abbey+count", 2), 0, (0, -1, 1), kind="barn")
    kept(state, "abbey").barn = -1  # an earlier turn's
    state = finish(lodge(lodge(state, "market", 1), "market", 0))
    do(state, "join:1,-1,1,meeple pass")
    assert state.scores == [4, 1]


@pytest.mark.rule("CNT-02")
@pytest.mark.parametrize(("final", "joins"), [("market", []), ("all", ["-2,1,0", "1,1,0"])])
def test_whether_others_leave_before_the_end_is_an_option(final: str, joins: list[str]) -> None:
    """The two cities outside Carcassonne are incomplete."""
    state = begin(f"base+count(final={final})", 2)
    kept(state, "count").count = QUARTERS.index("market")
    state = finish(lodge(lodge(state, "castle", 0), "market", 1))
    texts = [] if state.is_terminal else legal(state)
    assert texts == [f"join:{place},meeple" for place in joins] + ["pass"] * bool(joins)


@pytest.mark.rule("CNT-02", "MON-01")
def test_who_comes_from_the_city_to_a_completed_german_monastery_does_not_lie_down() -> None:
    """It is scored in this turn."""
    state = lay(begin("base+count+monasteries", 2), "MO05 0,2,0", *RING[1:])
    lodge(state, "cathedral", 0)
    do(state, "draw:B place:1,3,0 pass")
    (join,) = [text for text in legal(state) if text.startswith("join")]
    do(state, join)
    assert state.step.name != "rest" and scored(state) == ["0: monastery 9x1 = 9"]
