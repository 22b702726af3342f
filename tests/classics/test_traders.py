"""Traders & Builders, counted by hand.

Red's road runs east of the start tile; U is a straight road, W a crossing.
"""

from typing import Any

import pytest
from support.notation import begin, do, expansion_of, finish, legal, put, scored

from carc import State, majority
from carc.base.cells import cell_at
from carc.bots.greedy import Greedy

# Red claims the road at 1,0; green lays a cap on the start tile's city; red lays 2,0.
BESIDE = "draw:U place:1,0,1 claim:0,meeple draw:E place:0,-1,2 pass draw:U place:2,0,1"
# A bend north-west of it, claimed, and another that joins it to the start tile's road.
JOINED_BY_GREEN = "draw:V place:-1,-1,0 claim:0,meeple draw:V place:-1,0,2"


def goods(state: State) -> list[dict[str, int]]:
    """By owner, the tokens that are held."""
    data = state.to_dict()["goods"]
    return [{name: n for name, n in held.items() if n} for held in data]


@pytest.mark.rule("TRD-01")
def test_a_builder_goes_beside_an_own_follower_on_the_tile_just_laid() -> None:
    state = do(begin("base+traders", 2), BESIDE)
    assert legal(state) == [
        "claim:0,builder",  # the road is claimed, and red's
        "claim:1,meeple",
        "claim:2,meeple",
        "pass",
    ]
    do(state, "pass draw:U place:3,0,1")
    assert not [text for text in legal(state) if "builder" in text], "no road of green's"


@pytest.mark.rule("TRD-01")
def test_a_pig_goes_beside_an_own_farmer_and_nowhere_else() -> None:
    state = do(begin("base+traders", 2), "draw:U place:1,0,1 claim:1,meeple draw:E place:0,-1,2")
    do(state, "pass draw:U place:2,0,1")
    assert [text for text in legal(state) if "pig" in text or "builder" in text] == ["claim:1,pig"]
    do(state, "claim:1,pig draw:U place:3,0,1 pass draw:U place:4,0,1")
    assert not [text for text in legal(state) if "pig" in text], "there is but one"


@pytest.mark.rule("TRD-01")
def test_a_builder_does_not_count_in_majorities() -> None:
    """Red's follower and builder, green's follower on a road that a third tile joins: one each."""
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder {JOINED_BY_GREEN}")
    assert majority(state, state.board.feature_of(state.board.segment_at(2, 0, 0))) == [0, 1]


@pytest.mark.rule("TRD-01")
def test_no_builder_where_nothing_is_to_be_built() -> None:
    """The tile completes red's road: start tile, two straights, crossings."""
    state = do(
        begin("base+traders", 2), f"{BESIDE} pass draw:W place:-1,0,2 pass draw:W place:3,0,0"
    )
    assert not [text for text in legal(state) if "builder" in text]


@pytest.mark.rule("TRD-02")
def test_who_extends_what_the_builder_stands_on_has_one_turn_more_and_not_two() -> None:
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder draw:E place:2,1,3 pass")
    do(state, "draw:U place:3,0,1 pass")
    assert state.active_player == 0, "red's tile extended his builder's road: he has another turn"
    assert state.to_dict()["extra_turn"]
    do(state, "draw:U place:4,0,1 pass")
    assert state.active_player == 1, "the extra turn brings none"
    assert len(state.agenda) == 5, "a turn's steps, nothing left over"
    do(state, "draw:E")
    do(state, f"{legal(state)[0]} pass")
    assert state.active_player == 0, "nor has green one of it"


@pytest.mark.rule("TRD-02")
def test_another_tile_or_another_player_brings_no_turn() -> None:
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder draw:U place:3,0,1 pass")
    assert state.active_player == 0, "green extended it: his turn is over"
    do(state, "draw:E place:2,1,3 pass")
    assert state.active_player == 1, "red laid elsewhere"


@pytest.mark.rule("TRD-02")
def test_the_tile_that_brings_the_builder_brings_no_turn() -> None:
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder")
    assert state.active_player == 1


@pytest.mark.rule("TRD-03")
def test_who_completes_a_city_has_its_goods_whoever_scores_it() -> None:
    """Red's knight by TB02's wine, green's cap; grain in a city nobody claimed, by red."""
    state = begin("base+traders", 2)
    do(state, "draw:TB02 place:0,-1,2 claim:0,meeple draw:E place:1,-1,3 pass")
    assert scored(state) == ["0: city 3x2 = 6"]
    assert goods(state) == [{}, {"wine": 1}]
    do(state, "draw:TB01 place:0,-2,0 draw:E place:0,-3,2 draw:E place:-1,-2,1 pass")
    assert goods(state) == [{"grain": 1}, {"wine": 1}]


@pytest.mark.rule("TRD-03")
def test_most_of_a_kind_is_worth_ten_and_ties_share_nothing() -> None:
    """Wine: one each, 10 each. Cloth: green alone. Grain: nobody."""
    state = begin("base+traders", 2)
    traders = expansion_of(state, "traders")
    kept: Any = traders.state_of(state)
    kept.tokens[:] = [1, 0, 0, 1, 0, 2]
    finish(state)
    assert scored(state) == [
        "0: most wine 1x10 = 10",
        "1: most wine 1x10 = 10",
        "1: most cloth 1x10 = 10",
    ]


@pytest.mark.rule("TRD-05")
def test_a_builder_alone_goes_home_from_what_is_complete_too() -> None:
    """No rule here leaves it alone; another expansion may."""
    state = put(begin("base+traders", 2), 0, (0, 0, 1), kind="builder")
    do(state, "draw:W place:1,0,0 pass draw:W place:-1,0,2 pass")
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "builder": 1, "pig": 1}


@pytest.mark.rule("TRD-05")
def test_builder_goes_home_when_the_road_is_scored() -> None:
    """Five tiles from crossing to crossing."""
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder draw:W place:3,0,0 pass")
    assert state.to_dict()["supplies"][0] == {"meeple": 6, "builder": 0, "pig": 1}
    do(state, "draw:W place:-1,0,2 pass")
    assert scored(state) == ["0: road 5x1 = 5"]
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "builder": 1, "pig": 1}


@pytest.mark.rule("TRD-05")
def test_the_builder_goes_home_with_the_last_follower_and_not_before() -> None:
    """Two of red's on joined roads."""
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder draw:E place:0,1,1 pass")
    do(state, JOINED_BY_GREEN)
    assert state.to_dict()["supplies"][0] == {"meeple": 5, "builder": 0, "pig": 1}
    state.take_follower(state.board.segment_at(1, 0, 0))
    assert state.to_dict()["supplies"][0] == {"meeple": 6, "builder": 0, "pig": 1}
    state.take_follower(state.board.segment_at(-1, -1, 0))
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "builder": 1, "pig": 1}
    assert not state.board.occupied_segments()


@pytest.mark.rule("TRD-06")
@pytest.mark.parametrize(
    ("spec", "worth"),
    [
        ("base+river(part=two)+traders", "0: completed city 1x3, pig herd 1x1 = 4"),
        ("base+river(part=two)", "0: completed city 1x3 = 3"),
        ("base+river(part=two)+traders(herds=off)", "0: completed city 1x3 = 3"),
        ("base+gq11(herd=off)+river(part=two)", "0: completed city 1x3, pig herd 1x1 = 4"),
        ("base+gq11(herd=none)+river(part=two)", "0: completed city 1x3 = 3"),
    ],
)
def test_a_herd_on_a_field_counts_where_traders_play(spec: str, worth: str) -> None:
    """RJ11's field borders a city of two caps."""
    state = begin(spec, 2)
    index = state.rules.catalogue.index
    for name, x, y, rotation in (("RJ11", 1, 0, 0), ("E", 2, 0, 0), ("E", 2, -1, 2)):
        state._lay(index[name], cell_at(x, y), rotation)
    state.put_follower(state.board.segment_at(2, 0, 1), 0, 0)
    assert scored(finish(state)) == [worth]


@pytest.mark.rule("TRD-03")
def test_bots_expect_something_of_goods_and_of_a_builder() -> None:
    """One of nine wine tokens; a builder on the table."""
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder")
    traders = expansion_of(state, "traders")
    kept: Any = traders.state_of(state)
    kept.tokens[3] = 1
    assert traders.estimates().expected_points(state, [0.0, 0.0]) == [2.0, 10 / 9]


@pytest.mark.rule("TRD-03")
def test_bots_see_who_will_have_most_of_the_goods() -> None:
    """Of nine wine, six grain and five cloth, red has one wine, and a builder and a pig somewhere.

    While nobody leads, all have even chances to 10 points for each kind. The lead of one with eight
    to come is worth less than the same lead when all are given.
    """
    state = do(begin("base+traders", 2), f"{BESIDE} claim:0,builder")
    traders = expansion_of(state, "traders")
    even = 3 * 10 / 2
    assert traders.estimates().descriptors(state) == [[0, even, 1, 1], [0, even, 0, 1]]
    kept: Any = traders.state_of(state)
    kept.tokens[0] = 1
    (share, first, *_), (none, second, *_) = traders.estimates().descriptors(state)
    assert (share, none) == (pytest.approx(10 / 9), 0)
    assert first > even > second
    assert first + second == pytest.approx(2 * even)
    kept.tokens[0], kept.tokens[3] = 5, 4
    (_, last, *_), _ = traders.estimates().descriptors(state)
    assert last > first


@pytest.mark.rule("TRD-03")
def test_most_of_the_goods_are_most_of_the_best_rival() -> None:
    """Red has two wine as green has; blue, asked last, has none. So red's lead is none."""
    state = begin("base+traders", 3)
    traders = expansion_of(state, "traders")
    kept: Any = traders.state_of(state)
    kept.tokens[0] = kept.tokens[3] = 2
    red, green, blue = (row[1] for row in traders.estimates().descriptors(state))
    assert red == green == 3 * 10 / 2
    assert blue < red


def test_a_greedy_bot_farms_and_keeps_builders_apart_from_followers() -> None:
    """Only what claims counts as spare; a field of a completed city is what it takes."""
    state = begin("base+traders", 2)
    before = Greedy().expected(state)
    state.board.add_supply(0, state.rules.follower_number("builder"), -1)
    assert Greedy().expected(state) == before
    do(state, BESIDE)
    assert str(Greedy().choose(state)) == "claim:2,meeple"
