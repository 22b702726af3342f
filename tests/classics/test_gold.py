"""The Goldmines, counted by hand."""

import pytest
from support.notation import begin, do, finish, kept, legal, scored, standing

from carc import State

# A road from a village in the east over the start tile to the mine in the west, where it turns
# south.
ROAD = "draw:W place:1,0,0 claim:2,meeple draw:E place:0,-1,2 pass draw:GO06 place:-1,0,0"
CLOSED = " draw:W place:-1,1,1 pass"


def lying(state: State) -> dict[tuple[int, int], int]:
    return {(x, y): n for (x, y, _), n in standing(state, "gold").items()}


@pytest.mark.rule("GLD-01")
def test_an_ingot_lies_on_the_mine_another_on_a_neighbour() -> None:
    """Beside the mine at -1,0 lie the start tile and, across the corner, the cap at 0,-1."""
    state = do(begin("base+gold", 2), ROAD)
    assert lying(state) == {(-1, 0): 1}
    assert legal(state) == ["gold:0,-1", "gold:0,0"]
    do(state, "gold:0,-1")
    assert lying(state) == {(-1, 0): 1, (0, -1): 1}
    assert state.step.name == "claim"


@pytest.mark.rule("GLD-01")
def test_a_single_neighbour_is_no_choice() -> None:
    state = do(begin("base+gold", 2), "draw:GO06 place:-1,0,0")
    assert lying(state) == {(-1, 0): 1, (0, 0): 1}


@pytest.mark.rule("GLD-02")
def test_ingots_on_a_scored_features_tiles_go_to_its_majority() -> None:
    """The cap's city was completed before: its ingot stays; the road takes the mine's."""
    state = do(begin("base+gold", 2), ROAD + " gold:0,-1 pass" + CLOSED)
    assert scored(state) == ["0: road 4x1 = 4"]
    assert (lying(state), state.to_dict()["gold"]) == ({(0, -1): 1}, [1, 0])


@pytest.mark.rule("GLD-02")
def test_an_ingot_that_comes_after_the_scoring_stays() -> None:
    state = do(begin("base+gold", 2), ROAD + " gold:0,-1 pass" + CLOSED)
    kept(state, "gold").lying[state.board.cell_of(state.board.tile_at(-1, 0))] = (
        1  # as another mine's second may
    )
    do(state, "draw:E place:0,1,1 pass")
    assert (lying(state), state.to_dict()["gold"]) == ({(0, -1): 1, (-1, 0): 1}, [1, 0])


@pytest.mark.rule("GLD-02")
def test_a_feature_that_nobody_scores_leaves_its_ingots() -> None:
    state = do(begin("base+gold", 2), ROAD.replace("claim:2,meeple", "pass") + " gold:0,0 pass")
    do(state, CLOSED)
    assert (lying(state), state.to_dict()["gold"]) == ({(-1, 0): 1, (0, 0): 1}, [0, 0])


@pytest.mark.rule("GLD-02")
def test_who_share_a_majority_take_one_after_another_from_the_active_player_on() -> None:
    """Red and green share the road's three ingots; green closes it and takes two."""
    state = do(begin("base+gold", 2), ROAD + " gold:0,0 pass")
    state.put_follower(state.board.segment_at(-1, 0, 1), 1, 0)
    kept(state, "gold").lying[state.board.cell_of(state.board.tile_at(1, 0))] = 1
    assert state.active_player == 1
    do(state, CLOSED)
    assert state.to_dict()["gold"] == [1, 2]


@pytest.mark.rule("GLD-02")
def test_each_takes_first_from_the_tile_that_most_may_take_from() -> None:
    """Red alone has a claim on the cap's ingot, on the start tile's green too: red takes both."""
    state = do(begin("base+gold", 2), ROAD.partition(" draw:GO06")[0])
    cap, start = (state.board.cell_of(state.board.tile_at(0, y)) for y in (-1, 0))
    ingots = kept(state, "gold")
    ingots.lying = {cap: 1, start: 1}
    ingots.claimed = {cap: frozenset({0}), start: frozenset({0, 1})}
    do(state, "draw:B place:0,1,0 pass")
    assert state.to_dict()["gold"] == [2, 0]


@pytest.mark.rule("GLD-02")
def test_a_monastery_takes_from_all_nine_tiles() -> None:
    """The monastery at 0,1 with its eight neighbours; a mine's ingots on two of them."""
    state = do(begin("base+gold", 2), "draw:B place:0,1,0 claim:0,meeple")
    ring = ["U -1,0,1", "U 1,0,1", "E -1,1,3", "E 1,1,1", "E -1,2,3", "E 1,2,1"]
    for line in ring:
        tile, where = line.split()
        do(state, f"draw:{tile} place:{where} pass")
    kept(state, "gold").lying.update(
        {
            state.board.cell_of(state.board.tile_at(1, 2)): 1,
            state.board.cell_of(state.board.tile_at(0, 1)): 1,
        }
    )
    do(state, "draw:B place:0,2,0 pass")
    assert scored(state) == ["0: monastery 9x1 = 9"]
    assert (lying(state), state.to_dict()["gold"]) == ({}, [2, 0])


@pytest.mark.rule("GLD-03")
@pytest.mark.parametrize(
    ("ingots", "each"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4), (14, 4)]
)
def test_the_more_ingots_the_more_each_is_worth(ingots: int, each: int) -> None:
    state = begin("base+gold", 2)
    kept(state, "gold").held[1] = ingots
    assert scored(finish(state)) == [f"1: gold {ingots}x{each} = {ingots * each}"]


def test_bots_expect_what_is_held_and_half_of_what_lies_on_their_features() -> None:
    """Three held are worth 2 each with a fourth; two on a road one leads, 0.5 x 2 x 2 with five."""
    state = do(begin("base+gold", 2), ROAD + " gold:0,0 pass")
    kept(state, "gold").held[0] = 3
    (gold,) = state.rules.estimates.expected_points
    assert gold.expected_points(state, [0.0, 0.0]) == [3 * 2 + 0.5 * 2 * 2, 0.0]
