"""Hills & Sheep, counted by hand."""

import pytest
from support.notation import begin, do, finish, kept, lay, legal, put, scored, skip, standing

from carc import CHANCE, Rules, State, majority


def flocks(state: State) -> dict[tuple[int, int, int], int]:
    return standing(state, "sheep")


# -- hills -----------------------------------------------------------------------------------------


@pytest.mark.rule("HIL-01")
def test_a_tile_lies_unseen_beneath_a_hill() -> None:
    state = begin("base+hills", 2)
    before = state.tiles_left
    do(state, "draw:HS14 place:1,0,0 pass")
    assert state.tiles_left == before - 2, "the tile drawn, and the one beneath it"
    assert sum(state.bag) == before - 1, "nobody knows which"


def tied(options: str = "") -> State:
    """Red on the start tile's road, green on the road of a hill east of it; both roads are one."""
    state = do(begin(f"base+hills{options}", 2), "draw:U place:-1,0,1 claim:0,meeple")
    do(state, "draw:HS14 place:1,0,0 pass")
    state.put_follower(state.board.segment_at(1, 0, 0), 1, 0)
    return state


@pytest.mark.rule("HIL-01")
def test_who_is_on_a_hill_wins_a_tie() -> None:
    state = tied()
    road = state.board.feature_of(state.board.segment_at(0, 0, 1))
    assert majority(state, road) == [1]
    state.put_follower(state.board.segment_at(0, 0, 1), 0, 0)
    assert majority(state, road) == [0], "two followers are more than one on a hill"


@pytest.mark.rule("HIL-01")
def test_two_on_hills_are_still_tied_by_one_each_or_by_the_most() -> None:
    """Red: one on the hill and one not; green: both on the hill."""
    for options, winners in (("", [0, 1]), ("(ties=most)", [1])):
        state = tied(options)
        for segment, owner in (
            (state.board.segment_at(1, 0, 0), 0),
            (state.board.segment_at(1, 0, 0), 1),
        ):
            state.put_follower(segment, owner, 0)
        assert majority(state, state.board.feature_of(state.board.segment_at(0, 0, 1))) == winners


@pytest.mark.rule("HIL-01")
def test_one_on_a_hill_wins_a_tie_of_three() -> None:
    """One follower each on one road, green's alone on the hill."""
    state = do(begin("base+hills", 3), "draw:U place:-1,0,1 claim:0,meeple")
    do(state, "draw:HS14 place:1,0,0 pass")
    state.put_follower(state.board.segment_at(1, 0, 0), 1, 0)
    state.put_follower(state.board.segment_at(0, 0, 1), 2, 0)
    assert majority(state, state.board.feature_of(state.board.segment_at(0, 0, 1))) == [1]


@pytest.mark.rule("BASE-13", "HIL-01")
def test_nobody_has_the_majority_on_an_empty_feature() -> None:
    state = begin("base+hills", 3)
    for feature in range(len(state.to_dict("features")["features"])):
        assert state.owners_of(state.board.feature_of(feature)) == []


# -- shepherds -------------------------------------------------------------------------------------

# Red's shepherd on the field south of the road, with two sheep; green does nothing.
FLOCK = "draw:U place:1,0,1 claim:1,shepherd token:2 draw:E place:0,-1,2 pass "


@pytest.mark.rule("HIL-02", "MIST-06")
def test_a_field_that_mist_closes_cannot_grow_any_more() -> None:
    """Between F's city and the misty edge of the large start tile: its sheep score at once."""
    state = do(begin("base+ghosts+hills", 2), "draw:F place:0,-1,2 claim:1,shepherd token:1")
    assert state.scores == [1, 0]
    assert state.board.supply_of(0, state.rules.follower_number("shepherd")) == 1
    assert flocks(state) == {}


@pytest.mark.rule("HIL-02")
def test_a_shepherd_brings_a_token_of_a_known_bag() -> None:
    state = do(begin("base+hills", 2), "draw:U place:1,0,1")
    assert [text for text in legal(state) if "shepherd" in text] == [
        "claim:1,shepherd",
        "claim:2,shepherd",
    ]
    do(state, "claim:1,shepherd")
    assert state.current_player == CHANCE
    chances = {str(a): round(18 * p) for a, p in state.chance_outcomes()}
    assert chances == {"token:wolf": 2, "token:1": 4, "token:2": 5, "token:3": 5, "token:4": 2}
    do(state, "token:2")
    assert flocks(state) == {(1, 0, 1): 2}
    assert kept(state, "hills").bag == [2, 4, 4, 5, 2]


@pytest.mark.rule("HIL-02")
def test_no_shepherd_goes_on_a_field_with_one_and_none_claims() -> None:
    state = do(begin("base+hills", 2), FLOCK.partition(" draw:E")[0] + " draw:U place:2,0,1")
    mine = [text for text in legal(state) if text.startswith("claim:1")]
    assert mine == ["claim:1,meeple"], "a farmer may join it, another shepherd not"


@pytest.mark.rule("HIL-02")
def test_extending_the_field_one_more_token_or_home_with_the_flock() -> None:
    state = do(begin("base+hills", 2), FLOCK + "draw:U place:2,0,1 pass")
    assert (state.current_player, legal(state)) == (0, ["flock:grow", "flock:home"])
    twin = do(state.copy(), "flock:grow token:3")
    assert flocks(twin) == {(1, 0, 1): 5}
    do(state, "flock:home")
    assert scored(state) == ["0: sheep 2x1 = 2"]
    assert (flocks(state), kept(state, "hills").bag) == ({}, [2, 4, 5, 5, 2])
    assert state.board.supply_of(0, state.rules.follower_number("shepherd")) == 1


@pytest.mark.rule("HIL-02")
def test_two_flocks_are_tended_one_after_the_other() -> None:
    """North of the road and south of it; who was just placed comes first."""
    state = do(begin("base+hills(shepherd_count=2)", 2), FLOCK)
    do(state, "draw:U place:2,0,1 claim:2,shepherd token:3")
    assert legal(state) == ["flock:grow", "flock:home"]
    do(state, "flock:grow token:1 draw:E place:0,-2,0 pass draw:U place:3,0,1 pass flock:home")
    assert flocks(state) == {(2, 0, 2): 3}
    do(state, "flock:grow token:1")
    assert (flocks(state), state.current_player) == ({(2, 0, 2): 4}, CHANCE)


@pytest.mark.rule("HIL-02")
@pytest.mark.parametrize("cells", [(1, 2), (2, 1)])
def test_of_two_shepherds_on_a_field_the_first_by_place_draws(cells: tuple[int, int]) -> None:
    state = lay(begin("base+hills(shepherd_count=2)", 2), "U 1,0,1", "U 2,0,1")
    put(state, 0, *((x, 0, 1) for x in cells), kind="shepherd")
    do(state, "draw:U place:3,0,1 pass flock:grow token:3")
    assert {cell: n for cell, n in flocks(state).items() if n} == {(1, 0, 1): 3}


@pytest.mark.rule("HIL-02")
def test_a_tile_elsewhere_brings_no_choice() -> None:
    state = do(begin("base+hills", 2), FLOCK + "draw:E place:0,-2,0 pass")
    assert state.current_player == CHANCE
    assert state.step.name == "draw"


@pytest.mark.rule("HIL-02")
def test_nobody_tends_the_flock_of_another() -> None:
    state = do(begin("base+hills", 2), FLOCK + "draw:E place:0,-2,0 pass draw:U place:2,0,1 pass")
    assert state.current_player == CHANCE
    assert state.step.name == "draw"


@pytest.mark.rule("HIL-02")
def test_all_shepherds_of_a_field_score_all_its_sheep() -> None:
    """Green's flock of four west of red's of two, on one field; red drives it home: 6 each."""
    state = do(begin("base+hills", 2), FLOCK)
    state.put_follower(state.board.segment_at(0, 0, 3), 1, state.rules.follower_number("shepherd"))
    kept(state, "hills").with_shepherd[1] = (4,)
    do(state, "draw:U place:2,0,1 pass flock:home")
    assert scored(state) == ["0: sheep 6x1 = 6", "1: sheep 6x1 = 6"]


@pytest.mark.rule("HIL-02")
def test_a_wolf_sends_all_of_them_home_with_nothing() -> None:
    state = do(begin("base+hills", 2), FLOCK)
    state.put_follower(state.board.segment_at(0, 0, 3), 1, state.rules.follower_number("shepherd"))
    kept(state, "hills").with_shepherd[1] = (4,)
    kept(state, "hills").bag[4] -= 1
    do(state, "draw:U place:2,0,1 pass flock:grow token:wolf")
    assert (scored(state), flocks(state)) == ([], {})
    assert kept(state, "hills").bag == [2, 4, 5, 5, 2], "tokens and wolf are back"


@pytest.mark.rule("HIL-02")
def test_a_field_that_cannot_grow_any_more_is_scored() -> None:
    """The corner of grass in a crossing, closed by three more: a token first, then its sheep."""
    state = do(begin("base+hills", 2), "draw:X place:1,0,0 claim:4,shepherd token:3")
    state.board._open[state.board.feature_of(state.board.segment_at(1, 0, 4))] = 0
    state.put_follower(state.board.segment_at(0, 0, 3), 1, state.rules.follower_number("shepherd"))
    kept(state, "hills").with_shepherd[1] = (4,)
    do(state, "draw:E place:0,-1,2 pass")
    assert scored(state) == ["0: sheep 3x1 = 3"]
    assert list(flocks(state).values()) == [4], "green's field can grow: his flock stays"


@pytest.mark.rule("HIL-02")
def test_a_closed_field_of_another_is_scored_before_the_player_tends_a_flock() -> None:
    """Green's tokens are back in the bag when red draws one."""
    state = lay(do(begin("base+hills", 2), FLOCK), "X -1,0,0")
    closed = state.board.segment_at(-1, 0, 6)
    state.put_follower(closed, 1, state.rules.follower_number("shepherd"))
    kept(state, "hills").with_shepherd[1] = (4,)
    kept(state, "hills").bag[4] -= 1
    state.board._open[state.board.feature_of(closed)] = 0
    do(state, "draw:U place:2,0,1 pass")
    assert state.step.name == "flock" and scored(state) == ["1: sheep 4x1 = 4"]
    assert kept(state, "hills").bag[4] == 2


@pytest.mark.rule("HIL-02")
def test_the_flock_of_a_field_that_the_players_own_tile_closes_may_grow_first() -> None:
    state = do(begin("base+hills", 2), FLOCK + "draw:U place:2,0,1")
    state.board._open[state.board.feature_of(state.board.segment_at(1, 0, 1))] = 0
    assert legal(do(state, "pass")) == ["flock:grow", "flock:home"]
    do(state, "flock:grow token:3")
    assert scored(state) == ["0: sheep 5x1 = 5"]


@pytest.mark.rule("HIL-02", "FER-01")
def test_ferries_come_before_flocks() -> None:
    steps = [step.name for step in Rules.from_spec("base+ferries+hills", 2).turn]
    assert steps.index("ferries") < steps.index("flock") < steps.index("score")


@pytest.mark.rule("HIL-02", "DRG-02")
def test_the_flock_of_a_closed_field_is_scored_before_the_dragon_moves() -> None:
    """The dragon's tile is placed: the flock goes home, then the dragon has its way."""
    state = do(begin("base+dragon+hills", 2), "draw:X place:1,0,0 claim:4,shepherd token:3")
    segment = state.board.segment_at(1, 0, 4)
    state.board._open[state.board.feature_of(segment)] = 0
    kept(state, "dragon").dragon = state.board.cell_of(state.board.tile_at(0, 0))
    do(state, "draw:PD16 place:-1,0,0 pass")
    assert state.step.name == "dragon" and scored(state) == ["0: sheep 3x1 = 3"]


# -- vineyards -------------------------------------------------------------------------------------


@pytest.mark.rule("HIL-03")
def test_a_completed_monastery_scores_three_for_each_vineyard_beside_it() -> None:
    """At 0,1, with vineyards at -1,2 and 1,2."""
    state = do(begin("base+hills", 2), "draw:B place:0,1,0 claim:0,meeple")
    ring = ["U -1,0,1", "U 1,0,1", "E -1,1,3", "E 1,1,1", "HS01 -1,2,2", "HS01 1,2,2"]
    for line in ring:
        tile, where = line.split()
        skip(do(state, f"draw:{tile} place:{where}"))
    do(state, "draw:B place:0,2,0 pass")
    assert scored(state) == ["0: monastery 9x1, vineyard 2x3 = 15"]


@pytest.mark.rule("HIL-03")
def test_an_incomplete_monastery_scores_no_vineyard() -> None:
    state = do(begin("base+hills", 2), "draw:B place:0,1,0 claim:0,meeple")
    for line in ("U -1,0,1", "E -1,1,3", "HS01 -1,2,2"):
        tile, where = line.split()
        skip(do(state, f"draw:{tile} place:{where}"))
    assert scored(finish(state)) == ["0: monastery 5x1 = 5"]


def test_bots_expect_a_flocks_sheep_while_tiles_are_left() -> None:
    state = do(begin("base+hills", 2), FLOCK)
    (hills,) = state.rules.estimates.expected_points
    mine, theirs = hills.expected_points(state, [0.0, 0.0])
    assert 1.5 < mine < 2.0
    assert theirs == 0.0
