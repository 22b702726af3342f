"""The base game: the rules BASE-*, one scenario at least for each, counted by hand.

The start tile D lies at 0,0: city in the north, road from west to east, a field on either side of
it.
"""

import random
from typing import Any

import pytest
from support import notation
from support.notation import do, finish, legal, scored, skip

from carc import CHANCE, TERMINAL, Rules, State, playout
from carc.base.game.outcome import results
from carc.errors import BadRules


def begin(players: int = 2, spec: str = "base") -> State:
    return notation.begin(spec, players)


def feature(state: State, kind: str, x: int, y: int, segment: int) -> dict[str, Any]:
    """The feature of this kind that has this segment."""
    return next(
        f
        for f in state.to_dict("features")["features"]
        if f["kind"] == kind and [x, y, segment] in f["segments"]
    )


@pytest.mark.rule("BASE-01")
def test_72_tiles_the_start_tile_on_the_table() -> None:
    data = begin().to_dict()
    assert data["tiles"] == [{"x": 0, "y": 0, "kind": "D", "rotation": 0}]
    assert sum(data["bag"].values()) == 71
    assert (len(data["bag"]), data["bag"]["D"]) == (24, 3)


@pytest.mark.rule("BASE-02")
def test_one_to_five_players_with_7_meeples_and_no_points() -> None:
    for players in (1, 2, 3, 4, 5):
        data = begin(players).to_dict()
        assert data["supplies"] == [{"meeple": 7}] * players
        assert data["scores"] == [0] * players
    with pytest.raises(BadRules, match="1 to 5 players"):
        begin(6)


@pytest.mark.rule("BASE-03")
def test_every_shared_edge_matches() -> None:
    state = do(begin(), "draw:X")  # four roads: beside the start tile's two road ends only
    assert legal(state) == [f"place:{x},0,{r}" for x in (-1, 1) for r in range(4)]


@pytest.mark.rule("BASE-04")
def test_a_tile_that_fits_nowhere_leaves_the_game_and_the_player_draws_again() -> None:
    # The only city is closed: C fits nowhere.
    state = do(begin(), "draw:E place:0,-1,2 pass draw:C")
    assert state.current_player == CHANCE
    assert state.to_dict()["discarded"] == ["C"]
    do(state, "draw:U")
    assert (state.current_player, state.step.name) == (1, "place")


@pytest.mark.rule("BASE-05")
def test_a_meeple_on_any_free_feature_of_the_tile_just_laid() -> None:
    state = do(begin(), "draw:A place:-1,0,3")  # monastery, road to the east
    assert legal(state) == ["claim:0,meeple", "claim:1,meeple", "claim:2,meeple", "pass"]


@pytest.mark.rule("BASE-05")
def test_no_meeple_where_anyone_stands_already() -> None:
    state = do(begin(), "draw:U place:1,0,1 claim:0,meeple draw:U place:2,0,1")
    assert "claim:0,meeple" not in legal(state)  # the road is player 0's
    state = do(
        begin(), "draw:U place:1,0,1 claim:0,meeple draw:U place:2,0,1 pass draw:U place:3,0,1"
    )
    assert "claim:0,meeple" not in legal(state)  # nor may its owner join it


@pytest.mark.rule("BASE-05")
def test_without_farmers_nobody_claims_a_field_and_all_else_is_the_same() -> None:
    """Games of both rules side by side: what is legal differs by claims of fields alone."""
    fields = claims = 0
    for seed in range(4):
        rng = random.Random(seed)
        usual, bare = (Rules.from_spec(spec, 3).start() for spec in ("base", "base(fields=off)"))
        while not bare.is_terminal:
            offered = legal(bare)
            assert [t for t in legal(usual) if t not in farmers(usual)] == offered
            assert not farmers(bare)
            claims += bare.step.name == "claim"
            action = bare.rules.parse(rng.choice(offered))
            usual.apply(action)
            bare.apply(action)
            fields += len(farmers(usual))
            if usual.step.name != bare.step.name:  # fields alone were free: nothing to decide
                assert [t for t in legal(usual) if t not in farmers(usual)] == ["pass"]
                skip(usual)
            assert usual.scores == bare.scores
        assert usual.is_terminal
        assert (results(usual), usual.winners) == (results(bare), bare.winners)
    assert fields > 100
    assert claims > 100


def farmers(state: State) -> list[str]:
    """The claims of fields that are legal now."""
    segments = state.board.tile_data(state.board.last_tile).segments
    fields = [f"claim:{i},meeple" for i, one in enumerate(segments) if one.kind == "field"]
    return [text for text in legal(state) if text in fields]


@pytest.mark.rule("BASE-06")
def test_without_meeples_there_is_no_choice_and_one_that_comes_back_waits_a_turn() -> None:
    state = do(begin(), "draw:F place:0,-1,1 claim:0,meeple draw:U place:1,0,1 pass")
    state.board._supply[0] = 0
    do(state, "draw:E place:0,-2,2")
    assert (state.current_player, state.board._supply[0]) == (CHANCE, 1)  # scored, back, not placed


@pytest.mark.rule("BASE-08")
def test_a_city_of_two_tiles_scores_4() -> None:
    assert scored(do(begin(), "draw:E place:0,-1,2 claim:0,meeple")) == ["0: city 2x2 = 4"]


@pytest.mark.rule("BASE-08")
def test_with_the_older_rule_a_city_of_two_tiles_scores_half() -> None:
    """Two tiles, one with a coat of arms: 3. A city of three tiles scores in full."""
    state = do(begin(spec="base(small_cities=half)"), "draw:E place:0,-1,2 claim:0,meeple")
    assert scored(state) == ["0: city 2x1 = 2"]
    state = do(begin(spec="base(small_cities=half)"), "draw:F place:0,-1,1 claim:0,meeple")
    assert scored(skip(do(state, "draw:E place:0,-2,2"))) == ["0: city 3x2, coat of arms 1x2 = 8"]


@pytest.mark.rule("BASE-02")
def test_a_player_alone_plays_for_points() -> None:
    rules = Rules.from_spec("base", 1)
    state, deal = rules.start(), rules.deal(1)
    while not state.is_terminal:
        chance = state.current_player == CHANCE
        state.apply(deal.choose(state) if chance else state.legal_actions()[0])
    assert state.scores[0] > 0
    assert (state.returns(), state.winners) == ([0.0], [0])


@pytest.mark.rule("BASE-08")
def test_a_gap_inside_keeps_a_city_open() -> None:
    """Four cities round an empty cell, closed by the tile that fills it: 5 tiles and a coat."""
    state = do(
        begin(), "draw:U place:-1,0,1 draw:U place:1,0,1 draw:E place:-1,-1,1 claim:0,meeple"
    )
    do(state, "draw:E place:1,-1,3 draw:B place:1,-2,0 draw:E place:0,-2,2")
    assert scored(skip(state)) == []
    do(state, "draw:C place:0,-1,0")
    assert scored(state) == ["0: city 5x2, coat of arms 1x2 = 12"]


RING = ["U -1,0,1", "U 1,0,1", "E -1,1,3", "E 1,1,1", "E -1,2,3", "E 1,2,1", "B 0,2,0"]


@pytest.mark.rule("BASE-09")
def test_a_monastery_with_8_neighbours_scores_9() -> None:
    state = do(begin(), "draw:B place:0,1,0 claim:0,meeple")
    for number, line in enumerate(RING):
        assert scored(state) == [], f"too early, after {number} of 7"
        tile, where = line.split()
        skip(do(state, f"draw:{tile} place:{where}"))
    assert scored(state) == ["0: monastery 9x1 = 9"]
    assert state.to_dict()["supplies"] == [{"meeple": 7}] * 2


@pytest.mark.rule("BASE-10")
def test_a_tile_with_two_parts_of_one_city_counts_once() -> None:
    """I's two cities are joined by a ring of three more tiles: 4 tiles, not 5."""
    state = do(begin(), "draw:I place:0,1,1 claim:0,meeple draw:N place:1,1,3 draw:N place:0,2,1")
    skip(do(state, "draw:N place:1,2,0"))
    assert scored(state) == ["0: city 4x2 = 8"]


@pytest.mark.rule("BASE-11", "BASE-14")
def test_the_most_followers_take_all() -> None:
    """Player 1's two roads against player 0's one, joined: only player 1 scores."""
    state = do(begin(), "draw:U place:1,0,1 claim:0,meeple draw:U place:1,1,1 claim:0,meeple")
    do(state, "draw:U place:-1,0,1 draw:A place:-2,0,3 pass draw:V place:2,0,0")
    do(state, "draw:U place:0,1,1 pass draw:B place:3,0,0 draw:V place:-1,1,3 pass")
    # A second one of player 1's on the lower road.
    state.put_follower(state.board.segment_at(-1, 1, 0), 1, 0)
    skip(do(state, "draw:V place:2,1,1"))
    assert feature(state, "road", 0, 0, 1)["complete"] is False
    do(state, "draw:A place:-1,2,2")
    skip(state)
    # -2,0 -1,0 0,0 1,0 2,0 2,1 1,1 0,1 -1,1 -1,2
    assert scored(state) == ["1: road 10x1 = 10"]


@pytest.mark.rule("BASE-12")
def test_meeples_go_home_farmers_stay() -> None:
    state = do(begin(), "draw:E place:0,-1,2 claim:1,meeple draw:F place:0,1,0")
    farmer = feature(state, "field", 0, -1, 1)
    assert [f["owner"] for f in farmer["followers"]] == [0]
    assert state.to_dict()["supplies"][0] == {"meeple": 6}  # the city it stands beside is complete


@pytest.mark.rule("BASE-13")
def test_an_empty_feature_scores_nothing_and_another_players_scores_for_them() -> None:
    assert scored(do(begin(), "draw:E place:0,-1,2 pass")) == []
    state = do(begin(), "draw:F place:0,-1,1 claim:0,meeple")
    skip(do(state, "draw:E place:0,-2,2"))  # laid by player 1
    assert state.scores == [8, 0]


@pytest.mark.rule("BASE-15")
def test_the_game_ends_with_the_last_tile() -> None:
    state = begin()
    while not state.is_terminal:
        assert state.current_player != TERMINAL
        state.apply(random.Random(0).choice(state.legal_actions()))
    data = state.to_dict()
    assert data["bag"] == {}
    assert len(data["tiles"]) + len(data["discarded"]) == 72
    assert state.legal_actions() == []


@pytest.mark.rule("BASE-15")
def test_a_last_tile_that_fits_nowhere_ends_the_game() -> None:
    state = do(begin(), "draw:E place:0,-1,2 pass")
    do(notation.emptied(state, "C"), "draw:C")
    assert state.is_terminal
    assert state.to_dict()["discarded"] == ["C"]


@pytest.mark.rule("BASE-16")
def test_incomplete_features_at_the_end() -> None:
    state = do(begin(3), "draw:U place:1,0,1 claim:0,meeple draw:F place:0,-1,1 claim:0,meeple")
    do(state, "draw:B place:0,1,0 claim:0,meeple")
    finish(state)
    assert sorted(scored(state)) == [
        "0: road 2x1 = 2",
        "1: city 2x1, coat of arms 1x1 = 3",
        "2: monastery 3x1 = 3",  # itself, 0,0 and 1,0
    ]
    assert state.scores == [2, 3, 3]


@pytest.mark.rule("BASE-17")
def test_an_incomplete_city_counts_nothing_for_fields() -> None:
    state = do(begin(), "draw:E place:0,1,2 claim:1,meeple")
    finish(state)
    assert state.scores == [0, 0]


@pytest.mark.rule("BASE-18")
def test_roads_and_walls_bound_fields_and_the_sides_of_a_road_are_two_fields() -> None:
    state = do(begin(), "draw:U place:1,0,1")
    north = feature(state, "field", 0, 0, 2)
    south = feature(state, "field", 0, 0, 3)
    assert [s[:2] for s in north["segments"]] == [[0, 0], [1, 0]]
    assert [s[:2] for s in south["segments"]] == [[0, 0], [1, 0]]
    assert north["segments"] != south["segments"]


@pytest.mark.rule("BASE-19")
def test_the_highest_score_wins_and_players_level_at_the_top_all_win() -> None:
    state = begin(3)
    state.scores = [7, 3, 7]
    assert state.winners == []  # not before the end
    finish(state)
    assert state.winners == [0, 2]
    assert state.returns() == [0.25, -0.5, 0.25]
    state.scores = [7, 3, 8]
    assert (state.winners, state.returns()) == ([2], [-0.5, -0.5, 1.0])
    two = finish(begin())
    two.scores = [7, 3]
    assert (two.winners, two.returns()) == ([0], [1.0, -1.0])


@pytest.mark.rule("BASE-20")
def test_the_bag_is_known_and_its_order_is_not() -> None:
    state = begin()
    outcomes = {str(action): p for action, p in state.chance_outcomes()}
    assert outcomes["draw:V"] == pytest.approx(9 / 71)
    assert sum(outcomes.values()) == pytest.approx(1)
    do(state, "draw:V place:1,0,0 pass")
    assert {str(a): p for a, p in state.chance_outcomes()}["draw:V"] == pytest.approx(8 / 70)


@pytest.mark.rule("BASE-20")
def test_two_games_with_different_deals_look_alike_until_the_draws_differ() -> None:
    rules = Rules.from_spec("base", 2)
    assert rules.deal(1).tiles != rules.deal(2).tiles
    assert sorted(rules.deal(1).tiles) == sorted(rules.deal(2).tiles)
    assert rules.deal(1).tiles == rules.deal(1).tiles
    assert rules.start().to_dict() == rules.start().to_dict()


def test_a_playout_may_be_told_how_players_choose() -> None:
    state = begin()
    taken = playout(state, random.Random(3), lambda at: at.legal_actions()[-1])
    assert state.is_terminal and taken > 142  # 71 draws, 71 placements, some claims
    assert state.scores == [0, 0], "`pass` is the last"
